// Package shops lists the demo shops.
package shops

import (
	"strings"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/memar"
	"storefront/internal/demo/gen/paperlane"
	"storefront/internal/demo/gen/sanat"
	"storefront/internal/demo/pictures"
)

// All makes the bundles of the three shops. Every call gives the same.
func All() []bundle.Bundle {
	all := []bundle.Bundle{sanat.Bundle(), paperlane.Bundle(), memar.Bundle()}
	for _, b := range all {
		size(b)
	}
	return all
}

// size gives every image the size and colour of its picture.
func size(b bundle.Bundle) {
	text, err := b.JSON()
	if err != nil {
		panic(err)
	}
	drawn, err := pictures.Of(text)
	if err != nil {
		panic(err)
	}
	set := func(url string, to *bundle.Size) {
		p := drawn[url]
		*to = bundle.Size{Width: p.Width, Height: p.Height, PlaceholderColor: p.Color()}
	}
	all := func(images []bundle.Image) {
		for i := range images {
			set(images[i].URL, &images[i].Size)
		}
	}
	for _, p := range b.Products {
		all(p.Images)
	}
	for _, u := range b.UserProducts {
		all(u.Images)
	}
	for _, p := range b.Blogs {
		all(p.Images)
	}
	for _, p := range b.Portfolios {
		all(p.Images)
	}
	for _, s := range b.Sliders {
		for i := range s.Slides {
			set(s.Slides[i].ImageURL, &s.Slides[i].Size)
			s.Slides[i].Alt = s.Slides[i].Title
		}
	}
}

// File is the name of the file that holds a bundle.
func File(b bundle.Bundle) string {
	return strings.TrimSuffix(b.Tenant.Domain, ".example") + ".bundle.json.gz"
}
