package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
)

// torobAnswer is the answer to a request of Torob.
type torobAnswer struct {
	APIVersion  string  `json:"api_version"`
	CurrentPage *int    `json:"current_page"`
	Total       *int    `json:"total"`
	MaxPages    *int    `json:"max_pages"`
	NextCursor  *string `json:"next_cursor"`
	Products    []struct {
		Unique       string            `json:"page_unique"`
		URL          string            `json:"page_url"`
		Group        string            `json:"product_group_id"`
		Title        string            `json:"title"`
		CurrentPrice json.Number       `json:"current_price"`
		OldPrice     *json.Number      `json:"old_price"`
		Availability bool              `json:"availability"`
		Images       []string          `json:"image_links"`
		Spec         map[string]string `json:"spec"`
		Added        string            `json:"date_added"`
	} `json:"products"`
	Error string `json:"error"`
}

func askTorob(t testing.TB, p *shoptest.Place, domain, body string, status int) (answer torobAnswer) {
	t.Helper()
	got := fileOf(t, p, "POST", domain+"/torob_api/v3/products", body, "Content-Type", "application/json",
		"X-Torob-Token", "x", "X-Torob-Token-Version", "1")
	if err := json.Unmarshal(got.Body, &answer); err != nil || got.Status != status {
		t.Fatalf("%s: got %d %s, want %d", body, got.Status, got.Body, status)
	}
	return answer
}

// TestTorob requests the products of a shop with 250 variants in rial in every form that Torob uses.
func TestTorob(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		var products []string
		for i := range 250 {
			products = append(products, fmt.Sprintf(`{"slug": "many-%03d", "titleFa": "کالای %d",
				"publishedAt": "2026-10-01T00:%02d:%02dZ",
				"variants": [{"sku": "MANY-%d", "price": %d, "priceCurrency": "IRR", "stock": 1}]}`,
				i, i, i/60, i%60, i, 1001+i))
		}
		text := `{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"}, "products": [` +
			strings.Join(products, ",") + `]}`
		if _, err := bundle.Import(t.Context(), p.Store, bundle.Bytes([]byte(text)), nil); err != nil {
			t.Fatal(err)
		}
		for _, odd := range []string{"%00", "%FF", "none"} {
			got := askTorob(t, p, "tools.example", `{"page_urls": ["https://tools.example/products/`+odd+`"]}`, 200)
			if len(got.Products) != 0 {
				t.Errorf("at %s: got %+v", odd, got.Products)
			}
		}
		byPage, byCursor := map[string]int{}, map[string]int{}
		first := askTorob(t, p, "tools.example", `{"page": 1, "sort": "date_added_desc"}`, 200)
		for page := 1; page <= *first.MaxPages; page++ {
			got := askTorob(t, p, "tools.example", fmt.Sprintf(`{"page": %d, "sort": "date_added_desc"}`, page), 200)
			if got.APIVersion != "torob_api_v3" || *got.CurrentPage != page ||
				page < *got.MaxPages && len(got.Products) != 100 {
				t.Errorf("page %d: got %d products, %+v", page, len(got.Products), got)
			}
			for _, one := range got.Products {
				byPage[one.Unique]++
			}
		}
		for body := `{"sort": "product_id_desc"}`; body != ""; {
			got := askTorob(t, p, "tools.example", body, 200)
			if body = ""; got.NextCursor != nil {
				body = `{"sort": "product_id_desc", "cursor": "` + *got.NextCursor + `"}`
			}
			for _, one := range got.Products {
				byCursor[one.Unique]++
			}
		}
		if len(byPage) != *first.Total || len(byCursor) != *first.Total || *first.Total < 250 {
			t.Errorf("got %d by page and %d by cursor, want %d", len(byPage), len(byCursor), *first.Total)
		}
		got := askTorob(t, p, "tools.example", `{"page": 99, "sort": "date_added_desc"}`, 200)
		if len(got.Products) != 0 {
			t.Errorf("after the last page: got %+v, want no products", got.Products)
		}
		got = askTorob(t, p, "tools.example", `{"page_urls": ["https://tools.example/products/many-000",
			"https://tools.example/products/future-drill", "https://evil.example/products/many-001"]}`, 200)
		if len(got.Products) != 1 || !got.Products[0].Availability || got.Products[0].CurrentPrice != "101" { // of 1001
			t.Errorf("got %+v", got.Products)
		}
		const ofDrill = `{"page_urls": ["https://tools.example/products/drill"]}`
		drill := askTorob(t, p, "tools.example", ofDrill, 200).Products
		if len(drill) != 3 || *drill[2].OldPrice != "1500000" || drill[2].CurrentPrice != "1250000" ||
			drill[2].Spec["اندازه"] != "۱۰" || drill[0].Availability || drill[0].CurrentPrice != "0" ||
			drill[0].Group != drill[2].Group || drill[2].Title != "دريل چكشي - ۱۰، قرمز" {
			t.Errorf("got %+v", drill)
		}
		named := askTorob(t, p, "tools.example", `{"page_uniques": ["`+drill[2].Unique+`", "x"]}`, 200).Products
		if len(named) != 1 || named[0].Unique != drill[2].Unique {
			t.Errorf("got %+v", named)
		}
		elsewhere := askTorob(t, p, "mugs.example", `{"page_uniques": ["`+drill[2].Unique+`"]}`, 200)
		if len(elsewhere.Products) != 0 || *elsewhere.Total != 0 {
			t.Errorf("another shop: got %+v", elsewhere)
		}
		for _, wrong := range []string{
			`{}`, `{"page": 1}`, `{"page": 0, "sort": "date_added_desc"}`, `{"page": "1", "sort": 1}`,
			`{"page": 1e3, "sort": "date_added_desc"}`, `{"page": 99999999999, "sort": "date_added_desc"}`,
			`{"page": 1, "sort": "date_updated_desc"}`, `{"page_urls": []}`, `{"page_urls": "x"}`,
			`{"page_uniques": [1]}`, `{"sort": "product_id_desc", "cursor": "x"}`,
			`{"sort": "product_id_desc", "cursor": null}`, `[]`, `{`,
		} {
			if got := askTorob(t, p, "tools.example", wrong, 400); got.Error == "" {
				t.Errorf("%s: got no error", wrong)
			}
		}
	})
}
