package transfer

import (
	"context"

	"entgo.io/ent/dialect"

	"storefront/internal/share"
	"storefront/internal/store"
)

// turn is the slot of a running import.
type turn struct {
	ctx     context.Context // of the import
	slots   *share.Slots
	release func()
}

// takeTurn waits for a slot.
func takeTurn(ctx context.Context, slots *share.Slots) (*turn, error) {
	release, err := slots.Take(ctx)
	return &turn{ctx, slots, release}, err
}

// between returns pass if others can work between an import's transactions. On SQLite the imports of all
// shops share one lock: another import would only wait for it, and keep the slot from the one that has the
// lock.
func (t *turn) between(s *store.Store) func() {
	if s.Dialect == dialect.SQLite {
		return nil
	}
	return t.pass
}

// pass lets others use the slot, and waits until this import has one again. If the context ends before, it
// has none.
func (t *turn) pass() {
	t.release()
	release, err := t.slots.Take(t.ctx)
	if err != nil {
		release = func() {} // the next statement fails
	}
	t.release = release
}

func (t *turn) end() { t.release() }
