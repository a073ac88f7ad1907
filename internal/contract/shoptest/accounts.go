package shoptest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/database/store"
	"storefront/internal/media/blob"
	"storefront/internal/media/blob/blobtest"
	"storefront/internal/platform/password"
)

// Accounts is the service with the small shops, a clock that tests can move, and phones whose messages they
// can read.
type Accounts struct {
	*Place
	Clock    *Clock
	Phones   *Phones
	Key      []byte
	Database string // its URL
	Service  *app.App
	Files    blob.Store // uploaded images
	Stop     func()     // ends the service and its background work; afterwards the log may be read
}

// EachAccounts runs f on SQLite and on PostgreSQL. The service believes X-Forwarded-For, so that a test may
// call from many addresses.
func EachAccounts(t *testing.T, f func(t *testing.T, a *Accounts), settings ...func(*app.Options)) {
	t.Helper()
	t.Parallel()
	Shops.Each(t, func(t *testing.T, url string) {
		first := &Accounts{Clock: NewClock(), Phones: NewPhones(), Key: bytes.Repeat([]byte("k"), 32),
			Database: url, Files: FilesBeside(t, url)}
		a := first.Instance(t, settings...)
		a.readInitial(t, Shops)
		f(t, a)
	})
}

// FilesBeside returns the store of a test's uploads: with PostgreSQL a bucket, if there is one, else a
// folder.
func FilesBeside(t testing.TB, database string) blob.Store {
	t.Helper()
	if os.Getenv("TEST_S3_URL") != "" && strings.HasPrefix(database, "postgres") {
		return blobtest.Bucket(t)
	}
	return blob.NewFolder(filepath.Join(t.TempDir(), "media"))
}

// CheapPasswords is the cost of the tests' password hashes, which would otherwise take most of their time.
var CheapPasswords = password.Cost{Memory: 64, Passes: 1}

// Instance starts another service over the same database, with the same key, clock and phones.
func (a *Accounts) Instance(t testing.TB, settings ...func(*app.Options)) *Accounts {
	t.Helper()
	s, err := store.Open(t.Context(), a.Database)
	if err != nil {
		t.Fatal(err)
	}
	o := app.Options{
		Clock: a.Clock.Now, Key: a.Key, Sender: a.Phones, PasswordCost: CheapPasswords, Media: a.Files,
		Settings: app.Settings{CacheSize: 64 << 20,
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
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
	place := &Place{URL: server.URL, Store: s, Log: &log}
	if a.Place != nil {
		place.Names = a.Names
	}
	return &Accounts{Place: place, Clock: a.Clock, Phones: a.Phones, Key: a.Key,
		Database: a.Database, Files: o.Media, Service: service, Stop: stop}
}

// Clock is a clock that stands still until the test moves it. If it ticks, each reading advances it by a
// microsecond, so that later events have later times.
type Clock struct {
	At    atomic.Int64 // microseconds of the Unix time
	Ticks atomic.Bool
}

// NewClock returns a clock that shows Today.
func NewClock() *Clock {
	m := new(Clock)
	m.At.Store(Today.UnixMicro())
	return m
}

// Now returns the time that the clock shows.
func (m *Clock) Now() time.Time {
	if m.Ticks.Load() {
		return time.UnixMicro(m.At.Add(1)).UTC()
	}
	return time.UnixMicro(m.At.Load()).UTC()
}

// Pass moves the clock.
func (m *Clock) Pass(d time.Duration) { m.At.Add(d.Microseconds()) }
