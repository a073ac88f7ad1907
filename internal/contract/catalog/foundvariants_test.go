package catalog_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// madeVariant is a variant of the test's products.
type madeVariant struct {
	size  string
	price int // 0: on request
	sold  bool
}

// foundProducts is what the shop answers about a list of products.
type foundProducts struct {
	Total  int
	Items  []struct{ Slug string }
	Facets struct {
		Prices []struct {
			Count    int
			Min, Max json.Number
		}
	}
}

// TestProductsFoundByVariants compares lists by options and prices with a model: a product is found by a variant on
// sale that has the options and a price within the bounds, and sorted and counted by the lowest price of these.
func TestProductsFoundByVariants(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		random := rand.New(rand.NewPCG(4, 5))
		made, elements := map[string][]madeVariant{}, []any{}
		for i := range 40 {
			slug, variants := fmt.Sprintf("shirt-%d", i), []any{}
			for _, size := range []string{"s", "m", "xl"} {
				v := madeVariant{size, random.IntN(8) * 20, random.IntN(5) > 0}
				element := map[string]any{"sku": slug + size, "options": map[string]any{"fit": size},
					"priceCurrency": "IRT", "onSale": v.sold}
				if v.price > 0 {
					element["price"] = v.price
				}
				made[slug], variants = append(made[slug], v), append(variants, element)
			}
			var sizes []any
			for _, size := range []string{"s", "m", "xl"} {
				sizes = append(sizes, map[string]any{"key": size, "label": size, "labelFa": size})
			}
			elements = append(elements, map[string]any{"slug": slug, "titleFa": slug, "tags": []string{"shirts"},
				"status": "published", "publishedAt": "2026-11-01T00:00:00Z", "variants": variants,
				"variations": []any{map[string]any{"key": "fit", "name": "Fit", "nameFa": "اندازه", "values": sizes}}})
		}
		shoptest.ImportProducts(t, p.Store, elements)

		for _, sizes := range []string{"", "s", "xl", "s xl"} {
			for _, lowest := range []int{0, 40, 90} {
				for _, highest := range []int{0, 40, 100} {
					if highest > 0 && lowest > highest {
						continue
					}
					arguments := `tag: "shirts", pageSize: 50`
					if sizes != "" {
						arguments += `, options: [{key: "fit", anyOf: ["` +
							strings.ReplaceAll(sizes, " ", `", "`) + `"]}]`
					}
					if lowest > 0 {
						arguments += fmt.Sprintf(", minPrice: %d", lowest)
					}
					if highest > 0 {
						arguments += fmt.Sprintf(", maxPrice: %d", highest)
					}
					// price returns the lowest price of the variants that are found, 0 if none of them has one.
					price := func(slug string, lowest, highest int) (least int, found bool) {
						for _, v := range made[slug] {
							if !v.sold || sizes != "" && !slices.Contains(strings.Fields(sizes), v.size) ||
								(lowest > 0 || highest > 0) && v.price == 0 || v.price < lowest ||
								highest > 0 && v.price > highest {
								continue
							}
							if found = true; v.price > 0 && (least == 0 || v.price < least) {
								least = v.price
							}
						}
						return least, found || sizes == "" && lowest == 0 && highest == 0
					}
					want, counted, number := []string{}, []int{}, 0
					for slug := range made {
						if _, found := price(slug, lowest, highest); found {
							want = append(want, slug)
						}
						if least, _ := price(slug, 0, 0); least > 0 {
							number++
						}
						for _, v := range made[slug] {
							if v.sold && v.price > 0 &&
								(sizes == "" || slices.Contains(strings.Fields(sizes), v.size)) {
								counted = append(counted, v.price)
							}
						}
					}
					slices.Sort(want)
					for _, sort := range []string{"newest", "price_asc", "price_desc"} {
						var got struct {
							Data struct {
								Tenant struct{ Products foundProducts }
							}
						}
						p.Graph(t, shoptest.AboutTools(`products(`+arguments+`, sort: `+sort+
							`) { total items { slug } facets { prices { count min max } } }`), &got)
						is := got.Data.Tenant.Products
						var slugs []string
						var prices []int
						for _, item := range is.Items {
							least, _ := price(item.Slug, lowest, highest)
							slugs, prices = append(slugs, item.Slug), append(prices, least)
						}
						ordered := func(a, b int) int {
							switch {
							case sort == "newest", a == b:
								return 0
							case a == 0 || b != 0 && (a > b) == (sort == "price_asc"):
								return 1
							}
							return -1
						}
						if !slices.IsSortedFunc(prices, ordered) {
							t.Errorf("%s, %s: the prices are %v", arguments, sort, prices)
						}
						if slices.Sort(slugs); !slices.Equal(slugs, want) || is.Total != len(want) {
							t.Errorf("%s, %s: got %d, %v, want %v", arguments, sort, is.Total, slugs, want)
						}
						facet := is.Facets.Prices
						if len(facet) != 1 || facet[0].Count != number ||
							facet[0].Min.String() != fmt.Sprint(slices.Min(counted)) ||
							facet[0].Max.String() != fmt.Sprint(slices.Max(counted)) {
							t.Errorf("%s: got the prices %+v, want %d, %v", arguments, facet, number, slices.Sorted(
								slices.Values(counted)))
						}
					}
				}
			}
		}

		// the same list, three at a time
		var whole, walked []string
		const arguments = `tag: "shirts", options: [{key: "fit", anyOf: ["xl"]}], minPrice: 40, sort: price_asc`
		var page struct {
			Data struct {
				Tenant struct{ Products foundProducts }
			}
		}
		p.Graph(t, shoptest.AboutTools(`products(`+arguments+`, pageSize: 50) { items { slug } }`), &page)
		for _, item := range page.Data.Tenant.Products.Items {
			whole = append(whole, item.Slug)
		}
		for after := "null"; after != ""; {
			var got struct {
				Data struct {
					Tenant struct {
						ProductsConnection struct {
							Nodes    []struct{ Slug string }
							PageInfo struct {
								EndCursor   string
								HasNextPage bool
							}
						}
					}
				}
			}
			p.Graph(t, shoptest.AboutTools(`productsConnection(`+arguments+`, first: 3, after: `+after+
				`) { nodes { slug } pageInfo { endCursor hasNextPage } }`), &got)
			c := got.Data.Tenant.ProductsConnection
			for _, node := range c.Nodes {
				walked = append(walked, node.Slug)
			}
			if after = ""; c.PageInfo.HasNextPage {
				after = `"` + c.PageInfo.EndCursor + `"`
			}
		}
		if !slices.Equal(walked, whole) {
			t.Errorf("walked %v, want %v", walked, whole)
		}
	})
}
