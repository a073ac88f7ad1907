package database

import (
	"context"
	"sync"
	"sync/atomic"
)

// Need is what a read must see: a number that only rises must have reached Least. The number is read by the
// statement Number, with Argument unless that is empty.
type Need struct {
	Number   string // the statement
	Argument string
	Least    int64
}

// Needs returns what a statement run with ctx must see. It reports false if that is not known.
type Needs func(ctx context.Context) ([]Need, bool)

// WithReplicas returns a context whose reads may go to a replica that shows all that needs returns, else to
// the primary. A context uses one replica, and once it has read from the primary it stays there, so that no
// statement sees an older state than an earlier one.
func WithReplicas(ctx context.Context, needs Needs) context.Context {
	return context.WithValue(ctx, routeKey{}, &readRoute{needs: needs})
}

type (
	routeKey struct{}
	needsKey struct{}
)

// WithStale returns a context for public reads: they go to a replica while the primary is away, else to the
// primary.
func WithStale(ctx context.Context) context.Context {
	return WithReplicas(ctx, func(context.Context) ([]Need, bool) { return nil, false })
}

// readRoute decides where a request reads.
type readRoute struct {
	needs Needs

	mu      sync.Mutex
	chosen  *replica // nil: none yet
	primary bool     // for good

	stale atomic.Bool // all reads go to the chosen replica, for good, even if it is behind: the primary is away
}

func routeOf(ctx context.Context) *readRoute {
	r, _ := ctx.Value(routeKey{}).(*readRoute)
	return r
}

// to returns the replica for a statement with the context to use; nil for the primary.
func (r *readRoute) to(ctx context.Context, of *replicas) (*replica, context.Context) {
	needs, known := r.needs(ctx)
	if !known {
		return nil, ctx
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.chosen == nil {
		r.chosen = of.next(anyReplica)
	}
	if r.primary || r.chosen == nil || !r.chosen.up.Load() || r.chosen.lags(needs) {
		r.primary = true
		return nil, ctx
	}
	return r.chosen, context.WithValue(ctx, needsKey{}, needs)
}

// leave directs all further reads to the primary.
func (r *readRoute) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.primary = true
}

func (n Need) key() Need { n.Least = 0; return n }
