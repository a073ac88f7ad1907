// Package ratelimit keeps limits in the database, so that they hold for all instances together and across
// restarts. An event is counted before it is tried, in the caller's transaction, which locks the keys it
// counts; so parallel calls never get more than the limit. internal/customer/account limits codes and password
// guesses with it, internal/message/partner messages.
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
	"storefront/internal/database"
	"storefront/internal/database/sweep"
)

// Limit allows at most Most events of a key in any span of Window.
type Limit struct {
	Key    string
	Window time.Duration
	Most   int
}

// Booking identifies the events that Take has booked, for Undo.
type Booking []int64

// Full is the full limit with the longest wait. Its zero value means that no limit is full.
type Full struct {
	Limit Limit
	Wait  time.Duration // until it has room
}

// Take books one event under the key of each limit. If a limit is full it books none. Limits with the same
// key share its events. It runs three statements in the transaction tx.
//
// The clock is read once the keys are locked, so an event that waited for them is not booked too early and
// does not leave the window too soon. Nor is an event booked before the newest of its key, which may be from
// a server whose clock is ahead.
func Take(
	ctx context.Context, tx *ent.Tx, clock func() time.Time, limits ...Limit,
) (booked Booking, full Full, err error) {
	windows := longestWindows(limits)
	keys := slices.Sorted(maps.Keys(windows))
	if err := lock(ctx, tx, clock(), keys); err != nil {
		return nil, Full{}, err
	}
	now := clock()
	events, err := eventsOf(ctx, tx.RateEvent, now, limits)
	if err != nil {
		return nil, Full{}, err
	}
	if full = fullOf(events, now, limits); full.Wait > 0 {
		return nil, full, nil
	}
	creates := make([]*ent.RateEventCreate, len(keys))
	for i, key := range keys {
		at := latest(now, key, events)
		creates[i] = tx.RateEvent.Create().SetKey(key).SetAt(at).SetExpiresAt(at.Add(windows[key]))
	}
	made, err := tx.RateEvent.CreateBulk(creates...).Save(ctx)
	for _, e := range made {
		booked = append(booked, e.ID)
	}
	return booked, Full{}, err
}

// latest returns now, or the time of the newest event of a key if that is later. events are the newest
// first.
func latest(now time.Time, key string, events []*ent.RateEvent) time.Time {
	for _, e := range events {
		if e.Key == key && e.At.After(now) {
			return e.At
		}
	}
	return now
}

// Peek returns the full limit, without a lock and without booking anything. A caller may refuse a request by
// it; one that goes on must still call Take.
func Peek(ctx context.Context, store *ent.Client, now time.Time, limits ...Limit) (Full, error) {
	events, err := eventsOf(ctx, store.RateEvent, now, limits)
	return fullOf(events, now, limits), err
}

func longestWindows(limits []Limit) map[string]time.Duration {
	windows := map[string]time.Duration{}
	for _, l := range limits {
		windows[l.Key] = max(windows[l.Key], l.Window)
	}
	return windows
}

// eventsOf reads the events of all keys in one statement, newest first.
func eventsOf(
	ctx context.Context, stored *ent.RateEventClient, now time.Time, limits []Limit,
) ([]*ent.RateEvent, error) {
	windows := longestWindows(limits)
	var within []predicate.RateEvent
	for _, key := range slices.Sorted(maps.Keys(windows)) {
		within = append(within, rateevent.And(rateevent.Key(key), rateevent.AtGT(now.Add(-windows[key]))))
	}
	return stored.Query().Where(rateevent.Or(within...)).
		Order(rateevent.ByAt(sql.OrderDesc())).Select(rateevent.FieldKey, rateevent.FieldAt).All(ctx)
}

// fullOf returns the full limit with the longest wait, given the events of all keys, newest first.
func fullOf(events []*ent.RateEvent, now time.Time, limits []Limit) (full Full) {
	for _, l := range limits {
		if wait := l.wait(now, events); wait > full.Wait {
			full = Full{Limit: l, Wait: wait}
		}
	}
	return full
}

// wait returns the time until the limit has room, given the events of all keys, newest first.
func (l Limit) wait(now time.Time, events []*ent.RateEvent) time.Duration {
	counted := 0
	for _, e := range events {
		if e.Key != l.Key || !e.At.After(now.Add(-l.Window)) {
			continue
		}
		if counted++; counted == l.Most {
			return e.At.Add(l.Window).Sub(now) // until this event leaves the window
		}
	}
	return 0
}

// Undo deletes booked events, because what was counted as a failure was none, or did not happen. With keys
// it deletes only those booked under them.
func Undo(ctx context.Context, tx *ent.Tx, booked Booking, keys ...string) error {
	of := rateevent.IDIn(booked...)
	if len(keys) > 0 {
		of = rateevent.And(of, rateevent.KeyIn(keys...))
	}
	_, err := tx.RateEvent.Delete().Where(of).Exec(ctx)
	return err
}

// Forget deletes all events of a key.
func Forget(ctx context.Context, tx *ent.Tx, key string) error {
	_, err := tx.RateEvent.Delete().Where(rateevent.Key(key)).Exec(ctx)
	return err
}

// Lockout limits consecutive failures: after Free of them the key is locked for First, then twice as long
// each time, up to Most.
type Lockout struct {
	Key         string
	Free        int
	First, Most time.Duration
}

// countFailure counts a failure of a key that is not locked, and locks its row until the transaction ends.
var countFailure = database.Statement(`INSERT INTO rate_keys (id, failures, touched_at) VALUES ($key, 1, $now)
	ON CONFLICT (id) DO UPDATE SET touched_at = excluded.touched_at,
		failures = rate_keys.failures + CASE WHEN rate_keys.locked_until > $now THEN 0 ELSE 1 END
	RETURNING failures, locked_until`)

// Try counts a failure in advance. If the key is locked, wait is above 0 and nothing is counted. The caller
// calls Clear after a success.
func (l Lockout) Try(ctx context.Context, tx *ent.Tx, now time.Time) (wait time.Duration, err error) {
	var row ent.RateKey
	_, err = countFailure.Row(ctx, tx.Raw(), database.Values{"key": l.Key, "now": now}, &row.Failures, &row.LockedUntil)
	if err != nil {
		return 0, err
	}
	if wait := lockedFor(&row, now); wait > 0 {
		return wait, nil
	}
	if row.Failures < l.Free {
		return 0, nil
	}
	return 0, tx.RateKey.Update().Where(ratekey.ID(l.Key)).
		SetLockedUntil(now.Add(l.pause(row.Failures - l.Free))).Exec(ctx)
}

// Peek returns how long the key is locked, without a lock of the database and without counting anything.
func (l Lockout) Peek(ctx context.Context, store *ent.Client, now time.Time) (wait time.Duration, err error) {
	row, err := store.RateKey.Get(ctx, l.Key)
	if err != nil {
		return 0, ent.MaskNotFound(err)
	}
	return lockedFor(row, now), nil
}

func lockedFor(row *ent.RateKey, now time.Time) time.Duration {
	if row.LockedUntil == nil || !row.LockedUntil.After(now) {
		return 0
	}
	return row.LockedUntil.Sub(now)
}

// pause returns how long the key is locked after the nth failure beyond the free ones.
func (l Lockout) pause(n int) time.Duration {
	pause := l.First
	for ; n > 0 && pause < l.Most; n-- {
		pause *= 2
	}
	return min(pause, l.Most)
}

// Clear resets the number of failures.
func (l Lockout) Clear(ctx context.Context, tx *ent.Tx) error {
	_, err := tx.RateKey.Delete().Where(ratekey.ID(l.Key)).Exec(ctx)
	return err
}

// lock inserts the rows of keys that are missing and locks them all until the transaction ends. Keys are
// sorted, so that two transactions cannot deadlock.
func lock(ctx context.Context, tx *ent.Tx, now time.Time, keys []string) error {
	rows := make([]*ent.RateKeyCreate, len(keys))
	for i, key := range keys {
		rows[i] = tx.RateKey.Create().SetID(key).SetTouchedAt(now)
	}
	return tx.RateKey.CreateBulk(rows...).OnConflict(sql.ConflictColumns(ratekey.FieldID),
		sql.ResolveWith(func(u *sql.UpdateSet) { u.SetExcluded(ratekey.FieldTouchedAt) })).Exec(ctx)
}

const keptFor = 24 * time.Hour

// Old returns the jobs that delete the events and keys that no limit reads any more.
func Old(now time.Time) []sweep.Job {
	return []sweep.Job{
		sweep.Before(rateevent.Table, rateevent.FieldExpiresAt, now),
		sweep.Before(ratekey.Table, ratekey.FieldTouchedAt, now.Add(-keptFor)),
	}
}
