package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/customer"
	"storefront/ent"
	entorder "storefront/ent/order"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
	"storefront/internal/webhook"
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

// listen registers the receiver with the shop.
func (t *trial) listen(ctx context.Context) error {
	shop, err := uuid.Parse(t.clients[0].Business)
	if err != nil {
		return err
	}
	service := webhook.New(webhook.Options{
		Store: t.Books.Client, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Private: true,
	})
	return transaction.Run(ctx, t.Books.Client, func(tx *ent.Tx) error {
		_, _, err := service.Add(ctx, tx, shop, webhook.Wish{
			URL: &t.receiver.URL, Events: []record.WebhookEvent{record.OrderPlaced, record.OrderMoved},
		})
		return err
	})
}

// checkEvents waits until all events are sent and compares them with the orders that are there: each order
// has its event, its cancellation too, and in this order, whatever crashed in between.
func (t *trial) checkEvents(ctx context.Context) error {
	shop, err := uuid.Parse(t.clients[0].Business)
	if err != nil {
		return err
	}
	ctx = tenancy.In(ctx, shop)
	all, err := t.Books.Client.Order.Query().Select(entorder.FieldID, entorder.FieldStatus).All(ctx)
	if err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, allSent)
	defer stop()
	for {
		faults := t.receiver.compare(all)
		if faults == nil {
			return nil
		}
		if err := customer.Wait(waiting, 100*time.Millisecond); err != nil {
			return errors.Join(fmt.Errorf("not every event was sent within %s", allSent), faults)
		}
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
