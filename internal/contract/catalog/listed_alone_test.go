package catalog_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestPagesOfCategoriesReadNoSkippedRecord checks that the ids and the total of a list below a category are
// read from the table listings alone, so that the records of earlier pages are not read.
func TestPagesOfCategoriesReadNoSkippedRecord(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s, counter := shoptest.OpenCounted(t, url)
		p := shoptest.StartWith(t, s, shoptest.Uncached)
		for _, list := range []string{"products", "user-products", "blogs", "portfolios"} {
			var all struct {
				Items []struct{ ID, CategoryID string }
			}
			base := "/tenants/sanat-mashin.example/" + list
			if err := json.Unmarshal(p.Get(t, base+"?pageSize=100").Body, &all); err != nil {
				t.Fatal(err)
			}
			under := map[string][]string{}
			for _, item := range all.Items {
				under[item.CategoryID] = append(under[item.CategoryID], item.ID)
			}
			delete(under, "")
			if len(under) == 0 {
				t.Errorf("%s: none stands under a category", list)
			}
			for category, want := range under {
				counter.Taken()
				var got struct {
					Items []struct{ ID, CategoryID string }
				}
				for _, page := range []string{"&pageSize=1&page=1", "&pageSize=1&page=2", "&pageSize=100"} {
					if err := json.Unmarshal(p.Get(t, base+"?categoryId="+category+page).Body, &got); err != nil {
						t.Fatal(err)
					}
				}
				var ids []string
				for _, item := range got.Items {
					if item.CategoryID == category { // the rest are in categories below
						ids = append(ids, item.ID)
					}
				}
				if !slices.Equal(ids[:min(len(ids), len(want))], want) { // the list may be longer
					t.Errorf("%s of %s: %v, want %v", list, category, ids, want)
				}
				for _, text := range counter.Taken() {
					if strings.Contains(text, "listings") && strings.Contains(text, "published_at") &&
						strings.Contains(strings.NewReplacer("`", "", `"`, "").Replace(text), "JOIN listings") {
						t.Errorf("%s of a category: %s", list, text)
					}
				}
			}
		}
	})
}
