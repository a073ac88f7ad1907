package derive_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/internal/database/versions"
	"storefront/internal/derive"
	"storefront/internal/record"
	"storefront/internal/store"
)

// TestMigrationSortsAsDeriveDoes clears the sort keys of rows and lets the migration compute them again.
func TestMigrationSortsAsDeriveDoes(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a := newShop(t, s, "a")
		one, two := a.products[0], a.products[1]
		s.Client.Product.UpdateOne(two).SetTitleFa("پچژکگهی").SetTitleEn("12 ABC").
			SetSearchText(derive.SearchText("پچژکگهی", "12 ABC")).ExecX(a.ctx)
		for i, price := range []int64{5000, 9000} {
			v := a.variant(one, fmt.Sprint("A-", i), price, true)
			s.Client.Variant.UpdateOne(v).SetPriceMilli(price * 1000).SetCompareAtPrice(10000).ExecX(a.ctx)
		}
		a.variant(two, "B", 7, false)
		a.review(one, 8, record.Approved)
		a.review(one, 9, record.Approved)
		a.derive(t, nil)
		want := a.sorted()
		if !strings.Contains(want, "[-5000000 5000000 8500000") || !strings.Contains(want,
			"[-9200000000000000000 -1 -1") || !strings.Contains(want, "[-9000000 9000000 100") {
			t.Errorf("derived are %s", want)
		}
		a.exec(t, "UPDATE products SET sort_cheap = 1, sort_dear = 1, sort_rating = 1, sort_title = NULL")
		a.exec(t, "UPDATE variants SET sort_cheap = 1, sort_dear = 1, sort_discount = 1, "+
			"product_category_id = NULL, product_brand_id = NULL")
		folder := map[string]string{dialect.SQLite: "sqlite3", dialect.Postgres: "postgres"}[s.Dialect]
		files, err := fs.Glob(versions.Files, path.Join(folder, "*_sorting.sql"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		text, err := fs.ReadFile(versions.Files, files[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range strings.Split(string(text), ";\n") {
			if at := strings.Index(one, "UPDATE "); at >= 0 {
				a.exec(t, one[at:])
			}
		}
		a.make(t, derive.TextsAnew(s.Dialect)) // sort keys of titles have changed since
		if got := a.sorted(); got != want {
			t.Errorf("migrated are %s\nwant %s", got, want)
		}
	})
}

func (s *shop) exec(t *testing.T, text string) {
	t.Helper()
	var result entsql.Result
	if err := s.Driver().Exec(s.ctx, text, []any{}, &result); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// sorted returns the keys that products and variants are sorted and filtered by.
func (s *shop) sorted() (all string) {
	for _, p := range s.Client.Product.Query().Order(ent.Asc("slug")).AllX(s.ctx) {
		all += fmt.Sprint([]any{p.SortCheap, p.SortDear, p.SortRating, p.SortTitle})
	}
	for _, v := range s.Client.Variant.Query().Order(ent.Asc("sku")).AllX(s.ctx) {
		all += fmt.Sprint([]any{v.SortCheap, v.SortDear, v.SortDiscount, *v.ProductCategoryID,
			v.ProductBrandID == nil})
	}
	return all
}
