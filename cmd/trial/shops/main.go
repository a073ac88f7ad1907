// Package shops measures one server and one PostgreSQL with many shops: the time of a start and of listing a
// shop's products, and the memory. `make shops` runs it; it needs the built server, Linux and TEST_POSTGRES_URL.
//
// One generated shop is imported and copied within the database, so that creating ten thousand takes minutes;
// each has its own records, ids and domain.
package shops

import (
	"context"
	"database/sql"
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"storefront/cmd/bench/load"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial shops` runs.
var Trial = stage.Trial{Name: "shops", About: "serve ten thousand shops", Kinds: []string{stage.Postgres},
	Flags: func(f *flag.FlagSet) stage.Work {
		shops := f.Int("shops", 10_000, "how many shops there are to be")
		products := f.Int("products", 100, "of each shop")
		return func(ctx context.Context, s *stage.Stage) {
			s.New(ctx)
			s.Env = []string{"DRAIN_TIME=0s"}
			t := &trial{Stage: s, db: must.Get(sql.Open("postgres", s.Database))}
			defer t.db.Close()
			t.make(ctx, *shops, *products)
			t.measure(ctx)
		}
	}}

// trial is a database with many shops.
type trial struct {
	*stage.Stage
	db *sql.DB
}

//go:embed copy.sql
var copyShops string

const (
	domain       = "shops.example" // of the first shop; shop7.shops.example is the seventh copy
	copiedAtOnce = 50
	spell        = 10 * time.Second // for how long each figure is measured
)

// make creates the shops.
func (t *trial) make(ctx context.Context, shops, products int) {
	t.Import(ctx, bundle(products))
	began := time.Now()
	on := must.Get(t.db.Conn(ctx))
	defer on.Close()
	must.Get(on.ExecContext(ctx, copyShops))
	must.Get(on.ExecContext(ctx, "SET session_replication_role = replica; SET synchronous_commit = off"))
	for n := 1; n < shops; n += copiedAtOnce {
		must.Get(on.ExecContext(ctx, "SELECT pg_temp.copy_shops($1, $2, $3)", n, min(n+copiedAtOnce, shops)-1, domain))
	}
	t.Say("%d shops were copied in %.0f s", shops-1, time.Since(began).Seconds())
	must.Get(t.db.ExecContext(ctx, "VACUUM ANALYZE"))
}

// bundle returns the bundle of the first shop.
func bundle(products int) []byte {
	const groups = 12 // the number of categories, and of brands
	things := []string{
		"کتاب", "میز", "چراغ", "کیف", "فرش", "کاسه",
		"ساعت", "دفتر", "قلم", "صندلی", "آینه", "گلدان",
	}
	words := []string{"kaveh", "tizfar", "monis", "parvin", "shirin"}
	type record = map[string]any
	var brands, categories, all []record
	for i := range groups {
		brands = append(brands, record{"slug": fmt.Sprintf("brand-%d", i), "name": fmt.Sprintf("House %d", i),
			"nameFa": "خانه"})
		categories = append(categories, record{"entityType": "product", "slug": fmt.Sprintf("c-%d", i),
			"name": things[i], "nameFa": things[i], "position": i})
	}
	for i := range products {
		thing := things[i%groups]
		all = append(all, record{
			"slug":     fmt.Sprintf("product-%d", i),
			"titleFa":  fmt.Sprintf("%s مدل %d", thing, i),
			"titleEn":  fmt.Sprintf("%s model %d", words[i%len(words)], i),
			"category": fmt.Sprintf("c-%d", i%groups), "brand": fmt.Sprintf("brand-%d", i*7%groups),
			"summary":     thing + " برای کارگاه و خانه، با یک سال ضمانت",
			"publishedAt": time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC),
			"images": []record{{"mediaId": fmt.Sprintf("m-%d", i), "alt": "picture",
				"url": fmt.Sprintf("https://media.shops.example/%d.jpg", i)}},
			"variants": []record{{"sku": fmt.Sprintf("P-%d", i), "price": 1000 * (i + 1), "priceCurrency": "IRT",
				"stock": 100}},
		})
	}
	return customer.Bundle(domain, "shops", record{"brands": brands, "categories": categories, "products": all})
}

// measure measures a server with and without a cache.
func (t *trial) measure(ctx context.Context) {
	var shops, products int
	var size string
	must.Do(t.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM tenants), (SELECT count(*) FROM products),
		pg_size_pretty(pg_database_size(current_database()))`).Scan(&shops, &products, &size))
	t.Say("%d shops, %d products, %s", shops, products, size)
	listed := must.Get(t.Run(ctx, "tenant", "list"))
	t.Say("storefront tenant list: %.2f s, %s", listed.Time.Seconds(), mebibytes(listed.Peak))
	for _, one := range []string{"0", "64MiB"} {
		t.serveWith(ctx, one, shops)
	}
}

// serveWith measures a server with a cache of a given size.
func (t *trial) serveWith(ctx context.Context, cache string, shops int) {
	began := time.Now()
	server := t.Serve(ctx, "CACHE_SIZE="+cache)
	defer server.Stop()
	memory := func() string { return mebibytes(server.Memory()) }
	t.Say("cache %s: ready after %.2f s with %s", cache, time.Since(began).Seconds(), memory())
	show := func(what string, r load.Result) {
		t.Say("cache %s: %s: %.0f a second, half within %.1f ms, 99 of 100 within %.1f ms; %s", cache, what,
			r.PerSecond(), milliseconds(r.Quantile(0.5)), milliseconds(r.Quantile(0.99)), memory())
	}
	every := t.targets(shops, "/products")
	show("the list of each shop, once", must.Get(load.Run(ctx, server.Addr, load.Get(every), clients, 0)))
	for _, of := range []struct {
		what    string
		targets []string
	}{
		{"the list of any shop", every},
		{"the list of one shop", every[:1]},
		{"a search in any shop", t.targets(shops, "/products?name=kaveh")},
		{"a search for two letters in any shop", t.targets(shops, "/products?name=ka")},
	} {
		show(of.what, must.Get(load.Run(ctx, server.Addr, load.Get(of.targets), clients, spell)))
	}
}

const clients = 8

// targets are paths of all copied shops, in any order.
func (t *trial) targets(shops int, path string) (all []string) {
	for n := 1; n < shops; n++ {
		all = append(all, fmt.Sprintf("/api/v1/tenants/shop%d.%s%s", n, domain, path))
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return slices.Clip(all)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB of memory", n>>20) }
