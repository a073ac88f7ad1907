// Package ratelimit keeps limits in the database, so that they hold over several instances and restarts. What is limited
// is counted before it is tried, in a transaction that locks what it counts: parallel calls never get more than they may.
package ratelimit

import (
	"context"
	"maps"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/rateevent"
	"storefront/ent/ratekey"
)

// Limit allows at most Most events of a key in any span of Window.
type Limit struct {
	Key    string
	Window time.Duration
	Most   int
}

// Booking is what Take has booked; Undo takes it back.
type Booking []int64

// Take books one event under the key of each limit, or none when one of the limits is full: then wait says how long it is
// until all have room. Limits of one key share its events. It runs three statements in the transaction tx.
func Take(ctx context.Context, tx *ent.Tx, now time.Time, limits ...Limit) (booked Booking, wait time.Duration, err error) {
	windows := map[string]time.Duration{} // the longest of each key
	for _, l := range limits {
		windows[l.Key] = max(windows[l.Key], l.Window)
	}
	keys := slices.Sorted(maps.Keys(windows))
	if err := lock(ctx, tx, now, keys); err != nil {
		return nil, 0, err
	}
	var within []predicate.RateEvent
	for _, key := range keys {
		within = append(within, rateevent.And(rateevent.Key(key), rateevent.AtGT(now.Add(-windows[key]))))
	}
	events, err := tx.RateEvent.Query().Where(rateevent.Or(within...)).
		Order(rateevent.ByAt(sql.OrderDesc())).Select(rateevent.FieldKey, rateevent.FieldAt).All(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, l := range limits {
		wait = max(wait, l.wait(now, events))
	}
	if wait > 0 {
		return nil, wait, nil
	}
	creates := make([]*ent.RateEventCreate, len(keys))
	for i, key := range keys {
		creates[i] = tx.RateEvent.Create().SetKey(key).SetAt(now).SetExpiresAt(now.Add(windows[key]))
	}
	made, err := tx.RateEvent.CreateBulk(creates...).Save(ctx)
	for _, e := range made {
		booked = append(booked, e.ID)
	}
	return booked, 0, err
}

// wait is how long it is until the limit has room, given the events of all keys, the newest first.
func (l Limit) wait(now time.Time, events []*ent.RateEvent) time.Duration {
	counted := 0
	for _, e := range events {
		if e.Key != l.Key || !e.At.After(now.Add(-l.Window)) {
			continue
		}
		if counted++; counted == l.Most {
			return e.At.Add(l.Window).Sub(now) // when this one is too old, one place is free
		}
	}
	return 0
}

// Undo takes a booking back: what was counted did not fail after all.
func Undo(ctx context.Context, tx *ent.Tx, booked Booking) error {
	_, err := tx.RateEvent.Delete().Where(rateevent.IDIn(booked...)).Exec(ctx)
	return err
}

// Forget drops all events of a key.
func Forget(ctx context.Context, tx *ent.Tx, key string) error {
	_, err := tx.RateEvent.Delete().Where(rateevent.Key(key)).Exec(ctx)
	return err
}

// Run limits failures in a row: after Free of them, each further try waits, First at the beginning and twice as long each
// time, Most at most.
type Run struct {
	Key         string
	Free        int
	First, Most time.Duration
}

// Try counts a failure before it is known to be one. wait is above 0 when the key is locked; then nothing is counted.
// A success calls Clear.
func (r Run) Try(ctx context.Context, tx *ent.Tx, now time.Time) (wait time.Duration, err error) {
	if err := lock(ctx, tx, now, []string{r.Key}); err != nil {
		return 0, err
	}
	row, err := tx.RateKey.Get(ctx, r.Key)
	if err != nil {
		return 0, err
	}
	if row.LockedUntil != nil && row.LockedUntil.After(now) {
		return row.LockedUntil.Sub(now), nil
	}
	failures := row.Failures + 1
	update := tx.RateKey.UpdateOneID(r.Key).SetFailures(failures)
	if failures >= r.Free {
		update.SetLockedUntil(now.Add(r.pause(failures - r.Free)))
	}
	return 0, update.Exec(ctx)
}

// pause is the wait after the nth failure beyond the free ones.
func (r Run) pause(n int) time.Duration {
	pause := r.First
	for ; n > 0 && pause < r.Most; n-- {
		pause *= 2
	}
	return min(pause, r.Most)
}

// Clear ends the run of failures.
func (r Run) Clear(ctx context.Context, tx *ent.Tx) error {
	_, err := tx.RateKey.Delete().Where(ratekey.ID(r.Key)).Exec(ctx)
	return err
}

// lock makes the rows of keys, which are sorted, and locks them until the transaction ends.
func lock(ctx context.Context, tx *ent.Tx, now time.Time, keys []string) error {
	rows := make([]*ent.RateKeyCreate, len(keys))
	for i, key := range keys {
		rows[i] = tx.RateKey.Create().SetID(key).SetTouchedAt(now)
	}
	return tx.RateKey.CreateBulk(rows...).OnConflictColumns(ratekey.FieldID).
		Update(func(u *ent.RateKeyUpsert) { u.UpdateTouchedAt() }).Exec(ctx)
}
