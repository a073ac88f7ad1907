package bundle_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/content/edit"
	"storefront/internal/content/moves"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/convert"
)

// TestNewShopThatOthersChange checks that the import of a new shop finds what others write to it between any two
// transactions.
func TestNewShopThatOthersChange(t *testing.T) {
	file := `{"format":"storefront-bundle/1","tenant":{"domain":"new.ir","slug":"new","name":"N","nameFa":"N",` +
		`"defaultLocale":"fa"},"brands":[{"slug":"b1","name":"B1","nameFa":"B1"},{"slug":"b2","name":"B2",` +
		`"nameFa":"B2"},{"slug":"b3","name":"B3","nameFa":"B3"},{"slug":"b4","name":"B4","nameFa":"B4"}]}`
	eachStore(t, func(t *testing.T, s *store.Store) {
		made := false
		staff := func() {
			shop, err := s.Client.Tenant.Query().Where(tenant.Domain("new.ir")).Only(t.Context())
			if made || ent.IsNotFound(err) {
				return
			}
			made = true
			if err != nil {
				t.Fatal(err)
			}
			one := edit.One{Action: "createBrand", Section: "brands", Key: map[string]string{"slug": "b4"}, IsNew: true,
				Members: map[string]any{"name": "Staff", "nameFa": "Staff", "logoUrl": "/staff.png"}, Now: time.Now()}
			if _, err := one.Apply(t.Context(), s.Client, shop.ID); err != nil {
				t.Error(err)
			}
		}
		done, err := bundle.Import(t.Context(), s, text(file), nil, bundle.OneByOne,
			bundle.FromSheet(bundle.Sheet{Resting: staff}))
		if err != nil || !made {
			t.Fatalf("got %v, changed by staff: %t", err, made)
		}
		row := s.Client.Brand.Query().Where(brand.Slug("b4")).OnlyX(tenancy.In(t.Context(), done.Tenant))
		if row.Name != "B4" || row.LogoURL == nil {
			t.Errorf("there is %v, want the name of the file and the logo of staff", row)
		}
	})
}

// TestAtomicImportOfNothing checks that an atomic import that only finishes what moves of categories have left has no
// entry in the audit log, as it changes no record.
func TestAtomicImportOfNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		shop, ctx := mustImport(t, s, text(shop)).Tenant, t.Context()
		err := derive.InShop(ctx, s.Client, shop, func(ctx context.Context, tx *ent.Tx) error {
			all := tx.Category.Query().AllX(ctx)
			return moves.Mark(ctx, tx, convert.All(all, func(c *ent.Category) uuid.UUID { return c.ID }))
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = bundle.Import(ctx, s, text(change(`"profile":{}`)), nil, bundle.Atomic, bundle.Noted("shop.json"))
		ctx = tenancy.In(ctx, shop)
		if entries := s.Client.AuditEntry.Query().AllX(ctx); err != nil || len(entries) > 0 {
			t.Errorf("got %v and the entries %v", err, entries)
		}
		if s.Client.Category.Query().Where(category.Moving(true)).ExistX(ctx) {
			t.Error("categories are still moving")
		}
	})
}

// TestFileThatGrows checks that an import of a file that gets another element between two readings writes what it has
// checked, and does not panic.
func TestFileThatGrows(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		ctx := tenancy.In(t.Context(), mustImport(t, s, text(shop)).Tenant)
		for _, grown := range []int{2, 3} { // for the check, and for the writing
			readings := 0
			open := func() (io.ReadCloser, error) {
				readings++
				brands := fmt.Sprintf(`"brands":[{"slug":"first-%d","name":"B","nameFa":"B"}`, grown)
				if readings >= grown {
					brands += fmt.Sprintf(`,{"slug":"more-%d","name":"B","nameFa":"B"}`, grown)
				}
				return text(change(brands + "]"))()
			}
			if _, err := bundle.Import(ctx, s, open, nil); err != nil {
				t.Errorf("grown for reading %d: %v", grown, err)
			}
		}
		if n := len(s.Client.Brand.Query().AllX(ctx)); n != 2+2+1 {
			t.Errorf("there are %d brands", n)
		}
	})
}
