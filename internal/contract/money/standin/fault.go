package standin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Fault is applied to the next calls of an operation. The operations are the names of the vendor's calls, and
// pay (what the buyer pays), callback (how the buyer comes back) and event (Stripe's webhooks).
//
// Kinds of all calls are slow, cut (no answer), status (HTTP 503 or Status), html and huge (2 MiB). With moment
// before the effect does not take place, but slow only delays it; with in it follows the answer after Delay;
// with after it precedes it. Refuse answers with the vendor's Code. The other kinds are in the cells.
type Fault struct {
	Operation string        `json:"operation"`
	Kind      string        `json:"kind"`
	Moment    string        `json:"moment,omitempty"`
	Code      string        `json:"code,omitempty"`
	Status    int           `json:"status,omitempty"`
	Match     string        `json:"match,omitempty"` // a text in the path or body of the call; empty: any call
	Delay     time.Duration `json:"delay,omitempty"` // nanoseconds, not scaled; slow: 0 is 20 s
	Times     int           `json:"times,omitempty"` // how often; 0 is once, -1 always
}

// A Cell is a fault that the gateway can be asked for, in the table of a trial.
type Cell struct {
	Operation string `json:"operation"`
	Kind      string `json:"kind"`
	Moment    string `json:"moment"`
	Code      string `json:"code,omitempty"`
}

// allCells returns all faults of the gateway.
func (g *Gateway) allCells() (all []Cell) {
	operations, own := g.cells()
	for _, operation := range operations {
		for _, kind := range []string{"slow", "cut", "status", "html", "huge"} {
			for _, moment := range []string{"before", "in", "after"} {
				all = append(all, Cell{operation, kind, moment, ""})
			}
		}
	}
	for _, kind := range []string{"lost", "twice", "eight", "late", "forged"} {
		all = append(all, Cell{"callback", kind, "after", ""})
	}
	return append(all, own...)
}

// refusals returns the cells of an operation that is refused with each code.
func refusals(operation string, codes ...string) (all []Cell) {
	for _, code := range codes {
		all = append(all, Cell{operation, "refuse", "before", code})
	}
	return all
}

// inject adds faults, which are applied in this order. It refuses those that the gateway does not have.
func (g *Gateway) inject(faults []Fault) error {
	for _, f := range faults {
		if !slices.ContainsFunc(g.allCells(), func(c Cell) bool {
			return c.Operation == f.Operation && c.Kind == f.Kind && (c.Moment == f.Moment || f.Moment == "")
		}) {
			return fmt.Errorf("%s has no fault %s %s %s", g.name(), f.Operation, f.Kind, f.Moment)
		}
	}
	g.faults = append(g.faults, faults...)
	return nil
}

// draw returns the fault of a call, which is booked, or one without a kind.
func (g *Gateway) draw(operation, content string) Fault {
	for i, f := range g.faults {
		if f.Operation != operation || !strings.Contains(content, f.Match) {
			continue
		}
		switch {
		case f.Times > 1:
			g.faults[i].Times--
		case f.Times >= 0:
			g.faults = slices.Delete(g.faults, i, i+1)
		}
		note := strings.TrimSpace(strings.Join([]string{f.Operation, f.Kind, f.Moment, f.Code}, " "))
		g.book(Line{Operation: "fault", Note: note}, nil)
		return f
	}
	return Fault{}
}

// call is a request of a merchant.
type call struct {
	*http.Request
	body     []byte
	in       object     // Zibal, Zarinpal
	form     url.Values // Stripe
	fault    Fault
	account  *Account
	live     bool         // Stripe: by the key
	replayed *answer      // Stripe: the kept answer of an Idempotency-Key
	done     func(answer) // called with the answer of the effect, or with an empty one when there is no effect
}

type answer struct {
	Status  int    `json:"status"`
	Body    []byte `json:"body"`
	replay  bool   // of a kept answer
	invalid bool   // refused before the work: it is kept for no Idempotency-Key
}

func reply(status int, body any) answer {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return answer{Status: status, Body: text}
}

// send writes an answer. Errors mean that the caller is gone.
func (a answer) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	if a.replay {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body)
}

// serve answers an operation: its effect, which is run under the lock, and what a fault makes of the answer.
func (g *Gateway) serve(operation string, effect func(*call) answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		c := &call{Request: r, body: body, done: func(answer) {}}
		g.mu.Lock()
		refused := g.admit(g, c)
		if id := text(c.in, "trackId") + text(c.in, "authority"); operation == "verify" && refused == nil {
			if g.verifying[id]++; g.verifying[id] > 1 { // the merchant has not waited for the answer to another call
				g.book(Line{Operation: "overlap", Theirs: id}, nil)
			}
			defer func() {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.verifying[id]--
			}()
		}
		if refused == nil {
			c.fault = g.draw(operation, r.URL.Path+" "+r.URL.RawQuery+" "+string(body))
		}
		g.release()
		if refused != nil {
			refused.send(w)
			return
		}
		g.answer(w, c, func() answer { return g.run(c, effect) })
	}
}

func (g *Gateway) run(c *call, effect func(*call) answer) answer {
	g.mu.Lock()
	defer g.release()
	g.sweep()
	if c.replayed != nil {
		return *c.replayed
	}
	var a answer
	if c.fault.Kind == "refuse" {
		a = g.refuse(c.fault.Code, c.fault.Status)
	} else {
		a = effect(c)
	}
	c.done(a)
	return a
}

func (g *Gateway) answer(w http.ResponseWriter, c *call, run func() answer) {
	f := c.fault
	switch f.Kind {
	case "slow":
		first, second := g.halves(f)
		g.pause(c.Request, first)
		a := run() // also when the caller has gone: the call was read
		g.pause(c.Request, second)
		a.send(w)
	case "cut", "status", "html", "huge":
		switch f.Moment {
		case "in":
			g.mu.Lock()
			g.after(f.Delay, func() { run() })
			g.release()
		case "after":
			run()
		default:
			g.mu.Lock()
			c.done(answer{})
			g.release()
		}
		f.send(w)
	default:
		run().send(w)
	}
}

// halves returns how long a slow call waits before and after its effect.
func (g *Gateway) halves(f Fault) (before, after time.Duration) {
	if f.Delay == 0 {
		f.Delay = 20 * time.Second
	}
	switch f.Moment {
	case "in":
		return f.Delay / 2, f.Delay / 2
	case "after":
		return 0, f.Delay
	}
	return f.Delay, 0
}

func (g *Gateway) pause(r *http.Request, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	case <-g.closed:
	}
}

// send writes what is not the vendor's answer.
func (f Fault) send(w http.ResponseWriter) {
	switch f.Kind {
	case "cut":
		panic(http.ErrAbortHandler)
	case "status":
		w.WriteHeader(cmp.Or(f.Status, http.StatusServiceUnavailable))
		_, _ = io.WriteString(w, "upstream unavailable")
	case "html":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(cmp.Or(f.Status, http.StatusOK))
		_, _ = io.WriteString(w, "<!doctype html><title>Be right back</title>")
	case "huge":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(slices.Concat([]byte(`{"data":"`), bytes.Repeat([]byte("x"), 2<<20), []byte(`"}`)))
	}
}
