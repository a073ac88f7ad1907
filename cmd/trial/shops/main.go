// Package shops measures one server and one PostgreSQL with many shops: what it takes to start, to list a
// shop's products, and in memory. It needs the built server, Linux, and TEST_POSTGRES_URL or -database.
//
// One generated shop is imported and copied within the database, so that ten thousand are made in minutes;
// each has its own records, ids and domain. With -database the shops stay, and -for ends the copying after a
// time, to be gone on with by the next run:
//
//	scripts/with-postgres --durable go run ./cmd/trial shops -shops 10000 -products 100
package shops

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"storefront/cmd/bench/load"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("shops", flag.ContinueOnError)
	shops := flags.Int("shops", 10_000, "how many shops there are to be")
	products := flags.Int("products", 100, "of each shop")
	database := flags.String("database", "",
		"URL of the PostgreSQL database, which is kept; empty: one that is made and dropped")
	least := flags.Duration("for", time.Hour, "for how long shops are copied at most")
	server := flags.String("server", "bin/storefront", "the program that is measured")
	spell := flags.Duration("spell", 10*time.Second,
		"for how long each figure is measured; 0: shops are made, and nothing is measured")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return stage.Run(*server, func(s *stage.Stage) {
		if s.Database = *database; s.Database == "" {
			s.Database = s.Create(ctx, fmt.Sprintf("shops_%d", os.Getpid()), stage.Empty, false)
		}
		s.Env = []string{"LOG_LEVEL=info", "DRAIN_TIME=0s"}
		t := &trial{Stage: s, out: out, spell: *spell, db: must.Get(sql.Open("postgres", s.Database))}
		defer t.db.Close()
		if t.make(ctx, *shops, *products, time.Now().Add(*least)) && *spell > 0 {
			t.measure(ctx)
		}
	})
}

// trial is a database with many shops.
type trial struct {
	*stage.Stage
	db    *sql.DB
	out   io.Writer
	spell time.Duration
}

// make makes the shops that are missing, until a moment, and reports whether all are there.
func (t *trial) make(ctx context.Context, shops, products int, until time.Time) (whole bool) {
	t.Import(ctx, customer.JSON(bundle(products)))
	var there int
	must.Do(t.db.QueryRowContext(ctx, "SELECT count(*) FROM tenants").Scan(&there))
	began, before := time.Now(), there
	for ; there < shops && time.Now().Before(until); there += copiedAtOnce {
		t.copyShop(ctx, there, min(there+copiedAtOnce, shops)-1)
	}
	there = min(there, shops)
	if there > before {
		fmt.Fprintf(t.out, "%d shops were copied in %.0f s, %d are there\n", there-before,
			time.Since(began).Seconds(), there)
		must.Get(t.db.ExecContext(ctx, "VACUUM ANALYZE"))
	}
	return there >= shops
}

const (
	domain       = "shops.example" // of the first shop; shop7.shops.example is the seventh copy
	copiedAtOnce = 50
	groups       = 12 // categories of a shop, and its brands
)

// bundle is the first shop.
func bundle(products int) map[string]any {
	things := []string{"کتاب", "میز", "چراغ", "کیف", "فرش", "کاسه",
		"ساعت", "دفتر", "قلم", "صندلی", "آینه", "گلدان"}
	words := []string{"kaveh", "tizfar", "monis", "parvin", "shirin"}
	var brands, categories, all []any
	for i := range groups {
		brands = append(brands, map[string]any{
			"slug": fmt.Sprintf("brand-%d", i), "name": fmt.Sprintf("House %d", i), "nameFa": "خانه",
		})
		categories = append(categories,
			map[string]any{"entityType": "product", "slug": fmt.Sprintf("c-%d", i), "name": things[i],
				"nameFa": things[i], "position": i})
	}
	for i := range products {
		all = append(all, map[string]any{
			"slug": fmt.Sprintf("product-%d", i), "titleFa": fmt.Sprintf("%s مدل %d", things[i%groups], i),
			"titleEn": fmt.Sprintf("%s model %d", words[i%len(words)], i), "category": fmt.Sprintf("c-%d", i%groups),
			"brand":       fmt.Sprintf("brand-%d", i*7%groups),
			"summary":     things[i%groups] + " برای کارگاه و خانه، با یک سال ضمانت",
			"publishedAt": time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC),
			"images": []any{map[string]any{"mediaId": fmt.Sprintf("m-%d", i),
				"url": fmt.Sprintf("https://media.shops.example/%d.jpg", i),
				"alt": "picture"}},
			"variants": []any{map[string]any{
				"sku": fmt.Sprintf("P-%d", i), "price": 1000 * (i + 1), "priceCurrency": "IRT", "stock": 100,
			}},
		})
	}
	return map[string]any{
		"format": "storefront-bundle/1", "brands": brands, "categories": categories, "products": all,
		"tenant": map[string]any{
			"domain": domain, "slug": "shops", "name": "Shop", "nameFa": "فروشگاه", "defaultLocale": "fa",
		},
	}
}

// copyShop copies the first shop, for the numbers from the first to the last. A number is the beginning of
// each id of its shop.
func (t *trial) copyShop(ctx context.Context, first, last int) {
	tx := must.Get(t.db.BeginTx(ctx, nil))
	defer tx.Rollback()
	must.Get(tx.ExecContext(ctx, "SET LOCAL session_replication_role = replica"))
	must.Get(tx.ExecContext(ctx, "SET LOCAL synchronous_commit = off"))
	for table, of := range columns(ctx, tx) {
		names, values := []string{}, []string{}
		for _, c := range of {
			if !c.identity {
				names, values = append(names, `"`+c.name+`"`), append(values, c.copied(table))
			}
		}
		where := "tenant_id"
		if table == "tenants" {
			where = "id"
		}
		text := fmt.Sprintf("INSERT INTO %q (%s) SELECT %s FROM %[1]q AS t, generate_series($1::int, $2::int) AS n, "+
			"lpad(to_hex(n), 8, '0') AS hex WHERE t.%[4]s = (SELECT id FROM tenants WHERE domain = $3)",
			table, strings.Join(names, ", "), strings.Join(values, ", "), where)
		_, err := tx.ExecContext(ctx, text, first, last, domain)
		must.Hold(err == nil, "copy %s: %w", table, err)
	}
	must.Do(tx.Commit())
}

// column is a column of a table of shops.
type column struct {
	name, kind string
	foreign    string // the table it refers to
	identity   bool
}

// copied is its value in a copy.
func (c column) copied(table string) string {
	switch {
	case table == "tenants" && (c.name == "domain" || c.name == "slug"):
		return "'shop' || n || '.' || t." + c.name
	case c.kind == "uuid" && c.foreign != "locations":
		return "(hex || substr(t." + c.name + "::text, 9))::uuid"
	case c.name == "item_ids":
		return `regexp_replace(t.item_ids::text, '"[0-9a-f]{8}(-[0-9a-f-]{27})"', '"' || hex || '\1"', 'g')::jsonb`
	}
	return `t."` + c.name + `"`
}

// columns returns the columns of the table of tenants, and of those whose rows are a tenant's.
func columns(ctx context.Context, tx *sql.Tx) map[string][]column {
	rows := must.Get(tx.QueryContext(ctx, `SELECT c.table_name, c.column_name, c.data_type, c.is_identity = 'YES',
			coalesce((SELECT f.confrelid::regclass::text
			FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
			WHERE f.contype = 'f' AND f.conrelid = c.table_name::regclass AND a.attname = c.column_name LIMIT 1), '')
		FROM information_schema.columns c
		WHERE c.table_schema = 'public' AND c.is_generated = 'NEVER' AND (c.table_name = 'tenants' OR c.table_name IN (
			SELECT table_name FROM information_schema.columns
			WHERE table_schema = 'public' AND column_name = 'tenant_id'))`))
	defer rows.Close()
	tables := map[string][]column{}
	for rows.Next() {
		var table string
		var c column
		must.Do(rows.Scan(&table, &c.name, &c.kind, &c.identity, &c.foreign))
		tables[table] = append(tables[table], c)
	}
	must.Do(rows.Err())
	return tables
}

// measure starts the server and asks it.
func (t *trial) measure(ctx context.Context) {
	var shops, products int
	var size string
	must.Do(t.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM tenants), (SELECT count(*) FROM products),
		pg_size_pretty(pg_database_size(current_database()))`).Scan(&shops, &products, &size))
	fmt.Fprintf(t.out, "%d shops, %d products, %s\n", shops, products, size)
	listed := must.Get(t.Run(ctx, "tenant", "list"))
	fmt.Fprintf(t.out, "storefront tenant list: %.2f s, %s\n", listed.Time.Seconds(), mebibytes(listed.Peak))
	for _, one := range []string{"0", "64MiB"} {
		t.serveWith(ctx, one, shops)
	}
}

// serveWith measures a server with a cache of a size.
func (t *trial) serveWith(ctx context.Context, cache string, shops int) {
	began := time.Now()
	server := t.Serve(ctx, "CACHE_SIZE="+cache)
	defer server.Stop()
	memory := func() string { return mebibytes(server.Memory()) }
	fmt.Fprintf(t.out, "cache %s: ready after %.2f s with %s\n", cache, time.Since(began).Seconds(), memory())
	show := func(what string, r load.Result) {
		fmt.Fprintf(t.out, "cache %s: %s: %.0f a second, half within %.1f ms, 99 of 100 within %.1f ms; %s\n",
			cache, what, r.PerSecond(), milliseconds(r.Quantile(0.5)), milliseconds(r.Quantile(0.99)), memory())
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
		show(of.what, must.Get(load.Run(ctx, server.Addr, load.Get(of.targets), clients, t.spell)))
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
