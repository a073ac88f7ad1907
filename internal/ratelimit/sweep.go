package ratelimit

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/rateevent"
	"storefront/ent/ratekey"
)

// kept is how long a key that nothing has touched is remembered.
const kept = 24 * time.Hour

// batch is how many rows go at a time: few enough that neither SQLite's writer nor a row's lock is held for long.
const batch = 1000

// Sweep removes what no limit looks at any more, in batches, however much there is.
func Sweep(ctx context.Context, client *ent.Client, now time.Time) error {
	old := firstOf(rateevent.Table, rateevent.FieldID, rateevent.FieldExpiresAt, now)
	if err := inBatches(func() (int, error) { return client.RateEvent.Delete().Where(old).Exec(ctx) }); err != nil {
		return err
	}
	untouched := firstOf(ratekey.Table, ratekey.FieldID, ratekey.FieldTouchedAt, now.Add(-kept))
	return inBatches(func() (int, error) { return client.RateKey.Delete().Where(untouched).Exec(ctx) })
}

// inBatches removes until there is less than a batch.
func inBatches(remove func() (int, error)) error {
	for {
		if n, err := remove(); err != nil || n < batch {
			return err
		}
	}
}

// firstOf chooses the batch of rows whose time is the longest ago, of those not after a moment.
func firstOf(table, id, column string, moment time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		rows := sql.Dialect(s.Dialect()).Select(id).From(sql.Table(table)).Where(sql.LTE(column, moment)).OrderBy(column).Limit(batch)
		s.Where(sql.In(s.C(id), rows))
	}
}
