package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"storefront/cmd/bench/pgbench"
	"storefront/cmd/internal/stage"
)

// place is where a run keeps what it measures: a folder and databases of its own.
type place struct {
	folder  string
	binary  string // the service
	self    string // this program, for the references
	root    string // of the module
	kinds   []string
	admin   *url.URL // of the PostgreSQL server
	run     string   // part of the names of its databases
	kept    string   // part of the names of the databases that stay, empty: none do
	pgbench pgbench.Program
	made    []string // databases to drop
	loaded  map[string]bool
	o       options
	out     *report
}

const (
	sqlite   = "sqlite"
	postgres = "postgres"
)

// prepare makes the folder, reaches the server and builds the service.
func prepare(ctx context.Context, o options, out *report) (p *place, err error) {
	p = &place{o: o, out: out, loaded: map[string]bool{}}
	for _, kind := range []string{sqlite, postgres} {
		if o.only == "" || o.only == kind {
			p.kinds = append(p.kinds, kind)
		}
	}
	if len(p.kinds) == 0 {
		return nil, fmt.Errorf("-only must be %s or %s", sqlite, postgres)
	}
	if o.only != postgres {
		p.out.run.Machine.Databases = append(p.out.run.Machine.Databases, sqliteVersion(ctx))
	}
	if o.only != sqlite {
		if err := p.reach(ctx); err != nil {
			return nil, err
		}
	}
	if p.self, err = os.Executable(); err != nil {
		return nil, err
	}
	module, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, fmt.Errorf("find the module: %w", err)
	}
	p.root = strings.TrimSpace(string(module))
	if p.folder, err = os.MkdirTemp("", "bench-*"); err != nil {
		return nil, err
	}
	var id [4]byte
	rand.Read(id[:])
	p.run = hex.EncodeToString(id[:])
	if err := p.build(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// reach finds the PostgreSQL server, which must keep what it has committed: figures of orders that a crash could lose
// would be worth nothing.
func (p *place) reach(ctx context.Context) (err error) {
	if p.admin, err = url.Parse(os.Getenv("TEST_POSTGRES_URL")); err != nil || p.admin.Host == "" {
		return errors.New("TEST_POSTGRES_URL must name a PostgreSQL server: " +
			"run make bench, or scripts/with-postgres --durable go run ./cmd/bench")
	}
	if p.pgbench, err = pgbench.Find(); err != nil {
		return err
	}
	return p.onServer(func(db *sql.DB) error {
		var version string
		var durable bool
		err := db.QueryRowContext(ctx, `SELECT current_setting('server_version'),
			current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off'`).Scan(&version, &durable)
		if err == nil && !durable {
			err = errors.New("the PostgreSQL server forgets commits in a crash: use scripts/with-postgres --durable")
		}
		p.out.run.Machine.Databases = append(p.out.run.Machine.Databases, "PostgreSQL "+version+" with fsync")
		return err
	})
}

// sqliteVersion is that of the library which service and reference have built in.
func sqliteVersion(ctx context.Context) string {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return "SQLite"
	}
	defer db.Close()
	var version string
	_ = db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version)
	return strings.TrimSpace("SQLite " + version)
}

// build makes the service's binary, and the folder of databases that stay.
func (p *place) build(ctx context.Context) error {
	p.binary = filepath.Join(p.folder, "storefront")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s", "-o", p.binary, "./cmd/storefront")
	build.Dir = p.root
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the service: %w: %s", err, said)
	}
	if p.o.keep == "" {
		return nil
	}
	folder, err := filepath.Abs(p.o.keep)
	if err != nil {
		return err
	}
	name := fnv.New32a()
	_, _ = name.Write([]byte(folder)) // never fails
	p.o.keep, p.kept = folder, fmt.Sprintf("kept_%x", name.Sum32())
	return os.MkdirAll(folder, 0o700)
}

// close removes the folder and drops the databases.
func (p *place) close() error {
	errs := []error{os.RemoveAll(p.folder)}
	if len(p.made) > 0 {
		errs = append(errs, p.onServer(func(db *sql.DB) (err error) {
			for _, name := range p.made {
				_, dropped := db.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
				err = errors.Join(err, dropped)
			}
			return err
		}))
	}
	return errors.Join(errs...)
}

func (p *place) onServer(do func(*sql.DB) error) error {
	db, err := sql.Open("postgres", p.admin.String())
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db)
}

// key signs the tokens of this run.
func (p *place) key() string { return strings.Repeat(p.run, 4) }

// service starts the real binary over a shop's database. It keeps no answers unless settings say so.
func (p *place) service(ctx context.Context, kind string, s shop, settings ...string) (*stage.Server, error) {
	return stage.Serve(ctx, p.folder, append([]string{
		"DATABASE_URL=" + p.database(kind, s), "LISTEN_ADDR=127.0.0.1:0", "LOG_FORMAT=json", "REGISTRATIONS_PER_HOUR=0",
		"TOKEN_SIGNING_KEY=" + p.key(), "CACHE_SIZE=0",
	}, settings...), p.binary, "serve")
}

// byHand starts the hand-written reference over a shop's database.
func (p *place) byHand(ctx context.Context, kind string, s shop) (*stage.Server, error) {
	return stage.Serve(ctx, p.folder, []string{"DATABASE_URL=" + p.database(kind, s), "TOKEN_SIGNING_KEY=" + p.key()},
		p.self, handCommand)
}
