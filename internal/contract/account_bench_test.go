package contract_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/password"
)

// BenchmarkAccount measures a sign-in beside one password hash, which should be nearly all of its cost, and
// a request of a signed-in customer.
func BenchmarkAccount(b *testing.B) {
	b.Run("hash", func(b *testing.B) {
		hasher := password.NewHasher(password.Recommended)
		stored, err := hasher.Hash(b.Context(), goodPassword)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if right, err := hasher.Check(b.Context(), goodPassword, &stored); !right || err != nil {
				b.Fatal(right, err)
			}
		}
	})
	for name, database := range map[string]func(testing.TB) string{
		"sqlite": shops.SQLite, "postgres": shops.Postgres} {
		b.Run(name, func(b *testing.B) {
			first := &accounts{clock: newMovable(), phones: newPhones(), key: []byte(strings.Repeat("k", 32)),
				database: database(b)}
			d := first.instance(b).rest()
			c := d.register(b, d.cell(1))
			b.Run("sign-in", func(b *testing.B) {
				d.serve(b, "POST", "/auth/login", byPassword(c.cell, goodPassword), "")
			})
			b.Run("me", func(b *testing.B) { d.serve(b, "GET", "/auth/me", "", c.access) })
		})
	}
}

// serve runs a request through the handler for each iteration of the benchmark.
func (d door) serve(b *testing.B, method, path, body, token string) {
	for b.Loop() {
		request := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer := httptest.NewRecorder()
		if d.service.ServeHTTP(answer, request); answer.Code != http.StatusOK {
			b.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
}
