package account_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/message/partner"
	"storefront/internal/message/sms"
	"storefront/internal/message/sms/smstest"
)

// The domain, number and text of most tests.
const (
	apex   = "partner.example"
	mobile = "09121234567"
	hello  = "کد شما: 4021 😀"
)

// gateway is the service with partners, a clock that the test moves, and a fake provider.
type gateway struct {
	*shoptest.Place
	database string
	clock    *testClock
	provider *smstest.Fake
	calls    string // base address of the provider
	key      string // of apex
	end      func() // ends the service; its log may be read then
}

// testClock is the clock of a gateway.
type testClock struct{ microseconds atomic.Int64 }

func (c *testClock) now() time.Time        { return time.UnixMicro(c.microseconds.Load()).UTC() }
func (c *testClock) move(by time.Duration) { c.microseconds.Add(by.Microseconds()) }
func (c *testClock) set(at time.Time)      { c.microseconds.Store(at.UnixMicro()) }

// eachGateway runs f on SQLite and on PostgreSQL.
func eachGateway(t *testing.T, f func(t *testing.T, g *gateway), options ...func(*app.Options)) {
	t.Helper()
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		fake, base := smstest.Start(t)
		first := &gateway{database: url, clock: new(testClock), provider: fake, calls: base}
		first.clock.set(shoptest.Today)
		g := first.instance(t, options...)
		g.key = g.keyOf(t, apex)
		f(t, g)
	})
}

// instance starts one more service over the same database, with the same clock and provider.
func (g *gateway) instance(t testing.TB, options ...func(*app.Options)) *gateway {
	t.Helper()
	s := storetest.Open(t, g.database)
	sender, err := sms.New(sms.Settings{Provider: "kavenegar", BaseURL: g.calls, APIKey: smstest.KavenegarKey,
		Sender: smstest.Line})
	if err != nil {
		t.Fatal(err)
	}
	o := app.Options{Clock: g.clock.now, Sender: sender, Provider: "kavenegar"}
	for _, set := range options {
		set(&o)
	}
	log := new(bytes.Buffer)
	service, err := app.New(s, slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	other := *g
	other.Place = &shoptest.Place{URL: server.URL, Store: s, Log: log}
	other.end = sync.OnceFunc(server.Close)
	t.Cleanup(other.end)
	return &other
}

// sentBy returns an option that replaces the service's sender.
func sentBy(sender sms.Sender) func(*app.Options) {
	return func(o *app.Options) { o.Sender = sender }
}

// keyOf creates a key for a domain.
func (g *gateway) keyOf(t testing.TB, domain string) string {
	t.Helper()
	key, _, err := partner.Add(context.WithoutCancel(t.Context()), g.Store.Client, domain)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// records returns the stored messages, the newest first.
func (g *gateway) records(t testing.TB) []*ent.PartnerMessage {
	t.Helper()
	all, err := partner.Messages(t.Context(), g.Store.Client, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// booked counts the events in the rate limits' windows.
func (g *gateway) booked(t testing.TB) int {
	t.Helper()
	n, err := g.Store.Client.RateEvent.Query().Count(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}
