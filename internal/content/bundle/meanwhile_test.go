package bundle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/edit"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestImportKeepsWhatStaffDoBetweenTransactions checks that an import of many transactions keeps concurrent
// edits of staff, to records already written and to later ones, except for members in the bundle.
func TestImportKeepsWhatStaffDoBetweenTransactions(t *testing.T) {
	const many = 40
	products := func(members string) string {
		var all []string
		for i := range many {
			all = append(all, strings.ReplaceAll(`{"slug":"s-#",`+members+`}`, "#", fmt.Sprint(i)))
		}
		return change(`"products":[` + strings.Join(all, ",") + `]`)
	}
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		tenant := mustImport(t, s, text(products(`"titleFa":"F","publishedAt":"2026-01-01T00:00:00Z",
			"variants":[{"sku":"S-#","price":100,"priceCurrency":"USD","stock":5}]`))).Tenant
		ctx := tenancy.In(t.Context(), tenant)
		prices, archived, deleted := map[int]int64{}, map[int]bool{}, map[int]bool{}
		key := func(i int) map[string]string { return map[string]string{"slug": fmt.Sprint("s-", i)} }
		change := func(i int, members map[string]any) {
			if deleted[i] {
				return
			}
			one := edit.One{
				Action: "updateProduct", Section: "products", Key: key(i), Members: members, Now: time.Now(),
			}
			if _, err := one.Apply(t.Context(), s.Client, tenant); err != nil {
				t.Errorf("edit %d: %v", i, err)
			}
		}
		transactions := 0
		staff := func() {
			k := transactions
			transactions++
			dearer, hidden, gone := (7*k+3)%many, (11*k+1)%many, (13*k+5)%many
			offer := map[string]any{"sku": fmt.Sprint("S-", dearer), "price": 500 + k}
			change(dearer, map[string]any{"variants": []any{offer}})
			prices[dearer] = int64(500+k) * 100
			change(hidden, map[string]any{"status": "archived"})
			archived[hidden] = true
			if k%3 == 0 && !deleted[gone] {
				one := edit.Remove{Action: "deleteProduct", Section: "products", Key: key(gone)}
				if _, err := one.Apply(t.Context(), s.Client, tenant); err != nil {
					t.Errorf("delete %d: %v", gone, err)
				}
				deleted[gone] = true
			}
		}
		changed := products(`"titleEn":"Bundle","variants":[{"sku":"S-#","compareAtPrice":9000}]`)
		_, err := bundle.Import(t.Context(), s, text(changed), nil, bundle.Share(8),
			bundle.FromSheet(bundle.Sheet{Resting: staff}))
		if err != nil && !strings.Contains(err.Error(), "was deleted during the import") {
			t.Fatal(err)
		}
		if transactions < 8 {
			t.Errorf("the import was %d transactions", transactions)
		}
		for i := range many {
			found, err := s.Client.Product.Query().Where(product.Slug(fmt.Sprint("s-", i))).All(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if deleted[i] || len(found) == 0 {
				if !deleted[i] || len(found) > 0 {
					t.Errorf("%d is there %d times, deleted %v", i, len(found), deleted[i])
				}
				continue
			}
			p := found[0]
			if is := p.Status == record.Archived; is != archived[i] || p.TitleEn == nil || *p.TitleEn != "Bundle" {
				t.Errorf("%d is %v, archived %v", i, p, archived[i])
			}
			want := int64(10000)
			if price, ok := prices[i]; ok {
				want = price
			}
			v := s.Client.Variant.Query().Where(variant.Sku(fmt.Sprint("S-", i))).OnlyX(ctx)
			if *v.Price != want || v.CompareAtPrice == nil || *v.CompareAtPrice != 900000 {
				t.Errorf("%d costs %v, want %d", i, v, want)
			}
		}
		checkConsistent(t, s, "shop.ir", transactions)
	})
}
