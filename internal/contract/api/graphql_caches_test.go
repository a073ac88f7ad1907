package api_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"storefront/internal/contract/shoptest"
)

// clients runs a program of the folder caches, and returns the JSON values it prints.
func clients(t *testing.T, p *shoptest.Place, program string, arguments ...string) []json.RawMessage {
	t.Helper()
	install(t, "caches")
	return node(t, p, "caches", program, arguments...)
}

// TestClientCaches reads lists and a cart through Apollo Client and urql's Graphcache. Their caches must
// distinguish the facets of different lists, and recognize an empty cart when it is filled.
func TestClientCaches(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		const register = `mutation { register(input: {cellNumber: "+989121110099", password: "a long password",
			firstName: "Sara", ` +
			`lastName: "Karimi", domain: "` + shoptest.PaperShop + `"}) { ... on Registered { accessToken } } }`
		var customer struct {
			Data struct{ Register struct{ AccessToken string } }
		}
		p.Graph(t, "POST /graphql "+shoptest.GraphQLBody(register, ""), &customer)
		clients := clients(t, p, "caches.mjs", shoptest.PaperShop, customer.Data.Register.AccessToken)
		if len(clients) != 2 {
			t.Errorf("%d clients", len(clients))
		}
		for _, line := range clients {
			type cart struct {
				ID, PriceCurrency string
				TotalQuantity     int
			}
			var got struct {
				Client, Before, After string
				Empty, Filled         cart
			}
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if got.Before != got.After || len(got.Before) < 500 {
				t.Errorf("%s: the facets of one list become %.500s, want %.500s", got.Client, got.After, got.Before)
			}
			if got.Empty.ID == "" || got.Empty != (cart{got.Empty.ID, "USD", 0}) ||
				got.Filled != (cart{got.Empty.ID, "USD", 1}) {
				t.Errorf("%s: the cart %v becomes %v", got.Client, got.Empty, got.Filled)
			}
		}
	})
}

// TestRelay compiles @refetchable fragments with Relay's compiler and sends the resulting queries.
func TestRelay(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, line := range clients(t, p, "relay.mjs", shoptest.PaperShop) {
			var got struct {
				Shop    []string
				Next    int
				Product []map[string]any
				Several []any
			}
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if got.Shop[0] != got.Shop[1] || got.Next != 2 || !reflect.DeepEqual(got.Several,
				[]any{true, true, true, true, nil}) {
				t.Errorf("asked for again: %s", line)
			}
			for name, value := range got.Product[0] {
				if !reflect.DeepEqual(got.Product[1][name], value) {
					t.Errorf("the product's %s: got %v when asked again, want %v", name, got.Product[1][name], value)
				}
			}
		}
	})
}
