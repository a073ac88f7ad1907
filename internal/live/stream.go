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
	if stream.listener != nil {
		return &stream.now, true, nil
	}
	from, resumed := stream.After, stream.After != ""
	if !resumed && after != nil {
		from, resumed = *after, true
	}
	stream.listener, err = s.listen(ctx, of, from, resumed)
	if err != nil {
		return nil, false, err
	}
	stream.service = s
	stream.now = Update{sequence: stream.listener.after, At: s.now(), Business: of.Business, OrderID: of.Order}
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

// ErrBehind says that the client takes its updates too slowly. It can go on where it is by another subscription.
var ErrBehind = errors.New("the client takes the updates too slowly")

// Await waits for the next update, for so long at most, and reports whether there is one. Then the operation is to be
// run. It fails when ctx ends, and with ErrBehind.
func (s *Stream) Await(ctx context.Context, most time.Duration) (ok bool, err error) {
	l := s.listener
	if len(l.early) == 0 && l.readTo < l.until {
		if err := s.service.readEarly(ctx, l); err != nil {
			return false, err
		}
	}
	if len(l.early) > 0 {
		s.now, l.early = l.early[0], l.early[1:]
		return true, nil
	}
	select {
	case u, open := <-l.events:
		if !open {
			return false, ErrBehind
		}
		s.now = u
		return true, nil
	case <-time.After(most):
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
