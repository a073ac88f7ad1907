package cart_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// oneCart is the answer of a field on the caller's cart.
type oneCart struct {
	guestReply
	CartToken *string
}

// onCart requests a field at the tool shop, as a guest if token is not empty. The field may use $token.
func onCart(t testing.TB, w shoptest.Worker, token, kind, field string) oneCart {
	t.Helper()
	values := shoptest.Members{"token": token}
	if token == "" {
		values = shoptest.Members{"token": nil}
	}
	got := w.Ask(t, kind+`($token: String) { body: `+field+` }`, values)
	if code := got.Code(); code != "" {
		return oneCart{guestReply: guestReply{code: code}}
	}
	var read oneCart
	into := any(&read)
	if kind == "query" {
		into = &read.Cart
	}
	if err := json.Unmarshal(got.Data["body"], into); err != nil {
		t.Fatalf("%s: %s", field, got.Data["body"])
	}
	return read
}

// items returns the items of addToCart, as "D-10 2, D-13 1".
func items(wanted string) string {
	var all []string
	for one := range strings.SplitSeq(wanted, ", ") {
		sku, quantity, _ := strings.Cut(one, " ")
		all = append(all, fmt.Sprintf(`{storeItemVariantId: "<tools:variant:%s>", quantity: %s}`, sku, quantity))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

const (
	atTools   = `domain: "tools.example", cartToken: $token`
	ofCart    = `id totalQuantity priceCurrency items { id sku quantity warning }`
	readsCart = `cart(` + atTools + `) { ` + ofCart + ` }`
)

func adds(wanted string) string {
	return `addToCart(` + atTools + `, items: ` + items(wanted) + `) { cartToken cart { ` + ofCart + ` } }`
}

// TestOneCart fills, changes and empties the carts of a new guest and of a customer with the same documents.
func TestOneCart(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		visitor, customer := shoptest.Worker{API: c.GraphQL()}, c.Customer(t)
		tokens := map[string]string{}
		for who, w := range map[string]shoptest.Worker{"guest": visitor, "customer": customer} {
			added := onCart(t, w, "", "mutation", adds("D-10 2, D-13 1, D-10 1"))
			if added.quantities() != "D-10 3, D-13 1" || (added.CartToken == nil) != (who == "customer") {
				t.Errorf("%s: got %+v", who, added)
				continue
			}
			if added.CartToken != nil {
				tokens[who] = *added.CartToken
			}
			token := tokens[who]
			if more := onCart(t, w, token, "mutation", adds("D-13 2")); more.quantities() != "D-10 3, D-13 3" ||
				more.CartToken != nil || more.Cart.ID != added.Cart.ID {
				t.Errorf("%s adds more: got %+v", who, more)
			}
			line := added.Cart.Items[0].ID
			set := func(quantity int) oneCart {
				return onCart(t, w, token, "mutation", fmt.Sprintf(
					`setCartQuantity(%s, itemId: %q, quantity: %d) { cart { %s } }`, atTools, line, quantity, ofCart))
			}
			if got := set(1); got.quantities() != "D-10 1, D-13 3" {
				t.Errorf("%s sets 1: got %+v", who, got)
			}
			if got := set(4); got.code != "MAX_ORDER_QUANTITY_EXCEEDED" {
				t.Errorf("%s sets 4: got %+v", who, got)
			}
			if got := set(0); got.quantities() != "D-13 3" {
				t.Errorf("%s sets 0: got %+v", who, got)
			}
			for _, quantity := range []int{0, 1} {
				if got := set(quantity); got.code != "NOT_FOUND" {
					t.Errorf("%s sets %d of what is gone: got %+v", who, quantity, got)
				}
			}
			got := onCart(t, w, token, "query", readsCart)
			if got.quantities() != "D-13 3" || got.Cart.ID != added.Cart.ID {
				t.Errorf("%s: got %+v", who, got)
			}
			empties := `emptyCart(` + atTools + `) { cart { ` + ofCart + ` } }`
			if got := onCart(t, w, token, "mutation", empties); got.code != "" || got.quantities() != "" {
				t.Errorf("%s empties: got %+v", who, got)
			}
		}
		// The token alone opens it.
		onCart(t, visitor, tokens["guest"], "mutation", adds("D-13 2"))
		old := guest{Accounts: c.Accounts, business: c.Tools, token: tokens["guest"]}
		if got := old.read(t).quantities(); got != "D-13 2" {
			t.Errorf("by the token: got %s", got)
		}
		// A customer gets their own cart, even when they send a guest's token.
		if got := onCart(t, customer, tokens["guest"], "query", readsCart); got.code != "" || got.quantities() != "" {
			t.Errorf("a customer with a token: got %+v", got)
		}
		merged := old.merge(t, customer.API)
		if merged.quantities() != "D-13 2" {
			t.Errorf("merged: got %+v", merged)
		}
		if got := onCart(t, visitor, tokens["guest"], "query", readsCart); got.code != "NOT_FOUND" {
			t.Errorf("after the merge: got %+v", got)
		}
	})
}

// TestOneCartOfWhom checks whose cart each caller gets: nobody gets a guest's cart with an invalid sign-in.
func TestOneCartOfWhom(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		visitor, ended := shoptest.Worker{API: c.GraphQL()}, shoptest.Worker{API: c.GraphQL().With("ended")}
		program := seesShop(t, c)
		made := onCart(t, visitor, "", "mutation", adds("D-13 1"))
		empties := `emptyCart(` + atTools + `) { message }`
		if got := visitor.Ask(t, `{ cart(domain: "tools.example") { id } }`, nil); string(got.Data["cart"]) != "null" ||
			got.Code() != "" {
			t.Errorf("a visitor has %s %v", got.Data["cart"], got.Errors)
		}
		for _, one := range []struct {
			worker            shoptest.Worker
			token, kind, code string
			field             string
		}{
			{visitor, "", "mutation", "UNAUTHENTICATED", empties},
			{visitor, strings.Repeat("A", 70), "query", "NOT_FOUND", readsCart},
			{visitor, strings.Repeat("A", 70), "mutation", "NOT_FOUND", adds("D-13 1")},
			{visitor, *made.CartToken, "query", "NOT_FOUND", strings.ReplaceAll(readsCart, "tools", "mugs")},
			{visitor, "", "query", "NOT_FOUND", strings.ReplaceAll(readsCart, "tools", "none")},
			{visitor, "", "mutation", "NOT_FOUND", strings.Replace(adds("D-13 1"), "tools.example", "none.example", 1)},
			{ended, *made.CartToken, "query", "UNAUTHENTICATED", readsCart},
			{ended, "", "query", "UNAUTHENTICATED", readsCart},
			{ended, *made.CartToken, "mutation", "UNAUTHENTICATED", adds("D-13 1")},
			{ended, "", "mutation", "UNAUTHENTICATED", adds("D-13 1")},
			{program, *made.CartToken, "query", "FORBIDDEN", readsCart},
			{program, "", "mutation", "FORBIDDEN", adds("D-13 1")},
			{visitor, "", "mutation", "VALIDATION_FAILED", `addToCart(` + atTools + `, items: []) { message }`},
			{visitor, "", "mutation", "VALIDATION_FAILED", adds(strings.Repeat("D-13 1, ", 100) + "D-13 1")},
			{visitor, "", "mutation", "LIMIT_EXCEEDED", adds("D-13 1") + ` second: ` + adds("D-13 1")},
		} {
			if got := onCart(t, one.worker, one.token, one.kind, one.field); got.code != one.code {
				t.Errorf("%.60s by %q: got %+v, want %s", one.field, one.token, got, one.code)
			}
		}
		shoptest.WantGraphQL(t, c.At(t, "GET", `/graphql?query={cart(domain:"tools.example",cartToken:"`+
			*made.CartToken+`"){id}}`), 405, "METHOD_NOT_ALLOWED")
		if got := onCart(t, visitor, *made.CartToken, "query", readsCart); got.quantities() != "D-13 1" {
			t.Errorf("after all that: got %+v", got)
		}
	})
}

// TestAddToCartAllOrNone adds several items of which some are refused. None must be added, and each refused
// one must be named.
func TestAddToCartAllOrNone(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		customer := c.Customer(t)
		onCart(t, customer, "", "mutation", adds("D-13 1"))
		for wanted, want := range map[string]string{
			"D-13 1, D-16 1, D-20 2": "NOT_FOUND items.1.storeItemVariantId D-16 D-20",
			"D-16 1":                 "NOT_FOUND items.0.storeItemVariantId",
			"D-13 1, D-20 2":         "ITEM_UNAVAILABLE D-20",
			"D-10 4, D-13 2":         "MAX_ORDER_QUANTITY_EXCEEDED D-10",
			"D-10 4, D-13 5000":      "INSUFFICIENT_STOCK D-10 D-13",
			"W-1 1, D-10 1":          "CONFLICT",
			"D-10 1, D-13 9999":      "VALIDATION_FAILED items.1.quantity",
			"D-13 5000, D-13 5000":   "VALIDATION_FAILED items.0.quantity",
		} {
			document := `mutation { addToCart(domain: "tools.example", items: ` + items(wanted) + `) { message } }`
			body := shoptest.GraphQLBody(c.Named(t, document), "")
			sent := c.Send(t, "POST", "/graphql", body, customer.Headers...)
			var read struct {
				Errors []struct {
					Extensions struct {
						Code    string
						Errors  []struct{ Field string }
						Details []struct{ StoreItemVariantID string }
					}
				}
			}
			if err := json.Unmarshal(sent.Body, &read); err != nil || len(read.Errors) != 1 {
				t.Fatalf("%s: %s", wanted, sent.Body)
			}
			more := read.Errors[0].Extensions
			got := []string{more.Code}
			for _, one := range more.Errors {
				got = append(got, one.Field)
			}
			for _, one := range more.Details {
				for _, sku := range []string{"D-10", "D-13", "D-16", "D-20"} {
					if one.StoreItemVariantID == c.Named(t, "<tools:variant:"+sku+">") {
						got = append(got, sku)
					}
				}
			}
			if all := strings.Join(got, " "); all != want {
				t.Errorf("%s: got %s, want %s", wanted, all, want)
			}
		}
		if got := onCart(t, customer, "", "query", readsCart); got.quantities() != "D-13 1" {
			t.Errorf("the cart has %s", got.quantities())
		}
	})
}

// TestAddToCartOnce repeats a customer's request with the same key: it is executed once, and both answers are the same.
func TestAddToCartOnce(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		customer := c.Customer(t)
		document := `mutation { addToCart(domain: "tools.example", items: ` + items("D-13 1, D-10 1") +
			`) { cartToken cart { totalQuantity } } }`
		var said []string
		for range 2 {
			said = append(said, customer.Keyed(t, "k-1", customer.Named(t, document), nil).Said)
		}
		if said[0] != said[1] || !strings.Contains(said[0], `"totalQuantity":2`) {
			t.Errorf("got %s", said)
		}
		if got := onCart(t, customer, "", "query", readsCart); got.Cart.TotalQuantity != 2 {
			t.Errorf("the cart has %s", got.quantities())
		}
	})
}

// TestAddToCartRace fills a new guest's cart by many requests at once, before it has a row.
func TestAddToCartRace(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		for round := range 3 {
			fresh := newGuest(t, first)
			sides := []*shoptest.Accounts{first, second}
			codes := shoptest.Together(8, func(i int) string {
				wanted := []string{"D-13 1, D-10 1", "D-10 1, D-13 1"}[i/2%2]
				guest := shoptest.Worker{API: sides[i%2].GraphQL()}
				return onCart(t, guest, fresh.token, "mutation", adds(wanted)).code
			})
			slices.Sort(codes)
			if got := strings.Join(slices.Compact(codes), " "); got != " MAX_ORDER_QUANTITY_EXCEEDED" {
				t.Errorf("round %d: got %q", round, got)
			}
			all := strings.Split(fresh.read(t).quantities(), ", ") // in any order
			slices.Sort(all)
			if got := strings.Join(all, ", "); got != "D-10 3, D-13 3" {
				t.Errorf("round %d: the cart has %s", round, got)
			}
		}
	})
}

// seesShop makes an access token of the tool shop.
func seesShop(t testing.TB, c *shoptest.Crew) shoptest.Worker {
	t.Helper()
	var made struct{ CreateAccessToken struct{ Token string } }
	c.Staff(t, c.Tools, record.Owner).Do(t, `mutation { createAccessToken(domain: "tools.example", `+
		`input: {name: "till", permissions: [seeShop]}) { token } }`, nil, &made)
	return shoptest.Worker{API: c.GraphQL().With(made.CreateAccessToken.Token)}
}
