package shopfile

import (
	"context"
	"fmt"
	"time"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/record"
	"storefront/internal/request"
	shops "storefront/internal/shop"
	"storefront/internal/shop/audit"
)

// Close closes a shop: from then on servers answer requests for it with SHOP_CLOSED. It reports whether the
// shop was open. Work that servers began before may go on for WorkEnds.
func Close(ctx context.Context, store *ent.Client, domain string) (shop *ent.Tenant, was bool, err error) {
	return set(ctx, store, domain, true)
}

// Open opens a shop that was closed, and reports whether it was.
func Open(ctx context.Context, store *ent.Client, domain string) (shop *ent.Tenant, was bool, err error) {
	return set(ctx, store, domain, false)
}

// set closes or opens a shop, and reports whether that changed it.
func set(ctx context.Context, store *ent.Client, domain string, closes bool) (
	shop *ent.Tenant, changed bool, err error,
) {
	found, err := shops.Find(ctx, store, domain)
	if err != nil {
		return nil, false, fmt.Errorf("find the shop %s: %w", domain, err)
	}
	err = derive.InShop(ctx, store, found.ID, func(ctx context.Context, tx *ent.Tx) error {
		before, err := tx.Tenant.Get(ctx, found.ID)
		if err != nil {
			return err
		}
		if changed = closes == (before.ClosedAt == nil); !changed {
			shop = before
			return nil
		}
		var at *time.Time
		change := tx.Tenant.UpdateOneID(found.ID)
		if closes {
			at = new(record.Now())
			change.SetClosedAt(*at)
		} else {
			change.ClearClosedAt()
		}
		if shop, err = change.Save(ctx); err != nil {
			return err
		}
		ctx = request.WithStaff(ctx, request.Staff{Business: found.ID})
		err = audit.Record(ctx, tx, "moveShop", audit.Change{ // the action closeShop is for its owner
			Kind: "tenant", ID: found.ID, Name: found.Domain,
			Before: closedAt{before.ClosedAt}, After: closedAt{at},
		})
		if err != nil {
			return err
		}
		return derive.Raise(ctx, tx, found.ID) // servers read the row again
	})
	return shop, changed, err
}

// closedAt is the form of closing and opening in the audit log.
type closedAt struct {
	ClosedAt *time.Time `json:"closedAt"`
}

// WorkEnds is how long after a shop was closed a server may still write to it: it notices within a second,
// and ends requests after eight.
const WorkEnds = 12 * time.Second

// WaitUntilQuiet returns once no request that began before a shop was closed can still write to it.
func WaitUntilQuiet(ctx context.Context, closed time.Time) error {
	select {
	case <-time.After(time.Until(closed.Add(WorkEnds))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
