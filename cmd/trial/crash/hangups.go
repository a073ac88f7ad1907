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
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/customer"
	"storefront/ent"
	"storefront/internal/record"
	"storefront/internal/transaction"
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
	prepare func(ctx context.Context, h *hanger) error
	path    string // below the server's root
	body    func(h *hanger, key string) any
	byStaff bool   // its answer is not given again
	refused string // the code that it is refused with, each time
	look    func(ctx context.Context, h *hanger, key string) error
}

// hangUp has clients hang up so many times, at every moment of every kind of write, and looks at the books.
func (t *trial) hangUp(ctx context.Context, times int) error {
	all := make([]*hanger, hangers)
	by := customer.Client{Base: t.addr, Web: t.clients[0].Web}
	owner, err := customer.Register(ctx, by, 1000, customer.Domain)
	if err != nil {
		return err
	}
	if err := t.employ(ctx, owner); err != nil {
		return err
	}
	for i := range all {
		by.Web = customer.Web("", 20*time.Second)
		c, err := customer.Enter(ctx, by, 1001+i, customer.Domain)
		if err != nil {
			return err
		}
		c.Random = rand.New(rand.NewPCG(t.random.Uint64(), 0))
		c.Variants = slices.DeleteFunc(c.Variants, func(v customer.Variant) bool {
			return slices.Contains([]string{"V-24", "V-25", "V-26", "V-27"}, v.Sku) // the scarce ones
		})
		all[i] = &hanger{Customer: c, staff: owner, takes: map[string]time.Duration{}, added: map[uuid.UUID]int{}}
	}
	var count atomic.Int64
	crowd := customer.Go(ctx, all, func(ctx context.Context, h *hanger, n int) error {
		if count.Add(1) > int64(times) {
			return customer.ErrDone
		}
		w := writes[(n+slices.Index(all, h))%len(writes)]
		if err := h.leave(ctx, w); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		return nil
	})
	<-crowd.Home()
	beside := 0
	for _, h := range all {
		beside += h.beside
		for id, units := range h.added {
			t.Initial[id] += units
		}
	}
	err = errors.Join(crowd.Stop(), ctx.Err(), t.CheckBooks(ctx))
	if err == nil {
		fmt.Fprintf(t.out, "%s: clients hung up %d times in %d kinds of writes with a key, %d of them with the same request beside; "+
			"each was done once, the books hold\n", t.Kind, times, len(writes), beside)
	}
	return err
}

// employ makes a customer the owner of the shop.
func (t *trial) employ(ctx context.Context, c *customer.Customer) error {
	var me struct{ User struct{ ID uuid.UUID } }
	if err := c.REST(ctx, http.MethodGet, "/auth/me", nil).Read(&me); err != nil {
		return err
	}
	shop, err := uuid.Parse(c.Business)
	if err != nil {
		return err
	}
	return transaction.Run(ctx, t.Books.Client, func(tx *ent.Tx) error {
		return tx.StaffMember.Create().SetUserID(me.User.ID).SetBusinessID(shop).SetRole(record.Owner).Exec(ctx)
	})
}

// leave sends a write, hangs up, sends it again until it is answered, and looks whether it was done once.
func (h *hanger) leave(ctx context.Context, w write) error {
	if err := answered(ctx, func() error { return w.prepare(ctx, h) }); err != nil {
		return fmt.Errorf("prepare: %w", err)
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
	first, err := until(ctx, c, path, key, body)
	if err != nil {
		return err
	}
	again, err := until(ctx, c, path, key, body)
	if err != nil {
		return err
	}
	text, repeated := string(first.Body), string(again.Body)
	replayed := func(a customer.Answer) bool { return a.Header.Get("Idempotent-Replayed") != "" }
	switch {
	case w.refused != "":
		if !strings.Contains(text, w.refused) || !strings.Contains(repeated, w.refused) || replayed(again) {
			return fmt.Errorf("not refused by %s: %s, then %s", w.refused, text, repeated)
		}
	case !replayed(again), !w.byStaff && repeated != text, strings.Contains(text, `"errors"`) && !replayed(first):
		return fmt.Errorf("answered by %s, then by %s", text, repeated)
	}
	if err := answered(ctx, func() error { return w.look(ctx, h, key) }); err != nil {
		return fmt.Errorf("answered by %s: %w", text, err)
	}
	return nil
}

// answered does something again while it gets no answer: the machine may be very busy.
func answered(ctx context.Context, f func() error) error {
	err := f()
	for n := 0; n < mostLosses && errors.Is(err, customer.ErrLost); n++ {
		if err = customer.Wait(ctx, restAfterLoss); err == nil {
			err = f()
		}
	}
	return err
}

// until sends a body with a key until it is answered.
func until(ctx context.Context, c *customer.Customer, path, key string, body []byte) (a customer.Answer, err error) {
	for range mostLosses {
		a = c.Send(ctx, http.MethodPost, path, body, "Idempotency-Key", key)
		if text := string(a.Body); a.Status != 0 && a.Status != http.StatusServiceUnavailable &&
			!strings.Contains(text, `"UNAVAILABLE"`) && !strings.Contains(text, "still being worked on") {
			return a, nil
		}
		if err := customer.Wait(ctx, restAfterLoss); err != nil {
			return a, err
		}
	}
	return a, fmt.Errorf("no answer: %w", a.Read(nil))
}
