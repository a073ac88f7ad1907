package shop

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// closedAt is the form of closing and opening in the audit log, by the field's name in the API.
type closedAt struct {
	ClosedAt *time.Time `json:"closedAt"`
}

// Close closes a shop to its customers until Open; its staff work on. A shop that moves is closed by package shopfile.
func Close(ctx context.Context, client *ent.Client, id uuid.UUID, clock func() time.Time) error {
	return pause(ctx, client, id, "closeShop", clock)
}

// Open opens a shop that Close closed.
func Open(ctx context.Context, client *ent.Client, id uuid.UUID) error {
	return pause(ctx, client, id, "openShop", nil)
}

// pause closes a shop at the time of a clock, or opens it if clock is nil.
func pause(ctx context.Context, client *ent.Client, id uuid.UUID, action string, clock func() time.Time) error {
	return derive.InShop(ctx, client, id, func(ctx context.Context, tx *ent.Tx) error {
		var at *time.Time
		if clock != nil {
			now := record.Moment(clock())
			at = &now
		}
		before, err := tx.Tenant.Get(ctx, id)
		if err != nil || (before.PausedAt == nil) == (at == nil) {
			return err
		}
		change := tx.Tenant.UpdateOneID(id).SetNillablePausedAt(at)
		if at == nil {
			change.ClearPausedAt()
		}
		if err := change.Exec(ctx); err != nil {
			return err
		}
		err = audit.Record(ctx, tx, action, audit.Change{
			Kind: "tenant", ID: id, Name: before.Domain, Before: closedAt{before.PausedAt}, After: closedAt{at},
		})
		if err != nil {
			return err
		}
		return derive.Raise(ctx, tx, id) // servers read the row again
	})
}

// RequireSecondFactor sets whether the staff of a shop need a second factor. To require it the caller must
// have one, else it fails with CONFLICT.
func RequireSecondFactor(ctx context.Context, client *ent.Client, id uuid.UUID, required bool, now time.Time) error {
	if by, ok := request.StaffOf(ctx); required && (!ok || by.SecondFactor != request.FactorProven) {
		return fault.New(fault.Conflict, "switch your own second factor on first, or you could not work here any more")
	}
	return derive.InShop(ctx, client, id, func(ctx context.Context, tx *ent.Tx) error {
		before, err := tx.Tenant.Get(ctx, id)
		if err != nil || (before.SecondFactorSince != nil) == required {
			return err
		}
		change := tx.Tenant.UpdateOneID(id)
		if required {
			change.SetSecondFactorSince(record.Moment(now))
		} else {
			change.ClearSecondFactorSince()
		}
		if err := change.Exec(ctx); err != nil {
			return err
		}
		seen := func(required bool) any { return map[string]any{"requireSecondFactor": required} }
		return audit.Record(ctx, tx, "requireSecondFactor", audit.Change{Kind: "tenant", ID: id, Name: before.Domain,
			Before: seen(!required), After: seen(required)})
	})
}
