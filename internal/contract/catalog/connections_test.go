package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// walked is a list of a shop: its list field and its connection, with the arguments that filter and sort
// it.
type walked struct{ domain, page, connection, arguments string }

// span is what a connection answers.
type span struct {
	Edges []struct {
		Cursor string
		Node   struct{ ID string }
	}
	Nodes    []struct{ ID string }
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
	TotalCount int
}

// ids reads a list page by page.
func ids(t testing.TB, p *shoptest.Place, w walked) (ids []string) {
	t.Helper()
	for number := 1; ; number++ {
		var got struct {
			Data struct {
				Tenant struct {
					List struct {
						Items []struct{ ID string }
						Total int
					}
				}
			}
		}
		p.Graph(t, shoptest.About(w.domain, fmt.Sprintf("list: %s(page: %d, pageSize: 100 %s) { total items { id } }",
			w.page, number, w.arguments)), &got)
		for _, item := range got.Data.Tenant.List.Items {
			ids = append(ids, item.ID)
		}
		if number*100 >= got.Data.Tenant.List.Total {
			return ids
		}
	}
}

// readConnection asks for a span of a list.
func readConnection(t testing.TB, p *shoptest.Place, w walked, window string) span {
	t.Helper()
	var got struct {
		Data struct{ Tenant struct{ List span } }
	}
	arguments := ""
	if window+w.arguments != "" {
		arguments = "(" + window + " " + w.arguments + ")"
	}
	p.Graph(t, shoptest.About(w.domain, fmt.Sprintf(`list: %s%s {
		edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor `+
		`} totalCount
	}`, w.connection, arguments)), &got)
	return got.Data.Tenant.List
}

// walk reads a list span by span, forward or backward, and returns its ids in the order of the list.
// It calls between before each span but the first.
func walk(t testing.TB, p *shoptest.Place, w walked, size int, backward bool, between func()) (ids []string) {
	t.Helper()
	size, window, more := size, fmt.Sprintf("first: %d", size), true
	if backward {
		window = fmt.Sprintf("last: %d", size)
	}
	for start := window; more; between() {
		got := readConnection(t, p, w, window)
		var own []string
		for i, e := range got.Edges {
			own = append(own, e.Node.ID)
			if got.Nodes[i].ID != e.Node.ID {
				t.Fatalf("%v: node %d: got %s, want %s as its edge has", w, i, got.Nodes[i].ID, e.Node.ID)
			}
		}
		if len(own) > size || len(got.Nodes) != len(own) {
			t.Fatalf("%v: %d edges, %d nodes, %d wanted", w, len(own), len(got.Nodes), size)
		}
		behind, ahead := got.PageInfo.HasPreviousPage, got.PageInfo.HasNextPage
		if backward {
			behind, ahead = ahead, behind
			ids = append(own, ids...)
		} else {
			ids = append(ids, own...)
		}
		if behind && window == start {
			t.Fatalf("%v: got records before the first span, want none", w)
		}
		if more = ahead; !more {
			return ids
		}
		if len(ids) > 2000 {
			t.Fatalf("%v does not end", w)
		}
		if *got.PageInfo.StartCursor != got.Edges[0].Cursor ||
			*got.PageInfo.EndCursor != got.Edges[len(own)-1].Cursor {
			t.Fatalf("%v: the ends are not those of the edges", w)
		}
		window = fmt.Sprintf("first: %d, after: %q", size, *got.PageInfo.EndCursor)
		if backward {
			window = fmt.Sprintf("last: %d, before: %q", size, *got.PageInfo.StartCursor)
		}
	}
	return ids
}

// lists returns lists in every order, and with the filters that change how they are read.
func lists() (all []walked) {
	for _, sort := range []string{"newest", "price_asc", "price_desc", "rating", "title"} {
		for _, filter := range []string{"", `categoryId: "<sanat-mashin:category:product:cnc-milling>"`,
			`brandId: "<sanat-mashin:brand:mazak>"`,
			`values: [{key: "coolant", anyOf: ["true"]}, {key: "power", min: 5, max: 15.5}]`,
			`minPrice: 1000000000, inStore: true`} {
			all = append(all, walked{domain: shoptest.MachineShop, page: "products",
				connection: "productsConnection", arguments: "sort: " + sort +
					" " + filter})
		}
	}
	for _, sort := range []string{"newest", "price_asc", "price_desc", "discount"} {
		for _, filter := range []string{"", `categoryId: "<sanat-mashin:category:product:presses>"`,
			"isFestival: true"} {
			all = append(all, walked{domain: shoptest.MachineShop, page: "storeItems",
				connection: "storeItemsConnection", arguments: "sort: " + sort +
					" " + filter})
		}
	}
	return append(all,
		walked{domain: shoptest.MachineShop, page: "userProducts", connection: "userProductsConnection",
			arguments: `q: "پرس"`},
		walked{domain: shoptest.MachineShop, page: "userProducts", connection: "userProductsConnection",
			arguments: `categoryId: "<sanat-mashin:category:product:presses>"`},
		walked{domain: shoptest.MachineShop, page: "blogs", connection: "blogsConnection"},
		walked{domain: shoptest.MachineShop, page: "blogs", connection: "blogsConnection", arguments: "type: news"},
		walked{domain: "memar-novin.example", page: "portfolios", connection: "portfoliosConnection"},
	)
}

// TestConnectionsGiveEachRecordOnce reads lists forwards and backwards, in steps of all sizes, and compares
// them with the list read page by page.
func TestConnectionsGiveEachRecordOnce(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, w := range lists() {
			want := ids(t, p, w)
			if len(want) < 2 {
				t.Errorf("%v has %d records, too few to walk", w, len(want))
			}
			sizes := []int{1, 2, 7, 100}
			if len(want) > 40 {
				sizes = []int{7, 100}
			}
			for _, size := range sizes {
				for _, backward := range []bool{false, true} {
					if got := walk(t, p, w, size, backward, func() {}); !slices.Equal(got, want) {
						t.Errorf("%v in steps of %d, backwards %v: %d records, want %d:\n%v\n%v", w, size,
							backward, len(got),
							len(want), got, want)
					}
				}
			}
			if got := readConnection(t, p, w, "first: 1").TotalCount; got != len(want) {
				t.Errorf("%v: a total of %d, want %d", w, got, len(want))
			}
		}
	})
}

// TestConnectionsOfCommentsGiveEachOnce reads the comments of one record, and those of many at once.
func TestConnectionsOfCommentsGiveEachOnce(t *testing.T) {
	const slug = "komatsu-d155a-2-bulldozer-2008"
	record := `entityType: product, entityId: "<sanat-mashin:product:` + slug + `>"`
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		var got struct {
			Data struct {
				Tenant struct{ List []struct{ ID string } }
			}
		}
		p.Graph(t, shoptest.About(shoptest.MachineShop, "list: comments("+record+") { id }"), &got)
		var want []string
		for _, c := range got.Data.Tenant.List {
			want = append(want, c.ID)
		}
		if len(want) < 3 {
			t.Fatalf("%d comments are too few to walk", len(want))
		}
		for _, size := range []int{1, 2, 7} {
			for _, backward := range []bool{false, true} {
				if got := walk(t, p, walked{domain: shoptest.MachineShop, connection: "commentsConnection",
					arguments: record}, size,
					backward, func() {
					}); !slices.Equal(got, want) {
					t.Errorf("in steps of %d, backwards %v: %v, want %v", size, backward, got, want)
				}
			}
		}
		var many struct {
			Data struct {
				Tenant struct {
					Products struct {
						Items []struct {
							Comments           []struct{ ID string }
							CommentsConnection span
						}
					}
				}
			}
		}
		p.Graph(t, shoptest.About(shoptest.MachineShop, `products(pageSize: 100) { items { comments { id }
			commentsConnection(first: 1) { edges { cursor node { id } } nodes { id } totalCount pageInfo { `+
			`hasNextPage hasPreviousPage } } } }`), &many)
		some := false
		for _, item := range many.Data.Tenant.Products.Items {
			c := item.CommentsConnection
			if c.TotalCount != len(item.Comments) || c.PageInfo.HasNextPage != (len(item.Comments) > 1) ||
				len(c.Nodes) != min(1, len(item.Comments)) {
				t.Errorf("%d comments: %+v", len(item.Comments), c)
			}
			some = some || len(c.Nodes) == 1 && c.PageInfo.HasNextPage && c.Nodes[0].ID == item.Comments[0].ID
		}
		if !some {
			t.Error("no product has two comments")
		}
	})
}

// TestConnectionsWhileRecordsComeAndGo changes a shop between the pages of a connection: records that stay
// are read once, in order.
func TestConnectionsWhileRecordsComeAndGo(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, sort := range []string{"newest", "price_asc", "title"} {
			for _, backward := range []bool{false, true} {
				w := walked{domain: shoptest.MachineShop, page: "products", connection: "productsConnection",
					arguments: "sort: " + sort}
				all := ids(t, p, w)
				p.Names = shoptest.Names{} // the names of the previous round are out of date
				p.Named(t, "<sanat-mashin:brand:mazak>")
				var leaving []string // their slugs
				staying := map[string]bool{}
				for i, id := range all {
					staying[id] = i%5 != 2
					if !staying[id] {
						name := p.Names.Of[id]
						leaving = append(leaving, strings.TrimSuffix(name[strings.LastIndex(name, ":")+1:], ">"))
					}
				}
				step := 0
				got := walk(t, p, w, 20, backward, func() {
					p.Changed(t, fmt.Sprintf(`{"slug": %q, "status": "archived"},
						{"slug": "come-%[2]s-%[3]v-%[4]d", "titleFa": "دستگاه تازه %[4]d", "publishedAt": `+
						`"20%02[5]d-05-05T05:05:05Z",
							"variants": [{"sku": "C-%[2]s-%[3]v-%[4]d", "price": %[6]d, "priceCurrency": "IRT"}]}`,
						leaving[len(leaving)-1-step], strings.ReplaceAll(sort, "_", "-"), backward, step, 16+step%10,
						1_000_000*(step+1)))
					step++
				})
				if step < 5 {
					t.Fatalf("the shop changed %d times only", step)
				}
				var kept, want []string
				for _, id := range got {
					if staying[id] {
						kept = append(kept, id)
					}
				}
				for _, id := range all {
					if staying[id] {
						want = append(want, id)
					}
				}
				if !slices.Equal(kept, want) {
					t.Errorf("%s, backwards %v: got %d of those that stay, want %d in their order", sort,
						backward, len(kept), len(want))
				}
			}
		}
	})
}

// TestConnectionArguments checks the arguments that a connection refuses, and how it reads the others.
func TestConnectionArguments(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		list := walked{domain: "tools.example", page: "products", connection: "productsConnection"}
		byTitle := walked{domain: "tools.example", page: "products", connection: "productsConnection",
			arguments: "sort: title"}
		cursor, ofTitle := *readConnection(t, p, list, "first: 1").PageInfo.EndCursor, *readConnection(t, p,
			byTitle, "first: 1").
			PageInfo.EndCursor
		for _, c := range []struct{ arguments, field string }{
			{`first: 0`, "first"}, {`first: -1`, "first"}, {`last: 0`, "last"}, {`first: 1, last: 1`, "last"},
			{`after: "!"`, "after"}, {`before: "AAAA"`, "before"}, {`after: "e30"`, "after"},
			{`after: "` + cursor + `A"`, "after"},
			{`after: "` + cursor[:len(cursor)-8] + `"`, "after"},
			{`after: "` + ofTitle + `"`, "after"}, {`sort: title, before: "` + cursor + `"`, "before"},
			{`sort: rating, after: "` + cursor + `"`, "after"},
			{`values: [{key: "a", min: 2, max: 1}]`, "values.0.min"}, {`values: [{key: ""}]`, "values.0.key"},
			{`minPrice: 2, maxPrice: 1`, "minPrice"},
		} {
			got := p.Ask(t, shoptest.About("tools.example", "productsConnection("+c.arguments+") { nodes { id } }"))
			if !strings.Contains(string(got.Body), `"code":"VALIDATION_FAILED"`) ||
				!strings.Contains(string(got.Body),
					`"field":"`+c.field+`"`) {
				t.Errorf("%s: got %d %s", c.arguments, got.Status, got.Body)
			}
		}
		for _, other := range []string{"storeItemsConnection", "blogsConnection", "userProductsConnection",
			"portfoliosConnection"} {
			got := p.Ask(t, shoptest.About("tools.example", other+`(after: "`+cursor+`") { nodes { id } }`))
			if !strings.Contains(string(got.Body), `"field":"after"`) {
				t.Errorf("%s: got %d %s", other, got.Status, got.Body)
			}
		}
		all := readConnection(t, p, list, "")
		if len(all.Nodes) != 7 || all.PageInfo.HasNextPage || all.PageInfo.HasPreviousPage {
			t.Errorf("without arguments: %+v", all)
		}
		if got := readConnection(t, p, list, "first: 1000"); len(got.Nodes) != 7 {
			t.Errorf("more than a page may have: got %+v", got)
		}
		between := readConnection(t, p, list, fmt.Sprintf("first: 2, after: %q, before: %q", all.Edges[1].Cursor,
			all.Edges[5].Cursor))
		if len(between.Nodes) != 2 || between.Nodes[0].ID != all.Nodes[2].ID || !between.PageInfo.HasNextPage ||
			!between.PageInfo.HasPreviousPage {
			t.Errorf("between two: %+v", between)
		}
		last := readConnection(t, p, list, fmt.Sprintf("last: 9, after: %q", all.Edges[1].Cursor))
		if len(last.Nodes) != 5 || last.PageInfo.HasNextPage || !last.PageInfo.HasPreviousPage {
			t.Errorf("the last behind one: %+v", last)
		}
	})
}

// TestConnectionsOfOtherShops uses cursors and ids of another shop. Cursors are positions and can be used;
// ids are unknown.
func TestConnectionsOfOtherShops(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		ours := walked{domain: "tools.example", page: "products", connection: "productsConnection"}
		own := ids(t, p, ours)
		theirs := readConnection(t, p,
			walked{domain: "mugs.example", page: "products", connection: "productsConnection"}, "first: 1")
		around := append(readConnection(t, p, ours, fmt.Sprintf("last: 100, before: %q",
			theirs.Edges[0].Cursor)).Nodes,
			readConnection(t, p, ours, fmt.Sprintf("first: 100, after: %q", theirs.Edges[0].Cursor)).Nodes...)
		var got []string
		for _, n := range around {
			got = append(got, n.ID)
		}
		if !slices.Equal(got, own) {
			t.Errorf("around the cursor of another shop: %v, want %v", got, own)
		}
		for _, query := range []string{
			`productsConnection(categoryId: "%s") { totalCount nodes { id } facets { categories { count } brands { ` +
				`count } prices { min } fields { key } } }`,
			`products(brandId: "%s") { total facets { categories { category { id } } brands { brand { id } }
				prices { min } fields { key } } }`,
			`storeItems(productId: "%s") {
				total facets { categories { category { id } } brands { brand { id } } prices { min } } }`,
			`storeItemsConnection(brandId: "%s") {
				totalCount facets { categories { category { id } } brands { brand { id } } prices { min } } }`,
			`commentsConnection(entityType: product, entityId: "%s") { totalCount nodes { id } }`,
			`commentsConnection(entityType: blog, entityId: "%s") { totalCount nodes { id } }`,
		} {
			nobodys := p.Ask(t, shoptest.About("tools.example", fmt.Sprintf(query, shoptest.UnknownID)))
			for _, id := range []string{"<mugs:category:product:pens>", "<mugs:brand:kiln>", "<mugs:product:tea>",
				"<mugs:blog:teapots>"} {
				if got := p.Ask(t, shoptest.About("tools.example", fmt.Sprintf(query,
					id))); string(got.Body) != string(
					nobodys.Body) {
					t.Errorf("%s of %s: %s\nwant %s", query, id, got.Body, nobodys.Body)
				}
			}
		}
	})
}
