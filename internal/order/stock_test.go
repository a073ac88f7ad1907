package order

import (
	"context"
	"errors"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/store"
	"storefront/internal/tenancy"
	"storefront/internal/testdb"
	"storefront/internal/transaction"
)

var migrated = testdb.NewTemplate(func(ctx context.Context, url string) error {
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Migrate(ctx)
})

// TestUnitsThatComeBackMeanwhile takes units that another transaction gives back while the statement waits for it: they
// are there once that transaction has ended, whatever the statement saw at its beginning.
func TestUnitsThatComeBackMeanwhile(t *testing.T) {
	t.Parallel()
	migrated.Each(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		tenant, variant := soldOut(t, s)
		move := func(by int, then func() error) error {
			return transaction.Run(t.Context(), s.Client, func(tx *ent.Tx) error {
				change, after := giveBackStock, then
				if by < 0 {
					change, by = takeStock, -by
				}
				return errors.Join(change(t.Context(), tx, tenant, []units{{Variant: variant, Quantity: by}}, time.Now()), after())
			})
		}
		taken := make(chan error, 1)
		if err := move(3, func() error {
			go func() { taken <- move(-2, func() error { return nil }) }()
			return waitsForUs(t.Context(), s)
		}); err != nil {
			t.Fatal(err)
		}
		if err := <-taken; err != nil {
			t.Error(err)
		}
		if left := s.Client.Variant.GetX(tenancy.In(t.Context(), tenant), variant).Stock; left != 1 {
			t.Errorf("%d units are left, want 1", left)
		}
	})
}

// soldOut makes a tenant with a variant of which no unit is left.
func soldOut(t *testing.T, s *store.Store) (tenant, variant uuid.UUID) {
	t.Helper()
	shop := s.Client.Tenant.Create().SetDomain("a.example").SetSlug("a").SetName("A").SetNameFa("آ").SaveX(t.Context())
	ctx := derive.Unseen(tenancy.In(t.Context(), shop.ID))
	product := s.Client.Product.Create().SetTenantID(shop.ID).SetSlug("p").SetTitleFa("پ").SaveX(ctx)
	return shop.ID, s.Client.Variant.Create().SetTenantID(shop.ID).SetProduct(product).SetSku("P-1").SetPriceCurrency("IRR").
		SetStock(0).SaveX(ctx).ID
}

// waitsForUs returns when a statement of another transaction waits for a lock. On SQLite that transaction cannot have
// begun, as its lock is taken.
func waitsForUs(ctx context.Context, s *store.Store) error {
	if s.Client.Raw().Dialect() == dialect.SQLite {
		return nil
	}
	looking := database.Statement(`SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	for waiting := 0; waiting == 0; {
		if err := looking.Each(ctx, s.Client.Raw(), database.Values{}, func(row *sql.Rows) error {
			return row.Scan(&waiting)
		}); err != nil {
			return err
		}
	}
	return nil
}
