package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/child"
	"storefront/cmd/bench/pgbench"
)

// place is where a run keeps what it measures: a folder and databases of its own.
type place struct {
	folder  string
	binary  string // the service
	self    string // this program, for the references
	root    string // of the module
	kinds   []string
	admin   *url.URL // of the PostgreSQL server
	run     string   // part of its databases' names
	pgbench pgbench.Program
	made    []string // databases to drop
	o       options
}

const (
	sqlite   = "sqlite"
	postgres = "postgres"
)

// prepare makes the folder and builds the service.
func prepare(ctx context.Context, o options) (p *place, err error) {
	p = &place{o: o}
	for _, kind := range []string{sqlite, postgres} {
		if o.only == "" || o.only == kind {
			p.kinds = append(p.kinds, kind)
		}
	}
	if len(p.kinds) == 0 {
		return nil, fmt.Errorf("-only must be %s or %s", sqlite, postgres)
	}
	if o.only != sqlite {
		if p.admin, err = url.Parse(os.Getenv("TEST_POSTGRES_URL")); err != nil || p.admin.Host == "" {
			return nil, errors.New("TEST_POSTGRES_URL must name a PostgreSQL server: " +
				"run make bench, or scripts/with-postgres go run ./cmd/bench")
		}
		if p.pgbench, err = pgbench.Find(); err != nil {
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
	p.binary = filepath.Join(p.folder, "storefront")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s", "-o", p.binary,
		"./cmd/storefront")
	build.Dir = p.root
	if said, err := build.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("build the service: %w: %s", err, said), p.close())
	}
	return p, nil
}

// close removes the folder and drops the databases.
func (p *place) close() error {
	errs := []error{os.RemoveAll(p.folder)}
	if len(p.made) > 0 {
		errs = append(errs, p.onServer(context.Background(), func(db *sql.DB) (err error) {
			for _, name := range p.made {
				_, dropped := db.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
				err = errors.Join(err, dropped)
			}
			return err
		}))
	}
	return errors.Join(errs...)
}

func (p *place) onServer(_ context.Context, do func(*sql.DB) error) error {
	db, err := sql.Open("postgres", p.admin.String())
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db)
}

// database returns the URL of a shop's database.
func (p *place) database(kind string, s shop) string {
	if kind == sqlite {
		return "sqlite://" + filepath.Join(p.folder, s.key+".db")
	}
	u := *p.admin
	u.Path = "/bench_" + p.run + "_" + s.key
	return u.String()
}

// create makes the empty database of a shop where the service does not do so itself.
func (p *place) create(ctx context.Context, kind string, s shop) error {
	if kind == sqlite {
		return nil
	}
	name := "bench_" + p.run + "_" + s.key
	return p.onServer(ctx, func(db *sql.DB) error {
		p.made = append(p.made, name)
		_, err := db.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'")
		return err
	})
}

// bundle returns the file of a shop's bundle, and writes it where it is generated.
func (p *place) bundle(s shop) (string, error) {
	if s.file != "" {
		return filepath.Join(p.root, s.file), nil
	}
	path := filepath.Join(p.folder, s.key+".json")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(catalog.Write(file, s.products), file.Close())
}

// load imports a shop by the service's own command, and returns what it cost.
func (p *place) load(ctx context.Context, t *table, kind string, s shop) error {
	file, err := p.bundle(s)
	if err != nil {
		return err
	}
	if err := p.create(ctx, kind, s); err != nil {
		return err
	}
	address := p.database(kind, s)
	environment := []string{"DATABASE_URL=" + address}
	empty, err := child.Run(ctx, environment, p.binary, "migrate")
	if err != nil {
		return err
	}
	spent, err := child.Run(ctx, environment, p.binary, "import", file)
	if err != nil {
		return err
	}
	t.imported(kind, s, spent, empty)
	if kind != postgres {
		return nil
	}
	db, err := openBare(address) // what its autovacuum does within a minute or so
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM (ANALYZE)")
	return err
}

// key signs the tokens of this run.
func (p *place) key() string { return strings.Repeat(p.run, 4) }

// openBare opens a database by its bare driver, which package reference registers.
func openBare(address string) (*sql.DB, error) {
	if path, ok := strings.CutPrefix(address, "sqlite://"); ok {
		return sql.Open("sqlite", path)
	}
	return sql.Open("postgres", address)
}
