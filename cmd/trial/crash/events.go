package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/ent"
	entorder "storefront/ent/order"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

// allSent is how long the last server has to send what is left: a lease of a dead one ends within it.
const allSent = time.Minute

// receiver is the shop's webhook: it notes the events of orders in the order in which they came first.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	known  map[string]bool     // by webhook-id
	events map[string][]string // types by order
	again  int                 // events that came once more
}

func newReceiver() *receiver {
	r := &receiver{known: map[string]bool{}, events: map[string][]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var event struct {
			Type string
			Data struct{ OrderID string }
		}
		if err := json.NewDecoder(q.Body).Decode(&event); err != nil { // the sender died in the middle of it
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if id := q.Header.Get("webhook-id"); r.known[id] {
			r.again++
		} else {
			r.known[id] = true
			r.events[event.Data.OrderID] = append(r.events[event.Data.OrderID], event.Type)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	return r
}

// checkEvents waits until all events are sent and compares them with the orders that are there: each order
// has its event, its cancellation too, and in this order, whatever crashed in between.
func (t *trial) checkEvents(ctx context.Context, owner *customer.Customer) {
	orders := t.Books.Client.Order.Query().Select(entorder.FieldID, entorder.FieldStatus)
	all := must.Get(orders.All(tenancy.In(ctx, uuid.MustParse(owner.Business))))
	waiting, stop := context.WithTimeout(ctx, allSent)
	defer stop()
	for faults := t.receiver.compare(all); faults != nil; faults = t.receiver.compare(all) {
		must.Hold(customer.Wait(waiting, 100*time.Millisecond) == nil, "not every event was sent within %s: %w",
			allSent, faults)
	}
}

// compare returns what is missing or out of order.
func (r *receiver) compare(all []*ent.Order) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var faults []error
	for _, o := range all {
		want := "[order.placed]"
		if o.Status != record.OrderPending {
			want = "[order.placed order.moved]"
		}
		if got := fmt.Sprint(r.events[o.ID.String()]); got != want {
			faults = append(faults, fmt.Errorf("of the order %s came %s, want %s", o.ID, got, want))
		}
	}
	if len(r.events) > len(all) {
		faults = append(faults, fmt.Errorf("events came of %d orders, and there are %d", len(r.events), len(all)))
	}
	return errors.Join(faults...)
}
