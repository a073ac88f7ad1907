package catalog_test

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/locale/search"
)

// The real books of data/books.bundle.json.gz, and how many of them the shop has. Importing the whole file
// takes long; internal/content/bundle tests it.
const (
	books     = "/tenants/books.example"
	bookCount = 300
)

type book struct {
	Slug, TitleFa, TitleEn, Category, Brand string
	Tags                                    []string
	Variants                                []bookVariant
}

type bookVariant struct {
	SKU        string
	Price      float64
	Stock      int
	IsFestival bool
}

type library struct {
	books   []book
	parents map[string]string // of categories, by slug
	bundle  []byte            // with these books alone
}

// readLibrary reads the first books of the file and the brands that they name.
func readLibrary(t testing.TB) (l library) {
	t.Helper()
	file := shoptest.Must(os.Open("../../../data/books.bundle.json.gz"))(t)
	defer file.Close()
	var members map[string]json.RawMessage
	var brands, products []json.RawMessage
	var categories []struct{ Slug, ParentSlug string }
	decode := func(text json.RawMessage, into any) {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.NewDecoder(shoptest.Must(gzip.NewReader(file))(t)).Decode(&members); err != nil {
		t.Fatal(err)
	}
	decode(members["brands"], &brands)
	decode(members["products"], &products)
	decode(members["categories"], &categories)
	l.parents = map[string]string{}
	for _, c := range categories {
		l.parents[c.Slug] = c.ParentSlug
	}
	named := map[string]bool{}
	for _, text := range products[:bookCount] {
		var b book
		decode(text, &b)
		b.Slug = search.Slug(b.Slug) // as an import keeps it
		named[b.Brand] = true
		l.books = append(l.books, b)
	}
	brands = slices.DeleteFunc(brands, func(text json.RawMessage) bool {
		var brand struct{ Slug string }
		decode(text, &brand)
		return !named[brand.Slug]
	})
	members["brands"], _ = json.Marshal(brands)
	members["products"], _ = json.Marshal(products[:bookCount])
	l.bundle, _ = json.Marshal(members)
	return l
}

// under reports whether a book is in a category or below it.
func (l library) under(b book, category string) bool {
	for at := b.Category; at != ""; at = l.parents[at] {
		if at == category {
			return true
		}
	}
	return false
}

// slugs returns the wanted books, sorted by slug.
func (l library) slugs(wanted func(book) bool) (slugs []string) {
	for _, b := range l.books {
		if wanted(b) {
			slugs = append(slugs, b.Slug)
		}
	}
	slices.Sort(slugs)
	return slugs
}

// skus returns the wanted variants, sorted by SKU.
func (l library) skus(wanted func(book, bookVariant) bool) (skus []string) {
	for _, b := range l.books {
		for _, v := range b.Variants {
			if wanted(b, v) {
				skus = append(skus, v.SKU)
			}
		}
	}
	slices.Sort(skus)
	return skus
}

func (b book) says(words ...string) bool {
	text := search.Compact(b.TitleFa + " " + b.TitleEn)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// TestBooks asks a shop with real books for lists of many pages, and compares them with the file.
func TestBooks(t *testing.T) {
	l := readLibrary(t)
	shop := storetest.NewTemplate(shoptest.Importing(func() []bundle.Opener {
		return []bundle.Opener{bundle.Bytes(l.bundle)}
	}))
	lists := []struct {
		path string
		want []string
	}{
		{"/products?", l.slugs(func(book) bool { return true })},
		{"/products?categoryId=<books:category:product:english>&", l.slugs(func(b book) bool {
			return l.under(b, "english")
		})},
		{"/products?categoryId=<books:category:product:english>&tag=1990s&", l.slugs(func(b book) bool {
			return l.under(b, "english") && slices.Contains(b.Tags, "1990s")
		})},
		{"/products?brandId=<books:brand:suzanne-collins>&", l.slugs(func(b book) bool {
			return b.Brand == "suzanne-collins"
		})},
		{"/products?name=Rings+LORD&", l.slugs(func(b book) bool { return b.says("rings", "lord") })},
		{"/products?name=the&categoryId=<books:category:product:english-2000s>&", l.slugs(func(b book) bool {
			return b.says("the") && b.Category == "english-2000s"
		})},
		{"/store-items?", l.skus(func(book, bookVariant) bool { return true })},
		{"/store-items?isFestival=1&categoryId=<books:category:product:english>&",
			l.skus(func(b book, v bookVariant) bool { return v.IsFestival && l.under(b, "english") })},
		{"/store-items?maxPrice=12.50&inStock=true&", l.skus(func(_ book, v bookVariant) bool {
			return v.Price <= 12.5 && v.Stock > 0
		})},
		{"/store-items?brandId=<books:brand:suzanne-collins>&minPrice=10&",
			l.skus(func(b book, v bookVariant) bool { return b.Brand == "suzanne-collins" && v.Price >= 10 })},
	}
	shoptest.EachCopy(t, shop, func(t *testing.T, p *shoptest.Place) {
		for _, list := range lists {
			if got := pages(t, p, books+list.path); len(got) == 0 || !slices.Equal(got, list.want) {
				t.Errorf("%s: %d records, want %d; the first other one is %q", list.path, len(got), len(list.want),
					otherThan(got, list.want))
			}
		}
		shelves(t, p, l)
		first := l.books[0]
		p.IsReal(t, 200, "GET "+books+"/products/"+first.Slug)
		p.IsReal(t, 200, "GET "+books+"/products/"+first.Slug+"/variations")
		p.IsReal(t, 200, "GET "+books+"/store-items/by-product/<books:product:"+first.Slug+">")
		p.IsReal(t, 200, "GET "+books+"/store-items/<books:variant:"+first.Variants[0].SKU+">")
	})
}

// otherThan returns the first of some names that is not among others.
func otherThan(names, others []string) string {
	for _, name := range names {
		if _, found := slices.BinarySearch(others, name); !found {
			return name
		}
	}
	return ""
}

// pages reads all pages of a list and gives its records, sorted. Each record is on one page, and the newest
// come first.
func pages(t *testing.T, p *shoptest.Place, list string) (names []string) {
	t.Helper()
	last, seen := "", map[string]bool{}
	for number := 1; ; number++ {
		var page struct {
			Items []struct{ Slug, SKU, PublishedAt string }
			Total int
		}
		p.Decode(t, list+"pageSize=100&page="+string(shoptest.Must(json.Marshal(number))(t)), &page)
		for _, item := range page.Items {
			name := cmp.Or(item.Slug, item.SKU)
			if seen[name] || last != "" && item.PublishedAt > last {
				t.Errorf("%s: %s is there twice, or newer than the one before", list, name)
			}
			seen[name], last = true, item.PublishedAt
			names = append(names, name)
		}
		if len(page.Items) < 100 {
			if page.Total != len(names) {
				t.Errorf("%s: got %d records, want the total of %d", list, len(names), page.Total)
			}
			slices.Sort(names)
			return names
		}
	}
}

// shelves compares the counts of all categories.
func shelves(t *testing.T, p *shoptest.Place, l library) {
	t.Helper()
	var list struct {
		Items []struct {
			Slug      string
			ItemCount int
		}
	}
	p.Decode(t, books+"/categories", &list)
	if len(list.Items) != len(l.parents) {
		t.Errorf("%d categories, want %d", len(list.Items), len(l.parents))
	}
	for _, c := range list.Items {
		if want := len(l.slugs(func(b book) bool { return l.under(b, c.Slug) })); c.ItemCount != want {
			t.Errorf("%s: %d items, want %d", c.Slug, c.ItemCount, want)
		}
	}
}
