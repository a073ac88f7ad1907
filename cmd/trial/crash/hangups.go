package crash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/ledger"
	"storefront/internal/record"
	"storefront/internal/transaction"
)

// hangers is how many clients hang up at the same time, each a customer of its own.
const hangers = 8

// hanger is a client that hangs up in the middle of a write with an Idempotency-Key, and then sends it again.
type hanger struct {
	*door
	shop
	staff  *door // of the shop's owner, whom all share
	random *rand.Rand
	orders []*order                 // made for the write
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
	body    func(h *hanger, key string) string
	byStaff bool   // its answer is not given again
	refused string // the code that it is refused with, each time
	look    func(ctx context.Context, h *hanger, key string) error
}

// hangUp has clients hang up so many times, at every moment of every kind of write, and looks at the books.
func (t *trial) hangUp(ctx context.Context, times int) error {
	owner := newDoor()
	owner.base = "http://" + t.server.Addr
	if _, err := register(ctx, owner, 1000); err != nil {
		return err
	}
	if err := t.employ(ctx, owner); err != nil {
		return err
	}
	var left atomic.Int64
	left.Store(int64(times))
	faults, all := make([]error, hangers), make([]*hanger, hangers)
	var running sync.WaitGroup
	for i := range hangers {
		d := newDoor()
		d.base = owner.base
		if _, err := register(ctx, d, 1001+i); err != nil {
			return err
		}
		h := &hanger{door: d, shop: t.shop.plentiful(), staff: owner, random: rand.New(rand.NewPCG(t.random.Uint64(), 0)),
			takes: map[string]time.Duration{}, added: map[uuid.UUID]int{}}
		all[i] = h
		running.Go(func() {
			for n := i; faults[i] == nil && left.Add(-1) >= 0; n++ {
				w := writes[n%len(writes)]
				if err := h.leave(ctx, w); err != nil {
					faults[i] = fmt.Errorf("%s: %w", w.name, err)
				}
			}
		})
	}
	running.Wait()
	beside := 0
	for _, h := range all {
		beside += h.beside
		for id, units := range h.added {
			t.initial[id] += units
		}
	}
	err := errors.Join(errors.Join(faults...), ledger.Check(ctx, t.books, t.initial))
	if err == nil {
		fmt.Fprintf(t.out, "%s: clients hung up %d times in %d kinds of writes with a key, %d of them with the same request beside; "+
			"each was done once, the books hold\n", t.Kind, times, len(writes), beside)
	}
	return err
}

// employ makes the customer of a door the owner of the shop.
func (t *trial) employ(ctx context.Context, d *door) error {
	var me struct{ User struct{ ID uuid.UUID } }
	if err := d.call(ctx, http.MethodGet, "/api/v1/auth/me", "", nil, &me); err != nil {
		return err
	}
	shop, err := uuid.Parse(t.business)
	if err != nil {
		return err
	}
	return transaction.Run(ctx, t.books.Client, func(tx *ent.Tx) error {
		return tx.StaffMember.Create().SetUserID(me.User.ID).SetBusinessID(shop).SetRole(record.Owner).Exec(ctx)
	})
}

// leave sends a write, hangs up, sends it again until it is answered, and looks whether it was done once.
func (h *hanger) leave(ctx context.Context, w write) error {
	if err := answered(ctx, func() error { return w.prepare(ctx, h) }); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	key := newKey(h.random)
	path, body, d := strings.ReplaceAll(w.path, "<shop>", h.business), w.body(h, key), h.door
	if w.byStaff {
		d = h.staff
	}
	takes, known := h.takes[w.name]
	if !known {
		takes = 20 * time.Millisecond
	}
	moment := time.Duration(h.random.Float64() * 1.3 * float64(takes))
	cut, stop := context.WithTimeout(ctx, moment)
	defer stop()
	var sending sync.WaitGroup
	began := time.Now()
	sending.Go(func() {
		if _, err := d.send(cut, path, key, body); err == nil { // it was quicker
			h.takes[w.name] = time.Since(began)
		} else if known {
			h.takes[w.name] += takes / 50
		}
	})
	if h.random.IntN(2) == 0 {
		h.beside++
		sending.Go(func() { _, _ = d.send(ctx, path, key, body) }) // its answer is given again
	}
	sending.Wait()
	first, err := d.until(ctx, path, key, body)
	if err != nil {
		return err
	}
	again, err := d.until(ctx, path, key, body)
	if err != nil {
		return err
	}
	switch {
	case w.refused != "":
		if !strings.Contains(first.text, w.refused) || !strings.Contains(again.text, w.refused) || again.replayed {
			return fmt.Errorf("not refused by %s: %s, then %s", w.refused, first.text, again.text)
		}
	case !again.replayed, !w.byStaff && again.text != first.text, strings.Contains(first.text, `"errors"`) && !first.replayed:
		return fmt.Errorf("answered by %s, then by %s", first.text, again.text)
	}
	if err := answered(ctx, func() error { return w.look(ctx, h, key) }); err != nil {
		return fmt.Errorf("answered by %s: %w", first.text, err)
	}
	return nil
}

// answered does something again while it gets no answer: the machine may be very busy.
func answered(ctx context.Context, f func() error) error {
	err := f()
	for n := 0; n < mostLosses && errors.Is(err, errLost); n++ {
		if err = wait(ctx, restAfterLoss); err == nil {
			err = f()
		}
	}
	return err
}

// given is an answer.
type given struct {
	status   int
	text     string
	replayed bool
}

// send sends a body with a key.
func (d *door) send(ctx context.Context, path, key, body string) (given, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+path, io.NopCloser(bytes.NewReader([]byte(body))))
	if err != nil {
		return given{}, err
	}
	request.ContentLength = int64(len(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("Authorization", "Bearer "+d.token)
	response, err := d.web.Do(request)
	if err != nil {
		return given{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return given{response.StatusCode, string(text), response.Header.Get("Idempotent-Replayed") != ""}, err
}

// until sends a body with a key until it is answered.
func (d *door) until(ctx context.Context, path, key, body string) (got given, err error) {
	for range mostLosses {
		got, err = d.send(ctx, path, key, body)
		if err == nil && got.status != http.StatusServiceUnavailable && !strings.Contains(got.text, `"UNAVAILABLE"`) &&
			!strings.Contains(got.text, "still being worked on") {
			return got, nil
		}
		if err := wait(ctx, restAfterLoss); err != nil {
			return got, err
		}
	}
	return got, fmt.Errorf("no answer: %s, %w", got.text, err)
}
