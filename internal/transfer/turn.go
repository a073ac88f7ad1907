package transfer

import (
	"context"

	"entgo.io/ent/dialect"

	"storefront/internal/share"
	"storefront/internal/store"
)

// turn is the slot of an import that works.
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

// between is pass where others can work between an import's transactions. On SQLite imports of all shops have one lock:
// one that were let in would wait for it, and keep the slot from the one that has it.
func (t *turn) between(s *store.Store) func() {
	if s.Dialect == dialect.SQLite {
		return nil
	}
	return t.pass
}

// pass lets others have the slot who wait for it, and waits until it is this import's again. Where the context ends
// first, it has none.
func (t *turn) pass() {
	t.release()
	release, err := t.slots.Take(t.ctx)
	if err != nil {
		release = func() {} // the next statement fails
	}
	t.release = release
}

func (t *turn) end() { t.release() }
