package contract_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/password"
	"storefront/internal/store"
)

// accounts is the service with the small shops, a clock that the test moves, and phones that it reads.
type accounts struct {
	*place
	clock    *movable
	phones   *phones
	key      []byte
	database string // its URL
	replicas []string
	service  *app.App
	stop     func() // ends the service, once what it does beside requests is done; then the log may be read
}

// eachAccounts runs f on SQLite and on PostgreSQL. The service believes X-Forwarded-For, so that a test may
// call from many addresses.
func eachAccounts(t *testing.T, f func(t *testing.T, a *accounts), settings ...func(*app.Options)) {
	t.Helper()
	t.Parallel()
	shops.Each(t, func(t *testing.T, url string) {
		first := &accounts{clock: newMovable(), phones: newPhones(), key: bytes.Repeat([]byte("k"), 32),
			database: url}
		f(t, first.instance(t, settings...))
	})
}

// cheap is the cost of the tests' password hashes, which would otherwise take most of their time.
var cheap = password.Cost{Memory: 64, Passes: 1}

// instance starts one more service over the same database, with the same key, clock and phones.
func (a *accounts) instance(t testing.TB, settings ...func(*app.Options)) *accounts {
	t.Helper()
	s, err := store.Open(t.Context(), a.database, a.replicas...)
	if err != nil {
		t.Fatal(err)
	}
	o := app.Options{
		Clock: a.clock.now, Key: a.key, Sender: a.phones, PasswordCost: cheap, CacheSize: 64 << 20,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	for _, set := range settings {
		set(&o)
	}
	var log bytes.Buffer
	service, err := app.New(s, slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	stop := sync.OnceFunc(func() {
		server.Close()
		closing, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		service.Close(closing)
	})
	t.Cleanup(func() {
		stop()
		s.Close()
		if t.Failed() {
			for line := range bytes.Lines(log.Bytes()) {
				if !bytes.Contains(line, []byte(`"level":"INFO"`)) {
					t.Logf("%s", line)
				}
			}
		}
	})
	return &accounts{&place{url: server.URL, store: s, log: &log}, a.clock, a.phones, a.key, a.database, a.replicas,
		service, stop}
}

// movable is a clock that stands still until the test moves it. If it ticks, each reading advances it by a
// microsecond, so that later events have later times.
type movable struct {
	at    atomic.Int64 // microseconds of the Unix time
	ticks atomic.Bool
}

func newMovable() *movable {
	m := new(movable)
	m.at.Store(today.UnixMicro())
	return m
}

func (m *movable) now() time.Time {
	if m.ticks.Load() {
		return time.UnixMicro(m.at.Add(1)).UTC()
	}
	return time.UnixMicro(m.at.Load()).UTC()
}

func (m *movable) pass(d time.Duration) { m.at.Add(d.Microseconds()) }
