package transfer

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/database/store"
	"storefront/internal/fault"
	"storefront/internal/platform/share"
)

// An uploaded sheet is held in memory, compressed, until it is processed. Most are small. There may be mostLarge large
// ones at once. A new one then replaces the slowest of those that have been held for fairTime, because of a slow client
// or a queue, so that every shop can soon begin an upload.
const (
	smallSheet = 1 << 20 // bytes, compressed
	mostLarge  = 16
	fairTime   = time.Minute
)

// arrival is a sheet that was received and waits to be processed.
type arrival struct {
	text bytes.Buffer // compressed, as sheets become much smaller
	held *share.Held  // nil: it is small, and need not give way
}

// gaveWay fails once the sheet had to give way.
func (a *arrival) gaveWay() error {
	if !a.held.GaveWay() {
		return nil
	}
	return fault.New(fault.Unavailable, "the sheet took longer than a minute while others waited; send it again, "+
		"or in parts").After(5 * time.Second)
}

// piece is how much is read between two checks whether the sheet is large.
const piece = 64 << 10

// arrive reads a body to its end. If the sheet must give way, cut ends a read that waits for the client.
func (s *Service) arrive(ctx context.Context, body io.Reader, cut func()) (_ *arrival, err error) {
	a := &arrival{}
	uncut := func() {}
	defer func() {
		uncut()
		if err != nil {
			a.held.Leave()
		}
	}()
	zip, _ := gzip.NewWriterLevel(&a.text, gzip.BestSpeed) // fails only for an invalid level
	for {
		n, err := io.CopyN(zip, body, piece)
		a.held.Did(int(n))
		switch {
		case a.held.GaveWay():
			return nil, a.gaveWay()
		case errors.Is(err, io.EOF):
			a.held.Came()
			return a, zip.Close()
		case err != nil:
			return nil, err
		case a.text.Len() > smallSheet && a.held == nil:
			if a.held, err = s.large.Begin(ctx); err != nil {
				return nil, err
			}
			uncut = a.held.Cut(cut)
		}
	}
}

// worked waits until the sheet can be processed. From then on it no longer gives way, since no more sheets
// are processed at once than there are slots. ctx is that of the processing.
func (a *arrival) worked(ctx context.Context, slots *share.Slots) (*turn, error) {
	waiting, end := context.WithCancel(ctx)
	defer end()
	if a.held != nil {
		defer context.AfterFunc(a.held, end)()
	}
	t, err := takeTurn(waiting, slots)
	if err != nil {
		return nil, cmp.Or(a.gaveWay(), context.Cause(waiting))
	}
	t.ctx = ctx
	a.held.Leave()
	return t, nil
}

type turn struct {
	ctx     context.Context // of the import
	slots   *share.Slots
	release func()
}

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
