package report_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/sale/report"
	"storefront/internal/testkit/testdb"
)

var manyOrders = flag.Int("orders", 10_000, "how many orders BenchmarkReport has in two years")

// BenchmarkReport makes reports of a shop with many orders of two lines, of 200,000 customers and 5,000 products, and
// 50,000 carts with something in them:
//
//	scripts/with-postgres go test -run '^$' -bench Report -benchtime 10x -timeout 1h \
//	  ./internal/sale/report -orders 1000000
func BenchmarkReport(b *testing.B) {
	for _, kind := range []struct {
		name string
		url  func(testing.TB) string
	}{{"sqlite", testdb.SQLite}, {"postgres", testdb.Postgres}} {
		b.Run(kind.name, func(b *testing.B) {
			s := fill(b, kind.url(b), *manyOrders)
			at := func(days int) *time.Time { return new(s.now.AddDate(0, 0, -days)) }
			ask := func(name string, asked report.Request) {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := s.reports.Of(b.Context(), s.id, asked); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			whole := report.Request{From: at(731), Interval: record.Month, Best: 10, Products: true, Categories: true,
				Provinces: true, Carts: true}
			today := report.Request{Interval: record.Day, Best: 10, Products: true, Categories: true, Provinces: true,
				Carts: true}
			ask("today", today)
			month := whole
			month.From, month.Interval = at(30), record.Day
			b.Run("30-days-not-stored", func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					s.Client.OrderDay.Delete().ExecX(s.here)
					b.StartTimer()
					if _, err := s.reports.Of(b.Context(), s.id, month); err != nil {
						b.Fatal(err)
					}
				}
			})
			for {
				began := time.Now()
				_, err := s.reports.Of(b.Context(), s.id, whole)
				b.Logf("the first reading of two years took %v: %v", time.Since(began).Round(time.Millisecond), err)
				if err == nil {
					break
				}
				if !fault.Is(err, fault.Unavailable) {
					b.Fatal(err)
				}
			}
			ask("30-days", month)
			ask("two-years", whole)
			figures := report.Request{From: at(731), Interval: record.Month}
			ask("two-years-without-lists", figures)
		})
	}
}

// fill makes a shop with orders.
func fill(b *testing.B, url string, orders int) *shop {
	b.Helper()
	db := storetest.Open(b, url)
	if err := db.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	if _, err := bundle.Import(b.Context(), db, bundle.Bytes(manyProducts()), nil); err != nil {
		b.Fatal(err)
	}
	s := &shop{Store: db, now: today,
		id: db.Client.Tenant.Query().Where(tenant.Slug("many")).OnlyIDX(b.Context())}
	s.here = tenancy.In(b.Context(), s.id)
	s.reports = report.New(db.Client, func() time.Time { return s.now }, slog.New(slog.DiscardHandler))
	run := func(text string) error { return db.Driver().Exec(b.Context(), text, []any{}, nil) }
	if db.Dialect == dialect.Postgres { // a connection without the service's time limits
		plain, err := sql.Open("postgres", url)
		if err != nil {
			b.Fatal(err)
		}
		defer plain.Close()
		run = func(text string) error { _, err := plain.ExecContext(context.Background(), text); return err }
	}
	for _, text := range filling {
		if db.Dialect != dialect.Postgres && strings.HasPrefix(text, "VACUUM") {
			text = "ANALYZE"
		}
		began := time.Now()
		if err := run(s.statement(text, orders)); err != nil {
			b.Fatal(err)
		}
		b.Logf("%.40s: %v", text, time.Since(began).Round(time.Millisecond))
	}
	return s
}

// filling are the statements that fill the shop. N is the number of orders, {n 0a} the nth id of a kind, AT
// the time of order i, SHOP the shop, and JSON(…) a text as JSON.
var filling = []string{
	`INSERT INTO users (id, created_at, updated_at, cell_number, cell_verified, vouched)
		WITH RECURSIVE N(200000) SELECT {i 0a}, AT, AT, '+98' || i, true, true FROM n`,
	`INSERT INTO orders (id, created_at, updated_at, order_number, status, total_quantity, subtotal, total, discount,
			price_currency, shipping_address, tenant_id, user_id)
		WITH RECURSIVE N(ORDERS) SELECT {i 0b}, AT, AT, 'N' || i,
			CASE WHEN i % 12 = 5 THEN 'cancelled' WHEN i % 100 = 7 THEN 'pending' ELSE 'delivered' END,
			2, 1000000 + i, 1000000 + i, i % 1000, CASE WHEN i % 50 = 3 THEN 'IRT' ELSE 'IRR' END,
			JSON('{"province": "' || CASE i % 5 WHEN 0 THEN 'Alborz' WHEN 1 THEN 'nowhere' ELSE 'تهران' END
				|| '", "city": "c", "address": "somewhere in a street with a name"}'),
			SHOP, {(i * 7919) % 200000 0a} FROM n`,
	`INSERT INTO order_items (id, created_at, updated_at, store_item_variant_id, product_id, product_slug, title_fa,
			options, sku, quantity, unit_price, line_total, tenant_id, order_id)
		WITH RECURSIVE N(ORDERS), p AS (SELECT id, product_id, row_number() OVER (ORDER BY id) - 1 AS k FROM variants),
			l AS (SELECT 0 AS l UNION ALL SELECT 1)
		SELECT {i * 2 + l 0c}, AT, AT, p.id, p.product_id, 'a-slug-of-a-product', 'the title of a product', JSON('[]'),
			'SKU', 1, 500000 + i, 500000 + i, SHOP, {i 0b}
		FROM n CROSS JOIN l JOIN p ON p.k = (i * 31 + l * 977) % 5000`,
	`INSERT INTO payments (id, created_at, updated_at, type, status, amount, refunded, tenant_id, order_id)
		WITH RECURSIVE N(ORDERS) SELECT {i 0d}, AT, AT, 'cash', CASE WHEN i % 40 = 1 THEN 'refunded' ELSE 'paid' END,
			1000000 + i, CASE WHEN i % 40 = 1 THEN 1000000 + i ELSE 0 END, SHOP, {i 0b} FROM n`,
	`INSERT INTO carts (id, tenant_id, user_id, checkouts, created_at, updated_at)
		WITH RECURSIVE N(50000) SELECT {i 0e}, SHOP, {i 0a}, 0, AT, AT FROM n`,
	`INSERT INTO cart_items (id, created_at, updated_at, cart_id, variant_id, quantity, seen_price, tenant_id)
		WITH RECURSIVE N(50000), p AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS k FROM variants)
		SELECT {i 0f}, AT, AT, {i 0e}, p.id, 2, 1000, SHOP FROM n JOIN p ON p.k = (i * 31) % 5000`,
	`VACUUM ANALYZE`,
}

var (
	aCount = regexp.MustCompile(`N\((\w+)\)`)
	anID   = regexp.MustCompile(`\{(.+?) (\w\w)\}`)
	aJSON  = regexp.MustCompile(`(?s)JSON\((.*?(?:\}|\[\])')\)`)
)

// statement returns a statement of filling in the SQL of a database.
func (s *shop) statement(text string, orders int) string {
	id, one := `('000000$2-0000-7000-8000-' || printf('%012x', $1))`, "0"
	moment, asJSON := "CAST(%[1]d + i * %[2]d AS integer)", "($1)"
	if s.Dialect == dialect.Postgres {
		id, one = `CAST('000000$2-0000-7000-8000-' || lpad(to_hex($1), 12, '0') AS uuid)`, "CAST(0 AS bigint)"
		moment, asJSON = "to_timestamp((%[1]d + i * %[2]d) / 1000000.0)", "CAST($1 AS jsonb)"
	}
	step := (730 * 24 * time.Hour / time.Duration(orders)).Microseconds()
	begin := s.now.Add(-730 * 24 * time.Hour).UnixMicro()
	text = strings.ReplaceAll(text, "ORDERS", fmt.Sprint(orders))
	text = aCount.ReplaceAllString(text, "n(i) AS (SELECT "+one+" UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1)")
	text = anID.ReplaceAllString(aJSON.ReplaceAllString(text, asJSON), id)
	moment = fmt.Sprintf(moment, begin, step)
	return strings.NewReplacer("AT,", moment+",", "AT FROM", moment+" FROM", "SHOP", "'"+s.id.String()+"'").
		Replace(text)
}

// manyProducts returns a bundle of a shop with 5,000 products in 50 categories.
func manyProducts() []byte {
	var out strings.Builder
	out.WriteString(`{"format": "storefront-bundle/1", "tenant": {"domain": "many.example", "slug": "many",
		"name": "Many", "nameFa": "بسیار", "defaultLocale": "fa"}, "categories": [`)
	for i := range 50 {
		fmt.Fprintf(&out, `%s{"entityType": "product", "slug": "c-%d", "name": "C", "nameFa": "د"}`, comma(i), i)
	}
	out.WriteString(`], "products": [`)
	for i := range 5000 {
		fmt.Fprintf(&out, `%s{"slug": "p-%d", "titleFa": "کالا %[2]d", "category": "c-%d", "status": "published",
			"publishedAt": "2024-01-01T00:00:00Z",
			"variants": [{"sku": "S-%[2]d", "priceCurrency": "IRR", "price": 500000, "stock": 9}]}`, comma(i), i, i%50)
	}
	out.WriteString("]}")
	return []byte(out.String())
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}
