package contract_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/password"
)

// BenchmarkAccount measures what a sign-in costs beside the hash of a password alone, which is meant to be nearly all of
// it, and what it costs afterwards to be signed in.
func BenchmarkAccount(b *testing.B) {
	b.Run("hash", func(b *testing.B) {
		hasher := password.NewHasher()
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
	for name, database := range map[string]func(testing.TB) string{"sqlite": shops.SQLite, "postgres": shops.Postgres} {
		b.Run(name, func(b *testing.B) {
			first := &accounts{clock: newMovable(), phones: newPhones(), key: []byte(strings.Repeat("k", 32)), database: database(b)}
			d := first.instance(b).rest()
			c := d.register(b, d.cell(1))
			b.Run("sign-in", func(b *testing.B) { d.serve(b, "POST", "/auth/login", byPassword(c.cell, goodPassword), "") })
			b.Run("me", func(b *testing.B) { d.serve(b, "GET", "/auth/me", "", c.access) })
		})
	}
}

// serve has the handler answer a request, as often as the benchmark asks.
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
