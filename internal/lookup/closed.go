package lookup

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// ClosedWithin is how long after a shop was closed a request that names it by its id may still begin to work on it.
const ClosedWithin = time.Second

// closedShops are the shops that are closed. They are read again by the first request that finds them older than
// ClosedWithin: what customers do names a shop by its id, in statements that read no row of it.
type closedShops struct {
	look *Shared[string, map[uuid.UUID]bool]
	last atomic.Pointer[closedAt]
}

// closedAt are the shops that were closed at some moment after a time.
type closedAt struct {
	since time.Time
	shops map[uuid.UUID]bool
}

// IsClosed reports whether a shop was closed at a moment that is at most ClosedWithin ago.
func (t *Tenants) IsClosed(ctx context.Context, shop uuid.UUID) (bool, error) {
	known, now := t.closed.last.Load(), time.Now()
	if known == nil || now.Sub(known.since) >= ClosedWithin {
		found, err := t.closed.look.Find(ctx, "")
		if err != nil {
			return false, err
		}
		known = &closedAt{now, found[""]}
		t.closed.last.Store(known)
	}
	return known.shops[shop], nil
}

// readClosed reads the shops that are closed, under the one key that there is.
func (t *Tenants) readClosed(ctx context.Context, _ []string) (map[string]map[uuid.UUID]bool, error) {
	rows, err := t.db.QueryContext(ctx, "SELECT id FROM tenants WHERE closed_at IS NOT NULL")
	if err != nil {
		return nil, fmt.Errorf("find the shops that are closed: %w", err)
	}
	defer rows.Close()
	shops := map[uuid.UUID]bool{}
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("find the shops that are closed: %w", err)
		}
		shops[id] = true
	}
	return map[string]map[uuid.UUID]bool{"": shops}, rows.Err()
}
