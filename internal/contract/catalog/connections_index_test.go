package catalog_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
)

// orders holds the orders of products, the index of each, and the condition that locates a cursor in it.
var orders = []struct{ sort, index, onPostgres, onSQLite string }{
	{sort: "newest", index: "product_tenant_id_status_published_at_id",
		onPostgres: "(ROW(published_at, id) < ROW(", onSQLite: "published_at<?"},
	{sort: "price_asc", index: "product_tenant_id_status_sort_cheap_published_at_id",
		onPostgres: "(ROW(sort_cheap, published_at, id) < ROW(", onSQLite: "(sort_cheap,published_at,id)<(?,?,?)"},
	{sort: "price_desc", index: "product_tenant_id_status_sort_dear_published_at_id",
		onPostgres: "(ROW(sort_dear, published_at, id) < ROW(", onSQLite: "(sort_dear,published_at,id)<(?,?,?)"},
	{sort: "rating", index: "product_tenant_id_status_sort_rating_published_at_id",
		onPostgres: "(ROW(sort_rating, published_at, id) < ROW(", onSQLite: "(sort_rating,published_at,id)<(?,?,?)"},
	{sort: "title", index: "product_tenant_id_status_sort_title_published_at_id", onPostgres: "(sort_title >= ",
		onSQLite: "sort_title>?"},
}

// TestConnectionsFindTheirPlaceByAnIndex checks that a page behind a cursor starts at its position in the
// index of its order, so that it costs the same anywhere in the list. SQLite's plans do not depend on the
// shop's size; PostgreSQL's are those for 100,000 products.
func TestConnectionsFindTheirPlaceByAnIndex(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		s := storetest.Open(t, storetest.Migrated.SQLite(t))
		run(t, s.Driver(), "INSERT INTO tenants (id, created_at, updated_at, domain, slug, name, "+
			"name_fa) VALUES ('00000000-0000-7000-8000-000000000001', 0, 0, 'shop1.example', 'shop1', 'Shop', 'Shop')")
		p, record := recording(t, s, "ed_at")
		plans := indexed(t, p, record)
		for i, o := range orders {
			if plan := plans[i]; !strings.Contains(plan, o.index) || !strings.Contains(plan, o.onSQLite) ||
				strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s: %s", o.sort, plan)
			}
		}
	})
	t.Run("postgres", func(t *testing.T) {
		p, record := recording(t, storetest.Open(t, manyShops.Postgres(t)), "ed_at")
		plans := indexed(t, p, record)
		for i, o := range orders {
			if plan := plans[i]; !strings.Contains(plan, "using "+o.index) || !strings.Contains(plan, o.onPostgres) ||
				strings.Contains(plan, "Sort") {
				t.Errorf("%s: %s", o.sort, plan)
			}
			if plan := planOfPages(t, p, record, o.sort); !strings.Contains(plan, "using "+o.index) ||
				!strings.Contains(plan, "tenant_id = $") {
				t.Errorf("%s: pages are not read by one plan along its index: %s", o.sort, plan)
			}
		}
	})
}

// planOfPages returns the plan that PostgreSQL uses for a page after it has read many. The plan contains
// parameters instead of values if it is generic.
func planOfPages(t *testing.T, p *shoptest.Place, record *recorder, sort string) string {
	t.Helper()
	record.seen = nil
	for page := 30; page < 40; page++ {
		var got any
		p.Graph(t, shoptest.About("shop1.example", fmt.Sprintf(
			`products(page: %d, pageSize: 24, sort: %s) { items { slug } }`, page, sort)), &got)
	}
	pages := slices.DeleteFunc(record.seen, func(s statement) bool { return !strings.Contains(s.text, "OFFSET") })
	for _, s := range pages[1:] {
		if s.text != pages[0].text {
			t.Fatalf("%s: pages have statements of their own: %s", sort, s.text)
		}
	}
	return planAfterMany(t, record.Driver, pages[0], pages)
}

// indexed returns the plan of a page behind a cursor in each order.
func indexed(t *testing.T, p *shoptest.Place, record *recorder) (plans []string) {
	t.Helper()
	for _, o := range orders {
		record.seen = nil
		var got any
		p.Graph(t, shoptest.About("shop1.example",
			fmt.Sprintf(`productsConnection(first: 12, sort: %s, after: %q) { nodes { slug } }`, o.sort,
				cursorOf(o.sort))), &got)
		if len(record.seen) != 1 {
			t.Fatalf("%s: got %d statements, want 1", o.sort, len(record.seen))
		}
		for _, arg := range record.seen[0].args {
			if at, ok := arg.(time.Time); ok && o.sort == "newest" && at.Equal(shoptest.Today) {
				t.Errorf("got a statement that begins at the present, want one that begins at the cursor: %s",
					record.seen[0].text)
			}
		}
		plans = append(plans, planOf(t, record.Driver, record.seen[0]))
	}
	return plans
}

// TestOptionsAreWalkedByAnIndex checks that a page of a long list filtered by an option, or of variants by a price
// that most have, is read along the index of the list's order, without reading records that are on no page.
func TestOptionsAreWalkedByAnIndex(t *testing.T) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		importSizes(t, s)
		if s.Dialect == dialect.Postgres {
			run(t, s.Driver(), "ANALYZE products, variants")
		}
		p, record := recording(t, s, "ed_at")
		for list, index := range map[string]string{
			`products(options: [{key: "size", anyOf: ["small"]}])`:   "product_tenant_id_status_published_at_id",
			`storeItems(options: [{key: "size", anyOf: ["small"]}])`: "variant_tenant_id_listed_at_id",
			`storeItems(minPrice: 0, maxPrice: 2)`:                   "variant_tenant_id_listed_at_id",
		} {
			record.seen = nil
			var got any
			p.Graph(t, shoptest.About("sizes.example", list+` { items { id } }`), &got)
			page := slices.IndexFunc(record.seen,
				func(s statement) bool { return strings.Contains(s.text, "LIMIT") })
			if page < 0 {
				t.Fatal("no page was read")
			}
			if plan := planOf(t, record.Driver, record.seen[page]); !strings.Contains(plan, index) ||
				strings.Contains(plan, "Sort") || strings.Contains(plan, "Hash") ||
				strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s: %s", list, plan)
			}
		}
	})
}

// importSizes makes a shop with so many products of one size that a list of them is long.
func importSizes(t *testing.T, s *store.Store) {
	t.Helper()
	var products []string
	for i := range 1500 {
		products = append(products, fmt.Sprintf(`{"slug": "p%d", "titleFa": "p", "publishedAt": "2026-01-01T00:00:00Z",
			"variations": [{"key": "size", "name": "Size", "nameFa": "x",
			"values": [{"key": "small", "label": "S", "labelFa": "S"}]}],
			"variants": [{"sku": "%[1]d", "options": {"size": "small"}, "price": 1, "priceCurrency": "USD",
			"stock": 1}]}`, i))
	}
	text := `{"format": "storefront-bundle/1", "tenant": {"domain": "sizes.example", "slug": "sizes", "name": "S",
		"nameFa": "S", "defaultLocale": "fa"}, "products": [` +
		strings.Join(products, ",") + `]}`
	if _, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(text)), nil); err != nil {
		t.Fatal(err)
	}
}

// planOf explains a statement.
func planOf(t *testing.T, db dialect.Driver, s statement) string {
	t.Helper()
	explain := map[string]string{dialect.SQLite: "EXPLAIN QUERY PLAN ",
		dialect.Postgres: "EXPLAIN "}[db.Dialect()]
	var rows entsql.Rows
	if err := db.Query(t.Context(), explain+s.text, s.args, &rows); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&plan, *values[len(values)-1].(*any)) // the plan is in the last column
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

// cursorOf returns a cursor in the middle of the products.
func cursorOf(sort string) string {
	key := map[string]string{"price_asc": `"r":-500000,`, "price_desc": `"r":500000,`, "rating": `"r":45,`,
		"title": `"n":"2b7Yqw==",`}[sort]
	return base64.RawURLEncoding.EncodeToString([]byte(`{"v":1,"l":"products.` + sort + `",` + key +
		`"t":1767275000000000,"i":"01890a5d-ac96-774b-bcce-b302099a8057"}`))
}
