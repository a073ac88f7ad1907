package standin_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
)

type object = map[string]any

const (
	rich      = "6219861012345678"
	pauper    = "6219861087654321"
	elsewhere = "6219861000000000" // of no bank
)

// desk is a gateway with a merchant whose callbacks and events it keeps, two cards, and a clock that stands still.
type desk struct {
	t      *testing.T
	g      *standin.Gateway
	url    string
	shop   string // callbacks
	mu     sync.Mutex
	now    time.Time
	got    []*http.Request
	bodies []string
	refuse bool // events
}

type opener func(standin.Options) (*standin.Gateway, error)

func openDesk(t *testing.T, open opener, path string) *desk {
	d := &desk{t: t, now: time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)}
	g, err := open(standin.Options{Path: path, Now: d.clock})
	if err != nil {
		t.Fatal(err)
	}
	gateway := httptest.NewServer(g)
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.got, d.bodies = append(d.got, r), append(d.bodies, string(body))
		if d.refuse {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	d.g, d.url, d.shop = g, gateway.URL, shop.URL
	t.Cleanup(func() {
		gateway.Close()
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		shop.Close()
	})
	d.do(standin.Command{Do: "card", ID: rich, Amount: 1_000_000_000})
	d.do(standin.Command{Do: "card", ID: pauper, Amount: 10})
	return d
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) pass(long time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(long)
}

func (d *desk) do(c standin.Command) any {
	d.t.Helper()
	result, err := d.g.Do(c)
	if err != nil {
		d.t.Fatal(err)
	}
	return result
}

func (d *desk) inject(f standin.Fault) {
	d.t.Helper()
	d.do(standin.Command{Do: "inject", Faults: []standin.Fault{f}})
}

func (d *desk) lines(operation string) (all []standin.Line) {
	for _, l := range d.do(standin.Command{Do: "lines"}).([]standin.Line) {
		if l.Operation == operation {
			all = append(all, l)
		}
	}
	return all
}

// call sends a request and returns status and JSON; status 0 is a connection that was cut.
func (d *desk) call(method, path string, body any, header ...string) (int, object) {
	d.t.Helper()
	var text string
	contentType := "application/json"
	switch body := body.(type) {
	case nil:
	case url.Values:
		text, contentType = body.Encode(), "application/x-www-form-urlencoded"
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			d.t.Fatal(err)
		}
		text = string(encoded)
	}
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.url+path, strings.NewReader(text))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil
	}
	in := object{}
	decoder := json.NewDecoder(bytes.NewReader(read))
	decoder.UseNumber()
	if decoder.Decode(&in) != nil || in == nil {
		in = object{"text": string(read)}
	}
	for _, name := range []string{"Location", "Idempotent-Replayed"} {
		in[name] = answer.Header.Get(name)
	}
	return answer.StatusCode, in
}

// at returns a value by the names that lead to it, as a text; "" is absent or null.
func at(in any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := in.(object)
		in = m[name]
	}
	if in == nil {
		return ""
	}
	if _, is := in.(string); !is {
		text, _ := json.Marshal(in)
		return string(text)
	}
	return in.(string)
}

// expect compares values of an answer, given as path and text in turn.
func (d *desk) expect(status int, in object, wantStatus int, want ...string) {
	d.t.Helper()
	if status != wantStatus {
		d.t.Fatalf("got status %d, want %d: %.300v", status, wantStatus, in)
	}
	for i := 0; i < len(want); i += 2 {
		if got := at(in, want[i]); got != want[i+1] {
			d.t.Errorf("%s: got %q, want %q in %.300v", want[i], got, want[i+1], in)
		}
	}
}

// buy posts the buyer's form and returns where the buyer is sent.
func (d *desk) buy(path, do, card string, wantStatus int) *url.URL {
	d.t.Helper()
	status, in := d.call("POST", path, url.Values{"do": {do}, "card": {card}})
	if status != wantStatus {
		d.t.Fatalf("%s with %s: got status %d, want %d", do, card, status, wantStatus)
	}
	to, err := url.Parse(at(in, "Location"))
	if err != nil {
		d.t.Fatal(err)
	}
	return to
}
