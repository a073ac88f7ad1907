// Package stage sets up what a trial or a measurement needs, and takes it down: servers of the service and
// other programs, databases of each kind, replicated ones, poolers and proxies. Errors end the trial, by
// package must. It reads times and memory of processes from /proc and so needs Linux.
package stage

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"

	"storefront/cmd/internal/must"
	"storefront/internal/contract/money/audit"
	"storefront/internal/database/store"
	"storefront/internal/testkit/pgserver"
)

// The kinds of databases.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Databases are all kinds of databases.
var Databases = []string{SQLite, Postgres}

// Stage is a folder and a database, empty at first. The database is an SQLite file until New, Create or Own.
type Stage struct {
	Kind     string
	Out      io.Writer
	Folder   string
	Database string   // in the form of DATABASE_URL
	Program  string   // the program of the service
	Env      []string // of all its processes
	Books    *store.Store
	Initial  map[uuid.UUID]int // units of each variant, after Count

	// For PostgreSQL.
	Admin   *sql.DB          // connections to the server that TEST_POSTGRES_URL names
	Primary *pgserver.Server // the stage's own server

	name string // that Say begins with
	ends []func() error
}

// Run runs work on a stage, and then takes down everything in reverse order.
func Run(ctx context.Context, s *Stage, work Work) (err error) {
	defer func() {
		for _, end := range slices.Backward(s.ends) {
			err = errors.Join(err, end())
		}
	}()
	return must.Run(func() {
		s.Folder = s.TempDir()
		s.Database = "sqlite://" + filepath.Join(s.Folder, "shop.db")
		work(ctx, s)
	})
}

// Again runs a part of the work on another stage like this one, and takes that down.
func (s *Stage) Again(ctx context.Context, part string, work Work) {
	again := &Stage{Kind: s.Kind, Program: s.Program, Out: s.Out, name: s.name + ", " + part}
	must.In(part, func() { must.Do(Run(ctx, again, work)) })
}

// Say prints a line that begins with the trial's name and kind.
func (s *Stage) Say(format string, args ...any) {
	fmt.Fprintf(s.Out, "%s: %s\n", s.name, fmt.Sprintf(format, args...))
}

// Own gives the stage a PostgreSQL server of its own, which keeps what it has committed. Settings are lines of
// postgresql.conf.
func (s *Stage) Own(ctx context.Context, settings ...string) {
	s.Primary = must.Get(pgserver.New(ctx, true, settings...))
	s.OnClose(s.Primary.Close)
	s.Database = s.Primary.URL("postgres")
}

// Reach connects to the PostgreSQL server of TEST_POSTGRES_URL, and returns its URL.
func (s *Stage) Reach() *url.URL {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	must.Hold(err == nil && server.Host != "", "TEST_POSTGRES_URL must name a PostgreSQL server: "+
		"run the command by its make target, or by scripts/with-postgres")
	if s.Admin == nil {
		s.Admin = must.Get(sql.Open("postgres", server.String()))
		s.OnClose(s.Admin.Close)
	}
	return server
}

// Empty is the template of a database without tables.
const Empty = "template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"

// New gives the stage a new database of its kind, which is deleted with the stage.
func (s *Stage) New(ctx context.Context) {
	if s.Kind == Postgres {
		s.Database = s.Create(ctx, "trial_"+strings.ToLower(rand.Text()), Empty)
	}
}

// Create makes a database on that server from a template, and returns its URL. It is deleted with the stage.
func (s *Stage) Create(ctx context.Context, name, template string) string {
	server := s.Reach()
	_, err := s.Admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
	must.Do(err)
	s.OnClose(func() error {
		_, err := s.Admin.Exec("DROP DATABASE " + name + " WITH (FORCE)")
		return err
	})
	server.Path = "/" + name
	return server.String()
}

// OnClose registers a function to call when the stage is taken down, before those registered earlier.
func (s *Stage) OnClose(end func() error) { s.ends = append(s.ends, end) }

// SigningKey signs tokens that outlive a server.
const SigningKey = "a key of this trial alone, whose tokens outlive the server"

// Environment returns the environment of the stage's processes. Later settings override earlier ones.
func (s *Stage) Environment(more ...string) []string {
	return slices.Concat([]string{"DATABASE_URL=" + s.Database, "LISTEN_ADDR=127.0.0.1:0",
		"METRICS_ADDR=", "TOKEN_SIGNING_KEY=" + SigningKey}, s.Env, more)
}

// Serve starts a server, which the stage stops at its end.
func (s *Stage) Serve(ctx context.Context, more ...string) *Server {
	return s.ServeBy(ctx, s.Environment(more...), s.Program, "serve")
}

// Receive serves what the program calls, such as a webhook, until the end of the stage.
func (s *Stage) Receive(answer http.HandlerFunc) (url string) {
	web := httptest.NewServer(answer)
	s.OnClose(func() error { web.Close(); return nil })
	return web.URL
}

// Proxy starts a proxy to a server, which the stage closes at its end with its connections.
func (s *Stage) Proxy(server string) *pgserver.Proxy {
	p := must.Get(pgserver.NewProxy(server))
	s.OnClose(p.Close)
	return p
}

// File writes a file into the folder.
func (s *Stage) File(name string, text []byte) (path string) {
	path = filepath.Join(s.Folder, name)
	must.Do(os.WriteFile(path, text, 0o600))
	return path
}

// TempDir makes a folder that is deleted with the stage, for users who may not read the stage's own folder.
func (s *Stage) TempDir() string {
	folder := must.Get(os.MkdirTemp("", "stage-*"))
	s.OnClose(func() error { return os.RemoveAll(folder) })
	return folder
}

// Import imports a bundle.
func (s *Stage) Import(ctx context.Context, bundle []byte) {
	must.Get(s.Run(ctx, "import", s.File("shop.json", bundle)))
}

// Count opens the database and counts the units of each variant, for CheckBooks.
func (s *Stage) Count(ctx context.Context) {
	s.Books = must.Get(store.Open(ctx, s.Database))
	s.OnClose(s.Books.Close)
	s.Initial = must.Get(audit.Units(ctx, s.Books.Client))
}

// CheckBooks checks that orders, carts and stock agree. No customer may be active.
func (s *Stage) CheckBooks(ctx context.Context) error {
	return audit.Check(ctx, s.Books.Client, s.Initial)
}

// Exec runs statements at the database of a URL.
func Exec(ctx context.Context, url string, statements ...string) {
	db := must.Get(sql.Open("postgres", url))
	defer db.Close()
	for _, text := range statements {
		_, err := db.ExecContext(ctx, text)
		must.Hold(err == nil, "%s: %w", text, err)
	}
}

// Row reads one row of a query at the database of a URL.
func Row(ctx context.Context, url, query string, into ...any) {
	db := must.Get(sql.Open("postgres", url))
	defer db.Close()
	must.Do(db.QueryRowContext(ctx, query).Scan(into...))
}

// Orders counts the orders at the database of a URL.
func Orders(ctx context.Context, url string) (n int) {
	Row(ctx, url, "SELECT count(*) FROM orders", &n)
	return n
}

// FreeAddress returns a host:port of this machine on which nothing listens.
func FreeAddress() string {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return l.Addr().String()
}
