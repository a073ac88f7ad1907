package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
)

// modelList is a list and its facets as both APIs answer.
type modelList struct {
	Total  int
	Items  []shown
	Facets modelFacets
}

// TestRandomFilters compares lists with random filters with a model: the records, their order by each sort,
// the prices shown, the total and each facet, in GraphQL by pages and by a connection, and by the routes. It
// does so in a small shop and in one large enough that lists are read along an index.
func TestRandomFilters(t *testing.T) {
	for _, one := range []struct{ products, filters int }{{60, 80}, {2400, 12}} {
		t.Run(fmt.Sprint(one.products), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(one.products), 4))
			products := makeProducts(r, one.products)
			text := madeBundle(products)
			filters := map[string][]modelFilter{}
			for _, list := range []string{"products", "storeItems"} {
				for range one.filters {
					filters[list] = append(filters[list], randomFilter(r, list))
				}
			}
			shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
				if _, err := bundle.Import(t.Context(), p.Store, bundle.Bytes(text), nil); err != nil {
					t.Fatal(err)
				}
				analyze(t, p)
				for list, all := range filters {
					filtersHold(t, p, list, listedIn(list, products), all)
				}
			})
		})
	}
}

// readIDs returns the ids of the shop's categories and brands by their slugs, and sets those of records.
func readIDs(t *testing.T, p *shoptest.Place, list string, all []*listed) map[string]string {
	t.Helper()
	type named struct{ ID, Slug string }
	var got struct {
		Data struct {
			Tenant struct{ Categories, Brands []named }
		}
	}
	p.Graph(t, shoptest.About(madeShop, `categories { id slug } brands { id slug }`), &got)
	ids := map[string]string{}
	for _, one := range slices.Concat(got.Data.Tenant.Categories, got.Data.Tenant.Brands) {
		ids[one.Slug] = one.ID
	}
	name := map[string]string{"products": "slug", "storeItems": "sku"}[list]
	for page := 1; len(ids) < len(all); page++ {
		items := askModel(t, p,
			fmt.Sprintf("list: %s(page: %d, pageSize: 100) { items { id %s } }", list, page, name)).Items
		for _, item := range items {
			ids[item.Slug+item.SKU] = item.ID
		}
		if len(items) == 0 {
			break
		}
	}
	for _, one := range all {
		one.id = ids[one.name]
	}
	return ids
}

func askModel(t *testing.T, p *shoptest.Place, query string) modelList {
	t.Helper()
	var got struct {
		Data struct{ Tenant struct{ List modelList } }
	}
	p.Graph(t, shoptest.About(madeShop, query), &got)
	return got.Data.Tenant.List
}

func filtersHold(t *testing.T, p *shoptest.Place, list string, all []*listed, filters []modelFilter) {
	ids := readIDs(t, p, list, all)
	sorts, fields, path := []string{"newest", "price_asc", "price_desc", "rating", "title", "relevance"},
		shownFields+"slug maxPrice inStore", "/products"
	facets := facetFields + "fields { key count options { value count } min max } }"
	if list == "storeItems" {
		sorts, fields, path = []string{"newest", "price_asc", "price_desc", "discount", "relevance"},
			shownFields+"sku compareAtPrice discountPercent", "/store-items"
		facets = facetFields + "}"
	}
	equal := func(asked string, got []shown, want []*listed) {
		t.Helper()
		is, should := "", ""
		for i := range max(len(got), len(want)) {
			if i < len(got) {
				is += got[i].String() + "\n"
			}
			if i < len(want) {
				should += want[i].shows(list).String() + "\n"
			}
		}
		if is != should {
			t.Errorf("%s: got\n%swant\n%s", asked, is, should)
		}
	}
	for i, f := range filters {
		found, arguments := f.found(all), f.arguments(ids)
		for k, sort := range sorts {
			if (i+k)%2 > 0 {
				continue
			}
			f.sorted(found, sort)
			asked := fmt.Sprintf("%s(%s, pageSize: 100, sort: %s)", list, arguments, sort)
			got := askModel(t, p, "list: "+asked+" { total items { "+fields+" } }")
			if equal(asked, got.Items, found[:min(len(found), 100)]); got.Total != len(found) {
				t.Errorf("%s: got a total of %d, want %d", asked, got.Total, len(found))
			}
			if i/2%len(sorts) == k {
				walksEqual(t, p, list, arguments+", sort: "+sort, fields, found, equal)
			}
		}
		got := askModel(t, p, fmt.Sprintf("list: %s(%s, pageSize: 1) { %s }", list, arguments, facets)).Facets
		if is, want := got.lines(), f.facets(list, all, got); !slices.Equal(is, want) {
			t.Errorf("the facets of %s(%s): got\n%vwant\n%v", list, arguments, is, want)
		}
		asked, query := f.inREST(list, ids)
		found = asked.found(all)
		asked.sorted(found, "newest")
		var answer modelList
		path := "/tenants/" + madeShop + path + "?" + query.Encode()
		p.Decode(t, path, &answer)
		if equal(path, answer.Items, found[:min(len(found), 100)]); answer.Total != len(found) {
			t.Errorf("%s: got a total of %d, want %d", path, answer.Total, len(found))
		}
	}
}

// walksEqual walks the first 40 records of a connection, seven at a time.
func walksEqual(t *testing.T, p *shoptest.Place, list, arguments, fields string, want []*listed,
	equal func(string, []shown, []*listed),
) {
	t.Helper()
	var walked []shown
	for after := "null"; after != ""; {
		var got struct {
			Data struct {
				Tenant struct {
					List struct {
						TotalCount int
						Nodes      []shown
						PageInfo   struct {
							EndCursor   string
							HasNextPage bool
						}
					}
				}
			}
		}
		asked := fmt.Sprintf("%sConnection(%s, first: 7, after: %s)", list, arguments, after)
		p.Graph(t, shoptest.About(madeShop, "list: "+asked+" { totalCount nodes { "+fields+
			" } pageInfo { endCursor hasNextPage } }"), &got)
		c := got.Data.Tenant.List
		walked = append(walked, c.Nodes...)
		if after = ""; c.PageInfo.HasNextPage && len(walked) < 40 {
			after = strconv.Quote(c.PageInfo.EndCursor)
		}
		if c.TotalCount != len(want) {
			t.Errorf("%s: got a total of %d, want %d", asked, c.TotalCount, len(want))
		}
	}
	if len(want) > len(walked) && len(walked) >= 40 {
		want = want[:len(walked)]
	}
	equal(list+"Connection("+arguments+")", walked, want)
}
