package transfer

import (
	"context"

	"storefront/internal/share"
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
