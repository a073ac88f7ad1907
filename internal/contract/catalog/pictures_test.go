package catalog_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestImageSizes reads the sizes of images by GraphQL, and asks for the images of a page of the demo.
func TestImageSizes(t *testing.T) {
	const media = `{ mediaId url alt width height placeholderColor }`
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		type image struct {
			MediaID, URL     string
			Alt              *string
			Width, Height    int
			PlaceholderColor string
		}
		var page struct {
			Data struct {
				Tenant struct {
					LogoURL    string
					Sliders    []struct{ Slides []struct{ Image image } }
					Products   struct{ Items []struct{ Image image } }
					StoreItems struct {
						Items []struct {
							ImageURL string
							Image    image
						}
					}
					Product struct {
						Images []image
						Image  image
					}
				}
			}
		}
		p.Graph(t, shoptest.About("paperlane.example", `logoUrl sliders { slides { image `+media+` } }
			products(pageSize: 20) { items { image `+media+` } } storeItems(pageSize: 20) {
				items { imageUrl image `+media+` } }
			product(slug: "letters-from-shiraz") { images `+media+` image `+media+` }`), &page)
		shop := page.Data.Tenant
		if len(shop.Product.Images) != 2 || shop.Product.Images[0].URL != shop.Product.Image.URL ||
			shop.Product.Image.Width != 600 || shop.Product.Image.Height != 800 ||
			len(shop.Product.Image.PlaceholderColor) != 7 {
			t.Errorf("got the images %+v, want the first to be %+v", shop.Product.Images, shop.Product.Image)
		}
		urls := map[string]bool{shop.LogoURL: true}
		for _, slider := range shop.Sliders {
			for _, slide := range slider.Slides {
				if slide.Image.Width != 1600 || slide.Image.Height != 640 || slide.Image.MediaID == "" {
					t.Errorf("a slide has the image %+v", slide.Image)
				}
				urls[slide.Image.URL] = true
			}
		}
		for _, item := range shop.Products.Items {
			urls[item.Image.URL] = true
		}
		for _, item := range shop.StoreItems.Items {
			if item.ImageURL != item.Image.URL {
				t.Errorf("got the imageUrl %s, want that of the image %+v", item.ImageURL, item.Image)
			}
			urls[item.ImageURL] = true
		}
		for path := range urls {
			got := p.At(t, "GET", path, "Origin", "https://other.example")
			if got.Status != 200 || !strings.HasPrefix(string(got.Body), "<svg ") ||
				got.Header.Get("Content-Type") != "image/svg+xml" ||
				got.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" ||
				got.Header.Get("X-Content-Type-Options") != "nosniff" ||
				got.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" ||
				got.Header.Get("Cache-Control") != "public, max-age=604800" {
				t.Errorf("%s: %d %v %.100s", path, got.Status, got.Header, got.Body)
			}
		}
		shoptest.WantStatus(t, p.At(t, "POST", shop.LogoURL), 405)
		for _, path := range []string{"", "x", "paperlane/", "paperlane/logo", "paperlane/logo.svg/x",
			"paperlane/%6Cogo.svg%00"} {
			shoptest.WantStatus(t, p.At(t, "GET", "/demo/images/"+path), 404)
		}
	})
}
