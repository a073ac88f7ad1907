package live

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/goroutine"
	"storefront/internal/record"
)

const (
	turnEvery = 500 * time.Millisecond // how often a server with listeners looks for events
	turnTime  = 10 * time.Second       // how long it may take
	keepEvery = time.Hour              // how often the time is put off until which events are kept
	warnEvery = time.Minute            // how often the log says that a server cannot look
	batch     = 500                    // events
)

// start starts the hub, which runs as long as there are listeners. The lock is held.
func (s *Service) start() {
	goroutine.Keep(context.Background(), "telling subscriptions", func(ctx context.Context) {
		tick := time.NewTicker(turnEvery)
		defer tick.Stop()
		var warned time.Time
		kept := time.Now()
		for range tick.C {
			shops, any := s.shops()
			if !any {
				return
			}
			err := s.turn(ctx)
			if err == nil && time.Since(kept) >= keepEvery {
				kept = time.Now()
				err = s.keepAll(ctx, shops)
			}
			if err != nil && time.Since(warned) >= warnEvery {
				s.log.Warn("events for subscriptions were not looked for", "error", err)
				warned = time.Now()
			}
		}
	})
}

// shops returns the shops that are listened to. Without a listener the hub stops.
func (s *Service) shops() (ids []uuid.UUID, any bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := map[uuid.UUID]bool{}
	for l := range s.listeners {
		if !seen[l.of.Business] {
			seen[l.of.Business] = true
			ids = append(ids, l.of.Business)
		}
	}
	s.running = len(s.listeners) > 0
	return ids, s.running
}

// turn puts the events that were committed into their order and hands out all that are new, also those that another
// server has put into it.
func (s *Service) turn(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, turnTime)
	defer stop()
	failed := s.sequence(ctx)
	for {
		s.mu.Lock()
		after := s.read
		s.mu.Unlock()
		found, err := s.updates(ctx, laterUpdates, database.Values{"after": after})
		if err != nil {
			return errors.Join(failed, err)
		}
		s.handOut(found)
		if len(found) < batch {
			return failed
		}
	}
}

// handOut gives updates to the listeners that want them. One that has not taken enough of them reads the rest from the
// database.
func (s *Service) handOut(found []Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range found {
		u := &found[i]
		s.read = u.sequence
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

// catchUp lets a listener that has taken all it was handed read what the hub has left out, and reports whether there
// is any.
func (s *Service) catchUp(l *listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.behind || len(l.events) > 0 {
		return l.behind
	}
	l.behind, l.until = false, s.read
	return true
}

const updateColumns = `SELECT sequence, type, created_at, tenant_id, subject_id FROM webhook_deliveries`

var (
	laterUpdates = database.Statement(updateColumns + ` WHERE sequence > $after ORDER BY sequence LIMIT 500`)
	shopsUpdates = database.Statement(updateColumns + ` WHERE sequence > $after AND sequence <= $until
		AND tenant_id = $tenant ORDER BY sequence LIMIT 500`)
)

// updates reads updates of the sequence.
func (s *Service) updates(
	ctx context.Context, which database.Text, values database.Values,
) (found []Update, err error) {
	err = which.Each(ctx, s.store.Raw(), values, func(row *sql.Rows) error {
		var u Update
		var kind string
		if err := row.Scan(&u.sequence, &kind, &u.At, &u.Business, &u.OrderID); err != nil {
			return err
		}
		event := record.WebhookEvent(kind)
		u.Type = &event
		found = append(found, u)
		return nil
	})
	return found, err
}

// readEarly reads the next updates of a listener that the hub does not hand it.
func (s *Service) readEarly(ctx context.Context, l *listener) error {
	for len(l.early) == 0 && l.told < l.until {
		found, err := s.updates(ctx, shopsUpdates,
			database.Values{"after": l.told, "until": l.until, "tenant": l.of.Business})
		if err != nil {
			return err
		}
		for i := range found {
			if l.wants(&found[i]) {
				l.early = append(l.early, found[i])
			}
		}
		l.told = l.until
		if len(found) == batch {
			l.told = found[len(found)-1].sequence
		}
	}
	return nil
}
