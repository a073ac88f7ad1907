package shop

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// RequireSecondFactor sets whether the staff of a shop need a second factor. To require it the caller must
// have one, else it fails with CONFLICT.
func RequireSecondFactor(ctx context.Context, client *ent.Client, id uuid.UUID, required bool, now time.Time) error {
	if by, ok := request.StaffOf(ctx); required && (!ok || by.SecondFactor != request.FactorProven) {
		return fault.New(fault.Conflict, "switch your own second factor on first, or you could not work here any more")
	}
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(tenancy.In(ctx, id), tx, id)
		if err != nil {
			return err
		}
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
