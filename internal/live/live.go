// Package live tells subscriptions what happens to the orders of a shop.
//
// It reads the outbox: a shop that somebody listens to has an endpoint without an address (live_until), for which
// package outbox writes the events of orders in the transactions that change them, as for webhooks (endpoint.go).
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
	kept   = 6 * 24 * time.Hour // a listener that was cut off can go on where it was; webhooks keep events longer
	margin = time.Hour          // by more than which the clocks of servers do not differ

	mostListeners = 2000 // of a server
	mostCustomers = 1500 // of these: the others are for staff and programs
	mostOfAddress = 200  // of one client address
	mostOfCaller  = 20   // of one account or access token
	mostWaiting   = 256  // events that are handed to a listener before it has taken them
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
	Order    uuid.UUID // uuid.Nil: all of the business, for its staff
	Caller   string    // who listens: an account or an access token
	Address  string    // of the client
}

// Service has the listeners of a server.
type Service struct {
	store *ent.Client
	db    *database.DB
	clock func() time.Time
	log   *slog.Logger

	mu        sync.Mutex
	listeners map[*listener]bool // true: it is handed events
	counts    map[string]int     // of listeners, by what they are counted by
	read      int64              // place of the last event that was handed out
	running   bool               // the hub
}

// New makes the service.
func New(store *ent.Client, db *database.DB, clock func() time.Time, log *slog.Logger) *Service {
	return &Service{store: store, db: db, clock: clock, log: log, listeners: map[*listener]bool{},
		counts: map[string]int{}}
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
	events chan Update // that the hub hands it

	// Of Await alone.
	told   int64    // the place up to which it was told
	until  int64    // the place up to which it reads from the database
	early  []Update // that were read so, and not told yet
	behind bool     // the hub has left events out since: guarded by the lock of the service
}

func (l *listener) wants(u *Update) bool {
	return u.sequence > l.after && u.Business == l.of.Business && (l.of.Order == uuid.Nil || u.OrderID == l.of.Order)
}

// bounds are what a listener is counted by, and how many there may be.
func (o Of) bounds() map[string]int {
	all := map[string]int{
		"all": mostListeners, "caller " + o.Caller: mostOfCaller, "address " + o.Address: mostOfAddress,
	}
	if o.Order != uuid.Nil {
		all["customers"] = mostCustomers
	}
	return all
}

// listen begins a subscription. resumed: not where the sequence ends, but behind the place after. It fails with
// NOT_FOUND where that is too long ago, with RATE_LIMITED and with UNAVAILABLE.
func (s *Service) listen(ctx context.Context, of Of, after string, resumed bool) (*listener, error) {
	l := &listener{of: of, events: make(chan Update, mostWaiting)}
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
	for name, most := range l.of.bounds() {
		if s.counts[name] < most {
			continue
		}
		full := fault.New(fault.RateLimited, "too many subscriptions at a time; end one first")
		if most >= mostCustomers {
			full = fault.New(fault.Unavailable, "too many subscriptions; try again shortly")
		}
		full.RetryAfter = 5 * time.Second
		return full
	}
	for name := range l.of.bounds() {
		s.counts[name]++
	}
	s.listeners[l] = false
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
	for name := range l.of.bounds() {
		if s.counts[name]--; s.counts[name] == 0 {
			delete(s.counts, name)
		}
	}
}

// begin finds where a listener begins, and lets the hub hand it what comes from there on.
func (s *Service) begin(ctx context.Context, l *listener, after string, resumed bool) error {
	from, err := s.keep(ctx, l.of.Business)
	if err != nil {
		return err
	}
	if !resumed {
		if err := s.sequenceAll(ctx); err != nil {
			return err
		}
	}
	last, err := newest(ctx, s.store.Raw(), 0)
	if err != nil {
		return err
	}
	// An id tells its age, so it is not that of an event of long ago. All later places are above it.
	l.after = max(last, s.now().Add(-margin).UnixMicro())
	if resumed {
		at, err := strconv.ParseInt(after, 10, 64)
		if err != nil || at > max(last, s.now().Add(margin).UnixMicro()) ||
			at < max(from, s.now().Add(-kept).UnixMicro()) {
			return unknownPlace()
		}
		l.after = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		s.running, s.read = true, last
		s.start()
	}
	l.told, l.until = l.after, s.read
	s.listeners[l] = true
	return nil
}

func unknownPlace() error {
	return fault.New(fault.NotFound,
		"what happened since this update is not known any more; ask for the orders and subscribe without it")
}
