// Package migrations migrates a large database of PostgreSQL while customers shop, with migrations of every
// kind that later releases may have: columns, constraints, indexes, and updates in batches. Two migrations are
// interrupted and resumed. No answer may take longer than a second or be a server error, and no order may be
// missing.
package migrations

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"testing/fstest"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/database"
	"storefront/internal/database/migration"
	"storefront/internal/database/versions"
)

const (
	customers = 6
	longest   = time.Second // the longest time of an answer
)

var (
	//go:embed later
	later embed.FS // the files of a later release
	//go:embed fill.sql
	fill string
)

// Trial is the trial that `go run ./cmd/trial migrations` runs.
var Trial = stage.Trial{Name: "migrations", About: "migrate a large database while customers shop",
	Kinds: []string{stage.Postgres}, Flags: func(f *flag.FlagSet) stage.Work {
		products := f.Int("products", 100_000, "of the shop, each with a variant")
		return func(ctx context.Context, s *stage.Stage) { run(ctx, s, *products) }
	}}

func run(ctx context.Context, s *stage.Stage, products int) {
	s.New(ctx)
	s.Env = []string{"CLIENT_LIMITS=off", "DRAIN_TIME=0s"}
	s.Import(ctx, customer.AlwaysInStock())
	stage.Exec(ctx, s.Database, strings.ReplaceAll(fill, ":products", fmt.Sprint(products)),
		"VACUUM (ANALYZE) products, variants")
	server, tally := s.Serve(ctx), &customer.Tally{}
	buyers := customer.EnterAll(ctx, customers, customer.Client{Base: customer.At(server.Addr), Tally: tally})
	tell := func(of string) {
		seen := tally.Take()
		s.Say("%s: %s", of, seen.Summary())
		must.Do(seen.Verdict(longest))
	}
	tally.Take() // registrations do not count
	crowd := customer.Go(ctx, buyers, step)
	must.Do(customer.Wait(ctx, 10*time.Second))
	tell("without a migration")
	db := must.Get(database.Open(ctx, s.Database))
	defer db.Close()
	files := fstest.MapFS{}
	add := func(from fs.FS, name string) {
		files[path.Join("postgres", path.Base(name))] = &fstest.MapFile{Data: must.Get(fs.ReadFile(from, name))}
	}
	for _, name := range must.Get(fs.Glob(versions.Files, "postgres/*.sql")) {
		add(versions.Files, name)
	}
	for _, name := range must.Get(fs.Glob(later, "later/*.sql")) { // in the order of their names
		add(later, name)
		_, of, _ := strings.Cut(strings.TrimSuffix(name, ".sql"), "_")
		began := time.Now()
		if of == "batches" || of == "index" { // interrupted, as by a deployment
			short, stop := context.WithTimeout(ctx, 3*time.Second)
			err := migration.Run(short, db, files)
			stop()
			if err != nil {
				s.Say("%s was cut off after 3 s", of)
			}
		}
		must.Do(migration.Run(ctx, db, files))
		tell(fmt.Sprintf("%s, %.1f s", of, time.Since(began).Seconds()))
	}
	must.Do(crowd.Stop(), customer.Get(ctx, server.Addr, "/readyz").Read(nil), customer.Check(ctx, buyers))
	s.Say("%d products, %d orders: no fault, no order lost, no answer above %v", products,
		customer.Acknowledged(buyers), longest)
}

// step does one thing.
func step(ctx context.Context, c *customer.Customer, _ int) {
	switch n := rand.IntN(100); {
	case n < 40:
		must.Do(c.Add(ctx, c.Any(), 1).Read(nil))
	case n < 60:
		must.Do(c.CheckoutAny(ctx))
	case n < 80:
		must.Do(c.Own(ctx).Read(nil))
	default:
		page := fmt.Sprintf("/tenants/%s/products?page=%d", customer.Domain, 1+rand.IntN(40))
		must.Do(c.REST(ctx, http.MethodGet, page, nil).Read(nil))
	}
}
