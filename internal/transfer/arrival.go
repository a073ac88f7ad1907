package transfer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"entgo.io/ent/dialect"

	"storefront/internal/share"
	"storefront/internal/store"
)

// arrival is a sheet that was received and waits to be processed.
type arrival struct {
	text  bytes.Buffer    // compressed, as sheets become much smaller
	kept  context.Context // ends if the sheet must give way
	leave func()          // ends the waiting in which it may have to
}

// piece is how much is read between two checks whether the sheet is large.
const piece = 64 << 10

// kept reads the rest of a sheet until its context ends.
type kept struct {
	io.Reader
	of *arrival
}

func (k kept) Read(to []byte) (int, error) {
	if k.of.kept.Err() != nil {
		return 0, context.Cause(k.of.kept)
	}
	n, err := k.Reader.Read(to)
	if k.of.kept.Err() != nil {
		err = context.Cause(k.of.kept)
	}
	return n, err
}

// arrive reads a body to its end. If the sheet must give way, cut ends a read that waits for the client.
func (s *Service) arrive(ctx context.Context, body io.Reader, cut func()) (_ *arrival, err error) {
	a := &arrival{kept: context.Background(), leave: func() {}}
	body = kept{body, a}
	uncut := func() {}
	defer func() {
		uncut()
		if err != nil {
			a.leave()
		}
	}()
	zip, _ := gzip.NewWriterLevel(&a.text, gzip.BestSpeed) // fails only for an invalid level
	for isLarge := false; ; {
		_, err := io.CopyN(zip, body, piece)
		switch {
		case errors.Is(err, io.EOF):
			return a, zip.Close()
		case err != nil:
			return nil, err
		case a.text.Len() > smallSheet && !isLarge:
			isLarge = true
			kept, leave, err := s.large.take(ctx)
			if err != nil {
				return nil, err
			}
			a.kept, a.leave = kept, leave
			done := make(chan struct{})
			forget := context.AfterFunc(kept, func() {
				cut()
				close(done)
			})
			uncut = func() {
				if !forget() {
					<-done
				}
			}
		}
	}
}

// worked waits until the sheet can be processed. From then on it no longer gives way, since no more sheets
// are processed at once than there are slots. ctx is that of the processing.
func (a *arrival) worked(ctx context.Context, slots *share.Slots) (*turn, error) {
	waiting, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(a.kept, func() { end(context.Cause(a.kept)) })()
	t, err := takeTurn(waiting, slots)
	if err != nil {
		return nil, context.Cause(waiting)
	}
	t.ctx = ctx
	a.leave()
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
