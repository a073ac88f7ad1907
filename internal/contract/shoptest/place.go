package shoptest

import (
	"bytes"
	"context"
	"embed"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/content/stored"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/demo"
	"storefront/internal/testkit/testdb"
)

// UnknownID is the id of no record.
const UnknownID = "01890a5d-ac96-774b-bcce-b302099a8057"

// The shops of testdata: one in Persian, one in English with the same slugs and SKUs, and an empty one.
const (
	ToolsPath = "/tenants/tools.example"
	MugsPath  = "/tenants/mugs.example"
	BarePath  = "/tenants/xn--mgbp4e7t.example"
)

// Today is the time of the tests' stopped clock.
var Today = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// Place is the service under test, on a database of its own.
type Place struct {
	URL   string // of the server, without a path
	Store *store.Store
	Log   *bytes.Buffer // the log; to be read only when no request is running
	Names Names

	naming sync.Mutex // of Names
}

// The initial databases of tests: two small shops, whose answers are short enough to read, and the demo
// shops.
var (
	Shops     = storetest.NewTemplate(Importing(ShopBundles))
	DemoShops = storetest.NewTemplate(Importing(demoBundles, bundle.StableIDs))
)

//go:embed testdata/*.bundle.json
var bundles embed.FS

// ShopBundles returns the small shops, whose records the golden answers name.
func ShopBundles() (openers []bundle.Opener) {
	files, _ := fs.Glob(bundles, "testdata/*.bundle.json")
	for _, file := range files {
		data, _ := bundles.ReadFile(file)
		openers = append(openers, bundle.Bytes(data))
	}
	return openers
}

func demoBundles() (openers []bundle.Opener) {
	for _, d := range demo.Bundles() {
		openers = append(openers, bundle.Bytes(d.Data))
	}
	return openers
}

// Importing returns a function that imports bundles as the command does, for storetest.NewTemplate.
func Importing(bundles func() []bundle.Opener, options ...bundle.Option) func(context.Context, *store.Store) error {
	return func(ctx context.Context, s *store.Store) error {
		for _, open := range bundles() {
			if _, err := bundle.Import(ctx, s, open, nil, options...); err != nil {
				return err
			}
		}
		return s.Settle(ctx, stored.Tables()...)
	}
}

// EachDatabase runs f with the two small shops on SQLite and on PostgreSQL.
func EachDatabase(t *testing.T, f func(t *testing.T, p *Place)) { EachCopy(t, Shops, f) }

// EachDemo runs f with the demo shops on SQLite and on PostgreSQL.
func EachDemo(t *testing.T, f func(t *testing.T, p *Place)) { EachCopy(t, DemoShops, f) }

// EachCopy runs f with the service over copies of a template, one of SQLite and one of PostgreSQL.
func EachCopy(t *testing.T, template *testdb.Template, f func(t *testing.T, p *Place)) {
	t.Parallel()
	template.Each(t, func(t *testing.T, url string) {
		p := Open(t, url)
		p.readInitial(t, template)
		f(t, p)
	})
}

// Open starts the service over a database.
func Open(t testing.TB, url string) *Place {
	t.Helper()
	return Start(t, storetest.Open(t, url), Noon)
}

// Start starts the service over an open database, with a clock.
func Start(t testing.TB, s *store.Store, clock func() time.Time) *Place {
	t.Helper()
	return StartWith(t, s, app.Options{Clock: clock, PasswordCost: CheapPasswords,
		Settings: app.Settings{CacheSize: 64 << 20}})
}

// StartWith starts the service over an open database with options.
func StartWith(t testing.TB, s *store.Store, o app.Options) *Place {
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
	return &Place{URL: server.URL, Store: s, Log: &log}
}

// Answer is the answer to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send sends a request: "GET /cities" below /api/v1, or "POST /graphql". body may be empty; headers come in
// pairs.
func (p *Place) Send(t testing.TB, method, path, body string, headers ...string) Answer {
	t.Helper()
	if path != "/graphql" {
		path = "/api/v1" + path
	}
	if body != "" {
		headers = append([]string{"Content-Type", "application/json"}, headers...)
	}
	return p.Fetch(t, method, path, strings.NewReader(body), headers...)
}

// Fetch sends a request to a path below the server's root. body may be nil; headers come in pairs.
func (p *Place) Fetch(t testing.TB, method, path string, body io.Reader, headers ...string) Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	request.Host = request.Header.Get("Host")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	return Receive(t, response)
}

// Get sends a GET to a path below /api/v1.
func (p *Place) Get(t testing.TB, path string, headers ...string) Answer {
	t.Helper()
	return p.Send(t, http.MethodGet, path, "", headers...)
}

// Uncached are the options of a service that computes every answer.
var Uncached = app.Options{Clock: Noon, PasswordCost: CheapPasswords}

// Noon returns a clock that stands still at Today.
func Noon() time.Time { return Today }
