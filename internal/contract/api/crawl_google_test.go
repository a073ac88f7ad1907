package api_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// item is an item of Google's feed.
type item struct {
	ID           string   `xml:"id"`
	Title        string   `xml:"title"`
	Description  string   `xml:"description"`
	Link         string   `xml:"link"`
	Image        string   `xml:"image_link"`
	MoreImages   []string `xml:"additional_image_link"`
	Availability string   `xml:"availability"`
	Price        string   `xml:"price"`
	SalePrice    string   `xml:"sale_price"`
	Brand        string   `xml:"brand"`
	Group        string   `xml:"item_group_id"`
	Size         string   `xml:"size"`
}

// TestGoogleFeed reads the feed of a shop whose prices are in toman.
func TestGoogleFeed(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		feed := func(name string) map[string]item {
			var rss struct {
				Channel struct {
					Items []item `xml:"item"`
				} `xml:"channel"`
			}
			text := textOf(t, p, "tools.example/feeds/"+name)
			if err := xml.Unmarshal([]byte(text), &rss); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			items := map[string]item{}
			for _, one := range rss.Channel.Items {
				items[one.Title] = one
			}
			return items
		}
		fa, en := feed("google.xml"), feed("google-en.xml")
		got := en["Hammer Drill - 10 mm, Red"]
		if got.Price != "15000000 IRR" || got.SalePrice != "12500000 IRR" || got.Availability != "in_stock" ||
			got.Brand != "Ronix" || got.Link != "https://tools.example/products/drill" || got.Size != "10 mm" ||
			got.Image != "https://img.example/drill-1.jpg" || len(got.MoreImages) != 1 ||
			got.Description != "Strong <b>&</b> small" || got.ID == got.Group || got.Group == "" {
			t.Errorf("got %+v of %v", got, en)
		}
		if got := en["Hammer Drill - 13 mm, Red"]; got.Price != "14500000 IRR" || got.SalePrice != "" ||
			got.Image != "https://img.example/d13.jpg" || len(got.MoreImages) != 2 {
			t.Errorf("got %+v", got)
		}
		if got := fa["دريل چكشي - ۱۰, قرمز"]; got.ID != en["Hammer Drill - 10 mm, Red"].ID ||
			got.Brand != "رونیکس" {
			t.Errorf("got %+v of %v", got, fa)
		}
		for title := range en {
			if strings.Contains(title, "20 mm") || strings.Contains(title, "16 mm") {
				t.Errorf("%s is there, which is on request, or off sale", title)
			}
		}
	})
}
