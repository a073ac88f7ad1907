package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
)

// chosenProduct is a product with the properties that TestChoices filters by.
type chosenProduct struct {
	Slug     string
	Category *struct{ Slug string }
	Brand    *struct{ Slug string }
	Tags     []string
	Variants []struct {
		Sku     string
		Options []struct{ Key, Value string }
	}
}

// everyProduct reads all products of a shop, newest first.
func everyProduct(t *testing.T, p *shoptest.Place, shop string) (all []chosenProduct) {
	t.Helper()
	for page := 1; ; page++ {
		var got struct {
			Data struct {
				Tenant struct {
					Products struct{ Items []chosenProduct }
				}
			}
		}
		p.Graph(t, shoptest.About(shop, fmt.Sprintf(`products(page: %d, pageSize: 100) { items { `+
			`slug category { slug } `+
			`brand { slug } tags variants { sku options { key value } } } }`, page)), &got)
		if len(got.Data.Tenant.Products.Items) == 0 {
			return all
		}
		all = append(all, got.Data.Tenant.Products.Items...)
	}
}

// parents returns the parent of each category of a shop, by slug.
func parents(t *testing.T, p *shoptest.Place, shop string) map[string]string {
	t.Helper()
	var got struct {
		Data struct {
			Tenant struct {
				Categories []struct {
					Slug     string
					Parent   *struct{ Slug string }
					Children []struct{ Parent struct{ Slug string } }
				}
			}
		}
	}
	p.Graph(t, shoptest.About(shop, "categories { slug parent { slug } children { parent { slug } } }"), &got)
	parents := map[string]string{}
	for _, c := range got.Data.Tenant.Categories {
		parents[c.Slug] = ""
		if c.Parent != nil {
			parents[c.Slug] = c.Parent.Slug
		}
		for _, child := range c.Children {
			if child.Parent.Slug != c.Slug {
				t.Errorf("got a child below %s, want it below %s", child.Parent.Slug, c.Slug)
			}
		}
	}
	return parents
}

// slugs returns the names in a list of a shop, read page by page and by cursors, which must agree.
func slugs(t *testing.T, p *shoptest.Place, shop, list, name, arguments string) (found []string) {
	t.Helper()
	for page := 1; ; page++ {
		var got struct {
			Data struct {
				Tenant struct {
					List struct {
						Total int
						Items []map[string]string
					}
				}
			}
		}
		p.Graph(t, shoptest.About(shop, fmt.Sprintf("list: %s(page: %d, pageSize: 100 %s) { total items { %s } }",
			list, page, arguments, name)), &got)
		for _, item := range got.Data.Tenant.List.Items {
			found = append(found, item[name])
		}
		if len(got.Data.Tenant.List.Items) < 100 {
			if got.Data.Tenant.List.Total != len(found) {
				t.Errorf("%s(%s): got a total of %d, want %d, the number of items", list, arguments,
					got.Data.Tenant.List.Total, len(found))
			}
			break
		}
	}
	var walked []string
	for after := ""; ; {
		var got struct {
			Data struct {
				Tenant struct {
					List struct {
						Nodes    []map[string]string
						PageInfo struct {
							HasNextPage bool
							EndCursor   string
						}
					}
				}
			}
		}
		p.Graph(t, shoptest.About(shop, fmt.Sprintf("list: %sConnection(first: 100 %s %s) { nodes { %s } "+
			"pageInfo { hasNextPage endCursor } }",
			list, arguments, after, name)), &got)
		for _, node := range got.Data.Tenant.List.Nodes {
			walked = append(walked, node[name])
		}
		if !got.Data.Tenant.List.PageInfo.HasNextPage {
			break
		}
		after = fmt.Sprintf("after: %q", got.Data.Tenant.List.PageInfo.EndCursor)
	}
	if !slices.Equal(found, walked) {
		t.Errorf("%s(%s): got %d in pages, want the %d of the connection in its order", list, arguments,
			len(found), len(walked))
	}
	return found
}

// plentyProducts returns enough products for lists to be read along the index of their order. They are
// spread over categories, brands, tags, colours and sizes of the paper shop.
func plentyProducts(categories, brands []string) string {
	var products []string
	for i := range 1100 {
		hue, fit, first := []string{"red", "red", "blue"}[i%3], []string{"m", "s"}[i/3%2], "s"
		if hue == "blue" && fit == first { // two variants of a product have different options
			first = "m"
		}
		products = append(products,
			fmt.Sprintf(`{"slug": "many-%[1]d", "titleFa": "فراوان %[1]d", "titleEn": "Plenty %[1]d", `+
				`"category": %[2]q, "brand": %[3]q, "tags": ["many", "of%[4]d"], `+
				`"publishedAt": "2026-04-0%[5]dT05:05:05Z", `+
				`"variations": [{"key": "hue", "name": "Hue", "nameFa": "رنگ", "values": [`+
				`{"key": "red", "label": "Red", "labelFa": "سرخ"}, {"key": "blue", "label": "Blue", `+
				`"labelFa": "آبی"}]}, {"key": "fit", "name": "Fit", "nameFa": "اندازه", "values": [`+
				`{"key": "s", "label": "S", "labelFa": "کوچک"}, `+
				`{"key": "m", "label": "M", "labelFa": "متوسط"}]}], `+
				`"variants": [{"sku": "MANY-%[1]d-A", "options": {"hue": %[6]q, "fit": %[8]q}, "price": 5, `+
				`"priceCurrency": "USD", "stock": 3}, `+
				`{"sku": "MANY-%[1]d-B", "options": {"hue": "blue", "fit": %[7]q}, "price": 6, `+
				`"priceCurrency": "USD", "stock": 3}]}`,
				i, categories[i%len(categories)], brands[i%len(brands)], i%7, 1+i%9,
				hue, fit, first))
	}
	return strings.Join(products, ",")
}

// TestChoices filters lists by several categories, brands, tags and options at once, by slug and by id, and
// compares the result with the properties of all products. It does so in a small shop and in one large
// enough that lists are read along an index.
func TestChoices(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		analyze(t, p)
		choicesHold(t, p)
		parents := parents(t, p, shoptest.PaperShop)
		brands := map[string]bool{}
		for _, one := range everyProduct(t, p, shoptest.PaperShop) {
			if one.Brand != nil {
				brands[one.Brand.Slug] = true
			}
		}
		text := `{"format": "storefront-bundle/1", "tenant": {"domain": "` + shoptest.PaperShop +
			`"}, "products": [` +
			plentyProducts(sortedKeys(parents), sortedKeys(brands)) + `]}`
		if _, err := bundle.Import(t.Context(), p.Store, bundle.Bytes([]byte(text)), nil); err != nil {
			t.Fatal(err)
		}
		analyze(t, p)
		choicesHold(t, p)
	})
}

// analyze updates PostgreSQL's statistics after a test has written rows, as autovacuum does within a
// minute. Until then PostgreSQL takes the tables for empty, and scans the index of lists once for each
// product. SQLite gets its statistics from a migration.
func analyze(t *testing.T, p *shoptest.Place) {
	t.Helper()
	if p.Store.Dialect != dialect.Postgres {
		return
	}
	if _, err := p.Store.Client.ExecContext(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

func sortedKeys[V any](of map[string]V) (keys []string) {
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func choicesHold(t *testing.T, p *shoptest.Place) {
	all, parents := everyProduct(t, p, shoptest.PaperShop), parents(t, p, shoptest.PaperShop)
	tops, leaf, brands, tags := []string{}, "", []string{}, []string{}
	for _, slug := range sortedKeys(parents) {
		if parents[slug] == "" {
			tops = append(tops, slug)
		} else {
			leaf = slug
		}
	}
	options := map[string][]string{}
	for _, one := range all {
		if one.Brand != nil && !slices.Contains(brands, one.Brand.Slug) {
			brands = append(brands, one.Brand.Slug)
		}
		tags = append(tags, one.Tags...)
		for _, v := range one.Variants {
			for _, o := range v.Options {
				if !slices.Contains(options[o.Key], o.Value) {
					options[o.Key] = append(options[o.Key], o.Value)
				}
			}
		}
	}
	keys := sortedKeys(options)
	under := func(one chosenProduct, slugs ...string) bool {
		if one.Category == nil {
			return false
		}
		for slug := one.Category.Slug; slug != ""; slug = parents[slug] {
			if slices.Contains(slugs, slug) {
				return true
			}
		}
		return false
	}
	has := func(one chosenProduct, conditions map[string][]string) (skus []string) {
		for _, v := range one.Variants {
			met := 0
			for _, o := range v.Options {
				if slices.Contains(conditions[o.Key], o.Value) {
					met++
				}
			}
			if met == len(conditions) {
				skus = append(skus, v.Sku)
			}
		}
		return skus
	}
	first, second := keys[0], keys[len(keys)-1]
	one := map[string][]string{first: options[first][:1]}
	both := map[string][]string{first: options[first][:1], second: options[second][:1]}
	for _, c := range []struct {
		arguments string
		holds     func(chosenProduct) bool
	}{
		{fmt.Sprintf("categories: [%q]", leaf), func(p chosenProduct) bool { return under(p, leaf) }},
		{fmt.Sprintf("categories: [%q, %q]", tops[0], tops[1]),
			func(p chosenProduct) bool { return under(p, tops[0], tops[1]) }},
		{fmt.Sprintf("categories: [%q, %q]", leaf, parents[leaf]),
			func(p chosenProduct) bool { return under(p, parents[leaf]) }},
		{fmt.Sprintf(`categories: [%q, "<paperlane:category:product:%s>", "no-such", %q]`, tops[0], tops[1],
			shoptest.NobodysID),
			func(p chosenProduct) bool { return under(p, tops[0], tops[1]) }},
		{fmt.Sprintf(`categories: [%q, %q], categoryId: "<paperlane:category:product:%s>"`, leaf, tops[0],
			parents[leaf]),
			func(p chosenProduct) bool { return under(p, leaf, tops[0]) && under(p, parents[leaf]) }},
		{`categories: ["no-such"]`, func(chosenProduct) bool { return false }},
		{`brands: ["no-such", "` + shoptest.NobodysID + `"]`, func(chosenProduct) bool { return false }},
		{fmt.Sprintf("brands: [%q]", brands[0]), func(p chosenProduct) bool {
			return p.Brand != nil &&
				p.Brand.Slug == brands[0]
		}},
		{fmt.Sprintf("brands: [%q, %q], sort: price_asc", brands[0], brands[1]), nil},
		{fmt.Sprintf("brands: [%q, %q]", brands[0], brands[1]),
			func(p chosenProduct) bool { return p.Brand != nil && slices.Contains(brands[:2], p.Brand.Slug) }},
		{fmt.Sprintf("tags: [%q, %q], categories: [%q, %q]", tags[0], tags[len(tags)-1], tops[0], tops[1]),
			func(p chosenProduct) bool {
				return under(p, tops[0], tops[1]) && (slices.Contains(p.Tags, tags[0]) ||
					slices.Contains(p.Tags, tags[len(tags)-1]))
			}},
		{fmt.Sprintf("options: [{key: %q, anyOf: [%q]}]", first, one[first][0]),
			func(p chosenProduct) bool { return len(has(p, one)) > 0 }},
		{fmt.Sprintf("options: [{key: %q, anyOf: [%q]}, {key: %q, anyOf: [%q]}]", first, both[first][0],
			second, both[second][0]),
			func(p chosenProduct) bool { return len(has(p, both)) > 0 }},
		{`options: [{key: "hue", anyOf: ["red"]}, {key: "fit", anyOf: ["m"]}]`, func(p chosenProduct) bool {
			return len(has(p, map[string][]string{"hue": {"red"}, "fit": {"m"}})) > 0
		}},
		{`options: [{key: "hue", anyOf: ["red", "blue"]}, {key: "fit", ` +
			`anyOf: ["m", "x'\"y"]}, {key: "fit", anyOf: []}]`,
			func(p chosenProduct) bool {
				return len(has(p, map[string][]string{"hue": {"red", "blue"}, "fit": {"m"}})) > 0
			}},
	} {
		got := slugs(t, p, shoptest.PaperShop, "products", "slug", c.arguments)
		if c.holds == nil {
			continue
		}
		var want []string
		for _, product := range all {
			if c.holds(product) {
				want = append(want, product.Slug)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %d products, want %d", c.arguments, len(got), len(want))
		}
	}
	for _, c := range []struct {
		arguments string
		holds     func(chosenProduct) []string
	}{
		{fmt.Sprintf("categories: [%q, %q]", tops[0], tops[1]), func(p chosenProduct) []string {
			if under(p, tops[0], tops[1]) {
				return has(p, nil)
			}
			return nil
		}},
		{fmt.Sprintf("brands: [%q, %q]", brands[0], brands[1]), func(p chosenProduct) []string {
			if p.Brand != nil && slices.Contains(brands[:2], p.Brand.Slug) {
				return has(p, nil)
			}
			return nil
		}},
		{fmt.Sprintf("options: [{key: %q, anyOf: [%q]}, {key: %q, anyOf: [%q]}]", first, both[first][0],
			second, both[second][0]),
			func(p chosenProduct) []string { return has(p, both) }},
	} {
		got := slugs(t, p, shoptest.PaperShop, "storeItems", "sku", c.arguments)
		var want []string
		for _, product := range all {
			want = append(want, c.holds(product)...)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %d variants, want %d", c.arguments, len(got), len(want))
		}
	}
}

// TestProductsOfCategoriesAndBrands compares the products below categories and brands with the lists that their filters
// find, in every order.
func TestProductsOfCategoriesAndBrands(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		type owner struct {
			ID, Slug  string
			ItemCount int
			Products  struct {
				Total int
				Items []struct{ Slug string }
			}
		}
		for _, sort := range []string{"newest", "price_asc", "price_desc", "rating", "title"} {
			for _, page := range []int{1, 2} {
				window := fmt.Sprintf("page: %d, pageSize: 3, sort: %s", page, sort)
				var got struct {
					Data struct {
						Tenant struct{ Categories, Brands, Blogs []owner }
					}
				}
				p.Graph(t, shoptest.About(shoptest.MachineShop,
					fmt.Sprintf(`categories { id slug itemCount products(%s) { total items { slug } } } `+
						`brands { id slug products(%[1]s) { total items { slug } } } `+
						`blogs: categories(entityType: blog) { id slug products { total items { slug } } `+
						`}`, window)), &got)
				check := func(argument, field string, o owner) {
					t.Helper()
					var alone struct {
						Data struct{ Tenant struct{ One owner } }
					}
					var listed struct {
						Data struct {
							Tenant struct {
								Products struct {
									Total int
									Items []struct{ Slug string }
								}
							}
						}
					}
					p.Graph(t, shoptest.About(shoptest.MachineShop,
						fmt.Sprintf(`products(%s: %q, %s) { total items { slug } }`,
							argument, o.ID, window)), &listed)
					p.Graph(t, shoptest.About(shoptest.MachineShop,
						fmt.Sprintf(`one: %s(slug: %q) { id slug products(%s) { total items { slug } } }`,
							field, o.Slug, window)), &alone)
					want := listed.Data.Tenant.Products
					if fmt.Sprint(o.Products) != fmt.Sprint(want) ||
						fmt.Sprint(alone.Data.Tenant.One.Products) != fmt.Sprint(want) {
						t.Errorf("%s of %s, %s: %v and alone %v, want %v", field, o.Slug, window, o.Products,
							alone.Data.Tenant.One.Products, want)
					}
				}
				for _, c := range got.Data.Tenant.Categories {
					if c.ItemCount != c.Products.Total {
						t.Errorf("%s: got an itemCount of %d, want %d products", c.Slug, c.ItemCount, c.Products.Total)
					}
				}
				for _, c := range got.Data.Tenant.Categories[:3] {
					check("categoryId", "category", c)
				}
				for _, b := range got.Data.Tenant.Brands[:3] {
					check("brandId", "brand", b)
				}
				for _, c := range got.Data.Tenant.Blogs {
					if c.Products.Total != 0 || len(c.Products.Items) != 0 {
						t.Errorf("%s, a category of blogs, has products: %v", c.Slug, c.Products)
					}
				}
			}
		}
	})
}
