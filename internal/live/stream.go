package live

import (
	"context"
	"errors"
	"time"

	"storefront/internal/fault"
)

// Stream is the subscription of one request. Its operation is run again and again: first to begin, and then for each
// update. So each update is authorized as any request is, and read anew.
type Stream struct {
	// After is the id of the last update that the client has, by the header Last-Event-ID; empty: it names none.
	After string

	service  *Service
	listener *listener
	now      Update
}

type streamKey struct{}

// With returns a context in which a subscription can be run.
func With(ctx context.Context, s *Stream) context.Context {
	return context.WithValue(ctx, streamKey{}, s)
}

// Next returns the update that a subscription is run for. The first time it begins the subscription, and returns
// where that is; ok is false where it goes on behind after, or behind the stream's own After.
func (s *Service) Next(ctx context.Context, of Of, after *string) (_ *Update, ok bool, err error) {
	stream, _ := ctx.Value(streamKey{}).(*Stream)
	if stream == nil {
		return nil, false, fault.New(fault.BadRequest, "subscriptions are answered at /graphql/stream")
	}
	if l := stream.listener; l != nil {
		if l.of != of { // the domain leads to another shop now, or the like
			return nil, false, unknownPlace()
		}
		return &stream.now, true, nil
	}
	from, resumed := stream.After, stream.After != ""
	if !resumed && after != nil {
		from, resumed = *after, true
	}
	l, err := s.listen(ctx, of, from, resumed)
	if err != nil {
		return nil, false, err
	}
	stream.service, stream.listener = s, l
	stream.now = Update{sequence: l.after, At: s.now(), Business: of.Business, OrderID: of.Order}
	return &stream.now, !resumed, nil
}

// ID is that of the update which the operation was run for.
func (s *Stream) ID() string { return s.now.ID() }

// Begun reports whether the subscription has begun.
func (s *Stream) Begun() bool { return s.listener != nil }

// End ends the subscription, if it has begun.
func (s *Stream) End() {
	if s.listener != nil {
		s.service.leave(s.listener)
	}
}

// ErrStopped says that the server stops.
var ErrStopped = errors.New("the server stops")

// Await waits for the next update, for so long at most, and reports whether there is one. Then the operation is to be
// run. It fails when ctx ends, with ErrStopped when stop is closed, and where updates cannot be read.
func (s *Stream) Await(ctx context.Context, most time.Duration, stop <-chan struct{}) (ok bool, err error) {
	l := s.listener
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		if err := s.service.readEarly(ctx, l); err != nil {
			return false, err
		}
		if len(l.early) > 0 {
			s.now, l.early = l.early[0], l.early[1:]
			l.told = max(l.told, s.now.sequence)
			return true, nil
		}
		select {
		case u := <-l.events:
			s.now, l.told = u, u.sequence
			return true, nil
		default:
			if s.service.catchUp(l) {
				continue
			}
		}
		select {
		case u := <-l.events:
			s.now, l.told = u, u.sequence
			return true, nil
		case <-timer.C:
			return false, nil
		case <-stop:
			return false, ErrStopped
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
