package live

import (
	"context"
	"errors"
	"time"

	"storefront/internal/fault"
	"storefront/internal/request"
)

// Stream is the subscription of one request. Its operation is run once to start it and once for each update, so each
// update is authorized and read like a request of its own.
type Stream struct {
	// After is the id of the last update that the client received, from the header Last-Event-ID; may be empty.
	After string

	service  *Service
	listener *listener
	now      Update
}

// With returns a context in which the operation of a subscription can be run.
func With(ctx context.Context, s *Stream) context.Context {
	return request.With(ctx, func(r *request.Request) { r.Stream = s })
}

// Next returns the update for which the operation is being run. The first call starts the subscription and returns an
// update that marks the start; ok is false if the subscription is resumed, by after or by the stream's After.
func (s *Service) Next(ctx context.Context, of Of, after *string) (_ *Update, ok bool, err error) {
	stream, _ := request.Of(ctx).Stream.(*Stream)
	if stream == nil {
		return nil, false, fault.New(fault.BadRequest, "subscriptions are answered at /graphql/stream")
	}
	if l := stream.listener; l != nil {
		if l.of != of { // for instance, the domain belongs to another shop now
			return nil, false, unknownID()
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
	stream.now = Update{number: l.after, At: s.clock.Now(), Business: of.Business, OrderID: of.Order}
	return &stream.now, !resumed, nil
}

// ID returns the id of the update for which the operation was run last.
func (s *Stream) ID() string { return s.now.ID() }

// Begun reports whether the subscription has begun.
func (s *Stream) Begun() bool { return s.listener != nil }

// End ends the subscription, if it has begun.
func (s *Stream) End() {
	if s.listener != nil {
		s.service.leave(s.listener)
	}
}

// ErrStopped is the error of Await when the server is stopping.
var ErrStopped = errors.New("the server is stopping")

// ErrDisplaced is returned by Await when another shop has taken the subscription's place.
var ErrDisplaced = errors.New("the shop has more than its share of the subscriptions")

// Await waits up to most for the next update, and reports whether there is one; the caller then runs the operation. It
// fails when ctx ends, with ErrStopped when stop is closed, with ErrDisplaced, and when updates cannot be read.
func (s *Stream) Await(ctx context.Context, most time.Duration, stop <-chan struct{}) (ok bool, err error) {
	l := s.listener
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		if err := s.service.readBacklog(ctx, l); err != nil {
			return false, err
		}
		if len(l.backlog) > 0 {
			s.now, l.backlog = l.backlog[0], l.backlog[1:]
			l.delivered = max(l.delivered, s.now.number)
			return true, nil
		}
		select {
		case u := <-l.events:
			s.now, l.delivered = u, u.number
			return true, nil
		default:
			if s.service.catchUp(l) {
				continue
			}
		}
		select {
		case u := <-l.events:
			s.now, l.delivered = u, u.number
			return true, nil
		case <-timer.C:
			return false, nil
		case <-stop:
			return false, ErrStopped
		case <-l.gone:
			return false, ErrDisplaced
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
