package pictures_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"storefront/internal/demo"
	"storefront/internal/demo/pictures"
)

// TestPicturesOfTheDemo checks that every image of the demo shops is drawn as well-formed XML, in the size
// that the bundle gives.
func TestPicturesOfTheDemo(t *testing.T) {
	for _, b := range demo.Bundles() {
		from, err := gzip.NewReader(bytes.NewReader(b.Data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := pictures.Of(text)
		if err != nil {
			t.Fatal(err)
		}
		var content any
		if err := json.Unmarshal(text, &content); err != nil {
			t.Fatal(err)
		}
		for _, url := range imagesIn(content, "") {
			p, ok := drawn[url]
			if !ok {
				t.Errorf("%s: nothing is drawn at %s", b.Domain, url)
				continue
			}
			if p.Width == 0 || p.Height == 0 || len(p.Color()) != 7 {
				t.Errorf("%s has the size %d × %d and the colour %q", url, p.Width, p.Height, p.Color())
			}
		}
		for url, p := range drawn {
			wellFormed(t, url, p.SVG())
		}
	}
}

// imagesIn returns the texts of members whose names mark image addresses.
func imagesIn(content any, member string) (urls []string) {
	switch c := content.(type) {
	case map[string]any:
		for name, value := range c {
			if name == "url" && member != "images" { // of a social link
				continue
			}
			urls = append(urls, imagesIn(value, name+strings.TrimPrefix(member, "images"))...)
		}
	case []any:
		for _, value := range c {
			urls = append(urls, imagesIn(value, member)...)
		}
	case string:
		for _, name := range []string{"imageUrl", "logoUrl", "faviconUrl", "url"} {
			if strings.HasPrefix(member, name) {
				urls = append(urls, c)
			}
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

// TestPicturesEscapeWords checks that a title appears as text in the picture, whatever it contains.
func TestPicturesEscapeWords(t *testing.T) {
	const url = pictures.Path + "x/products/P-1.svg"
	title, _ := json.Marshal(`</text><script>alert(1)</script> "&' ` + "\x01\u202e کتاب " + strings.Repeat("x", 300))
	drawn, err := pictures.Of([]byte(`{"categories": [{"entityType": "product", "slug": "books"}], "products": [
		{"titleEn": ` + string(title) + `, "category": "books", "values": {"author": ["no", "text"]},
		"images": [{"url": "` + url + `"}, {"url": "https://other.example/a.svg"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(drawn) != 1 {
		t.Errorf("it drew %d pictures, not the one that is its own", len(drawn))
	}
	wellFormed(t, url, drawn[url].SVG())
}
