package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

// hangers is how many clients hang up at the same time, each a customer of its own.
const hangers = 8

// hanger is a client that hangs up in the middle of a write with an Idempotency-Key, and then sends it again.
type hanger struct {
	*customer.Customer
	staff  *customer.Customer       // the shop's owner, whom all share
	takes  map[string]time.Duration // the approximate time of a write, by its name
	added  map[uuid.UUID]int        // units that staff added
	beside int                      // writes that were sent twice at once
}

// mostLosses is how often a request without an answer is repeated.
const mostLosses = 100

// hangUp lets clients interrupt writes of every kind at every moment, and checks orders, carts and stock
// afterwards.
func (t *trial) hangUp(ctx context.Context, owner *customer.Customer, times int) {
	all := make([]*hanger, hangers)
	for i := range all {
		by := customer.Client{Base: owner.Base, Web: customer.Web("")}
		c := customer.Enter(ctx, by, 1001+i, customer.Domain)
		c.Random = rand.New(rand.NewPCG(t.random.Uint64(), 0))
		c.Variants = slices.DeleteFunc(c.Variants, func(v customer.Variant) bool {
			return slices.Contains([]string{"V-24", "V-25", "V-26", "V-27"}, v.Sku) // the scarce ones
		})
		all[i] = &hanger{Customer: c, staff: owner, takes: map[string]time.Duration{}, added: map[uuid.UUID]int{}}
	}
	err := customer.Times(ctx, times, all, func(ctx context.Context, h *hanger, n int) {
		w := writes[(n+slices.Index(all, h))%len(writes)]
		must.In(w.name, func() { h.leave(ctx, w) })
	})
	beside := 0
	for _, h := range all {
		beside += h.beside
		for id, units := range h.added {
			t.Initial[id] += units
		}
	}
	must.Do(err, t.CheckBooks(ctx))
	t.Say("clients hung up %d times in %d kinds of writes with a key, %d of them with the same request beside; each "+
		"was done once, the books hold", times, len(writes), beside)
}

// leave sends a write, hangs up, sends it again until it is answered, and checks that it was done once.
func (h *hanger) leave(ctx context.Context, w write) {
	key := h.NewKey()
	var wanted any
	var look func()
	must.In("prepare", func() { answered(ctx, func() { wanted, look = w.begin(ctx, h, key) }) })
	path, body, c := strings.ReplaceAll(w.path, "<shop>", h.Business), customer.JSON(wanted), h.Customer
	if w.byStaff {
		c = h.staff
	}
	takes, known := h.takes[w.name]
	if !known {
		takes = 20 * time.Millisecond
	}
	moment := time.Duration(h.Random.Float64() * 1.3 * float64(takes))
	cut, stop := context.WithTimeout(ctx, moment)
	defer stop()
	var sending sync.WaitGroup
	began := time.Now()
	sending.Go(func() {
		if c.Send(cut, http.MethodPost, path, body, "Idempotency-Key", key).Status != 0 { // answered in time
			h.takes[w.name] = time.Since(began)
		} else if known {
			h.takes[w.name] += takes / 50
		}
	})
	if h.Random.IntN(2) == 0 {
		h.beside++
		// This client waits for its answer.
		sending.Go(func() { c.Send(ctx, http.MethodPost, path, body, "Idempotency-Key", key) })
	}
	sending.Wait()
	first, again := until(ctx, c, path, key, body), until(ctx, c, path, key, body)
	text, repeated := string(first.Body), string(again.Body)
	replayed := func(a customer.Answer) bool { return a.Header.Get("Idempotent-Replayed") != "" }
	same := w.byStaff || repeated == text
	must.Hold(replayed(again) && same && (replayed(first) || !strings.Contains(text, `"errors"`)),
		"answered by %s, then by %s", text, repeated)
	must.In("answered by "+text, func() { answered(ctx, look) })
}

// answered repeats f while it gets no answer, because the machine may be very busy.
func answered(ctx context.Context, f func()) {
	err := must.Run(f)
	for n := 0; n < mostLosses && errors.Is(err, customer.ErrLost); n++ {
		must.Do(customer.Wait(ctx, restAfterLoss))
		err = must.Run(f)
	}
	must.Do(err)
}

// until sends a body with a key until it is answered.
func until(ctx context.Context, c *customer.Customer, path, key string, body []byte) (a customer.Answer) {
	answered(ctx, func() {
		a = c.Send(ctx, http.MethodPost, path, body, "Idempotency-Key", key)
		if text := string(a.Body); a.Status == 0 || a.Status == http.StatusServiceUnavailable ||
			strings.Contains(text, `"UNAVAILABLE"`) || strings.Contains(text, "still being worked on") {
			must.Do(customer.ErrLost, a.Read(nil))
		}
	})
	return a
}

const graphQL = "/graphql"

// write is a write with an Idempotency-Key.
type write struct {
	name    string
	path    string // below the server's root
	byStaff bool   // its answer is not stored
	// begin prepares the write. It returns the body, and a function that checks afterwards whether it was done
	// once.
	begin func(ctx context.Context, h *hanger, key string) (body any, look func())
}

// writes are the kinds of writes that clients interrupt: one from each package that shows whether it was done
// twice or in part.
var writes = []write{
	{name: "checkout", path: "/api/v1/businesses/<shop>/cart/checkout",
		begin: func(ctx context.Context, h *hanger, key string) (any, func()) {
			h.fill(ctx)
			return customer.CheckoutBody(key), func() { h.has(ctx, key, "pending", 1) }
		}},
	{name: "addCartItem", path: "/api/v1/businesses/<shop>/cart/items",
		begin: func(ctx context.Context, h *hanger, _ string) (any, func()) {
			must.Do(h.Empty(ctx).Read(nil))
			return map[string]any{"storeItemVariantId": h.Any().ID, "quantity": 2}, func() {
				var is struct{ Cart struct{ TotalQuantity int } }
				must.Do(h.REST(ctx, http.MethodGet, h.Shop("/cart"), nil).Read(&is))
				must.Hold(is.Cart.TotalQuantity == 2, "the cart holds %d units, want 2", is.Cart.TotalQuantity)
			}
		}},
	{name: "cancelOrder", path: graphQL,
		begin: func(ctx context.Context, h *hanger, _ string) (any, func()) {
			o := h.buy(ctx)
			return document("cancelOrder(businessId: %q, orderId: %q) { order { status } }", h.Business, o.ID),
				func() { h.has(ctx, o.CustomerNotes, "cancelled", 2) }
		}},
	{name: "createAddress", path: "/api/v1/auth/addresses",
		begin: func(ctx context.Context, h *hanger, key string) (any, func()) {
			return address(key), func() {
				ids := h.addresses(ctx, key)
				must.Hold(len(ids) == 1, "%d addresses, want 1", len(ids))
				must.Do(h.REST(ctx, http.MethodDelete, "/auth/addresses/"+ids[0], nil).Read(nil))
			}
		}},
	{name: "deleteAddress", path: graphQL,
		begin: func(ctx context.Context, h *hanger, _ string) (any, func()) {
			var made struct{ Address struct{ ID string } }
			must.Do(h.REST(ctx, http.MethodPost, "/auth/addresses", address("to go")).Read(&made))
			return document("deleteAddress(addressId: %q) { message }", made.Address.ID), func() {
				ids := h.addresses(ctx, "to go")
				must.Hold(len(ids) == 0, "%d addresses, want 0", len(ids))
			}
		}},
	{name: "moveOrder", path: graphQL, byStaff: true,
		begin: func(ctx context.Context, h *hanger, _ string) (any, func()) {
			o := h.buy(ctx)
			return document("moveOrder(businessId: %q, orderId: %q, status: confirmed) { order { id } }", h.Business,
				o.ID), func() { h.has(ctx, o.CustomerNotes, "confirmed", 2) }
		}},
	{name: "adjustStock", path: graphQL, byStaff: true,
		begin: func(_ context.Context, h *hanger, _ string) (any, func()) {
			v := h.Any()
			return document(`adjustStock(businessId: %q, input: {reason: "found", items: [{sku: %q, by: 1}]}) {
				items { stock } }`, h.Business, v.Sku), func() { h.added[uuid.MustParse(v.ID)]++ } // for CheckBooks
		}},
}

// document returns the body of a mutation.
func document(fields string, args ...any) any {
	return map[string]any{"query": "mutation { " + fmt.Sprintf(fields, args...) + "}"}
}

func address(text string) any { return map[string]any{"province": "a", "city": "b", "address": text} }

// fill puts a unit into an empty cart.
func (h *hanger) fill(ctx context.Context) {
	must.Do(h.Empty(ctx).Read(nil))
	must.Do(h.Add(ctx, h.Any(), 1).Read(nil))
}

// buy places an order.
func (h *hanger) buy(ctx context.Context) *customer.Order {
	h.fill(ctx)
	var made struct{ Order *customer.Order }
	must.Do(h.Buy(ctx, h.NewKey()).Read(&made))
	return made.Order
}

// has checks that there is one order with these notes, with a status and a number of steps.
func (h *hanger) has(ctx context.Context, notes, status string, steps int) {
	var listed struct {
		Items []struct{ ID, Status, CustomerNotes, CreatedAt string }
	}
	must.Do(h.REST(ctx, http.MethodGet, h.Shop("/orders?pageSize=12"), nil).Read(&listed))
	found := 0
	for _, o := range listed.Items {
		if o.CustomerNotes != notes {
			continue
		}
		var one struct {
			Order struct{ History []struct{ Status string } }
		}
		must.Do(h.REST(ctx, http.MethodGet, h.Shop("/orders/"+o.ID), nil).Read(&one))
		found++
		must.Hold(o.Status == status && len(one.Order.History) == steps, "the order %s is %s after %v", o.ID,
			o.Status, one.Order.History)
	}
	must.Hold(found == 1, "%d orders with the notes %s and status %q; the newest are %v", found,
		notes, status, listed.Items)
}

// addresses returns the ids of the customer's addresses with a text.
func (h *hanger) addresses(ctx context.Context, text string) (ids []string) {
	var listed struct {
		Items []struct{ ID, Address string }
	}
	must.Do(h.REST(ctx, http.MethodGet, "/auth/addresses", nil).Read(&listed))
	for _, a := range listed.Items {
		if a.Address == text {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
