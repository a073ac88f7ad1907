// Package stage sets up what a trial or a measurement needs, and takes it down: servers of ours and other
// programs, databases of each kind, replicated ones, poolers and proxies before them. What cannot be set up ends
// the trial, by package must. It reads times and memory of processes from /proc and so needs Linux.
package stage

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"

	"storefront/cmd/internal/must"
	"storefront/internal/contract/ledger"
	"storefront/internal/pgserver"
	"storefront/internal/store"
)

// The kinds of databases.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Databases are all kinds of them.
var Databases = []string{SQLite, Postgres}

// Stage is a folder and a database that is empty at first: a file of SQLite, until New, Create or Own.
type Stage struct {
	Kind     string
	Out      io.Writer
	Folder   string
	Database string   // as DATABASE_URL takes it
	Program  string   // that serves and imports
	Env      []string // of all its processes
	Books    *store.Store
	Initial  map[uuid.UUID]int // units of each variant, once Count was called

	// Of PostgreSQL.
	Admin            *sql.DB          // connections to the server that TEST_POSTGRES_URL names
	Primary, Standby *pgserver.Server // its own server, and one that follows it

	name string // that Say begins with
	ends []func() error
}

// Run has work done on a stage with a program, and then takes down all that was made, the last first.
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

// Again has a part of the work done on another stage like this one, and takes that down.
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

// Follow makes a standby of the stage's own server.
func (s *Stage) Follow(ctx context.Context) {
	s.Standby = must.Get(s.Primary.Standby(ctx))
	s.OnClose(s.Standby.Close)
}

// Reach connects to the PostgreSQL server that TEST_POSTGRES_URL names, and returns its URL.
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

// New gives the stage a database of its kind that is gone at its end.
func (s *Stage) New(ctx context.Context) {
	if s.Kind == Postgres {
		s.Database = s.Create(ctx, "trial_"+strings.ToLower(rand.Text()), Empty, false)
	}
}

// Create makes a database on that server from a template, in the place of one of its name, and returns its URL.
// It goes with the stage unless it is kept.
func (s *Stage) Create(ctx context.Context, name, template string, kept bool) string {
	server := s.Reach()
	drop := func() error {
		_, err := s.Admin.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
		return err
	}
	must.Do(drop())
	_, err := s.Admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
	must.Do(err)
	if !kept {
		s.OnClose(drop)
	}
	server.Path = "/" + name
	return server.String()
}

// OnClose has something done when the stage is taken down, before what was made earlier goes.
func (s *Stage) OnClose(end func() error) { s.ends = append(s.ends, end) }

// SigningKey signs tokens that outlive a server.
const SigningKey = "a key of this trial alone, whose tokens outlive the server"

// Environment is the configuration of the stage's processes, of which the later settings count.
func (s *Stage) Environment(more ...string) []string {
	return slices.Concat([]string{"DATABASE_URL=" + s.Database, "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json",
		"METRICS_ADDR=", "ACCESS_TTL=24h", "TOKEN_SIGNING_KEY=" + SigningKey}, s.Env, more)
}

// Run runs a command of the program.
func (s *Stage) Run(ctx context.Context, args ...string) (Spent, error) {
	return RunProgram(ctx, s.Environment(), s.Program, args...)
}

// Serve starts a server, which the stage stops at its end.
func (s *Stage) Serve(ctx context.Context, more ...string) *Server {
	return s.ServeBy(ctx, s.Environment(more...), s.Program, "serve")
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

// TempDir makes a folder that goes with the stage, for those who may not look into the stage's own.
func (s *Stage) TempDir() string {
	folder := must.Get(os.MkdirTemp("", "stage-*"))
	s.OnClose(func() error { return os.RemoveAll(folder) })
	return folder
}

// Import imports a bundle.
func (s *Stage) Import(ctx context.Context, bundle []byte) {
	must.Get(s.Run(ctx, "import", s.File("shop.json", bundle)))
}

// Count opens the books and counts the units that CheckBooks looks for.
func (s *Stage) Count(ctx context.Context) {
	s.Books = must.Get(store.Open(ctx, s.Database))
	s.OnClose(s.Books.Close)
	s.Initial = must.Get(ledger.Units(ctx, s.Books))
}

// CheckBooks holds the books to be right: orders, carts and stock agree. Nobody is shopping.
func (s *Stage) CheckBooks(ctx context.Context) error { return ledger.Check(ctx, s.Books, s.Initial) }

// CheckBooksAt does so in another database that has the same orders.
func (s *Stage) CheckBooksAt(ctx context.Context, database string) error {
	books, err := store.Open(ctx, database)
	if err != nil {
		return err
	}
	return errors.Join(ledger.Check(ctx, books, s.Initial), books.Close())
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

// FreeAddress returns a host:port of this machine on which nothing listens.
func FreeAddress() string {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return l.Addr().String()
}
