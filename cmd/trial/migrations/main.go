// Package migrations migrates a large database of PostgreSQL while customers shop, by files of every kind that later
// releases may have: columns, constraints, indexes, and rows that are changed in batches. Twice the migration is cut
// off and taken up again. No answer may take longer than a second or be a fault, and no order may be missing.
package migrations

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"path"
	"sync/atomic"
	"testing/fstest"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/database"
	"storefront/internal/database/versions"
)

const (
	customers = 6
	longest   = time.Second // that any answer may take
)

func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("migrations", flag.ContinueOnError)
	program := flags.String("program", "bin/storefront", "the program")
	products := flags.Int("products", 100_000, "of the shop, each with a variant")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return stage.Each(ctx, stage.Postgres, *program, func(s *stage.Stage) {
		s.Env = []string{"REGISTRATIONS_PER_HOUR=0", "DRAIN_TIME=0s"}
		(&trial{Stage: s, products: *products, out: out}).run(ctx)
	})
}

type trial struct {
	*stage.Stage
	products int
	out      io.Writer
	slowest  atomic.Int64 // answer, in nanoseconds
	answers  atomic.Int64
}

// later are the files of a later release, in the order of their names.
var later = []struct{ name, text string }{
	{"column", `ALTER TABLE "variants" ADD COLUMN "trial_weight" bigint NULL`},
	{"batches", "-- batches from 00000000-0000-0000-0000-000000000000\n" +
		`SELECT last::text FROM (SELECT id AS last FROM "variants" WHERE id > $1::uuid ORDER BY id LIMIT 500) AS part
		ORDER BY last DESC LIMIT 1;` + "\n" +
		`UPDATE "variants" SET "trial_weight" = 1 WHERE id > $1::uuid AND id <= $2::uuid;`},
	{"index", `CREATE INDEX CONCURRENTLY "trial_weights" ON "variants" ("tenant_id", "trial_weight")`},
	{"unique_index", `CREATE UNIQUE INDEX CONCURRENTLY "trial_slugs" ON "products" ("tenant_id", "slug", "id")`},
	{"check", `ALTER TABLE "variants" ADD CONSTRAINT "trial_check" CHECK ("trial_weight" > 0) NOT VALID`},
	{"validate", `ALTER TABLE "variants" VALIDATE CONSTRAINT "trial_check"`},
	{"reference", `ALTER TABLE "cart_items" ADD CONSTRAINT "trial_reference" FOREIGN KEY ("variant_id")
		REFERENCES "variants" ("id") ON DELETE CASCADE NOT VALID`},
	{"validate_reference", `ALTER TABLE "cart_items" VALIDATE CONSTRAINT "trial_reference"`},
	{"drop_index", `DROP INDEX CONCURRENTLY IF EXISTS "trial_weights"`},
}

func (t *trial) run(ctx context.Context) {
	t.Import(ctx, customer.AlwaysInStock())
	t.fill(ctx)
	server := t.Serve(ctx)
	buyers := customer.EnterAll(ctx, customers, func(int) customer.Client {
		return customer.Client{Base: customer.At(server.Addr)}
	})
	crowd := customer.Go(ctx, buyers, t.step)
	must.Do(customer.Wait(ctx, 10*time.Second))
	t.tell("without a migration")
	db := must.Get(database.Open(ctx, t.Database))
	defer db.Close()
	files := fstest.MapFS{}
	for _, name := range must.Get(fs.Glob(versions.Files, "postgres/*.sql")) {
		files[name] = &fstest.MapFile{Data: must.Get(fs.ReadFile(versions.Files, name))}
	}
	for i, file := range later {
		name := fmt.Sprintf("20990101%06d_%s.sql", i, file.name)
		files[path.Join("postgres", name)] = &fstest.MapFile{Data: []byte(file.text)}
		began := time.Now()
		if file.name == "batches" || file.name == "index" { // a deployment that is cut off
			short, stop := context.WithTimeout(ctx, 3*time.Second)
			err := database.Migrate(short, db, files)
			stop()
			if err != nil {
				fmt.Fprintf(t.out, "%s was cut off after 3 s\n", file.name)
			}
		}
		must.Do(database.Migrate(ctx, db, files))
		t.tell(fmt.Sprintf("%s, %.1f s", file.name, time.Since(began).Seconds()))
	}
	must.Do(crowd.Stop(), customer.Get(ctx, server.Addr, "/readyz").Read(nil), customer.Check(ctx, buyers))
	fmt.Fprintf(t.out, "%d products, %d orders: no fault, no order lost, no answer above %v\n", t.products,
		customer.Acknowledged(buyers), longest)
}

// tell prints what the customers saw, and begins anew.
func (t *trial) tell(of string) {
	slowest := time.Duration(t.slowest.Swap(0))
	fmt.Fprintf(t.out, "%s: %d answers, the slowest after %d ms\n", of, t.answers.Swap(0), slowest.Milliseconds())
	must.Hold(slowest <= longest, "%s: an answer took %v", of, slowest)
}

// step does one thing.
func (t *trial) step(ctx context.Context, c *customer.Customer, _ int) (err error) {
	began := time.Now()
	switch n := rand.IntN(100); {
	case n < 40:
		err = c.Add(ctx, c.Any(), 1).Read(nil)
	case n < 60:
		err = c.Checkout(ctx)
		if p := c.Bought[len(c.Bought)-1]; err == nil && p.Refused != nil && customer.Code(p.Refused) != "CART_EMPTY" {
			err = p.Refused
		}
	case n < 80:
		err = c.REST(ctx, http.MethodGet, c.Shop("/cart"), nil).Read(nil)
	default:
		err = c.REST(ctx, http.MethodGet, fmt.Sprintf("/tenants/%s/products?page=%d", customer.Domain,
			1+rand.IntN(40)), nil).Read(nil)
	}
	took := int64(time.Since(began))
	for was := t.slowest.Load(); took > was && !t.slowest.CompareAndSwap(was, took); was = t.slowest.Load() {
	}
	t.answers.Add(1)
	return err
}

// fill makes as many products and variants as were asked for, like the first one of the shop. Indexes are made
// behind the rows, in a third of the time.
func (t *trial) fill(ctx context.Context) {
	const indexes = `SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('products', 'variants')
		AND indexname NOT IN (SELECT conname FROM pg_constraint)`
	copied := func(table, own, values string) string {
		return fmt.Sprintf(`DO $$ DECLARE columns text; BEGIN
			SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns FROM pg_attribute
				WHERE attrelid = '%[1]s'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
				AND attname <> ALL ('{%[2]s}');
			EXECUTE 'INSERT INTO %[1]s (%[2]s, ' || columns || ') SELECT %[3]s, ' || columns ||
				' FROM (SELECT * FROM %[1]s ORDER BY id LIMIT 1) AS one, generate_series(1, %[4]d) AS n';
		END $$`, table, own, values, t.products)
	}
	stage.Exec(ctx, t.Database, "SET synchronous_commit = off; CREATE TABLE trial_indexes AS "+indexes,
		`DO $$ DECLARE name text; BEGIN FOR name IN SELECT indexname FROM trial_indexes LOOP
			EXECUTE 'DROP INDEX ' || quote_ident(name); END LOOP; END $$`,
		copied("products", "id, slug, published_at", id+", ''made-'' || n, now() - n * interval ''1 second''"),
		copied("variants", "id, product_id, sku, listed_at",
			id+", "+id+", ''M-'' || n, now() - n * interval ''1 second''"),
		`DO $$ DECLARE made text; BEGIN FOR made IN SELECT indexdef FROM trial_indexes LOOP
			EXECUTE made; END LOOP; END $$`,
		"UPDATE tenants SET content_version = content_version + 1", "VACUUM (ANALYZE) products, variants")
}

const id = "(''00000000-0000-7000-8000-'' || lpad(to_hex(n), 12, ''0''))::uuid"
