package cart_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/rest"
)

// TestShopperStatements counts the statements of a customer's operations at a shop, including BEGIN and
// COMMIT: each is a round trip to PostgreSQL. SQLite has no round trips and writes table by table.
func TestShopperStatements(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s, counter := shoptest.OpenCounted(t, a.Database)
		counter.Trips = true
		service, err := app.New(s, slog.New(slog.NewTextHandler(io.Discard, nil)),
			app.Options{Clock: a.Clock.Now, Key: a.Key, PasswordCost: shoptest.CheapPasswords})
		if err != nil {
			t.Fatal(err)
		}
		customer := shoptest.Crowd(t, 1, a)[0]
		skus := []string{"N-0", "N-1", "N-2", "N-3", "N-4"}
		var variants []any
		for _, sku := range skus {
			variants = append(variants, map[string]any{"sku": sku, "price": 5, "priceCurrency": "IRT", "stock": 100})
		}
		customer.Amends(t, "nails", map[string]any{"publishedAt": "2026-11-01T00:00:00Z", "variants": variants})
		counts := func(what string, onSQLite, onPostgres int, operation, input string, values ...string) {
			t.Helper()
			want := onPostgres
			if s.Dialect == dialect.SQLite {
				want = onSQLite
			}
			route := shoptest.RouteNamed(t, operation)
			path := rest.Prefix + customer.PathOf(t, route, "") + strings.Join(values, "")
			request := httptest.NewRequest(route.Method, path, strings.NewReader(customer.Named(t, input)))
			request.Header.Set("Authorization", "Bearer "+customer.Access)
			answer := httptest.NewRecorder()
			counter.Taken()
			service.ServeHTTP(answer, request)
			if sent := counter.Taken(); answer.Code != route.Status || len(sent) != want {
				t.Errorf("%s: %d with %d statements, want %d:\n%s", what, answer.Code, len(sent), want,
					strings.Join(sent, "\n"))
			}
		}
		fill := func(lines int) {
			for _, sku := range skus[:lines] {
				customer.Right(t, "AddCartItem", shoptest.Adding(sku, 1))
			}
		}
		counts("a cart that never was", 3, 3, "Cart", "")
		counts("the first item", 8, 3, "AddCartItem", shoptest.Adding("N-0", 1))
		counts("one more of it", 7, 3, "AddCartItem", shoptest.Adding("N-0", 1))
		fill(5)
		counts("a cart of five lines", 3, 3, "Cart", "")
		counts("an order of five lines", 16, 3, "Checkout", shoptest.ToHome)
		fill(1)
		counts("an order of one line", 16, 3, "Checkout", shoptest.ToHome)
		fill(3)
		counts("a cart that is cleared", 8, 8, "ClearCart", "")
		for range 20 {
			fill(5)
			customer.Right(t, "Checkout", shoptest.ToHome)
		}
		for _, slug := range []string{"drill", "saw", "hammer", "mallet", "mug"} {
			customer.Right(t, "AddFavorite", keeping(slug))
		}
		for _, size := range []int{2, 20} {
			query := fmt.Sprintf("?pageSize=%d", size)
			counts("a page of orders", 6, 6, "Orders", "", query)
		}
		counts("a page of favorites", 5, 5, "Favorites", "", "?pageSize=2")
		counts("all favorites, which need no count", 4, 4, "Favorites", "", "?pageSize=20")
	})
}
