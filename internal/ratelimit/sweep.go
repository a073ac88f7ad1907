package ratelimit

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/ent/rateevent"
	"storefront/ent/ratekey"
	"storefront/internal/sweep"
)

// keptFor is how long a key is kept after it was last touched.
const keptFor = 24 * time.Hour

// Old returns the jobs that delete the events and keys that no limit reads any more.
func Old(now time.Time) []sweep.Job {
	return []sweep.Job{
		sweep.Before(rateevent.Table, rateevent.FieldExpiresAt, now),
		sweep.Before(ratekey.Table, ratekey.FieldTouchedAt, now.Add(-keptFor)),
	}
}

// Sweep runs the jobs of Old.
func Sweep(ctx context.Context, client *ent.Client, now time.Time) error {
	return sweep.Run(ctx, client.Raw(), Old(now), nil)
}
