package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"os"
	"path/filepath"
	"strings"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/bench/figures"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// place is a stage with a database for each shop.
type place struct {
	*stage.Stage
	self   string          // this program, for the references
	prefix string          // of the names of databases on the server
	loaded map[string]bool // by the key of a shop
	o      options
	out    *report
}

const (
	sqlite   = stage.SQLite
	postgres = stage.Postgres
)

// prepare connects to the database server and returns the place.
func prepare(ctx context.Context, at *stage.Stage, o options, out *report) *place {
	p := &place{Stage: at, o: o, out: out, self: must.Get(os.Executable()), loaded: map[string]bool{},
		prefix: "bench_" + strings.ToLower(rand.Text()[:8]) + "_"}
	out.run.Machine.Databases = append(out.run.Machine.Databases, p.version(ctx))
	return p
}

// figure returns a new figure for a shop.
func (p *place) figure(group string, s shop, operation string) figures.Figure {
	return figures.Figure{Group: group, Database: p.Kind, Shop: s.name, Operation: operation}
}

// version returns the version of the database. PostgreSQL must have durable commits: figures of orders that a
// crash could lose would be useless.
func (p *place) version(ctx context.Context) (version string) {
	if p.Kind == sqlite {
		db := must.Get(sql.Open("sqlite", ":memory:"))
		defer db.Close()
		must.Do(db.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version))
		return "SQLite " + version
	}
	p.Reach()
	var durable bool
	must.Do(p.Admin.QueryRowContext(ctx, `SELECT current_setting('server_version'), current_setting('fsync') = 'on'
		AND current_setting('synchronous_commit') <> 'off'`).Scan(&version, &durable))
	must.Hold(durable, "the PostgreSQL server forgets commits in a crash: use scripts/with-postgres --durable")
	return "PostgreSQL " + version + " with fsync"
}

// name returns the name of a shop's database on the server, and file the database of SQLite.
func (p *place) name(s shop) string { return p.prefix + s.key }
func (p *place) file(s shop) string { return filepath.Join(p.Folder, s.key+".db") }

// database returns the URL of a shop's database.
func (p *place) database(s shop) string {
	if p.Kind == sqlite {
		return "sqlite://" + p.file(s)
	}
	server := p.Reach()
	server.Path = "/" + p.name(s)
	return server.String()
}

// load imports a shop with the service's command and records the costs, once.
func (p *place) load(ctx context.Context, s shop) {
	p.Database = p.database(s)
	if p.loaded[s.key] {
		return
	}
	p.loaded[s.key] = true
	if p.Kind == postgres {
		p.Create(ctx, p.name(s), stage.Empty)
	}
	must.Get(p.Run(ctx, "migrate"))
	spent := must.Get(p.Run(ctx, "import", p.bundle(s)))
	f := p.figure(figures.Imports, s, "import into an empty database")
	f.Seconds, f.CPU, f.Memory = spent.Time.Seconds(), float64(spent.CPU.Microseconds()), mib(spent.Peak)
	p.out.add(f)
	if p.Kind == postgres {
		p.tidy(ctx, s)
	}
}

// tidy vacuums and analyzes a PostgreSQL database, as autovacuum would within a minute or so. Like autovacuum
// it skips empty tables: once an empty table is analyzed, connections scan it for each foreign key that
// refers to it, even after it has grown.
func (p *place) tidy(ctx context.Context, s shop) {
	var tables string
	stage.Row(ctx, p.database(s), `SELECT string_agg(oid::regclass::text, ', ') FROM pg_class WHERE relkind = 'r'
		AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`, &tables)
	stage.Exec(ctx, p.database(s), "VACUUM (ANALYZE) "+tables)
}

// bundle returns the file of a shop's bundle. It writes the file of a generated shop.
func (p *place) bundle(s shop) string {
	if s.file != "" {
		return s.file
	}
	path := filepath.Join(p.Folder, s.key+".json")
	if _, err := os.Stat(path); err != nil {
		file := must.Get(os.Create(path))
		must.Do(catalog.Write(file, s.products), file.Close())
	}
	return path
}

// copy makes a copy of a loaded shop for this run, for measurements that write.
func (p *place) copy(ctx context.Context, site shop, key string) shop {
	s := site
	s.key = key
	if p.Kind == postgres {
		p.Create(ctx, p.name(s), p.name(site))
		return s
	}
	db := must.Get(sql.Open("sqlite", p.file(site)))
	defer db.Close()
	must.Get(db.ExecContext(ctx, "VACUUM INTO $1", p.file(s)))
	return s
}

// service starts the real binary over a shop's database, with a folder for its images. It has no cache of answers
// unless settings set one.
func (p *place) service(ctx context.Context, s shop, settings ...string) *stage.Server {
	return p.Serve(ctx, append([]string{"DATABASE_URL=" + p.database(s), "CLIENT_LIMITS=off",
		"CACHE_SIZE=0", "MEDIA_DIR=" + filepath.Join(p.Folder, s.key+"-media")}, settings...)...)
}

// byHand starts the hand-written reference over a shop's database.
func (p *place) byHand(ctx context.Context, s shop) *stage.Server {
	return p.ServeBy(ctx, []string{"DATABASE_URL=" + p.database(s),
		"TOKEN_SIGNING_KEY=" + stage.SigningKey}, p.self, handCommand)
}
