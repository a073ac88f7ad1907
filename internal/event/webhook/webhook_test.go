package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/outbox"
	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// clock is moved by tests.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) get() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// shop is a tenant whose events are sent.
type shop struct {
	*webhook.Service
	*clock
	t      *testing.T
	url    string
	store  *store.Store
	tenant uuid.UUID
}

func each(t *testing.T, f func(t *testing.T, s *shop)) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		opened := storetest.Open(t, url)
		tenant := opened.Client.Tenant.Create().SetDomain("a.example").SetSlug("a").SetName("A").
			SetNameFa("آ").SaveX(t.Context())
		s := &shop{clock: &clock{now: time.Date(2026, 3, 21, 8, 0, 0, 0, time.UTC)}, t: t, url: url, store: opened,
			tenant: tenant.ID}
		s.Service = s.server(true)
		f(t, s)
	})
}

// server returns one of the servers that share the work.
func (s *shop) server(private bool) *webhook.Service {
	return webhook.New(webhook.Options{
		Store: s.store.Client, Clock: s.get, Log: slog.New(slog.DiscardHandler), Private: private,
	})
}

func (s *shop) ctx() context.Context { return tenancy.In(s.t.Context(), s.tenant) }

// endpoint registers an endpoint for orders and comments, and returns its id and secret.
func (s *shop) endpoint(url string, events ...record.WebhookEvent) (uuid.UUID, string) {
	s.t.Helper()
	if events == nil {
		events = []record.WebhookEvent{record.OrderPlaced, record.OrderMoved}
	}
	s.prepare()
	made, secret, err := s.Add(s.t.Context(), s.tenant, webhook.Settings{URL: &url, Events: events})
	if err != nil {
		s.t.Fatal(err)
	}
	return made.ID, secret
}

// happens writes an event.
func (s *shop) happens(kind record.WebhookEvent, subject uuid.UUID, n int) {
	s.t.Helper()
	event := outbox.Event{ID: uuid.New(), Type: kind, Subject: subject, At: s.get(), Data: map[string]int{"n": n}}
	if err := outbox.Put(s.t.Context(), s.store.Client.Raw(), s.tenant, event); err != nil {
		s.t.Fatal(err)
	}
}

// prepare numbers the events so far, and makes their deliveries.
func (s *shop) prepare() {
	s.t.Helper()
	if err := s.Prepare(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) sendDue(of *webhook.Service) {
	s.t.Helper()
	if err := of.SendDue(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) deliveries() []*ent.WebhookDelivery {
	s.prepare()
	return s.store.Client.WebhookDelivery.Query().Order(webhookdelivery.ByID()).AllX(s.ctx())
}

// receiver records the requests it gets, and answers with a status.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	heads  []http.Header
	answer func(n int, w http.ResponseWriter) // of the nth request; nil: 204
}

func newReceiver(t *testing.T, answer func(n int, w http.ResponseWriter)) *receiver {
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.bodies, r.heads = append(r.bodies, string(body)), append(r.heads, q.Header)
		n := len(r.bodies)
		r.mu.Unlock()
		if r.answer == nil {
			w.WriteHeader(http.StatusNoContent)
		} else {
			r.answer(n, w)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies)
}

func (r *receiver) count() int { return len(r.got()) }

func TestEventIsSigned(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		r := newReceiver(t, nil)
		s.happens(record.OrderPlaced, uuid.New(), 0) // no endpoint subscribes to it
		id, secret := s.endpoint(r.URL)
		s.happens(record.OrderPlaced, uuid.New(), 1)
		s.happens(record.CommentSubmitted, uuid.New(), 2) // this endpoint does not subscribe to it
		s.sendDue(s.Service)
		const body = `{"type":"order.placed","timestamp":"2026-03-21T08:00:00Z","data":{"n":1}}`
		if got := r.got(); len(got) != 1 || got[0] != body {
			t.Fatalf("got %q", got)
		}
		h := r.heads[0]
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) != 32 {
			t.Fatalf("got %q, %v", secret, err)
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%d.%s", h.Get("webhook-id"), s.get().Unix(), body)
		want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		if h.Get("webhook-signature") != want || h.Get("Content-Type") != "application/json" {
			t.Errorf("got %v", h)
		}
		rows := s.deliveries()
		if len(rows) != 1 || rows[0].EndpointID != id || rows[0].EventID.String() != h.Get("webhook-id") ||
			rows[0].NextAt != nil || rows[0].DeliveredAt == nil || *rows[0].Status != 204 || rows[0].Attempts != 1 {
			t.Errorf("got %v", rows)
		}
		s.sendDue(s.Service)
		if r.count() != 1 {
			t.Errorf("sent %d times", r.count())
		}
		if _, _, err := s.Rotate(t.Context(), s.tenant, id); err != nil {
			t.Fatal(err)
		}
		for _, signatures := range []int{2, 1} { // the older secret is valid for a day
			s.happens(record.OrderMoved, uuid.New(), 3)
			s.sendDue(s.Service)
			if got := strings.Fields(r.heads[r.count()-1].Get("webhook-signature")); len(got) != signatures {
				t.Errorf("got %d signatures: %q; want %d", len(got), got, signatures)
			}
			s.pass(24 * time.Hour)
		}
	})
}

// TestOrderIsKept has an event of one order fail twice: the order's later events wait, and those of other
// orders do not.
func TestOrderIsKept(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		failing, other := uuid.New(), uuid.New()
		var refusals sync.Map
		r := newReceiver(t, nil)
		r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			body, _ := io.ReadAll(q.Body)
			r.mu.Lock()
			defer r.mu.Unlock()
			n, _ := refusals.LoadOrStore(string(body), new(int))
			if strings.Contains(string(body), `"n":1}`) && *n.(*int) < 2 {
				*n.(*int)++
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			r.bodies = append(r.bodies, string(body))
		})
		s.endpoint(r.URL)
		for i := range 3 {
			s.happens(record.OrderMoved, failing, i+1)
			s.happens(record.OrderMoved, other, i+11)
		}
		numbers := func() (ns []string) {
			for _, body := range r.got() {
				_, n, _ := strings.Cut(strings.TrimSuffix(body, "}}"), `"n":`)
				ns = append(ns, n)
			}
			return ns
		}
		s.sendDue(s.Service)
		if got := strings.Join(numbers(), " "); got != "11 12 13" {
			t.Fatalf("after a failure: got %s", got)
		}
		s.pass(3 * time.Second)
		s.sendDue(s.Service)
		if r.count() != 3 {
			t.Fatal("it was tried too early")
		}
		s.pass(7 * time.Second)
		s.sendDue(s.Service)
		s.pass(40 * time.Second)
		s.sendDue(s.Service)
		if got := strings.Join(numbers(), " "); got != "11 12 13 1 2 3" {
			t.Errorf("at last: got %s", got)
		}
		if row := s.deliveries()[0]; row.Attempts != 3 || row.DeliveredAt == nil || row.Failure != nil {
			t.Errorf("got %v", row)
		}
	})
}

// TestDeadReceiver has one endpoint fail all the time: few attempts are made, the other endpoint gets
// everything, and after three days the dead one is disabled.
func TestDeadReceiver(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		dead := newReceiver(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) })
		good := newReceiver(t, nil)
		id, _ := s.endpoint(dead.URL)
		s.endpoint(good.URL)
		for i := range 200 {
			s.happens(record.OrderPlaced, uuid.New(), i)
		}
		s.sendDue(s.Service)
		if dead.count() > 32 || good.count() != 200 {
			t.Errorf("%d attempts at the dead, %d at the good", dead.count(), good.count())
		}
		before := dead.count()
		s.pass(time.Minute)
		s.sendDue(s.Service)
		if n := dead.count() - before; n != 1 {
			t.Errorf("%d attempts after the first pause", n)
		}
		for range 60 {
			s.pass(2 * time.Hour)
			s.sendDue(s.Service)
		}
		e := s.store.Client.WebhookEndpoint.GetX(s.ctx(), id)
		if e.Active || e.DisabledReason == nil {
			t.Errorf("the dead endpoint is %v", e)
		}
		before = len(s.deliveries())
		s.happens(record.OrderPlaced, uuid.New(), 0)
		rows := s.deliveries()[before:]
		unsent := slices.IndexFunc(rows, func(d *ent.WebhookDelivery) bool { return d.EndpointID == id })
		if len(rows) != 2 || rows[unsent].NextAt != nil || rows[unsent].DeliveredAt != nil ||
			rows[unsent].Attempts != 0 {
			t.Errorf("got %v, want an event for the active endpoint, and one that was not sent", rows)
		}
		tries := dead.count()
		dead.answer = nil
		active := true
		_, err := s.Change(t.Context(), s.tenant, id, webhook.Settings{Active: &active})
		if err == nil {
			_, err = s.AllAgain(t.Context(), s.tenant, id, time.Time{})
		}
		if err != nil {
			t.Fatal(err)
		}
		s.sendDue(s.Service)
		if n := dead.count() - tries; n != 201 {
			t.Errorf("%d of 201 were delivered after it came back", n)
		}
	})
}

func TestGoneAndGivenUp(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		gone := newReceiver(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
		id, _ := s.endpoint(gone.URL, record.OrderMoved)
		s.happens(record.OrderMoved, uuid.New(), 1)
		s.sendDue(s.Service)
		if e := s.store.Client.WebhookEndpoint.GetX(s.ctx(), id); e.Active {
			t.Error("an endpoint that is gone is active")
		}
		redirects := newReceiver(t, func(_ int, w http.ResponseWriter) {
			w.Header().Set("Location", gone.URL)
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
		s.endpoint(redirects.URL, record.OrderPlaced)
		s.happens(record.OrderPlaced, uuid.New(), 2)
		before := gone.count()
		s.sendDue(s.Service)
		s.pass(80 * time.Hour)
		s.sendDue(s.Service)
		rows := s.deliveries()
		last := rows[len(rows)-1]
		if last.NextAt != nil || last.DeliveredAt != nil || last.Attempts != 2 || *last.Status != 307 ||
			*last.Failure != record.FailedStatus || gone.count() != before {
			t.Errorf("got %v", last)
		}
		s.pass(31 * 24 * time.Hour)
		if err := sweep.Run(t.Context(), s.store.Client.Raw(), s.Old(), nil); err != nil {
			t.Fatal(err)
		}
		if rows := s.deliveries(); len(rows) != 0 {
			t.Errorf("%d rows are left", len(rows))
		}
	})
}

// TestPrivateAddressIsNotCalled uses a name that resolves to loopback: the address is checked when it is
// dialed.
func TestPrivateAddressIsNotCalled(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		r := newReceiver(t, nil)
		s.endpoint(strings.Replace(r.URL, "127.0.0.1", "localhost", 1))
		s.happens(record.OrderPlaced, uuid.New(), 1)
		s.sendDue(s.server(false))
		if row := s.deliveries()[0]; r.count() != 0 || row.Failure == nil || *row.Failure != record.FailedAddress {
			t.Errorf("%d requests, %v", r.count(), row)
		}
	})
}

// TestServersShareTheWork lets three servers send at the same time: each event leaves once.
func TestServersShareTheWork(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		var receivers []*receiver
		for range 4 {
			r := newReceiver(t, nil)
			receivers = append(receivers, r)
			s.endpoint(r.URL)
		}
		for i := range 100 {
			s.happens(record.OrderPlaced, uuid.New(), i)
		}
		var sending sync.WaitGroup
		for range 3 {
			server := s.server(true)
			sending.Go(func() {
				if err := server.SendDue(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		sending.Wait()
		s.sendDue(s.Service)
		for i, r := range receivers {
			if r.count() != 100 {
				t.Errorf("endpoint %d got %d events", i, r.count())
			}
		}
	})
}

// TestLeaseEnds has a server die while an endpoint is leased to it: another one takes over when the lease
// has expired, on SQLite at once.
func TestLeaseEnds(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		r := newReceiver(t, nil)
		id, _ := s.endpoint(r.URL)
		s.happens(record.OrderPlaced, uuid.New(), 1)
		s.store.Client.WebhookEndpoint.UpdateOneID(id).SetLeasedBy(uuid.New()).
			SetLeasedUntil(s.get().Add(5 * time.Second)).
			ExecX(s.ctx())
		s.sendDue(s.Service)
		if r.count() != 0 {
			t.Fatal("the lease of another server was not kept")
		}
		if err := s.TakeOver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.store.Dialect == "postgres" {
			s.pass(5 * time.Second)
		}
		s.sendDue(s.Service)
		if r.count() != 1 {
			t.Errorf("%d events", r.count())
		}
	})
}

func TestMostEndpoints(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		var adding sync.WaitGroup
		url := "https://a.example/"
		for range 12 {
			adding.Go(func() {
				_, _, _ = s.Add(t.Context(), s.tenant, webhook.Settings{
					URL: &url, Events: []record.WebhookEvent{record.StockLow},
				})
			})
		}
		adding.Wait()
		if all, err := s.Endpoints(t.Context(), s.tenant); err != nil || len(all) != 10 {
			t.Errorf("%d endpoints, %v", len(all), err)
		}
	})
}
