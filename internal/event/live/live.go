// Package live delivers the events of a shop's orders to subscriptions.
//
// Each server with listeners reads the events that package outbox has numbered, in the order of their numbers, and
// distributes them to its listeners (hub.go). So all servers deliver the same events in the same order, each once, and
// a disconnected listener can continue after the last event that it received.
package live

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/record"
)

const (
	kept   = outbox.Kept - 24*time.Hour // how long a listener can resume after an event
	margin = time.Hour                  // more than the clocks of two servers differ

	mostListeners = 2000 // of a server
	mostCustomers = 1500 // of these; the rest is reserved for staff and programs
	mostOfShop    = 250  // a shop with more may lose its oldest ones when the server is full
	mostOfAddress = 200  // of one client address
	mostOfCaller  = 20   // of one account or access token
	mostWaiting   = 256  // events buffered for a listener
)

// Update is an event of an order. An update without a Type marks the start of a subscription.
type Update struct {
	number   int64
	Type     *record.WebhookEvent
	At       time.Time
	Business uuid.UUID
	OrderID  uuid.UUID
}

// ID returns the number of the event, in decimal.
func (u *Update) ID() string { return strconv.FormatInt(u.number, 10) }

// Of selects the events of a listener, and identifies it for the limits.
type Of struct {
	Business uuid.UUID
	Order    uuid.UUID // uuid.Nil: all of the business, for its staff
	Caller   string    // id of the account or access token
	Address  string    // of the client
}

// Service delivers events to the listeners of one server.
type Service struct {
	store *ent.Client
	clock record.Clock
	log   *slog.Logger

	mu        sync.Mutex
	listeners map[*listener]bool // true: ready to receive events
	counts    map[string]int     // of listeners, by the names of Of.bounds
	begun     int64              // listeners so far
	read      int64              // number of the last event that was distributed
	running   bool               // reports whether the hub runs
}

// New makes the service.
func New(store *ent.Client, clock func() time.Time, log *slog.Logger) *Service {
	return &Service{store: store, clock: clock, log: log, listeners: map[*listener]bool{},
		counts: map[string]int{}}
}

// Listeners returns the number of subscriptions at this server.
func (s *Service) Listeners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.listeners)
}

// listener is one subscription.
type listener struct {
	of     Of
	nth    int64         // of the server's listeners
	gone   chan struct{} // closed when it is ended to make room for another shop
	after  int64         // only events after this number are delivered
	events chan Update   // filled by the hub
	behind bool          // the channel was full, and later events were left out; guarded by Service.mu

	// Used by Await only.
	delivered int64    // number up to which events were delivered or skipped
	until     int64    // number up to which events are read from the database
	backlog   []Update // read from the database, not delivered yet
}

// types are the events that subscriptions receive.
var types = []record.WebhookEvent{record.OrderPlaced, record.OrderMoved, record.PaymentMarked, record.MoneyRefunded,
	record.ReceiptUploaded}

func (l *listener) wants(u *Update) bool {
	return u.number > l.after && u.Business == l.of.Business &&
		(l.of.Order == uuid.Nil || u.OrderID == l.of.Order) && slices.Contains(types, *u.Type)
}

// bounds returns the limits on listeners like this one, by name.
func (o Of) bounds() map[string]int {
	all := map[string]int{
		"all": mostListeners, "caller " + o.Caller: mostOfCaller, "address " + o.Address: mostOfAddress,
	}
	if o.Order != uuid.Nil {
		all["customers"] = mostCustomers
	}
	return all
}

// listen starts a subscription after the last event, or after the number after if it is resumed. It fails with
// NOT_FOUND if that number is too old, with RATE_LIMITED and with UNAVAILABLE.
func (s *Service) listen(ctx context.Context, subject Of, after string, resumed bool) (*listener, error) {
	l := &listener{of: subject, events: make(chan Update, mostWaiting), gone: make(chan struct{})}
	if err := s.admit(l); err != nil {
		return nil, err
	}
	if err := s.begin(ctx, l, after, resumed); err != nil {
		s.leave(l)
		return nil, err
	}
	return l, nil
}

// admit counts a listener, or fails if there are too many. The listener receives nothing yet.
func (s *Service) admit(l *listener) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	bounds := l.of.bounds()
	for name, most := range bounds {
		if s.counts[name] >= most && most < mostCustomers {
			return fault.New(fault.RateLimited, "too many subscriptions at a time; end one first").
				After(5 * time.Second)
		}
	}
	isFull := func(name string) bool {
		most, counts := bounds[name]
		return counts && s.counts[name] >= most
	}
	customers := isFull("customers") // their subscriptions count towards both limits
	if (customers || isFull("all")) && !s.makePlace(l.of, customers) {
		return fault.New(fault.Unavailable, "too many subscriptions; try again shortly").After(5 * time.Second)
	}
	for name := range bounds {
		s.counts[name]++
	}
	s.begun++
	l.nth = s.begun
	s.listeners[l] = false
	return nil
}

// makePlace ends the oldest subscription of the shop that has the most, among those of customers or among all, if that
// shop has more than its share and the asking one has not. It reports whether it did.
func (s *Service) makePlace(asking Of, customers bool) bool {
	counts, oldest := map[uuid.UUID]int{}, map[uuid.UUID]*listener{}
	var most uuid.UUID
	for l := range s.listeners {
		of := l.of.Business
		if customers && l.of.Order == uuid.Nil {
			continue
		}
		if counts[of]++; counts[of] > counts[most] {
			most = of
		}
		if first := oldest[of]; first == nil || l.nth < first.nth {
			oldest[of] = l
		}
	}
	if counts[most] <= mostOfShop || counts[asking.Business] >= mostOfShop {
		return false
	}
	s.remove(oldest[most])
	close(oldest[most].gone)
	return true
}

// leave ends a subscription.
func (s *Service) leave(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(l)
}

// remove removes a listener. The caller holds s.mu.
func (s *Service) remove(l *listener) {
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

// begin determines where a listener starts, and makes the hub deliver to it from there.
func (s *Service) begin(ctx context.Context, l *listener, after string, resumed bool) error {
	if !resumed { // fewer events of the time before
		if err := outbox.Number(ctx, s.store, s.clock.Now()); err != nil {
			return err
		}
	}
	last, err := outbox.Last(ctx, s.store.Raw())
	if err != nil {
		return err
	}
	// Old ids are refused by their time, so the first id is recent even if the last event is not.
	l.after = max(last, s.clock.Now().Add(-margin).UnixMicro())
	if resumed {
		at, err := strconv.ParseInt(after, 10, 64)
		if err != nil || at > max(last, s.clock.Now().Add(margin).UnixMicro()) ||
			at < s.clock.Now().Add(-kept).UnixMicro() {
			return unknownID()
		}
		l.after = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.listeners[l]; !there { // its place is another shop's already
		return nil
	}
	if !s.running {
		s.running, s.read = true, last
		s.start()
	}
	l.delivered, l.until = l.after, s.read
	s.listeners[l] = true
	return nil
}

func unknownID() error {
	return fault.New(fault.NotFound,
		"updates after this id are no longer available; query the orders and subscribe without it")
}
