package api_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// askNodes reads a nodeId of each type in a shop.
const askNodes = `{ nodeId id __typename
	categories { nodeId id __typename } brands { nodeId id __typename }
	products(pageSize: 2) { items { nodeId id __typename variants { nodeId id __typename } } }
	userProducts(pageSize: 1) { items { nodeId id __typename } }
	blogs(pageSize: 1) { items { nodeId id __typename } } portfolios(pageSize: 1) { items { nodeId id __typename } } }`

// oneNode is a record with its ids.
type oneNode struct {
	NodeID, ID string
	Typename   string `json:"__typename"`
}

// nodesIn collects all records with a nodeId.
func nodesIn(value any, into map[string]oneNode) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			nodesIn(one, into)
		}
	case map[string]any:
		if id, ok := value["nodeId"].(string); ok {
			into[value["__typename"].(string)] = oneNode{id, value["id"].(string), value["__typename"].(string)}
		}
		for _, member := range value {
			nodesIn(member, into)
		}
	}
}

// TestNodes reads a record of each type by its nodeId, and checks ids that must not be found.
func TestNodes(t *testing.T) {
	const types = 8
	const ask = `{ nodeId __typename ... on Tenant { id } ... on Category { id } ... on Brand { id }
		... on Product { id inStock } ... on Variant { id } ... on UserProduct { id }
		... on Blog { id commentCount } ... on Portfolio { id commentCount } }`
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		shops := map[string]map[string]oneNode{}
		for _, shop := range []string{shoptest.MachineShop, shoptest.PaperShop, "memar-novin.example"} {
			var got any
			p.Graph(t, "POST /graphql "+shoptest.GraphQLBody(`{ tenant(domain: "`+shop+`") `+askNodes+` }`, ""), &got)
			shops[shop] = map[string]oneNode{}
			nodesIn(got, shops[shop])
		}
		one := func(id string) *oneNode {
			t.Helper()
			var got struct{ Data struct{ Node *oneNode } }
			p.Graph(t, "POST /graphql "+shoptest.GraphQLBody(`query ($id: ID!) { node(id: $id) `+ask+` }`,
				fmt.Sprintf(`{"id": %q}`, id)), &got)
			return got.Data.Node
		}
		many := func(ids ...string) string {
			t.Helper()
			var got struct{ Data struct{ Nodes []*oneNode } }
			text, _ := json.Marshal(map[string]any{"ids": append([]string{}, ids...)})
			p.Graph(t, "POST /graphql "+shoptest.GraphQLBody(`query ($ids: [ID!]!) { `+
				`nodes(ids: $ids) `+ask+` }`, string(text)), &got)
			var names []string
			for _, n := range got.Data.Nodes {
				if n == nil {
					names = append(names, "null")
				} else {
					names = append(names, n.Typename)
				}
			}
			return strings.Join(names, " ")
		}
		known := map[string]bool{}
		for _, shop := range shops {
			for _, want := range shop {
				known[want.Typename] = true
				if got := one(want.NodeID); got == nil || *got != want {
					t.Errorf("got %v, want %v again", got, want)
				}
			}
		}
		if len(known) != types {
			t.Errorf("the types are %v", known)
		}
		ours, theirs := shops[shoptest.MachineShop], shops[shoptest.PaperShop]
		forged := func(name string, shop, record oneNode) string {
			part := func(n oneNode) string {
				if n.NodeID == "" { // the shop has none
					return strings.Repeat("x", 16)
				}
				raw, err := base64.RawURLEncoding.DecodeString(n.NodeID)
				if err != nil {
					t.Fatal(err)
				}
				return string(raw[len(raw)-16:])
			}
			return base64.RawURLEncoding.EncodeToString([]byte(name + ":" + part(shop) + part(record)))
		}
		if one(forged("Product", ours["Tenant"], ours["Product"])) == nil {
			t.Error("the test does not know how ids are written")
		}
		otherType := map[bool]string{true: "Blog", false: "Product"}
		for _, name := range []string{"Tenant", "Category", "Brand", "Product", "Variant", "UserProduct",
			"Blog", "Portfolio"} {
			for what, id := range map[string]string{
				"another shop's":     forged(name, ours["Tenant"], theirs["Product"]),
				"another shop's own": forged(name, ours["Tenant"], theirs[name]),
				"under a record":     forged(name, ours["Product"], ours[name]),
				"of another type":    forged(name, ours["Tenant"], ours[otherType[name == "Product"]]),
				"unknown": forged(name, ours["Tenant"],
					oneNode{NodeID: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}),
				"of an unknown type": forged(name+"s", ours["Tenant"], ours[name]),
			} {
				if got := one(id); got != nil {
					t.Errorf("%s: %s is %v", name, what, got)
				}
			}
		}
		for _, id := range []string{"x", "!", ours["Product"].ID, ours["Product"].NodeID + "A",
			ours["Product"].NodeID + "=",
			strings.Repeat("A", 2000), "Order:", base64.RawURLEncoding.EncodeToString([]byte("Order:" +
				strings.Repeat("a", 32)))} {
			if got := one(id); got != nil {
				t.Errorf("%.40q is %v", id, got)
			}
		}
		if got := many(ours["Product"].NodeID, "x", theirs["Brand"].NodeID, ours["Brand"].NodeID,
			ours["Product"].NodeID,
			ours["Tenant"].NodeID); got != "Product null null Brand Product Tenant" {
			t.Errorf("several are %q", got)
		}
		if got := many(); got != "" {
			t.Errorf("none are %q", got)
		}
		p.Changed(t, `{"slug": "seen", "titleFa": "دیده", "publishedAt": "2026-05-05T05:05:05Z"}`)
		var got struct {
			Data struct{ Tenant struct{ Product oneNode } }
		}
		p.Graph(t, shoptest.About(shoptest.MachineShop, `product(slug: "seen") { nodeId id __typename }`), &got)
		p.Changed(t, `{"slug": "seen", "status": "draft"}`)
		if got := one(got.Data.Tenant.Product.NodeID); got != nil {
			t.Errorf("what is not published any more is %v", got)
		}
	})
}

// inBothForms selects amounts in both forms.
func inBothForms(names ...string) (text string) {
	for _, name := range names {
		text += name + " " + name + "Money { amount currency decimals minor } "
	}
	return text
}

// TestMoney compares the two forms of every amount in the schema.
func TestMoney(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, shop := range []string{shoptest.MachineShop, shoptest.PaperShop} {
			prices := "prices { " + inBothForms("min", "max") + " buckets { " + inBothForms("min", "max") + " } }"
			got := p.Ask(t, shoptest.About(shop,
				`products(pageSize: 20, sort: price_asc) { items { `+inBothForms("price", "maxPrice")+
					` variants { `+inBothForms("price",
					"compareAtPrice")+` } } facets { `+prices+` } } userProducts { items { `+
					inBothForms("price")+` } }`))
			if n := moneyAlike(t, got.Body); n < 50 {
				t.Errorf("%s: %d amounts: got %s", shop, n, got.Body)
			}
		}
	})
}

// TestMoneyOfCarts is TestMoney for amounts that only customers see.
func TestMoneyOfCarts(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		ask := func(query string) []byte {
			return s.Send(t, "POST", "/graphql", shoptest.GraphQLBody(query, ""), "Authorization",
				"Bearer "+s.Access).Body
		}
		if n := moneyAlike(t, ask(`{ cart(businessId: "`+s.Business+`") { `+inBothForms("subtotal")+` items { `+
			inBothForms("unitPrice", "lineTotal")+` } } }`)); n != 3 {
			t.Errorf("the cart has %d amounts", n)
		}
	})
}

// moneyAlike compares the two forms of each amount of an answer, and returns the number of amounts.
func moneyAlike(t *testing.T, body []byte) (n int) {
	t.Helper()
	read := json.NewDecoder(strings.NewReader(string(body)))
	read.UseNumber()
	var all any
	if err := read.Decode(&all); err != nil || strings.Contains(string(body), `"errors"`) {
		t.Fatalf("%v: %s", err, body)
	}
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, one := range value {
				walk(one)
			}
		case map[string]any:
			for name, member := range value {
				walk(member)
				amount, ok := value[strings.TrimSuffix(name, "Money")]
				if !strings.HasSuffix(name, "Money") || !ok {
					continue
				}
				if member == nil || amount == nil {
					if member != nil || amount != nil {
						t.Errorf("%s: %v beside %v", name, member, amount)
					}
					continue
				}
				m := member.(map[string]any)
				text := m["amount"].(string)
				whole, fraction, _ := strings.Cut(text, ".")
				minor := strings.TrimLeft(whole+fraction, "0")
				if minor == "" {
					minor = "0"
				}
				if text != amount.(json.Number).String() ||
					fmt.Sprint(len(fraction)) != m["decimals"].(json.Number).String() ||
					minor != m["minor"] || m["currency"] == "" {
					t.Errorf("%s: %v beside %v", name, m, amount)
				}
				n++
			}
		}
	}
	walk(all)
	return n
}
