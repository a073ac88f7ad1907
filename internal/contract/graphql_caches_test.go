package contract_test

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"testing"
)

// clients runs a program of the folder caches, and returns the JSON values it prints.
func (p *place) clients(t *testing.T, program string, arguments ...string) []json.RawMessage {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "../../scripts/npm-ci", "caches").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p.node(t, "caches", program, arguments...)
}

// TestClientCaches reads lists and a cart through Apollo Client and urql's Graphcache: the facets of one list
// are not those of another, and the cart that was empty is known again when it is filled.
func TestClientCaches(t *testing.T) {
	eachDemo(t, func(t *testing.T, p *place) {
		const register = `mutation { register(input: {cellNumber: "+989121110099", password: "a long password", firstName: "Sara", ` +
			`lastName: "Karimi", domain: "` + paperShop + `"}) { ... on Registered { accessToken } } }`
		var customer struct {
			Data struct{ Register struct{ AccessToken string } }
		}
		p.graph(t, "POST /graphql "+asked(register, ""), &customer)
		clients := p.clients(t, "caches.mjs", paperShop, customer.Data.Register.AccessToken)
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
			if got.Empty.ID == "" || got.Empty != (cart{got.Empty.ID, "USD", 0}) || got.Filled != (cart{got.Empty.ID, "USD", 1}) {
				t.Errorf("%s: the cart %v becomes %v", got.Client, got.Empty, got.Filled)
			}
		}
	})
}

// TestRelay compiles @refetchable fragments by Relay's compiler and asks for what it makes of them.
func TestRelay(t *testing.T) {
	eachDemo(t, func(t *testing.T, p *place) {
		for _, line := range p.clients(t, "relay.mjs", paperShop) {
			var got struct {
				Shop    []string
				Next    int
				Product []map[string]any
				Several []any
			}
			if err := json.Unmarshal(line, &got); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if got.Shop[0] != got.Shop[1] || got.Next != 2 || !reflect.DeepEqual(got.Several, []any{true, true, true, true, nil}) {
				t.Errorf("asked for again: %s", line)
			}
			for name, value := range got.Product[0] {
				if !reflect.DeepEqual(got.Product[1][name], value) {
					t.Errorf("the product's %s is %v, asked for again %v", name, value, got.Product[1][name])
				}
			}
		}
	})
}
