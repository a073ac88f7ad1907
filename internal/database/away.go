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
	within  atomic.Int64 // how long, in nanoseconds; 0: not at all
	reached atomic.Int64 // Unix nanoseconds when the primary last answered
	is      atomic.Bool

	confirmed atomic.Bool // by FollowPrimary, which looks whether it is back
}

// note takes what a look at the primary came to.
func (a *away) note(err error) {
	switch {
	case err == nil:
		a.reached.Store(time.Now().UnixNano())
		a.is.Store(false)
		a.confirmed.Store(false)
	case IsUnavailable(err) || errors.Is(err, context.DeadlineExceeded):
		a.is.Store(true)
	}
}

// AllowStale lets reads with WithReplicas be answered without the primary for a time after it was last reached.
func (db *DB) AllowStale(within time.Duration) { db.away.within.Store(int64(within)) }

// Answered takes note of whether the primary answered a look that began after the last one.
func (db *DB) Answered(err error) { db.away.note(err) }

// Away reports whether the primary does not answer, and reads may do without it; since says how long ago it did.
func (db *DB) Away() (since time.Duration, is bool) {
	since = time.Since(time.Unix(0, db.away.reached.Load()))
	return since, db.away.is.Load() && since <= time.Duration(db.away.within.Load())
}

// ReadsStale reports whether what ctx reads comes from a replica as it is, because the primary is away. It decides
// so for a context of WithReplicas, and then for good. It fails where there is no replica either, and it is known
// that asking the primary would only take time.
func (db *DB) ReadsStale(ctx context.Context) (bool, error) {
	r := routeOf(ctx)
	if r == nil {
		return false, nil
	}
	since, is := db.Away()
	if !is && !r.stale.Load() {
		return false, nil
	}
	if r.goStale(db.driver.replicas) {
		note.Of(ctx).Stale(since)
		return true, nil
	}
	if db.away.confirmed.Load() {
		return false, fmt.Errorf("%w: the primary is away, and no replica is there", errNoServer)
	}
	return false, nil
}

// HasReplica reports whether a replica can be read from.
func (db *DB) HasReplica() bool { return db.driver.replicas.next() != nil }

// IsStale reports whether ReadsStale has decided so for a context.
func IsStale(ctx context.Context) bool {
	r := routeOf(ctx)
	return r != nil && r.stale.Load()
}

// goStale makes a route lead to a replica from now on, whatever it shows. It reports false where there is none.
func (r *readRoute) goStale(of *replicas) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stale.Load() {
		return true
	}
	if r.chosen == nil || !r.chosen.up.Load() {
		r.chosen = of.next()
	}
	if r.chosen == nil {
		return false
	}
	r.stale.Store(true)
	return true
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
