package pictures_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"storefront/internal/demo"
	"storefront/internal/demo/pictures"
)

// TestPicturesOfTheDemo checks that there is a picture, in well-formed XML without a script, for every image of the
// demo shops, and no other.
func TestPicturesOfTheDemo(t *testing.T) {
	all, err := pictures.All()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, b := range demo.Bundles() {
		from, err := gzip.NewReader(bytes.NewReader(b.Data))
		if err != nil {
			t.Fatal(err)
		}
		var content any
		if err := json.NewDecoder(from).Decode(&content); err != nil {
			t.Fatal(err)
		}
		for _, url := range imagesIn(content, "") {
			path, ours := strings.CutPrefix(url, pictures.Path)
			if used[path] = true; !ours || all[path] == "" {
				t.Errorf("%s: there is no picture %s", b.Domain, url)
			}
		}
	}
	for path, picture := range all {
		if !used[path] {
			t.Errorf("no shop shows the picture %s", path)
		}
		wellFormed(t, path, []byte(picture))
	}
}

// imagesIn returns the texts of members whose names mark image addresses.
func imagesIn(content any, member string) (urls []string) {
	switch c := content.(type) {
	case map[string]any:
		for name, value := range c {
			if name != "url" || member == "images" { // else of a social link
				urls = append(urls, imagesIn(value, name)...)
			}
		}
	case []any:
		for _, value := range c {
			urls = append(urls, imagesIn(value, member)...)
		}
	case string:
		if slices.Contains([]string{"imageUrl", "logoUrl", "faviconUrl", "url"}, member) {
			urls = append(urls, c)
		}
	}
	return urls
}

func wellFormed(t *testing.T, url string, svg []byte) {
	t.Helper()
	if len(svg) > 8<<10 {
		t.Errorf("%s has %d bytes", url, len(svg))
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", url, err, svg)
			return
		}
		if start, ok := token.(xml.StartElement); ok && strings.EqualFold(start.Name.Local, "script") {
			t.Errorf("%s holds a script", url)
		}
	}
}
