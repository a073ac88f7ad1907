package catalog_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/testkit/testdb"
)

// manyProducts makes 100,000 products of three shops in one statement. A title is a kind, a maker, a
// property and a model number, so that words are as frequent as in a real catalogue: some in every tenth
// product, a model in one or two. Prices and titles are distinct, and there are a few rates.
const manyProducts = `
WITH shops AS (
	INSERT INTO tenants (id, created_at, updated_at, domain, slug, name, name_fa, default_locale, ` +
	`content_version)
	SELECT gen_random_uuid(), now(), now(), 'shop' || n || '.example', 'shop' || n, 'Shop', 'فروشگاه', 'fa', 1
	FROM generate_series(0, 2) n RETURNING id, domain
), words AS (SELECT
	ARRAY['دستگاهتراش','دستگاهفرز','پرسهیدرولیک',` +
	`'بیلمکانیکی','لودرچرخلاستیکی',` +
	`'ژنراتوردیزلی','کمپرسوراسکرو','ارهنواری',` +
	`'جرثقیلسقفی','پمپآب','دریلستونی'] AS kinds,
	ARRAY['تبریز','مازاک','کوماتسو','هیوندای','کاترپیلار',` +
	`'ولوو','اطلسکوپکو','پارس','آذرخش','زیمنس','فانوک','بوش','ماکیتا'] AS makers,
	ARRAY['نو','کارکرده','بازسازیشده',` +
	`'صنعتی','سنگین','سبک','دیجیتال'] AS properties)
INSERT INTO products (id, created_at, updated_at, slug, title_fa, tags, images, seo, status, ` +
	`published_at, search_text, tag_keys, variations, "values", tenant_id, ` +
	`sort_cheap, sort_dear, sort_rating, sort_title)
SELECT gen_random_uuid(), now(), now(), 'p' || n, title, '[]', '[]', '{}', 'published', ` +
	`timestamptz '2026-01-01' + n * interval '1 second', title,
	'[]', '[]', '{}', shop, -price, price, price % 90, convert_to(title, 'UTF8')
FROM (
	SELECT n, (SELECT id FROM shops WHERE domain = 'shop' || n % 3 || '.example') AS shop,
		abs(hashtext('p' || n)) % 1000000 AS price,
		kinds[1 + n % 11] || makers[1 + n / 7 % 13] || properties[1 + n / 5 % 7] || 'مدل' || left(md5(n::text), ` +
	`5) || n / 2 AS title
	FROM words, generate_series(1, 100000) n
) AS made`

// The indexes of products are made after the rows, which takes a third of the time.
const (
	withoutIndexes = `
CREATE TEMP TABLE dropped AS SELECT indexname, indexdef FROM pg_indexes
WHERE tablename = 'products' AND indexname NOT IN (SELECT conname FROM pg_constraint);
DO $$ DECLARE name text; BEGIN
	FOR name IN SELECT indexname FROM dropped LOOP EXECUTE 'DROP INDEX ' || quote_ident(name); END LOOP;
END $$;`
	withIndexes = `;
DO $$ DECLARE made text; BEGIN
	FOR made IN SELECT indexdef FROM dropped LOOP EXECUTE made; END LOOP;
END $$`
)

// manyShops is the database of manyProducts, in PostgreSQL alone: SQLite's plans do not depend on the size of a shop.
var manyShops = testdb.NewTemplate(func(ctx context.Context, url string) error {
	if err := storetest.Prepare(ctx, url, nil); err != nil {
		return err
	}
	bare, err := sql.Open("postgres", url) // the service's own connections have a limit for statements
	if err != nil {
		return err
	}
	defer bare.Close()
	if _, err := bare.ExecContext(ctx, withoutIndexes+manyProducts+withIndexes); err != nil {
		return err
	}
	// Wide statistics make ANALYZE read all rows. In a sample a rare word may by chance be three times as
	// frequent, which changes the plan.
	_, err = bare.ExecContext(ctx, "ALTER TABLE products ALTER slug SET STATISTICS 400")
	if err != nil {
		return err
	}
	_, err = bare.ExecContext(ctx, "VACUUM ANALYZE products")
	return err
})

// statement is one that the service ran.
type statement struct {
	text string
	args []any
}

// recorder is a driver that keeps the statements that hold a text.
type recorder struct {
	dialect.Driver
	holds string
	mu    sync.Mutex
	seen  []statement
}

func (r *recorder) Query(ctx context.Context, text string, args, v any) error {
	if strings.Contains(text, r.holds) {
		r.mu.Lock()
		r.seen = append(r.seen, statement{text, args.([]any)})
		r.mu.Unlock()
	}
	return r.Driver.Query(ctx, text, args, v)
}

// QueryContext runs the service's handwritten statements without recording them: none of them searches.
func (r *recorder) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return r.Driver.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
}

func (r *recorder) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return r.Driver.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
}

// recording returns a service over a database, and a recorder of its statements that hold a text.
func recording(t testing.TB, s *store.Store, holds string) (*shoptest.Place, *recorder) {
	t.Helper()
	record := &recorder{Driver: s.Driver(), holds: holds}
	recorded := &store.Store{DB: s.DB, Client: tenancy.Guard(ent.NewClient(ent.Driver(record)))}
	return shoptest.StartWith(t, recorded, app.Options{Clock: shoptest.Noon}), record
}

// TestSearchUsesTheTrigramIndex checks that a search among 100,000 products uses the trigram index on their
// text. It explains the statements of the service, prepared as the service prepares them, and run often
// enough for PostgreSQL to choose a generic plan.
func TestSearchUsesTheTrigramIndex(t *testing.T) {
	t.Parallel()
	p, record := recording(t, storetest.Open(t, manyShops.Postgres(t)), "LIKE")

	// Common words come in every tenth product or so, the others in a handful.
	common := []string{"مازاک", "پمپ آب", "سنگین", "ولوو کارکرده", "مدل"}
	rare := []string{
		"c4ca4", "49999", "مازاک 4242", "مدل 12345", "دستگاه تراش نو 31", "هیدرولیک 777",
	}
	for _, query := range slices.Concat(common, rare) {
		shoptest.WantStatus(t, p.Get(t, "/tenants/shop1.example/products?name="+url.QueryEscape(query)), 200)
	}
	if len(record.seen) != 2*len(common)+2*len(rare) { // the page and its count
		t.Fatalf("%d statements search", len(record.seen))
	}
	for i, seen := range record.seen {
		if i < 2*len(common) {
			continue // for a common word PostgreSQL finds the newest matches faster in the order of lists
		}
		var alike []statement // the statements that share its plan
		for _, other := range record.seen {
			if other.text == seen.text {
				alike = append(alike, other)
			}
		}
		if plan := planAfterMany(t, record.Driver, seen, alike); !strings.Contains(plan,
			"product_tenant_id_search_text") ||
			!strings.Contains(plan, "Index Cond: ((tenant_id = ") {
			t.Errorf("a search does not use the trigram index of its shop:\n%s\n%v\n%s", seen.text, seen.args, plan)
		}
	}

	// A word without a trigram would go through the index whole.
	record.seen = nil
	for _, query := range []string{"نو", "c4", "7"} {
		shoptest.WantStatus(t, p.Get(t, "/tenants/shop1.example/products?name="+url.QueryEscape(query)), 200)
	}
	for _, seen := range record.seen {
		plan := planAfterMany(t, record.Driver, seen, []statement{seen})
		if regexp.MustCompile("Index Cond: .*search_text").MatchString(plan) {
			t.Errorf("a short word is looked for in the trigram index:\n%s\n%v\n%s", seen.text, seen.args, plan)
		}
	}

	// The next pages of a common word are read in the order of lists: PostgreSQL sees that itself.
	for _, query := range []string{"مازاک", "سنگین", "مدل"} {
		for _, page := range []string{"3", "4"} {
			record.seen = nil
			shoptest.WantStatus(t, p.Get(t, "/tenants/shop1.example/products?name="+url.QueryEscape(query)+
				"&page="+page), 200)
			for _, seen := range record.seen {
				plan := planAfterMany(t, record.Driver, seen, []statement{seen})
				if !strings.Contains(plan, "product_tenant_id_status_published_at_id") ||
					strings.Contains(plan, "product_tenant_id_search_text") {
					t.Errorf("a common word is not looked for in the order of the list:\n%s\n%s", seen.text, plan)
				}
			}
		}
	}
}

// planAfterMany prepares a statement, runs it with the arguments of all that share its text in turn, ten
// times in all, and gives the plan of the next run.
func planAfterMany(t *testing.T, db dialect.Driver, s statement, alike []statement) string {
	t.Helper()
	tx, err := db.Tx(t.Context()) // one connection
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	run(t, tx, "PREPARE search AS "+s.text)
	defer run(t, tx, "DEALLOCATE search")
	for i := range 10 {
		run(t, tx, "EXECUTE search"+values(t, alike[i%len(alike)].args))
	}
	var rows entsql.Rows
	if err := tx.Query(t.Context(), "EXPLAIN EXECUTE search"+values(t, s.args), []any{}, &rows); err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(line + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	rows.Close()
	return plan.String()
}

// values writes the arguments of an EXECUTE.
func values(t testing.TB, args []any) string {
	var written []string
	for _, arg := range args {
		var text string
		switch arg := arg.(type) {
		case string:
			text = arg
		case uuid.UUID:
			text = arg.String()
		case time.Time:
			text = arg.Format(time.RFC3339Nano)
		case fmt.Stringer:
			text = arg.String()
		default:
			text = fmt.Sprint(arg)
		}
		written = append(written, "'"+strings.ReplaceAll(text, "'", "''")+"'")
	}
	return "(" + strings.Join(written, ", ") + ")"
}

func run(t testing.TB, db dialect.ExecQuerier, text string) {
	t.Helper()
	if err := db.Exec(t.Context(), text, []any{}, nil); err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
}
