// Package contract_test speaks to the service as its users do: over HTTP, on a real database of each kind.
package contract_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/bundle"
	"storefront/internal/demo"
	"storefront/internal/store"
	"storefront/internal/testdb"
)

// today is the moment at which the tests' clock stands still.
var today = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// place is the service under test, on a database of its own.
type place struct {
	url   string // of the server, without a path
	store *store.Store
	log   *bytes.Buffer // all that was logged; read it only when nothing is running
	names names
}

// The databases that tests begin with: two small shops whose answers can be read whole, and the demo shops.
var (
	shops     = testdb.NewTemplate(seeded(shopBundles))
	demoShops = testdb.NewTemplate(seeded(demoBundles, bundle.StableIDs))
)

func shopBundles() (openers []bundle.Opener) {
	files, _ := filepath.Glob("testdata/*.bundle.json")
	for _, file := range files {
		openers = append(openers, bundle.File(file))
	}
	return openers
}

func demoBundles() (openers []bundle.Opener) {
	for _, d := range demo.Bundles() {
		openers = append(openers, bundle.Bytes(d.Data))
	}
	return openers
}

// seeded prepares a migrated database that holds bundles.
func seeded(bundles func() []bundle.Opener, options ...bundle.Option) func(context.Context, string) error {
	return func(ctx context.Context, url string) error {
		s, err := store.Open(ctx, url)
		if err != nil {
			return err
		}
		defer s.Close()
		if err := s.Migrate(ctx); err != nil {
			return err
		}
		for _, open := range bundles() {
			if _, err := bundle.Import(ctx, s, open, nil, options...); err != nil {
				return err
			}
		}
		return nil
	}
}

// eachDatabase runs f with the two small shops on SQLite and on PostgreSQL.
func eachDatabase(t *testing.T, f func(t *testing.T, p *place)) { on(t, shops, f) }

// eachDemo runs f with the demo shops on SQLite and on PostgreSQL.
func eachDemo(t *testing.T, f func(t *testing.T, p *place)) { on(t, demoShops, f) }

func on(t *testing.T, template *testdb.Template, f func(t *testing.T, p *place)) {
	t.Parallel()
	template.Each(t, func(t *testing.T, url string) { f(t, open(t, url)) })
}

// open starts the service over a database.
func open(t testing.TB, url string) *place {
	t.Helper()
	return start(t, openStore(t, url), noon)
}

// openStore opens a database as the service does.
func openStore(t testing.TB, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// start starts the service over an open database, with a clock.
func start(t testing.TB, s *store.Store, clock func() time.Time) *place {
	t.Helper()
	return startWith(t, s, app.Options{Clock: clock, PasswordCost: cheap, CacheSize: 64 << 20})
}

// startWith starts the service over an open database with options.
func startWith(t testing.TB, s *store.Store, o app.Options) *place {
	t.Helper()
	var log bytes.Buffer
	service, err := app.New(s, slog.New(slog.NewJSONHandler(&log, nil)), o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(func() {
		server.Close()
		if t.Failed() {
			_, _ = io.Copy(os.Stderr, &log)
		}
	})
	return &place{url: server.URL, store: s, log: &log}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request: "GET /cities" below /api/v1, or "POST /graphql". body may be empty; headers come in
// pairs.
func (p *place) send(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	base := p.url + "/api/v1"
	if path == "/graphql" {
		base = p.url
	}
	request, err := http.NewRequestWithContext(t.Context(), method, base+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	request.Host = request.Header.Get("Host")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return received(t, response)
}

// get sends a GET to a path below /api/v1.
func (p *place) get(t testing.TB, path string, headers ...string) answer {
	t.Helper()
	return p.send(t, http.MethodGet, path, "", headers...)
}
