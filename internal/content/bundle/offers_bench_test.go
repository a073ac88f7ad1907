package bundle_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/edit"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/testkit/testdb"
)

// BenchmarkOffers changes stock and price of a thousand variants at once, each of another product, in a shop of 10,000.
// SQLite has one writer: customers wait for as long as an operation takes.
func BenchmarkOffers(b *testing.B) {
	for name, create := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite,
		"postgres": testdb.Postgres} {
		b.Run(name, func(b *testing.B) {
			s := storetest.Open(b, create(b))
			if err := s.Migrate(b.Context()); err != nil {
				b.Fatal(err)
			}
			if _, err := bundle.Import(b.Context(), s, books, nil); err != nil {
				b.Fatal(err)
			}
			shop := s.Client.Tenant.Query().OnlyX(b.Context()).ID
			ctx := tenancy.In(b.Context(), shop)
			seen := map[any]bool{}
			var skus []string
			for _, v := range s.Client.Variant.Query().Order(variant.BySku()).AllX(ctx) {
				if !seen[v.ProductID] && len(skus) < 1000 {
					seen[v.ProductID] = true
					skus = append(skus, v.Sku)
				}
			}
			n := 0
			for b.Loop() {
				n++
				offers := make([]map[string]any, len(skus))
				for i, sku := range skus {
					offers[i] = map[string]any{"sku": sku, "stock": 100 + n, "price": 100_000 + n}
				}
				change := edit.Offers{Action: "updateOffers", Variants: offers, Now: time.Now()}
				if _, err := change.Apply(context.WithoutCancel(b.Context()), s.Client, shop); err != nil {
					b.Fatal(fmt.Errorf("change %d: %w", n, err))
				}
			}
		})
	}
}
