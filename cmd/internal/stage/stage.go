// Package stage sets up what a trial or a measurement needs, and takes it down: servers of ours and other programs,
// databases of each kind, replicated ones, poolers and proxies before them. It reads times and memory of processes from
// /proc and so needs Linux.
package stage

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"
	_ "github.com/lib/pq"  // registers "postgres"
	_ "modernc.org/sqlite" // registers "sqlite"

	"storefront/internal/contract/ledger"
	"storefront/internal/pgserver"
	"storefront/internal/store"
)

// The kinds of databases.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Stage is a folder and a database that is empty at first.
type Stage struct {
	Kind     string
	Folder   string
	Database string   // as DATABASE_URL takes it
	Program  string   // that serves and imports
	Env      []string // of all its processes
	Books    *store.Store
	Initial  map[uuid.UUID]int // units of each variant, once Count was called

	// Of a PostgreSQL.
	Admin            *sql.DB          // connections to the server that a database was made on
	Primary, Standby *pgserver.Server // its own server, and one that follows it

	ends []func() error
}

// Each runs a trial on each kind of database, or on the one that only names, with a stage for each.
func Each(ctx context.Context, only, program string, run func(*Stage) error) error {
	kinds := []string{SQLite, Postgres}
	if only != "" {
		if !slices.Contains(kinds, only) {
			return fmt.Errorf("-only takes %s or %s", SQLite, Postgres)
		}
		kinds = []string{only}
	}
	var failed []error
	for _, kind := range kinds {
		s, err := New(ctx, kind, program)
		if err == nil {
			err = errors.Join(run(s), s.Close())
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", kind, err))
		}
	}
	return errors.Join(failed...)
}

// New makes a stage with a database of a kind. PostgreSQL's is made on the server that TEST_POSTGRES_URL names.
func New(ctx context.Context, kind, program string) (s *Stage, err error) {
	s = &Stage{Kind: kind, Program: program}
	if s.Folder, err = os.MkdirTemp("", "stage-*"); err != nil {
		return nil, err
	}
	s.OnClose(func() error { return os.RemoveAll(s.Folder) })
	s.Database = "sqlite://" + filepath.Join(s.Folder, "shop.db")
	if kind == Postgres {
		err = s.create(ctx)
	}
	return s, s.opened(err)
}

// NewServer makes a stage with a PostgreSQL server of its own, which keeps what it has committed. Settings are lines of
// postgresql.conf.
func NewServer(ctx context.Context, program string, settings ...string) (*Stage, error) {
	s, err := New(ctx, SQLite, program)
	if err != nil {
		return nil, err
	}
	s.Kind = Postgres
	if s.Primary, err = pgserver.New(ctx, true, settings...); err == nil {
		s.OnClose(s.Primary.Close)
		s.Database = s.Primary.URL("postgres")
	}
	return s, s.opened(err)
}

// Follow makes a standby of the stage's own server.
func (s *Stage) Follow(ctx context.Context) (err error) {
	if s.Standby, err = s.Primary.Standby(ctx); err == nil {
		s.OnClose(s.Standby.Close)
	}
	return err
}

// opened closes a stage that was not made to its end.
func (s *Stage) opened(err error) error {
	if err != nil {
		err = errors.Join(err, s.Close())
	}
	return err
}

// create makes the database.
func (s *Stage) create(ctx context.Context) error {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || server.Host == "" {
		return errors.New("TEST_POSTGRES_URL must name a PostgreSQL server: run the command by its make target, " +
			"or by scripts/with-postgres")
	}
	if s.Admin, err = sql.Open("postgres", server.String()); err != nil {
		return err
	}
	s.OnClose(s.Admin.Close)
	var id [4]byte
	rand.Read(id[:])
	name := "trial_" + hex.EncodeToString(id[:])
	if _, err := s.Admin.ExecContext(ctx, "CREATE DATABASE "+name+
		" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"); err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	s.OnClose(func() error {
		_, err := s.Admin.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
		return err
	})
	server.Path = "/" + name
	s.Database = server.String()
	return nil
}

// OnClose has something done when the stage closes, before what was made earlier goes.
func (s *Stage) OnClose(end func() error) { s.ends = append(s.ends, end) }

// Close takes down all that was made, the last first.
func (s *Stage) Close() error {
	var errs []error
	for _, end := range slices.Backward(s.ends) {
		errs = append(errs, end())
	}
	s.ends = nil
	return errors.Join(errs...)
}

// Environment is the configuration of the stage's processes, of which the later settings count.
func (s *Stage) Environment(more ...string) []string {
	return slices.Concat([]string{"DATABASE_URL=" + s.Database, "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json",
		"METRICS_ADDR=", "ACCESS_TTL=24h",
		"TOKEN_SIGNING_KEY=a key of this trial alone, whose tokens outlive the server"}, s.Env, more)
}

// Run runs a command of the program.
func (s *Stage) Run(ctx context.Context, args ...string) (Spent, error) {
	return Run(ctx, s.Environment(), s.Program, args...)
}

// Serve starts a server, which the stage stops at its end.
func (s *Stage) Serve(ctx context.Context, more ...string) (*Server, error) {
	server, err := Serve(ctx, s.Folder, s.Environment(more...), s.Program, "serve")
	if err == nil {
		s.OnClose(func() error { server.Stop(); return nil })
	}
	return server, err
}

// File writes a file into the folder.
func (s *Stage) File(name string, text []byte) (path string, err error) {
	path = filepath.Join(s.Folder, name)
	return path, os.WriteFile(path, text, 0o600)
}

// Import imports a bundle.
func (s *Stage) Import(ctx context.Context, bundle []byte) error {
	file, err := s.File("shop.json", bundle)
	if err == nil {
		_, err = s.Run(ctx, "import", file)
	}
	return err
}

// Count opens the books and counts the units that CheckBooks looks for.
func (s *Stage) Count(ctx context.Context) (err error) {
	if s.Books, err = store.Open(ctx, s.Database); err != nil {
		return err
	}
	s.OnClose(s.Books.Close)
	s.Initial, err = ledger.Units(ctx, s.Books)
	return err
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
func Exec(ctx context.Context, url string, statements ...string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, text := range statements {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// FreeAddress returns a host:port of this machine on which nothing listens.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
