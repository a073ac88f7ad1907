package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"storefront/cmd/bench/catalog"
	"storefront/internal/bundle"
	"storefront/internal/site"
	"storefront/internal/store"
	"storefront/internal/testdb"
)

// BenchmarkHandler is one request through the whole service without a network: what the processor does and how much
// memory that takes. ns/op holds the database's time.
func BenchmarkHandler(b *testing.B) {
	file := filepath.Join(b.TempDir(), "shop.json")
	out, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	if err := catalog.Write(out, 2000); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	for _, kind := range []struct {
		name string
		url  func(testing.TB) string
	}{{sqlite, testdb.SQLite}, {postgres, testdb.Postgres}} {
		b.Run(kind.name, func(b *testing.B) {
			service := serviceOn(b, kind.url(b), file)
			for _, o := range []operation{
				{name: "tenant", targets: []string{""}},
				{name: "list", targets: []string{"/products"}},
				{name: "detail", targets: []string{"/products/product-1"}},
				{name: "store-items", targets: []string{"/store-items?minPrice=800000&maxPrice=3150000"}},
			} {
				b.Run(o.name, func(b *testing.B) { answer(b, service, "/api/v1/tenants/"+catalog.Domain+o.targets[0]) })
			}
		})
	}
}

// serviceOn is the service over a new database that holds the shop of a file.
func serviceOn(b *testing.B, url, file string) http.Handler {
	s, err := store.Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if err := s.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	if _, err := bundle.Import(b.Context(), s, bundle.File(file), nil); err != nil {
		b.Fatal(err)
	}
	service, err := site.New(s, slog.New(slog.NewJSONHandler(io.Discard, nil)), site.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return service
}

func answer(b *testing.B, h http.Handler, target string) {
	request := httptest.NewRequest(http.MethodGet, target, nil)
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request)
		if w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}
