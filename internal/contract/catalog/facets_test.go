package catalog_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"storefront/internal/contract/shoptest"
)

// facetCounts are the facets of a list.
type facetCounts struct {
	Total  int
	Facets struct {
		Categories []struct {
			Category struct{ ID string }
			Count    int
		}
		Brands []struct {
			Brand struct{ ID string }
			Count int
		}
		Prices []struct {
			Currency string
			Count    int
			Min, Max json.Number
			Buckets  []struct {
				Min, Max json.Number
				Count    int
			}
		}
		Fields []struct {
			Key     string
			Type    string
			Count   int
			Options []struct {
				Value string
				Count int
			}
			Min, Max *json.Number
		}
	}
}

// askFacets asks for the facets of a list.
func askFacets(t testing.TB, p *shoptest.Place, shop, field, arguments, facets string) facetCounts {
	t.Helper()
	var got struct {
		Data struct{ Tenant struct{ List facetCounts } }
	}
	p.Graph(t, shoptest.About(shop, fmt.Sprintf("list: %s(pageSize: 1 %s) { total %s }", field, arguments,
		facets)), &got)
	return got.Data.Tenant.List
}

// filters are the arguments that filter a list, by what they filter on.
type filters map[string]string

// with returns the arguments, one of them replaced. An empty value omits it.
func (f filters) with(name, value string) (text string) {
	all := map[string]string{}
	for n, v := range f {
		all[n] = v
	}
	all[name] = value
	for _, v := range all {
		text += " " + v
	}
	return text
}

// TestFacetsCountWhatTheirFiltersFind compares the count of each facet with the list that its filter finds.
func TestFacetsCountWhatTheirFiltersFind(t *testing.T) {
	const shared = "categories { category { id } count } brands { brand { id } count } prices { currency " +
		"count min max buckets { min max count } }"
	milling, mazak := `categoryId: "<sanat-mashin:category:product:cnc-milling>"`,
		`brandId: "<sanat-mashin:brand:mazak>"`
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, list := range []struct {
			field, facets string
			filters       []filters
		}{
			{"products", "facets { " + shared + " fields { key type count options { value count } min max } }",
				[]filters{
					{}, {"category": milling}, {"category": milling, "brand": mazak, "price": "minPrice: 1000000000"},
					{"category": milling, "coolant": `{key: "coolant", anyOf: ["true"]}`,
						"power": `{key: "power", max: 15}`},
				}},
			{"storeItems", "facets { " + shared + " }",
				[]filters{{}, {"category": milling, "price": "maxPrice: 5000000000"},
					{"brand": mazak, "stock": "inStock: true"}}},
		} {
			for _, f := range list.filters {
				facetsHold(t, p, list.field, list.facets, f)
			}
		}
	})
}

// arguments writes the filters of technical fields as one argument.
func arguments(f filters, name, value string) string {
	others, values := filters{}, ""
	for n, v := range f {
		if v != "" && v[0] == '{' {
			if n != name {
				values += v
			}
			continue
		}
		others[n] = v
	}
	if value != "" && value[0] == '{' {
		return others.with("values", "values: ["+values+value+"]")
	}
	if values != "" {
		others["values"] = "values: [" + values + "]"
	}
	return others.with(name, value)
}

func facetsHold(t *testing.T, p *shoptest.Place, field, facets string, f filters) {
	t.Helper()
	got := askFacets(t, p, shoptest.MachineShop, field, arguments(f, "", ""), facets)
	holds := func(name, value string, want int) {
		t.Helper()
		if n := askFacets(t, p, shoptest.MachineShop, field, arguments(f, name, value), "").Total; n != want {
			t.Errorf("%s %v: %s: got %d, want the %d of its facet", field, f, value, n, want)
		}
	}
	counts := map[string]int{}
	for _, c := range got.Facets.Categories {
		counts[c.Category.ID] = c.Count
	}
	var tree struct {
		Data struct {
			Tenant struct{ Categories []struct{ ID string } }
		}
	}
	p.Graph(t, shoptest.About(shoptest.MachineShop, "categories { id }"), &tree)
	for _, c := range tree.Data.Tenant.Categories { // including categories without records
		holds("category", `categoryId: "`+c.ID+`"`, counts[c.ID])
	}
	if len(counts) == 0 || len(got.Facets.Brands) == 0 || len(got.Facets.Prices) != 1 ||
		len(got.Facets.Prices[0].Buckets) < 2 {
		t.Fatalf("%s %v divides into %+v", field, f, got)
	}
	for _, b := range got.Facets.Brands {
		holds("brand", `brandId: "`+b.Brand.ID+`"`, b.Count)
	}
	price := got.Facets.Prices[0]
	holds("price", fmt.Sprintf("minPrice: %s, maxPrice: %s", price.Min, price.Max), price.Count)
	sum := 0
	for _, b := range price.Buckets {
		holds("price", fmt.Sprintf("minPrice: %s, maxPrice: %s", b.Min, b.Max), b.Count)
		sum += b.Count
	}
	if sum < price.Count || field == "storeItems" && sum > price.Count { // a product may have several prices
		t.Errorf("%s %v: got %d prices in buckets, want %d", field, f, sum, price.Count)
	}
	if f["category"] != "" && field == "products" && len(got.Facets.Fields) < 5 {
		t.Errorf("%v has %d fields", f, len(got.Facets.Fields))
	}
	for _, one := range got.Facets.Fields {
		holds(one.Key, fmt.Sprintf(`{key: %q}`, one.Key), one.Count)
		for _, o := range one.Options {
			holds(one.Key, fmt.Sprintf(`{key: %q, anyOf: [%q]}`, one.Key, o.Value), o.Count)
		}
		if one.Type == "number" && one.Count > 0 {
			holds(one.Key, fmt.Sprintf(`{key: %q, min: %s, max: %s}`, one.Key, *one.Min, *one.Max), one.Count)
			if n := askFacets(t, p, shoptest.MachineShop, field, arguments(f, one.Key,
				fmt.Sprintf(`{key: %q, max: %s}`, one.Key,
					*one.Min)), "").Total; n == 0 {
				t.Errorf("no product answers %s with its least number", one.Key)
			}
		}
	}
}

// TestFacetsFollowChanges checks that facets are counted again after a change of the shop.
func TestFacetsFollowChanges(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		brands := func() (counts map[string]int) {
			counts = map[string]int{}
			for _, b := range askFacets(t, p, shoptest.MachineShop, "products", "",
				"facets { brands { brand { id } count } }").
				Facets.Brands {
				counts[b.Brand.ID] = b.Count
			}
			return counts
		}
		mazak := p.Named(t, "<sanat-mashin:brand:mazak>")
		before := brands()
		p.Changed(t, `{"slug": "one-more", "titleFa": "یکی", "brand": "mazak", "publishedAt": `+
			`"2026-05-05T05:05:05Z"}`)
		if after := brands(); after[mazak] != before[mazak]+1 {
			t.Errorf("got %d of the brand, want %d", after[mazak], before[mazak]+1)
		}
	})
}

// TestFacets compares the facets of the small shop with golden files.
func TestFacets(t *testing.T) {
	const all = "facets { categories { category { slug parentId nameFa } count } brands { brand { slug " +
		"name } count } prices { currency count min max buckets { min max count } }"
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole shop", shoptest.About("tools.example", "products { total "+all+" fields { key } } }"), 200},
			{"category", shoptest.About("tools.example",
				`productsConnection(categoryId: "<tools:category:product:drills>") `+
					`{ totalCount `+all+
					" fields { key label labelFa type unit unitFa count options { "+
					"value label labelFa count } min max } } }"),
				200},
			{"nothing", shoptest.About("tools.example", `products(name: "nothing at all") { total `+all+" } }"), 200},
			{"store items", shoptest.About("tools.example", "storeItems { total "+all+" } }"), 200},
			{"store items of a category",
				shoptest.About("tools.example",
					`storeItemsConnection(categoryId: "<tools:category:product:power>", inStock: `+
						`true) { totalCount `+all+" } }"), 200},
		})
	})
}
