package contract_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"storefront/rest"
)

// shopRoutes are the routes of a customer at a shop, contract 7.7.
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

// pathOf is the path of a route with ids in the place of its parameters.
func (s shopper) pathOf(t testing.TB, route rest.Route, id string) string {
	t.Helper()
	path := strings.ReplaceAll(route.Path, "{businessId}", s.business)
	for _, name := range []string{"{itemId}", "{orderId}", "{productId}"} {
		path = strings.ReplaceAll(path, name, id)
	}
	return path
}

// TestShopperSignedIn checks that without a good token nothing is looked at: neither the shop, nor the
// body, nor the record.
func TestShopperSignedIn(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		nobody := a.rest().nobody(t)
		for name, authorization := range a.worthless(t) {
			for _, route := range shopRoutes(t) {
				got := a.send(t, route.Method, nobody.pathOf(t, route, "x"), `{"broken`, "Authorization", authorization,
					"Content-Type", "text/plain")
				if wantFault(t, got, 401, "UNAUTHENTICATED"); got.header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s, %s: %v", route.Operation, name, got.header)
				}
				asks := a.graphQL().nobody(t)
				asks.headers = []string{"Authorization", authorization}
				asks.wrong(t, route.Operation, shopping[route.Operation], "UNAUTHENTICATED", "itemId=x", "orderId=x",
					"productId=x")
			}
		}
		for _, route := range shopRoutes(t) { // the answer comes before the client is asked for a body
			connection, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			fmt.Fprintf(connection, "%s /api/v1%s HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: "+
				"application/json\r\nContent-Length: 100\r\n\r\n",
				route.Method, nobody.pathOf(t, route, "x"))
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
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.rest().shopper(t, 1)
		methods := map[string][]string{}
		for _, route := range shopRoutes(t) {
			methods[route.Path] = append(methods[route.Path], route.Method)
			if route.Method == http.MethodGet {
				methods[route.Path] = append(methods[route.Path], http.MethodHead)
			}
		}
		for _, route := range shopRoutes(t) {
			path := s.pathOf(t, route, nobodys)
			slices.Sort(methods[route.Path])
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
				if slices.Contains(methods[route.Path], method) {
					continue
				}
				got := a.send(t, method, path, "", s.headers...)
				if allow := strings.Join(methods[route.Path], ", "); got.status != 405 ||
					got.header.Get("Allow") != allow {
					t.Errorf("%s %s: %d, Allow %q, want %q", method, path, got.status, got.header.Get("Allow"), allow)
				}
			}
			if route.HasBody() {
				for _, body := range []string{"", "{", "[]", "null", `"x"`, `{"quantity": 1,}`, `{"a": 1, "a": 2}`,
					`{} {}`, "\uFEFF{}", "{\"a\": \"\xff\"}", `{"a": "\u0000"}`} {
					if wantFault(t, a.send(t, route.Method, path, body, append(s.headers, "Content-Type",
						"application/json")...), 400, "BAD_REQUEST"); t.Failed() {
						t.Fatalf("that was %s with %q", route.Operation, body)
					}
				}
				wantFault(t, a.send(t, route.Method, path, "a=b", append(s.headers, "Content-Type",
					"application/x-www-form-urlencoded")...), 415, "UNSUPPORTED_MEDIA_TYPE")
				wantFault(t, a.send(t, route.Method, path, `{"a": "`+strings.Repeat("x", 256<<10)+`"}`, s.headers...),
					413, "PAYLOAD_TOO_LARGE")
			}
			input := s.named(t, shopping[route.Operation])
			ask := func(path string) answer {
				if route.Operation == "Checkout" {
					s.right(t, "AddCartItem", adding("D-13", 1))
				}
				return a.send(t, route.Method, path, input, s.headers...)
			}
			plain, slashed := ask(path), ask(path+"/")
			if plain.status != slashed.status || plain.header.Get("Cache-Control") != "no-store" ||
				plain.header.Get("ETag") != "" {
				t.Errorf("%s: %d %v, with a slash at its end %d", path, plain.status, plain.header, slashed.status)
			}
			if route.Method == http.MethodGet {
				head := a.send(t, "HEAD", path, "", s.headers...)
				if head.status != plain.status || len(head.body) > 0 || head.header.Get("Cache-Control") != "no-store" {
					t.Errorf("HEAD %s: %d %v", path, head.status, head.header)
				}
			}
		}
	})
}

// TestShopsAreApart puts the ids of another shop and of another customer into every parameter and member of
// the routes: the answers are those of ids that nobody has, and nothing of theirs changes.
func TestShopsAreApart(t *testing.T) {
	eachShopper(t, func(t *testing.T, s shopper) {
		theirs := s.door.shopper(t, 2)
		order := theirs.bought(t, "D-13", 1)
		theirs.right(t, "AddCartItem", adding("D-13", 1))
		theirs.right(t, "AddFavorite", keeping("drill"))
		address := theirs.door.right(t, "createAddress", homeAddress).member(t, "address.id")
		elsewhere := theirs.at(t, "mugs")
		elsewhere.right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:MUG-S>"}`)
		bought := elsewhere.right(t, "Checkout", toHome).order(t)
		elsewhere.right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:MUG-S>"}`)
		elsewhere.right(t, "AddFavorite", `{"productId": "<mugs:product:mug>"}`)
		_, line, _ := strings.Cut(theirs.line(t, "D-13"), "=")
		_, farLine, _ := strings.Cut(elsewhere.line(t, "MUG-S"), "=")
		state := func() (text string) {
			for _, of := range []shopper{theirs, elsewhere} {
				for _, read := range []string{"Cart", "Orders", "Favorites"} {
					text += of.right(t, read, "").said
				}
			}
			return text
		}
		before := state()

		s.right(t, "AddCartItem", adding("MUG-S", 1))
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
				return string(s.ask(t, c.operation, strings.ReplaceAll(c.input, `"ID"`, `"`+id+`"`), values...).
					content(t))
			}
			want := ask(nobodys)
			for _, id := range c.ids {
				if got := ask(id); got != want {
					t.Errorf("%s of %s: %s, of what nobody has: %s", c.operation, id, got, want)
				}
			}
		}
		if s.quantities(t) != "MUG-S 1 " || state() != before {
			t.Errorf("something of another's has changed: %s, was %s", state(), before)
		}
		for _, operation := range []string{"Cart", "Orders", "Favorites"} {
			if said := s.at(t, "mugs").right(t, operation, "").said; strings.Contains(said, bought.ID) ||
				strings.Contains(said, farLine) {
				t.Errorf("%s shows what is another's: %s", operation, said)
			}
		}
	})
}
