package live

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/database"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/goroutine"
	"storefront/internal/record"
	"storefront/internal/request"
)

const (
	pollEvery = 500 * time.Millisecond // between two looks for events, while there are listeners
	pollTime  = 10 * time.Second       // timeout of one look
	warnEvery = time.Minute            // between two log lines about failures
	batch     = 500                    // events per statement
)

// start starts the hub, which runs as long as there are listeners. The caller holds s.mu.
func (s *Service) start() {
	goroutine.Keep(context.Background(), "delivering to subscriptions", func(ctx context.Context) {
		tick := time.NewTicker(pollEvery)
		defer tick.Stop()
		var warned time.Time
		for range tick.C {
			if !s.isHeard() {
				return
			}
			if err := s.poll(ctx); err != nil && time.Since(warned) >= warnEvery {
				s.log.Warn("events for subscriptions could not be read", "error", err)
				warned = time.Now()
			}
		}
	})
}

// isHeard reports whether there are listeners. If there are none, the hub must stop.
func (s *Service) isHeard() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = len(s.listeners) > 0
	return s.running
}

// poll numbers committed events and distributes all new ones, by whichever server they were numbered.
func (s *Service) poll(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, pollTime)
	defer stop()
	failed := outbox.Number(ctx, s.store, s.clock.Now())
	for {
		s.mu.Lock()
		after := s.read
		s.mu.Unlock()
		found, err := s.updates(ctx, laterUpdates, database.Values{"after": after})
		if err != nil {
			return errors.Join(failed, err)
		}
		s.distribute(found)
		if len(found) < batch {
			return failed
		}
	}
}

// distribute sends updates to the listeners that want them. A listener whose channel is full reads the rest from the
// database later.
func (s *Service) distribute(updates []Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range updates {
		u := &updates[i]
		s.read = u.number
		for l, ready := range s.listeners {
			if !ready || l.behind || !l.wants(u) {
				continue
			}
			select {
			case l.events <- *u:
			default:
				l.behind = true
			}
		}
	}
}

// catchUp makes a listener with an empty channel read the updates that were left out from the database. It reports
// whether any were left out.
func (s *Service) catchUp(l *listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.behind || len(l.events) > 0 {
		return l.behind
	}
	l.behind, l.until = false, s.read
	return true
}

const updateColumns = `SELECT number, type, created_at, tenant_id, subject_id FROM shop_events`

var (
	laterUpdates = database.Statement(updateColumns + ` WHERE number > $after ORDER BY number LIMIT 500`)
	shopsUpdates = database.Statement(updateColumns + ` WHERE tenant_id = $tenant AND number > $after
		AND number <= $until ORDER BY number LIMIT 500`)
)

// updates reads a batch of events in the order of their numbers.
func (s *Service) updates(
	ctx context.Context, which database.Text, values database.Values,
) (found []Update, err error) {
	err = which.Each(ctx, s.store.Raw(), values, func(row *sql.Rows) error {
		var u Update
		var kind string
		if err := row.Scan(&u.number, &kind, &u.At, &u.Business, &u.OrderID); err != nil {
			return err
		}
		event := record.WebhookEvent(kind)
		u.Type = &event
		found = append(found, u)
		return nil
	})
	return found, err
}

// readBacklog reads the next updates of a listener that are not in its channel.
func (s *Service) readBacklog(ctx context.Context, l *listener) error {
	for len(l.backlog) == 0 && l.delivered < l.until {
		found, err := s.updates(ctx, shopsUpdates,
			database.Values{"after": l.delivered, "until": l.until, "tenant": l.of.Business})
		if err != nil {
			return err
		}
		for i := range found {
			if l.wants(&found[i]) {
				l.backlog = append(l.backlog, found[i])
			}
		}
		l.delivered = l.until
		if len(found) == batch {
			l.delivered = found[len(found)-1].number
		}
	}
	return nil
}

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
func (s *Service) Next(ctx context.Context, subject Of, after *string) (_ *Update, ok bool, err error) {
	stream, _ := request.Of(ctx).Stream.(*Stream)
	if stream == nil {
		return nil, false, fault.New(fault.BadRequest, "subscriptions are answered at /graphql/stream")
	}
	if l := stream.listener; l != nil {
		if l.of != subject { // for instance, the domain belongs to another shop now
			return nil, false, unknownID()
		}
		return &stream.now, true, nil
	}
	from, resumed := stream.After, stream.After != ""
	if !resumed && after != nil {
		from, resumed = *after, true
	}
	l, err := s.listen(ctx, subject, from, resumed)
	if err != nil {
		return nil, false, err
	}
	stream.service, stream.listener = s, l
	stream.now = Update{number: l.after, At: s.clock.Now(), Business: subject.Business, OrderID: subject.Order}
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
