package cart_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/rest"
)

// shopRoutes returns the routes of a customer at a shop, contract 7.7.
func shopRoutes(t testing.TB) (routes []rest.Route) {
	t.Helper()
	for _, route := range rest.Routes {
		if strings.HasPrefix(route.Path, "/businesses/") {
			if _, known := shopping[route.Operation]; !known {
				t.Errorf("no test shops by %s", route.Operation)
			}
			routes = append(routes, route)
		}
	}
	if len(routes) != 11 {
		t.Errorf("%d routes", len(routes))
	}
	return routes
}

// TestShopperSignedIn checks that without a valid token neither the shop, nor the body, nor the record is
// read.
func TestShopperSignedIn(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		nobody := a.REST().Nobody(t)
		for name, authorization := range a.Worthless(t) {
			for _, route := range shopRoutes(t) {
				got := a.Send(t, route.Method, nobody.PathOf(t, route, "x"), `{"broken`, "Authorization",
					authorization,
					"Content-Type", "text/plain")
				if shoptest.WantFault(t, got, 401,
					"UNAUTHENTICATED"); got.Header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s, %s: got %v", route.Operation, name, got.Header)
				}
				if route.Operation == "Cart" && authorization == "" { // which is null for a visitor
					continue
				}
				asks := a.GraphQL().Nobody(t)
				asks.Headers = []string{"Authorization", authorization}
				asks.Wrong(t, route.Operation, shopping[route.Operation], "UNAUTHENTICATED", "itemId=x", "orderId=x",
					"productId=x")
			}
		}
		for _, route := range shopRoutes(t) { // the answer comes before the client is asked for a body
			connection, err := net.Dial("tcp", strings.TrimPrefix(a.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			fmt.Fprintf(connection, "%s /api/v1%s HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: "+
				"application/json\r\nContent-Length: 100\r\n\r\n",
				route.Method, nobody.PathOf(t, route, "x"))
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				t.Fatal(err)
			}
			if response.Body.Close(); response.StatusCode != 401 {
				t.Errorf("%s: %s", route.Operation, response.Status)
			}
		}
	})
}

// TestShopperRoutes asks every route in the ways that all have in common: with a slash at its end, by HEAD
// and by other methods, with bodies that cannot be read, and for businesses and records that are not there.
func TestShopperRoutes(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		methods := map[string][]string{}
		for _, route := range shopRoutes(t) {
			methods[route.Path] = append(methods[route.Path], route.Method)
			if route.Method == http.MethodGet {
				methods[route.Path] = append(methods[route.Path], http.MethodHead)
			}
		}
		for _, route := range shopRoutes(t) {
			path := s.PathOf(t, route, shoptest.NobodysID)
			slices.Sort(methods[route.Path])
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
				if slices.Contains(methods[route.Path], method) {
					continue
				}
				got := a.Send(t, method, path, "", s.Headers...)
				if allow := strings.Join(methods[route.Path], ", "); got.Status != 405 ||
					got.Header.Get("Allow") != allow {
					t.Errorf("%s %s: %d, Allow %q, want %q", method, path, got.Status, got.Header.Get("Allow"), allow)
				}
			}
			if route.HasBody() {
				for _, body := range []string{"", "{", "[]", "null", `"x"`, `{"quantity": 1,}`, `{"a": 1, "a": 2}`,
					`{} {}`, "\uFEFF{}", "{\"a\": \"\xff\"}", `{"a": "\u0000"}`} {
					if shoptest.WantFault(t, a.Send(t, route.Method, path, body, append(s.Headers, "Content-Type",
						"application/json")...), 400, "BAD_REQUEST"); t.Failed() {
						t.Fatalf("that was %s with %q", route.Operation, body)
					}
				}
				shoptest.WantFault(t, a.Send(t, route.Method, path, "a=b", append(s.Headers, "Content-Type",
					"application/x-www-form-urlencoded")...), 415, "UNSUPPORTED_MEDIA_TYPE")
				shoptest.WantFault(t, a.Send(t, route.Method, path, `{"a": "`+strings.Repeat("x",
					256<<10)+`"}`, s.Headers...),
					413, "PAYLOAD_TOO_LARGE")
			}
			input := s.Named(t, shopping[route.Operation])
			ask := func(path string) shoptest.Answer {
				if route.Operation == "Checkout" {
					s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
				}
				return a.Send(t, route.Method, path, input, s.Headers...)
			}
			plain, slashed := ask(path), ask(path+"/")
			if plain.Status != slashed.Status || plain.Header.Get("Cache-Control") != "no-store" ||
				plain.Header.Get("ETag") != "" {
				t.Errorf("%s: got %d %v, want the status %d as with a slash at its end", path, plain.Status,
					plain.Header, slashed.Status)
			}
			if route.Method == http.MethodGet {
				head := a.Send(t, "HEAD", path, "", s.Headers...)
				if head.Status != plain.Status || len(head.Body) > 0 ||
					head.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("HEAD %s: %d %v", path, head.Status, head.Header)
				}
			}
		}
	})
}

// TestShopsAreApart uses ids of another shop and of another customer in every parameter and member of the
// routes. The answers must be the same as for unknown ids, and the records must not change.
func TestShopsAreApart(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		theirs := s.API.Shopper(t, 2)
		order := theirs.Bought(t, "D-13", 1)
		theirs.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		theirs.Right(t, "AddFavorite", keeping("drill"))
		address := theirs.API.Right(t, "createAddress", shoptest.HomeAddress).Member(t, "address.id")
		elsewhere := theirs.At(t, "mugs")
		elsewhere.Right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:MUG-S>"}`)
		bought := elsewhere.Right(t, "Checkout", shoptest.ToHome).Order(t)
		elsewhere.Right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:MUG-S>"}`)
		elsewhere.Right(t, "AddFavorite", `{"productId": "<mugs:product:mug>"}`)
		_, line, _ := strings.Cut(theirs.Line(t, "D-13"), "=")
		_, farLine, _ := strings.Cut(elsewhere.Line(t, "MUG-S"), "=")
		state := func() (text string) {
			for _, of := range []shoptest.Shopper{theirs, elsewhere} {
				for _, read := range []string{"Cart", "Orders", "Favorites"} {
					text += of.Right(t, read, "").Said
				}
			}
			return text
		}
		before := state()

		s.Right(t, "AddCartItem", shoptest.Adding("MUG-S", 1))
		for _, c := range []struct {
			operation, input, name string
			ids                    []string
		}{
			{"UpdateCartItem", `{"quantity": 1}`, "itemId", []string{line, farLine}},
			{"RemoveCartItem", "", "itemId", []string{line, farLine}},
			{"AddCartItem", `{"storeItemVariantId": "ID"}`, "", []string{"<mugs:variant:MUG-S>",
				"<mugs:product:mug>", line}},
			{"Checkout", `{"addressId": "ID", "payment": {"type": "cash"}}`, "",
				[]string{address, "<mugs:variant:MUG-S>"}},
			{"Order", "", "orderId", []string{order.ID, bought.ID}},
			{"AddFavorite", `{"productId": "ID"}`, "", []string{"<mugs:product:mug>", "<mugs:variant:MUG-S>"}},
			{"RemoveFavorite", "", "productId", []string{"<mugs:product:mug>", "<tools:product:drill>"}},
		} {
			ask := func(id string) string {
				var values []string
				if c.name != "" {
					values = []string{c.name + "=" + id}
				}
				return string(s.Ask(t, c.operation, strings.ReplaceAll(c.input, `"ID"`, `"`+id+`"`), values...).
					Content(t))
			}
			want := ask(shoptest.NobodysID)
			for _, id := range c.ids {
				if got := ask(id); got != want {
					t.Errorf("%s of %s: got %s, want %s as for an id that nobody has", c.operation, id, got, want)
				}
			}
		}
		if s.Quantities(t) != "MUG-S 1 " || state() != before {
			t.Errorf("got the other customer's state %s, want %s as before", state(), before)
		}
		for _, operation := range []string{"Cart", "Orders", "Favorites"} {
			if said := s.At(t, "mugs").Right(t, operation, "").Said; strings.Contains(said, bought.ID) ||
				strings.Contains(said, farLine) {
				t.Errorf("%s shows what is another's: %s", operation, said)
			}
		}
	})
}
