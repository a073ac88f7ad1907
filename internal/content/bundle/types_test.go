package bundle_test

import (
	"testing"

	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/ent/tenant"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestMovesOfTypes moves categories of products and of blogs in one bundle, and checks that the lists of both
// are updated.
func TestMovesOfTypes(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		mustImport(t, s, text(change(`"categories":[{"entityType":"blog","slug":"above","name":"A","nameFa":"A"},
			{"entityType":"product","slug":"above","name":"A","nameFa":"A"}]`)))
		ctx := tenancy.In(t.Context(), s.Client.Tenant.Query().Where(tenant.Domain("shop.ir")).OnlyX(t.Context()).ID)
		for round := range 6 {
			parent := []string{`"above"`, "null"}[round%2]
			mustImport(t, s, text(change(`"categories":[{"entityType":"blog","slug":"top","parentSlug":`+parent+`},
				{"entityType":"product","slug":"top","parentSlug":`+parent+`}]`)))
			for of, records := range map[record.EntityType]int{record.Product: 2, record.Blog: 1} {
				above := s.Client.Category.Query().Where(category.EntityTypeEQ(of), category.Slug("above")).OnlyIDX(ctx)
				want := records * (1 - round%2)
				got := s.Client.Listing.Query().Where(listing.Facet("category:" + above.String())).CountX(ctx)
				if got != want {
					t.Errorf("round %d: %d records of a %s stand above, want %d", round, got, of, want)
				}
			}
		}
	})
}
