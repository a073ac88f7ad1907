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
	orders []*customer.Order        // made for the write
	id     string                   // of the address made for it
	takes  map[string]time.Duration // about what a write takes, by its name
	added  map[uuid.UUID]int        // units, by staff
	beside int                      // writes that were sent twice at once
}

// mostLosses is how often a request is sent again that got no answer.
const mostLosses = 100

// write is a write that takes a key.
type write struct {
	name    string
	prepare func(h *hanger, ctx context.Context) // nil: nothing
	path    string                               // below the server's root
	body    func(h *hanger, key string) any
	byStaff bool   // its answer is not given again
	refused string // the code that it is refused with, each time
	look    func(ctx context.Context, h *hanger, key string)
}

// hangUp has clients hang up so many times, at every moment of every kind of write, and looks at the books.
func (t *trial) hangUp(ctx context.Context, owner *customer.Customer, times int) {
	all := make([]*hanger, hangers)
	for i := range all {
		by := customer.Client{Base: owner.Base, Web: customer.Web("", 20*time.Second)}
		c := customer.Enter(ctx, by, 1001+i, customer.Domain)
		c.Random = rand.New(rand.NewPCG(t.random.Uint64(), 0))
		c.Variants = slices.DeleteFunc(c.Variants, func(v customer.Variant) bool {
			return slices.Contains([]string{"V-24", "V-25", "V-26", "V-27"}, v.Sku) // the scarce ones
		})
		all[i] = &hanger{Customer: c, staff: owner, takes: map[string]time.Duration{}, added: map[uuid.UUID]int{}}
	}
	err := customer.Times(ctx, times, all, func(ctx context.Context, h *hanger, n int) error {
		w := writes[(n+slices.Index(all, h))%len(writes)]
		must.In(w.name, func() { h.leave(ctx, w) })
		return nil
	})
	beside := 0
	for _, h := range all {
		beside += h.beside
		for id, units := range h.added {
			t.Initial[id] += units
		}
	}
	must.Do(err, t.CheckBooks(ctx))
	fmt.Fprintf(t.out, "%s: clients hung up %d times in %d kinds of writes with a key, %d of them with the same "+
		"request beside; each was done once, the books hold\n", t.Kind, times, len(writes), beside)
}

// leave sends a write, hangs up, sends it again until it is answered, and looks whether it was done once.
func (h *hanger) leave(ctx context.Context, w write) {
	if w.prepare != nil {
		must.In("prepare", func() { answered(ctx, func() { w.prepare(h, ctx) }) })
	}
	key := h.NewKey()
	path, body, c := strings.ReplaceAll(w.path, "<shop>", h.Business), customer.JSON(w.body(h, key)), h.Customer
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
		if c.Send(cut, http.MethodPost, path, body, "Idempotency-Key", key).Status != 0 { // it was quicker
			h.takes[w.name] = time.Since(began)
		} else if known {
			h.takes[w.name] += takes / 50
		}
	})
	if h.Random.IntN(2) == 0 {
		h.beside++
		// Its answer is given again.
		sending.Go(func() { c.Send(ctx, http.MethodPost, path, body, "Idempotency-Key", key) })
	}
	sending.Wait()
	first, again := until(ctx, c, path, key, body), until(ctx, c, path, key, body)
	text, repeated := string(first.Body), string(again.Body)
	replayed := func(a customer.Answer) bool { return a.Header.Get("Idempotent-Replayed") != "" }
	if w.refused != "" {
		refused := strings.Contains(text, w.refused) && strings.Contains(repeated, w.refused)
		must.Hold(refused && !replayed(again), "not refused by %s: %s, then %s", w.refused, text, repeated)
	} else {
		same := w.byStaff || repeated == text
		must.Hold(replayed(again) && same && (replayed(first) || !strings.Contains(text, `"errors"`)),
			"answered by %s, then by %s", text, repeated)
	}
	must.In("answered by "+text, func() { answered(ctx, func() { w.look(ctx, h, key) }) })
}

// answered does something again while it gets no answer: the machine may be very busy.
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
	for range mostLosses {
		a = c.Send(ctx, http.MethodPost, path, body, "Idempotency-Key", key)
		if text := string(a.Body); a.Status != 0 && a.Status != http.StatusServiceUnavailable &&
			!strings.Contains(text, `"UNAVAILABLE"`) && !strings.Contains(text, "still being worked on") {
			return a
		}
		must.Do(customer.Wait(ctx, restAfterLoss))
	}
	must.Hold(false, "no answer: %w", a.Read(nil))
	return a
}
