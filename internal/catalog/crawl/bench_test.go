package crawl_test

import (
	"encoding/xml"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent/product"
	"storefront/internal/catalog"
	"storefront/internal/catalog/crawl"
	"storefront/internal/catalog/lookup"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/testkit/testdb"
)

var manyProducts = flag.Int("products", 10_000, "how many products BenchmarkSitemap has")

// BenchmarkSitemap reads the whole sitemap of a shop with many products, and reports how much memory that takes:
//
//	scripts/with-postgres go test -run '^$' -bench Sitemap -benchtime 1x ./internal/catalog/crawl -products 1000000
func BenchmarkSitemap(b *testing.B) {
	for _, kind := range []struct {
		name string
		url  func(testing.TB) string
	}{{"sqlite", testdb.SQLite}, {"postgres", testdb.Postgres}} {
		b.Run(kind.name, func(b *testing.B) {
			s := storetest.Open(b, kind.url(b))
			fill(b, s, *manyProducts)
			lists := catalog.NewCatalog(s.Client, lookup.NewTenants(s.DB))
			files := crawl.New(crawl.Records{Catalog: lists, Store: s.Client}, time.Now,
				slog.New(slog.DiscardHandler), "").Handler()
			var began runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&began)
			for b.Loop() {
				most, addresses, bytes := uint64(0), 0, 0
				index := &reader{}
				at := time.Now()
				get(b, files, "/shops/many.example/sitemap.xml", index)
				b.ReportMetric(time.Since(at).Seconds(), "s/index")
				for _, name := range index.parts(b) {
					part := &reader{discard: true}
					get(b, files, "/shops/many.example"+strings.TrimPrefix(name, "https://many.example"), part)
					addresses, bytes, most = addresses+part.urls, bytes+part.bytes, max(most, part.heap)
				}
				if addresses < *manyProducts {
					b.Fatalf("got %d addresses, want %d", addresses, *manyProducts)
				}
				b.ReportMetric(float64(addresses), "addresses")
				b.ReportMetric(float64(bytes)/1e6, "MB")
				b.ReportMetric(float64(most-min(most, began.HeapInuse))/(1<<20), "MiB-heap")
			}
		})
	}
}

// fill makes a shop with products.
func fill(b *testing.B, s *store.Store, products int) {
	b.Helper()
	if err := s.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	shop, err := bundle.Import(b.Context(), s, bundle.Bytes([]byte(`{"format": "storefront-bundle/1",
		"tenant": {"domain": "many.example", "slug": "many", "name": "Many", "nameFa": "بسیار",
			"defaultLocale": "fa"},
		"products": [{"slug": "one", "titleFa": "کالای یکم", "publishedAt": "2026-01-01T00:00:00Z"}]}`)), nil)
	if err != nil {
		b.Fatal(err)
	}
	id, moment := "gen_random_uuid()", "published_at - n * interval '1 second'"
	series := "generate_series($2::bigint, $3::bigint) AS s(n)"
	if s.Dialect == dialect.SQLite {
		id = "substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7' || substr(h, 14, 3) || '-8' || substr(h, 18, 3)" +
			" || '-' || substr(h, 21, 12)"
		moment = "published_at - n * 1000000"
		series = "(WITH RECURSIVE s(n, h) AS (SELECT $2, lower(hex(randomblob(16))) UNION ALL " +
			"SELECT n + 1, lower(hex(randomblob(16))) FROM s WHERE n < $3) SELECT n, h FROM s)"
	}
	values := make([]string, len(product.Columns))
	for i, column := range product.Columns {
		switch column {
		case product.FieldID:
			values[i] = id
		case product.FieldSlug:
			values[i] = "'a-product-of-this-shop-' || n"
		case product.FieldPublishedAt:
			values[i] = moment
		default:
			values[i] = `"` + column + `"`
		}
	}
	const atOnce = 10_000
	for n := 1; n <= products; n += atOnce {
		_, err = s.Client.ExecContext(b.Context(), fmt.Sprintf(`INSERT INTO products ("%s") SELECT %s FROM products, %s
			WHERE tenant_id = $1 AND slug = 'one'`, strings.Join(product.Columns, `", "`), strings.Join(values, ", "),
			series), shop.Tenant, n, min(n+atOnce-1, products))
		if err != nil {
			b.Fatal(err)
		}
	}
}

// reader is an http.ResponseWriter that records measurements of an answer.
type reader struct {
	discard     bool
	header      http.Header
	status      int
	text        []byte
	bytes, urls int
	heap        uint64 // in use, at most
}

func (r *reader) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

func (r *reader) WriteHeader(status int) { r.status = status }

func (r *reader) Write(some []byte) (int, error) {
	if !r.discard {
		r.text = append(r.text, some...)
	}
	if r.urls == 0 || r.bytes>>20 != (r.bytes+len(some))>>20 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		r.heap = max(r.heap, now.HeapInuse)
	}
	r.bytes, r.urls = r.bytes+len(some), r.urls+strings.Count(string(some), "<url>")
	return len(some), nil
}

func (r *reader) parts(b *testing.B) []string {
	b.Helper()
	var index struct {
		Parts []string `xml:"sitemap>loc"`
	}
	if err := xml.Unmarshal(r.text, &index); err != nil {
		b.Fatal(err)
	}
	return index.Parts
}

func get(b *testing.B, files http.Handler, path string, into *reader) {
	b.Helper()
	files.ServeHTTP(into, httptest.NewRequest(http.MethodGet, path, nil))
	if into.status != 0 && into.status != http.StatusOK {
		b.Fatalf("%s: got %d %s", path, into.status, into.text)
	}
}
