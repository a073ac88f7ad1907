package api_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
)

// TestJSONLdIsExact reads the JSON-LD of a product whose texts contain the end of a script element.
func TestJSONLdIsExact(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		text := `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"}, "products": [{"slug": "drill",
			"description": "<p>One</p><script>alert(1)</script><p>two</p>", "summary": null,
			"titleEn": "</script><script>alert(1)</script>"}]}`
		if _, err := bundle.Import(t.Context(), p.Store, bundle.Bytes([]byte(text)), nil); err != nil {
			t.Fatal(err)
		}
		var shop struct {
			Data struct {
				Tenant struct {
					Product struct{ JSONLd, BreadcrumbsJSONLd string }
				}
			}
		}
		p.Graph(t, shoptest.AboutTools(`product(slug: "drill") { jsonLd(locale: en)
			breadcrumbsJsonLd(locale: en) }`), &shop)
		told := shop.Data.Tenant.Product
		if strings.ContainsAny(told.JSONLd, "<>&") {
			t.Errorf("it may end a script: %s", told.JSONLd)
		}
		wantJSON(t, told.BreadcrumbsJSONLd, `{"@context": "https://schema.org", "@type": "BreadcrumbList",
			"itemListElement": [
			{"@type": "ListItem", "position": 1, "name": "Tool House", "item": "https://tools.example/"},
			{"@type": "ListItem", "position": 2, "name": "Tools", "item": "https://tools.example/categories/tools"},
			{"@type": "ListItem", "position": 3, "name": "Power tools",
				"item": "https://tools.example/categories/power"},
			{"@type": "ListItem", "position": 4, "name": "Drills", "item": "https://tools.example/categories/drills"},
			{"@type": "ListItem", "position": 5, "name": "</script><script>alert(1)</script>",
				"item": "https://tools.example/products/drill"}]}`)
		var product struct {
			Description, Category string
			Image                 []string
			Brand                 struct{ Name string }
			Offers                struct {
				Type                string `json:"@type"`
				LowPrice, HighPrice string
				PriceCurrency       string
				OfferCount          int
				Offers              []struct{ SKU, Price, Availability string }
			}
			AggregateRating struct {
				RatingValue json.Number
				ReviewCount int
			}
			Review []struct{ Author struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(told.JSONLd), &product); err != nil {
			t.Fatalf("%v: %s", err, told.JSONLd)
		}
		offers := product.Offers
		if product.Description != "One two" || product.Category != "Drills" || product.Brand.Name != "Ronix" ||
			len(product.Image) != 2 || offers.Type != "AggregateOffer" || offers.LowPrice != "12500000" ||
			offers.HighPrice != "14500000" || offers.PriceCurrency != "IRR" || offers.OfferCount != 2 ||
			offers.Offers[0].SKU != "D-10" || offers.Offers[0].Availability != "https://schema.org/InStock" ||
			len(product.Review) != product.AggregateRating.ReviewCount || len(product.Review) == 0 {
			t.Errorf("got %s", told.JSONLd)
		}
	})
}

func wantJSON(t *testing.T, got, want string) {
	t.Helper()
	var a, b any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("got %s, want %s", got, want)
	}
}
