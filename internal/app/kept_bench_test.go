package app_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

// BenchmarkKeptAnswer requests a cached answer from 16 clients, in process and without a network. It measures
// the whole cost of a hit besides net/http, including its line in a log file.
func BenchmarkKeptAnswer(b *testing.B) {
	const path = "/api/v1/tenants/paperlane.example/products?pageSize=24"
	for name, create := range map[string]func(testing.TB) string{"sqlite": shoptest.DemoShops.SQLite,
		"postgres": shoptest.DemoShops.Postgres} {
		s := storetest.Open(b, create(b))
		log, err := os.Create(filepath.Join(b.TempDir(), "log"))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { log.Close() })
		service, err := app.New(s, slog.New(slog.NewJSONHandler(log, nil)),
			app.Options{Clock: time.Now, Settings: app.Settings{CacheSize: 64 << 20}})
		if err != nil {
			b.Fatal(err)
		}
		for form, header := range map[string]string{"plain": "", "gzip": "gzip"} {
			b.Run(name+"/"+form, func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism(8)
				b.RunParallel(func(pb *testing.PB) {
					r := httptest.NewRequest(http.MethodGet, path, nil)
					r.Header.Set("Accept-Encoding", header)
					w := &discarded{header: http.Header{}}
					for pb.Next() {
						clear(w.header)
						service.ServeHTTP(w, r)
						if w.status != http.StatusOK {
							b.Errorf("status %d", w.status)
							return
						}
					}
				})
			})
		}
	}
}

// discarded is a ResponseWriter that keeps only the status.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(b []byte) (int, error) { return len(b), nil }
