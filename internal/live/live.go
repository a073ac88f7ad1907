// Package live tells subscriptions what happens to the orders of a shop.
//
// It reads the outbox: a shop that somebody listens to has an endpoint without an address (live_from), for which
// package outbox writes the events of orders in the transactions that change them, as for webhooks.
// One server after another gives the events that were committed their places in one sequence (sequence.go), and each
// server reads that sequence and hands it to its listeners (hub.go). So all servers tell the same events in the same
// order, none of them twice, and a listener that was cut off goes on behind the last event that it has.
package live

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
)

const (
	kept        = 6 * 24 * time.Hour // a listener that was cut off can go on where it was; webhooks keep events longer
	keptUnheard = 25 * time.Hour     // of a shop that nobody listens to any more

	mostListeners = 2000 // of a server
	mostOfCaller  = 20   // of one account or access token, at one server
	waiting       = 256  // events that a listener may lag behind
)

// Update is an event of an order. Without a Type it is where a subscription begins.
type Update struct {
	sequence int64
	Type     *record.WebhookEvent
	At       time.Time
	Business uuid.UUID
	OrderID  uuid.UUID
}

// ID is the place of the update in the sequence of all.
func (u *Update) ID() string { return strconv.FormatInt(u.sequence, 10) }

// Of is what a listener wants to hear of.
type Of struct {
	Business uuid.UUID
	Order    uuid.UUID // uuid.Nil: all of the business
	Caller   string    // who listens: an account or an access token
}

// Service has the listeners of a server.
type Service struct {
	store *ent.Client
	db    *database.DB
	clock func() time.Time
	log   *slog.Logger

	mu        sync.Mutex
	listeners map[*listener]bool
	callers   map[string]int // how many listeners each has
	read      int64          // place of the last event that was handed out
	running   bool           // the hub
}

// New makes the service.
func New(store *ent.Client, db *database.DB, clock func() time.Time, log *slog.Logger) *Service {
	return &Service{store: store, db: db, clock: clock, log: log, listeners: map[*listener]bool{},
		callers: map[string]int{}}
}

// Listeners returns how many subscriptions there are at this server.
func (s *Service) Listeners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.listeners)
}

// now is cut to microseconds, which is what both databases keep.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// listener is one subscription.
type listener struct {
	of     Of
	after  int64       // events behind this place are told
	until  int64       // those up to this place are read from the database, the later ones come by events
	events chan Update // is closed when the listener lags too far behind

	// Of Await alone.
	early  []Update // that were read from the database and not told yet
	readTo int64    // the place up to which they were read
}

func (l *listener) wants(u *Update) bool {
	return u.sequence > l.after && u.Business == l.of.Business && (l.of.Order == uuid.Nil || u.OrderID == l.of.Order)
}

// listen begins a subscription. resumed: not where the sequence ends, but behind the place after. It fails with
// NOT_FOUND where that is too long ago, with RATE_LIMITED and with UNAVAILABLE.
func (s *Service) listen(ctx context.Context, of Of, after string, resumed bool) (*listener, error) {
	l := &listener{of: of, events: make(chan Update, waiting)}
	if err := s.admit(l); err != nil {
		return nil, err
	}
	if err := s.begin(ctx, l, after, resumed); err != nil {
		s.leave(l)
		return nil, err
	}
	return l, nil
}

// admit counts a listener, unless there are too many. It is handed nothing yet.
func (s *Service) admit(l *listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var full *fault.Error
	switch {
	case s.callers[l.of.Caller] >= mostOfCaller:
		full = fault.New(fault.RateLimited, "at most %d subscriptions at a time; end one first", mostOfCaller)
	case len(s.listeners) >= mostListeners:
		full = fault.New(fault.Unavailable, "too many subscriptions; try again shortly")
	default:
		s.callers[l.of.Caller]++
		s.listeners[l] = false
		return nil
	}
	full.RetryAfter = 5 * time.Second
	return full
}

// begin finds where a listener begins, and lets the hub hand it what comes from there on.
func (s *Service) begin(ctx context.Context, l *listener, after string, resumed bool) error {
	from, err := s.keep(ctx, l.of.Business)
	if err != nil {
		return err
	}
	last, err := newest(ctx, s.store.Raw(), 0)
	if err != nil {
		return err
	}
	l.after = last
	if resumed {
		at, err := strconv.ParseInt(after, 10, 64)
		if err != nil || at > last || at < max(from, s.now().Add(-kept).UnixMicro()) {
			return fault.New(fault.NotFound,
				"what happened since this update is not known any more; ask for the orders and subscribe without it")
		}
		l.after = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		s.running, s.read = true, last
		s.start()
	}
	l.until, l.readTo = s.read, l.after
	s.listeners[l] = true
	return nil
}

// leave ends a subscription.
func (s *Service) leave(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.listeners[l]; !there {
		return
	}
	delete(s.listeners, l)
	if s.callers[l.of.Caller]--; s.callers[l.of.Caller] == 0 {
		delete(s.callers, l.of.Caller)
	}
}
