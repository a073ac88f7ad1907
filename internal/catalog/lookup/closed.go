package lookup

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// closedWithin is how long after a shop was closed a request that names it by its id may still start work on it.
const closedWithin = time.Second

// Closing says for whom a shop is closed.
type Closing int

// The ways in which a shop may be closed.
const (
	Open   Closing = iota
	Paused         // to customers, by its owner
	Moving         // to all, because it moves to another installation
)

// closedShops caches which shops are closed. The first request that finds the cache older than closedWithin
// reads it again: requests of customers name a shop by its id, and their statements do not read its row.
type closedShops struct {
	look *Shared[string, map[uuid.UUID]Closing]
	last atomic.Pointer[closedAt]
}

// closedAt holds the shops that were closed at some moment after a time.
type closedAt struct {
	since time.Time
	shops map[uuid.UUID]Closing
}

// Closing returns whether and how a shop was closed at some moment within the last closedWithin.
func (t *Tenants) Closing(ctx context.Context, shop uuid.UUID) (Closing, error) {
	known, now := t.closed.last.Load(), time.Now()
	if known == nil || now.Sub(known.since) >= closedWithin {
		found, err := t.closed.look.Find(ctx, "")
		if err != nil {
			return Open, err
		}
		known = &closedAt{now, found[""]}
		t.closed.last.Store(known)
	}
	return known.shops[shop], nil
}

// readClosed reads the closed shops, as the value of the only key.
func (t *Tenants) readClosed(ctx context.Context, _ []string) (map[string]map[uuid.UUID]Closing, error) {
	rows, err := t.db.QueryContext(ctx, "SELECT id, CASE WHEN closed_at IS NULL THEN 1 ELSE 2 END FROM tenants "+
		"WHERE closed_at IS NOT NULL OR paused_at IS NOT NULL")
	if err != nil {
		return nil, fmt.Errorf("find the shops that are closed: %w", err)
	}
	defer rows.Close()
	shops := map[uuid.UUID]Closing{}
	for rows.Next() {
		var id uuid.UUID
		var how Closing
		if err := rows.Scan(&id, &how); err != nil {
			return nil, fmt.Errorf("find the shops that are closed: %w", err)
		}
		shops[id] = how
	}
	return map[string]map[uuid.UUID]Closing{"": shops}, rows.Err()
}
