package database

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"storefront/internal/note"
)

// away records whether the primary has stopped answering, and since when. For a while, public reads may then
// be answered from replicas.
type away struct {
	within  atomic.Int64              // how long stale reads are allowed, in nanoseconds; 0: not at all
	reached atomic.Pointer[time.Time] // when the primary last answered
	is      atomic.Bool

	confirmed atomic.Bool // set by FollowPrimary, which keeps trying the primary
}

// note records the outcome of a request to the primary.
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

// last returns when the primary last answered; zero if it never did.
func (a *away) last() time.Time {
	if reached := a.reached.Load(); reached != nil {
		return *reached
	}
	return time.Time{}
}

// ageOf returns how long ago moment was, by the wall clock or the monotonic clock, whichever shows more: the
// wall clock may be set back, and the monotonic clock stops while the machine sleeps.
func ageOf(moment time.Time) time.Duration {
	now := time.Now()
	return max(now.Sub(moment), now.Round(0).Sub(moment.Round(0)))
}

// AllowStale allows reads with WithReplicas to be answered without the primary, for as long as within after
// it last answered.
func (db *DB) AllowStale(within time.Duration) { db.away.within.Store(int64(within)) }

// Answered records the outcome of a request to the primary that began after the last recorded one.
func (db *DB) Answered(err error) { db.away.note(err) }

// Away reports whether the primary does not answer and what was read at known is still recent enough to be
// shown; age is how old it is.
func (db *DB) Away(known time.Time) (age time.Duration, is bool) {
	age = ageOf(known)
	return age, db.away.is.Load() && age <= time.Duration(db.away.within.Load())
}

// showsEnough reports whether r may be read from while the primary is away; age is how far r may be behind.
func (db *DB) showsEnough(r *replica) (age time.Duration, is bool) {
	since := db.away.last()
	if shown, known := r.shows(); known && shown.Before(since) {
		since = shown
	}
	return db.Away(since)
}

// ReadsStale reports whether the reads of ctx come from a replica that may be behind, because the primary is
// away. Once it has reported true for a context of WithReplicas, all reads of that context do. It fails if
// no replica can be used either and the primary is known not to answer.
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

// HasReplica reports whether some replica can be read from while the primary is away.
func (db *DB) HasReplica() bool {
	return db.driver.replicas.next(func(r *replica) bool {
		_, enough := db.showsEnough(r)
		return enough
	}) != nil
}

// IsStale reports whether ReadsStale has reported true for ctx.
func IsStale(ctx context.Context) bool {
	r := routeOf(ctx)
	return r != nil && r.stale.Load()
}

// goStale directs all further reads of a route to a replica, even one that is behind; age is how far. It
// reports false if no replica can be used.
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

// readStale runs a statement on the route's replica. It never changes to another one.
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

// Cause returns a word for why the database is not ready, without details; "" if it is ready.
func Cause(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errReplaced):
		return "replaced"
	case isReadOnly(err):
		return "read only"
	case isDiskFull(err):
		return "full"
	case IsUnavailable(err) || errors.Is(err, context.DeadlineExceeded):
		return "unreachable"
	}
	return "failed"
}
