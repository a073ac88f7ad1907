package contract_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/app"
	"storefront/rest"
)

// TestShopperStatements counts the statements of a customer's operations at a shop, BEGIN and COMMIT too: what is
// a round trip to PostgreSQL. SQLite, which has none, writes table by table.
func TestShopperStatements(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s, counter := counted(t, a.database)
		counter.trips = true
		service, err := app.New(s, slog.New(slog.NewTextHandler(io.Discard, nil)),
			app.Options{Clock: a.clock.now, Key: a.key, PasswordCost: cheap})
		if err != nil {
			t.Fatal(err)
		}
		customer := crowd(t, 1, a)[0]
		skus := []string{"N-0", "N-1", "N-2", "N-3", "N-4"}
		var variants []any
		for _, sku := range skus {
			variants = append(variants, map[string]any{"sku": sku, "price": 5, "priceCurrency": "IRT", "stock": 100})
		}
		customer.amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": variants})
		counts := func(what string, onSQLite, onPostgres int, operation, input string, values ...string) {
			t.Helper()
			want := onPostgres
			if s.Dialect == dialect.SQLite {
				want = onSQLite
			}
			route := routeNamed(t, operation)
			path := rest.Prefix + customer.pathOf(t, route, "") + strings.Join(values, "")
			request := httptest.NewRequest(route.Method, path, strings.NewReader(customer.named(t, input)))
			request.Header.Set("Authorization", "Bearer "+customer.access)
			answer := httptest.NewRecorder()
			counter.taken()
			service.ServeHTTP(answer, request)
			if sent := counter.taken(); answer.Code != route.Status || len(sent) != want {
				t.Errorf("%s: %d with %d statements, want %d:\n%s", what, answer.Code, len(sent), want,
					strings.Join(sent, "\n"))
			}
		}
		fill := func(lines int) {
			for _, sku := range skus[:lines] {
				customer.right(t, "AddCartItem", adding(sku, 1))
			}
		}
		counts("a cart that never was", 3, 3, "Cart", "")
		counts("the first item", 8, 3, "AddCartItem", adding("N-0", 1))
		counts("one more of it", 7, 3, "AddCartItem", adding("N-0", 1))
		fill(5)
		counts("a cart of five lines", 3, 3, "Cart", "")
		counts("an order of five lines", 15, 3, "Checkout", toHome)
		fill(1)
		counts("an order of one line", 15, 3, "Checkout", toHome)
		fill(3)
		counts("a cart that is cleared", 8, 8, "ClearCart", "")
		for range 20 {
			fill(5)
			customer.right(t, "Checkout", toHome)
		}
		for _, slug := range []string{"drill", "saw", "hammer", "mallet", "mug"} {
			customer.right(t, "AddFavorite", keeping(slug))
		}
		for _, size := range []int{2, 20} {
			query := fmt.Sprintf("?pageSize=%d", size)
			counts("a page of orders", 6, 6, "Orders", "", query)
			counts("a page of favorites", 5, 5, "Favorites", "", query)
		}
	})
}
