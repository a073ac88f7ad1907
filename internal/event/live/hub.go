package live

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/database"
	"storefront/internal/event/outbox"
	"storefront/internal/platform/goroutine"
	"storefront/internal/record"
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
func (s *Service) distribute(found []Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range found {
		u := &found[i]
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
