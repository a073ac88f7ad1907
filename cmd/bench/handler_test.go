package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"storefront/cmd/bench/catalog"
	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/content/stored"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/testkit/testdb"
)

// BenchmarkHandler measures one request through the whole service without a network: processor time and
// memory. ns/op includes the database's time.
func BenchmarkHandler(b *testing.B) {
	for _, kind := range []struct {
		name string
		url  func(testing.TB) string
	}{{sqlite, testdb.SQLite}, {postgres, testdb.Postgres}} {
		b.Run(kind.name, func(b *testing.B) {
			service := serviceOn(b, kind.url(b))
			for _, o := range []operation{
				{name: "tenant", targets: []string{""}},
				{name: "list", targets: []string{"/products"}},
				{name: "detail", targets: []string{"/products/product-0"}},
				{name: "store-items", targets: []string{"/store-items?minPrice=800000&maxPrice=3150000"}},
			} {
				b.Run(o.name, func(b *testing.B) { answer(b, service, "/api/v1/tenants/"+shopOfTests+o.targets[0]) })
			}
		})
	}
}

const (
	shopOfTests = catalog.Domain
	keyOfTests  = "a key of tests alone, long enough"
)

// serviceOn returns the service over a new database with the test shop.
func serviceOn(t testing.TB, url string) http.Handler {
	importShop(t, url)
	return serviceOver(t, url)
}

// serviceOver returns the service over a database.
func serviceOver(t testing.TB, url string) http.Handler {
	s := storetest.Open(t, url)
	service, err := app.New(s, slog.New(slog.NewJSONHandler(io.Discard, nil)), app.Options{Key: []byte(keyOfTests)})
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// served returns the address of the service over a new database with the test shop.
func served(t testing.TB, url string) (addr string) {
	return listening(t, serviceOn(t, url))
}

// listening serves a handler and returns its address.
func listening(t testing.TB, h http.Handler) (addr string) {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// importShop imports the test shop into a new database.
func importShop(t testing.TB, url string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.json")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(catalog.Write(out, 2000), out.Close()); err != nil {
		t.Fatal(err)
	}
	importFile(t, url, file)
}

// importFile imports a bundle into a new database.
func importFile(t testing.TB, url, file string) {
	t.Helper()
	err := storetest.Prepare(t.Context(), url, func(ctx context.Context, s *store.Store) error {
		_, err := bundle.Import(ctx, s, bundle.File(file), nil)
		return errors.Join(err, s.Settle(ctx, stored.Tables()...))
	})
	if err != nil {
		t.Fatal(err)
	}
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
