package ratelimit

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/rateevent"
	"storefront/ent/ratekey"
)

// keptFor is how long a key is kept after it was last touched.
const keptFor = 24 * time.Hour

// batch is how many rows are deleted at a time: few enough that neither SQLite's writer nor a row lock is
// held for long.
const batch = 1000

// Sweep deletes, in batches, the events and keys that no limit reads any more.
func Sweep(ctx context.Context, client *ent.Client, now time.Time) error {
	old := oldest(rateevent.Table, rateevent.FieldID, rateevent.FieldExpiresAt, now)
	if err := inBatches(func() (int, error) { return client.RateEvent.Delete().Where(old).Exec(ctx) }); err != nil {
		return err
	}
	untouched := oldest(ratekey.Table, ratekey.FieldID, ratekey.FieldTouchedAt, now.Add(-keptFor))
	return inBatches(func() (int, error) { return client.RateKey.Delete().Where(untouched).Exec(ctx) })
}

// inBatches calls remove until it removes less than a batch.
func inBatches(remove func() (int, error)) error {
	for {
		if n, err := remove(); err != nil || n < batch {
			return err
		}
	}
}

// oldest selects a batch of the rows whose time is at or before a moment, oldest first.
func oldest(table, id, column string, moment time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		rows := sql.Dialect(s.Dialect()).
			Select(id).
			From(sql.Table(table)).
			Where(sql.LTE(column, moment)).
			OrderBy(column).
			Limit(batch)
		s.Where(sql.In(s.C(id), rows))
	}
}
