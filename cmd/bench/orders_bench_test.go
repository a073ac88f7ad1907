package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/cmd/bench/load"
	"storefront/internal/testkit/testdb"
)

// BenchmarkOrders measures one request on a cart through the whole service without a network, like
// BenchmarkHandler for reads.
func BenchmarkOrders(b *testing.B) {
	for _, kind := range []struct {
		name string
		url  func(testing.TB) string
	}{{sqlite, testdb.SQLite}, {postgres, testdb.Postgres}} {
		b.Run(kind.name, func(b *testing.B) {
			url := kind.url(b)
			service := serviceOn(b, url)
			c := gather(b.Context(), url, shopOfTests, keyOfTests, most)
			b.Cleanup(func() { c.store.Close() })
			for _, o := range purchases {
				b.Run(strings.ReplaceAll(o.name, " ", "-"), func(b *testing.B) { buyOneByOne(b, service, c, o) })
			}
		})
	}
}

func buyOneByOne(b *testing.B, service http.Handler, c *crowd, o purchase) {
	requests := o.requests(c)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%len(requests) == 0 {
			b.StopTimer()
			c.fill(b.Context(), o.carts)
			b.StartTimer()
		}
		w := httptest.NewRecorder()
		service.ServeHTTP(w, asHTTP(requests[i%len(requests)]))
		if w.Code != http.StatusCreated {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

func asHTTP(r load.Request) *http.Request {
	request := httptest.NewRequest(r.Method, r.Target, strings.NewReader(r.Body))
	request.Header.Set("Authorization", "Bearer "+r.Token)
	return request
}
