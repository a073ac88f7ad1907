package derive_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// TestGuard writes content with the lock of the shop's content, without any lock, with the lock of another
// transaction, and with that of another shop.
func TestGuard(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a, b := newShop(t, s, "a"), newShop(t, s, "b")
		ctx := tenancy.In(t.Context(), a.tenant)
		rename := func(ctx context.Context, c *ent.Client) error {
			return c.Product.UpdateOneID(a.products[0].ID).SetTitleFa("x").Exec(ctx)
		}
		change := derive.Change{Changed: []uuid.UUID{a.products[0].ID}}
		if err := rename(ctx, s.Client); !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("without a lock: %v", err)
		}
		if err := derive.Records(ctx, s.Client, s.Dialect, a.tenant, change); !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("derived without a lock: %v", err)
		}
		begin := func() *ent.Tx {
			tx, err := s.Client.Tx(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return tx
		}
		lock := func(tx *ent.Tx, of *shop) context.Context {
			locked, err := derive.Lock(ctx, tx, of.tenant)
			if err != nil {
				t.Fatal(err)
			}
			return locked
		}
		tx := begin()
		locked := lock(tx, a)
		if err := rename(locked, tx.Client()); err != nil {
			t.Errorf("with the lock: %v", err)
		}
		if err := derive.Records(locked, tx, s.Dialect, a.tenant, change); err != nil {
			t.Errorf("derived with the lock: %v", err)
		}
		if err := derive.Records(locked, tx, s.Dialect, b.tenant, change); !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("derived with the lock of another shop: %v", err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		other := begin()
		defer other.Rollback()
		if err := rename(locked, other.Client()); !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("with the lock of another transaction: %v", err)
		}
	})
}
