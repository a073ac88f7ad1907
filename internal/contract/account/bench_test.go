package account_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/platform/password"
)

// BenchmarkAccount measures a sign-in beside one password hash, which should be nearly all of its cost, and
// a request of a signed-in customer.
func BenchmarkAccount(b *testing.B) {
	b.Run("hash", func(b *testing.B) {
		hasher := password.NewHasher(password.Recommended)
		stored, err := hasher.Hash(b.Context(), shoptest.GoodPassword)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if right, err := hasher.Check(b.Context(), shoptest.GoodPassword, &stored); !right || err != nil {
				b.Fatal(right, err)
			}
		}
	})
	for name, database := range map[string]func(testing.TB) string{
		"sqlite": shoptest.Shops.SQLite, "postgres": shoptest.Shops.Postgres} {
		b.Run(name, func(b *testing.B) {
			first := &shoptest.Accounts{Clock: shoptest.NewClock(), Phones: shoptest.NewPhones(),
				Key:      []byte(strings.Repeat("k", 32)),
				Database: database(b)}
			d := first.Instance(b).REST()
			c := d.Register(b, d.Cell(1))
			b.Run("sign-in", func(b *testing.B) {
				serve(b, d, "POST", "/auth/login", shoptest.ByPassword(c.Cell, shoptest.GoodPassword), "")
			})
			b.Run("me", func(b *testing.B) { serve(b, d, "GET", "/auth/me", "", c.Access) })
		})
	}
}

// serve runs a request through the handler for each iteration of the benchmark.
func serve(b *testing.B, d shoptest.API, method, path, body, token string) {
	for b.Loop() {
		request := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer := httptest.NewRecorder()
		if d.Service.ServeHTTP(answer, request); answer.Code != http.StatusOK {
			b.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
}
