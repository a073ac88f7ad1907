package database

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"storefront/internal/note"
)

// away knows whether the primary has stopped to answer, and since when. For a while, reads that are the same for
// everybody may then be answered as the replicas show it.
type away struct {
	within  atomic.Int64              // how long, in nanoseconds; 0: not at all
	reached atomic.Pointer[time.Time] // when the primary last answered
	is      atomic.Bool

	confirmed atomic.Bool // by FollowPrimary, which looks whether it is back
}

// note takes what a look at the primary came to.
func (a *away) note(err error) {
	switch {
	case err == nil:
		now := time.Now()
		a.reached.Store(&now)
		a.is.Store(false)
		a.confirmed.Store(false)
	case IsUnavailable(err) || errors.Is(err, context.DeadlineExceeded):
		a.is.Store(true)
	}
}

// last is when the primary last answered; zero: never.
func (a *away) last() time.Time {
	if reached := a.reached.Load(); reached != nil {
		return *reached
	}
	return time.Time{}
}

// ageOf is how long ago a moment was, by the clock that says most: one may be set back, the other stands still while
// the machine sleeps.
func ageOf(moment time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(moment), now.Round(0).Sub(moment.Round(0)))
}

// AllowStale lets reads with WithReplicas be answered without the primary for a time after it was last reached.
func (db *DB) AllowStale(within time.Duration) { db.away.within.Store(int64(within)) }

// Answered takes note of whether the primary answered a look that began after the last one.
func (db *DB) Answered(err error) { db.away.note(err) }

// Away reports whether the primary does not answer, and reads may do without it by what was known at a moment; age is
// how long ago that was.
func (db *DB) Away(known time.Time) (age time.Duration, is bool) {
	age = ageOf(known)
	return age, db.away.is.Load() && age <= time.Duration(db.away.within.Load())
}

// showsEnough reports whether a replica may be read from while the primary is away; age is for how long it may lack
// what was committed.
func (db *DB) showsEnough(r *replica) (age time.Duration, is bool) {
	since := db.away.last()
	if shown, known := r.shows(); known && shown.Before(since) {
		since = shown
	}
	return db.Away(since)
}

// ReadsStale reports whether what ctx reads comes from a replica as it is, because the primary is away. It decides
// so for a context of WithReplicas, and then for good. It fails where there is no replica either, and it is known
// that asking the primary would only take time.
func (db *DB) ReadsStale(ctx context.Context) (bool, error) {
	r := routeOf(ctx)
	if r == nil {
		return false, nil
	}
	if _, is := db.Away(db.away.last()); !is && !r.stale.Load() {
		return false, nil
	}
	if age, is := r.goStale(db); is {
		note.Of(ctx).Stale(age)
		return true, nil
	}
	if db.away.confirmed.Load() {
		return false, fmt.Errorf("%w: the primary is away, and no replica is there", errNoServer)
	}
	return false, nil
}

// HasReplica reports whether a replica can be read from while the primary is away.
func (db *DB) HasReplica() bool {
	return db.driver.replicas.next(func(r *replica) bool {
		_, enough := db.showsEnough(r)
		return enough
	}) != nil
}

// IsStale reports whether ReadsStale has decided so for a context.
func IsStale(ctx context.Context) bool {
	r := routeOf(ctx)
	return r != nil && r.stale.Load()
}

// goStale makes a route lead to a replica from now on, whatever it shows of the last time; age is how long that is. It
// reports false if there is no replica.
func (r *readRoute) goStale(db *DB) (age time.Duration, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stale.Load() {
		age, _ = db.showsEnough(r.chosen)
		return age, true
	}
	enough := func(one *replica) (is bool) {
		age, is = db.showsEnough(one)
		return is
	}
	if r.chosen == nil || !r.chosen.up.Load() || !enough(r.chosen) {
		r.chosen = db.driver.replicas.next(enough)
	}
	if r.chosen == nil {
		return 0, false
	}
	r.stale.Store(true)
	return age, true
}

// readStale runs a statement on the replica of a route, which no other one replaces.
func (r *readRoute) readStale(ctx context.Context, run func(context.Context, rawDriver) error) error {
	r.mu.Lock()
	to := r.chosen
	r.mu.Unlock()
	if !to.up.Load() {
		return fmt.Errorf("%w: %w", errNoServer, errDown)
	}
	err := run(ctx, to.driver)
	if err == nil {
		to.reads.Add(1)
		return nil
	}
	to.failed.Add(1)
	if ctx.Err() == nil && isGone(err) {
		to.lose(err)
	}
	return err
}

// Cause says in a word why the database is not ready, without what it is about; "": it is.
func Cause(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errReplaced):
		return "replaced"
	case isReadOnly(err):
		return "read only"
	case lacksRoom(err):
		return "full"
	case IsUnavailable(err) || errors.Is(err, context.DeadlineExceeded):
		return "unreachable"
	}
	return "failed"
}
