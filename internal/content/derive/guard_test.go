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
	"storefront/internal/database/transaction"
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
		var ended *ent.Client
		err := derive.InShop(ctx, s.Client, a.tenant, func(ctx context.Context, tx *ent.Tx) error {
			if err := rename(ctx, tx.Client()); err != nil {
				t.Errorf("with the lock: %v", err)
			}
			if _, err := derive.Records(ctx, tx, a.tenant, change); err != nil {
				t.Errorf("derived with the lock: %v", err)
			}
			if _, err := derive.Records(ctx, tx, b.tenant, change); !errors.Is(err, derive.ErrNotLocked) {
				t.Errorf("derived with the lock of another shop: %v", err)
			}
			ended = tx.Client()
			return errUndone
		})
		if !errors.Is(err, errUndone) {
			t.Fatal(err)
		}
		if err := rename(ctx, ended); !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("after the transaction: %v", err)
		}
		err = transaction.Run(ctx, s.Client, func(tx *ent.Tx) error {
			if _, err := derive.Records(ctx, tx, a.tenant, change); !errors.Is(err, derive.ErrNotLocked) {
				t.Errorf("derived without a lock: %v", err)
			}
			return rename(ctx, tx.Client())
		})
		if !errors.Is(err, derive.ErrNotLocked) {
			t.Errorf("with the lock of another transaction: %v", err)
		}
	})
}

// errUndone rolls a transaction back.
var errUndone = errors.New("undone")
