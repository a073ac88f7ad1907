package database

import (
	"context"
	"sync"
	"sync/atomic"
)

// Need is what a reader must see: a number that only rises, known to be at least so high. The number
// is what a statement with an argument, or without one where it is empty, gives.
type Need struct {
	Number   string // the statement
	Argument string
	Least    int64
}

// Needs says what must be seen by a statement that is run with ctx. It reports false where that is not known.
type Needs func(ctx context.Context) ([]Need, bool)

// WithReplicas returns a context whose reads may go to a replica: each to one that shows all that needs says,
// else to the primary. A context reads from one replica, and from the time on when it has once read from the
// primary, from that alone, so that no statement sees an older state than the ones before it.
func WithReplicas(ctx context.Context, needs Needs) context.Context {
	return context.WithValue(ctx, routeKey{}, &readRoute{needs: needs})
}

type (
	routeKey struct{}
	needsKey struct{}
)

// WithStale returns a context of a read that is the same for everybody: while the primary is away it goes to a
// replica, and else to the primary.
func WithStale(ctx context.Context) context.Context {
	return WithReplicas(ctx, func(context.Context) ([]Need, bool) { return nil, false })
}

// readRoute is where a request reads.
type readRoute struct {
	needs Needs

	mu      sync.Mutex
	chosen  *replica // nil: none yet
	primary bool     // for good

	stale atomic.Bool // all comes from the chosen one, for good, whatever it shows: the primary is away
}

func routeOf(ctx context.Context) *readRoute {
	r, _ := ctx.Value(routeKey{}).(*readRoute)
	return r
}

// to returns the replica that a statement may be sent to with the context for it; nil: to the primary.
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

// leave makes a route lead to the primary.
func (r *readRoute) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.primary = true
}

func (n Need) key() Need { n.Least = 0; return n }
