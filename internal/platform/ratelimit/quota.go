package ratelimit

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/record"
)

// Quota allows Most uses of a key in a span of Window, which begins with the first use. It keeps a single
// row, while Limit keeps one for each event, so it suits large numbers. The row stores the uses as failures,
// and the end of the span as the time until which the key is locked.
type Quota struct {
	Key    string
	Window time.Duration
	Most   int
}

// Take counts a use. If the quota is used up, wait is above 0 and nothing is counted. As in the function
// Take, the clock is read once the key is locked, so that a span which begins with a delayed use does not
// end too early.
func (q Quota) Take(ctx context.Context, tx *ent.Tx, clock func() time.Time) (wait time.Duration, err error) {
	if err := lock(ctx, tx, clock(), []string{q.Key}); err != nil {
		return 0, err
	}
	now := record.Moment(clock()) // as both databases store it
	row, err := tx.RateKey.Get(ctx, q.Key)
	if err != nil {
		return 0, err
	}
	left := lockedFor(row, now)
	switch {
	case left == 0:
		return 0, tx.RateKey.UpdateOne(row).SetFailures(1).SetLockedUntil(now.Add(q.Window)).Exec(ctx)
	case row.Failures >= q.Most:
		return left, nil
	}
	return 0, tx.RateKey.UpdateOne(row).AddFailures(1).Exec(ctx)
}

// Peek returns how long the quota stays used up, without a lock and without counting anything.
func (q Quota) Peek(ctx context.Context, store *ent.Client, now time.Time) (wait time.Duration, err error) {
	row, err := store.RateKey.Get(ctx, q.Key)
	if err != nil || row.Failures < q.Most {
		return 0, ent.MaskNotFound(err)
	}
	return lockedFor(row, now), nil
}
