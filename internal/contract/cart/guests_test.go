package cart_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
)

// guest is a visitor of the tool shop with a cart of their own.
type guest struct {
	*shoptest.Accounts
	business, token string
}

// cartFields is what tests ask of a cart.
const cartFields = `cart { id totalQuantity subtotal priceCurrency items { id sku quantity warning } }`

// guestReply is the result of a field on carts.
type guestReply struct {
	code      string // of the error
	CartToken string
	Cart      struct {
		ID            string
		TotalQuantity int
		PriceCurrency *string
		Items         []struct {
			ID, Sku  string
			Quantity int
			Warning  *string
		}
	}
	LeftOut []struct {
		TitleFa, Reason  string
		Requested, Taken int
	}
}

func (r guestReply) quantities() string {
	var all []string
	for _, item := range r.Cart.Items {
		all = append(all, fmt.Sprintf("%s %d", item.Sku, item.Quantity))
	}
	return strings.Join(all, ", ")
}

// onCarts requests a field of a mutation or query, in which $b and $t are the shop and the token.
func (g guest) onCarts(t testing.TB, kind, field string, headers ...string) (reply guestReply) {
	t.Helper()
	unused := `unused: cart(businessId: $b, cartToken: $t) @skip(if: true) { id }`
	if kind == "mutation" {
		unused = `unused: emptyCart(businessId: $b, cartToken: $t) @skip(if: true) { message }`
	}
	document := kind + `($b: ID!, $t: String!) { body: ` + g.Named(t, field) + " " + unused + ` }`
	got := g.Send(t, "POST", "/graphql",
		shoptest.GraphQLBody(document, fmt.Sprintf(`{"b": %q, "t": %q}`, g.business, g.token)), headers...)
	var read struct {
		Data   struct{ Body json.RawMessage }
		Errors []struct{ Extensions struct{ Code string } }
	}
	if err := json.Unmarshal(got.Body, &read); err != nil || got.Status != 200 {
		t.Fatalf("%s: got %d %s", field, got.Status, got.Body)
	}
	if len(read.Errors) > 0 {
		return guestReply{code: read.Errors[0].Extensions.Code}
	}
	if got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: kept as %s", field, got.Header.Get("Cache-Control"))
	}
	into := any(&reply)
	if kind == "query" {
		into = &reply.Cart
	}
	if err := json.Unmarshal(read.Data.Body, into); err != nil {
		t.Fatalf("%s: got %s", field, got.Body)
	}
	return reply
}

func (g guest) read(t testing.TB) guestReply {
	t.Helper()
	return g.onCarts(t, "query", `cart(businessId: $b, cartToken: $t) { `+strings.TrimSuffix(
		strings.TrimPrefix(cartFields, "cart {"), "}")+` }`)
}

func (g guest) add(t testing.TB, sku string, quantity int) guestReply {
	t.Helper()
	return g.onCarts(t, "mutation", fmt.Sprintf(`addToCart(businessId: $b, cartToken: $t,
		items: [{storeItemVariantId: "<tools:variant:%s>", quantity: %d}]) { %s }`, sku, quantity, cartFields))
}

func (g guest) merge(t testing.TB, into shoptest.API) guestReply {
	t.Helper()
	return g.onCarts(t, "mutation", `mergeCart(businessId: $b, cartToken: $t) { `+cartFields+
		` leftOut { titleFa reason requested taken } }`, into.Headers...)
}

// newGuest makes an empty cart for a guest.
func newGuest(t testing.TB, a *shoptest.Accounts) guest {
	t.Helper()
	g := guest{Accounts: a, business: a.Named(t, "<tenant:tools>"), token: "none"}
	made := g.onCarts(t, "mutation", newCart+` { cartToken `+cartFields+` }`)
	if len(made.CartToken) != 43 || len(made.Cart.Items) != 1 || made.Cart.ID == "" {
		t.Fatalf("a new cart is %+v", made)
	}
	g.token = made.CartToken
	g.empty(t)
	return g
}

// newCart puts something into a new guest's cart.
const newCart = `addToCart(businessId: $b, items: [{storeItemVariantId: "<tools:variant:D-13>", quantity: 1}])`

func (g guest) empty(t testing.TB) guestReply {
	t.Helper()
	return g.onCarts(t, "mutation", `emptyCart(businessId: $b, cartToken: $t) { `+cartFields+` }`)
}

// TestGuestCart checks that a guest's cart follows the rules of a customer's, and that its token is enough to
// use it.
func TestGuestCart(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		g := newGuest(t, a)
		if got := g.add(t, "D-10", 2).quantities(); got != "D-10 2" {
			t.Errorf("the cart has %s", got)
		}
		if got := g.add(t, "D-10", 1).quantities(); got != "D-10 3" {
			t.Errorf("the cart has %s", got)
		}
		for sku, code := range map[string]string{
			"D-16": "NOT_FOUND", "D-20": "ITEM_UNAVAILABLE", "D-10": "MAX_ORDER_QUANTITY_EXCEEDED", "W-1": "CONFLICT",
		} {
			if got := g.add(t, sku, 1); got.code != code {
				t.Errorf("%s: got %q, want %q", sku, got.code, code)
			}
		}
		read := g.read(t)
		if read.quantities() != "D-10 3" || *read.Cart.PriceCurrency != "IRT" {
			t.Errorf("the cart reads as %+v", read)
		}
		line := read.Cart.Items[0].ID
		changed := g.onCarts(t, "mutation", `setCartQuantity(businessId: $b, cartToken: $t, itemId: "`+line+
			`", quantity: 1) { `+cartFields+` }`)
		if changed.quantities() != "D-10 1" || changed.Cart.ID != read.Cart.ID {
			t.Errorf("changed: %+v", changed)
		}
		g.add(t, "D-13", 2)
		removed := g.onCarts(t, "mutation",
			`setCartQuantity(businessId: $b, cartToken: $t, itemId: "`+line+`", quantity: 0) { `+cartFields+` }`)
		if removed.quantities() != "D-13 2" {
			t.Errorf("removed: %+v", removed)
		}
		cleared := g.empty(t)
		if cleared.quantities() != "" || cleared.Cart.ID != read.Cart.ID {
			t.Errorf("cleared: %+v", cleared)
		}

		other, elsewhere := newGuest(t, a), g
		other.token = strings.Repeat("A", 43)
		elsewhere.business = a.Named(t, "<tenant:mugs>")
		for _, none := range []guest{other, elsewhere} {
			if got := none.read(t); got.code != "NOT_FOUND" {
				t.Errorf("a token that opens nothing gives %+v", got)
			}
			if got := none.add(t, "D-13", 1); got.code != "NOT_FOUND" {
				t.Errorf("a token that opens nothing adds %+v", got)
			}
		}
		nowhere := guest{Accounts: a, business: uuid.NewString(), token: "none"}
		if got := nowhere.onCarts(t, "mutation", newCart+` { message }`); got.code != "NOT_FOUND" {
			t.Errorf("a cart at no shop: got %+v", got)
		}
	})
}

// TestGuestTokensAreSecrets checks that the database and the log do not hold a token, and that no URL may.
func TestGuestTokensAreSecrets(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		g := newGuest(t, a)
		g.add(t, "D-13", 1)
		document := `{ cart(businessId: "` + g.business + `", cartToken: "` + g.token + `") { id } }`
		shoptest.WantGraphQL(t, a.At(t, "GET", "/graphql?query="+url.QueryEscape(document)), 405,
			"METHOD_NOT_ALLOWED")
		got := a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""))
		if got.Header.Get("Cache-Control") != "no-store" || got.Status != 200 {
			t.Errorf("%d %v", got.Status, got.Header)
		}
		row := a.Store.Client.Cart.Query().OnlyX(tenancy.In(t.Context(), uuid.MustParse(g.business)))
		if row.TokenHash == nil || len(*row.TokenHash) != 32 || row.UserID != nil {
			t.Errorf("the row is %v", row)
		}
		log := strings.ReplaceAll(a.Log.String(), url.QueryEscape(g.token), g.token)
		if strings.Contains(log, g.token) {
			t.Errorf("the log holds the token: %s", log)
		}
	})
}

// TestMergeCart merges a guest's cart into a customer's, and checks the result and the list of units that did
// not fit.
func TestMergeCart(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		s.Right(t, "AddCartItem", shoptest.Adding("D-10", 2))
		g := newGuest(t, a)
		g.add(t, "D-10", 2) // of which 3 may be ordered
		g.add(t, "D-13", 4)
		if got := g.merge(t, a.GraphQL()); got.code != "UNAUTHENTICATED" {
			t.Errorf("without a sign-in: got %+v", got)
		}
		merged := g.merge(t, s.API)
		if merged.quantities() != "D-10 3, D-13 4" || len(merged.LeftOut) != 1 || merged.LeftOut[0].Requested != 2 ||
			merged.LeftOut[0].Taken != 1 || merged.LeftOut[0].Reason != "MAX_ORDER_QUANTITY_EXCEEDED" {
			t.Errorf("merged: %+v", merged)
		}
		if s.Quantities(t) != "D-10 3 D-13 4 " {
			t.Errorf("the cart has %s", s.Quantities(t))
		}
		for _, again := range []guestReply{g.merge(t, s.API), g.read(t), g.add(t, "D-13", 1)} {
			if again.code != "NOT_FOUND" {
				t.Errorf("after the merge: %+v", again)
			}
		}

		late := newGuest(t, a)
		late.add(t, "D-13", 1)
		foreign := newGuest(t, a)
		s.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.ClearPrice() })
		if got := late.merge(t, s.API); got.LeftOut[0].Reason != "UNAVAILABLE" || got.LeftOut[0].Taken != 0 {
			t.Errorf("off sale: got %+v", got)
		}
		foreign.add(t, "W-1", 1)
		if got := foreign.merge(t, s.API); got.LeftOut[0].Reason != "OTHER_CURRENCY" ||
			got.quantities() != "D-10 3, D-13 4" {
			t.Errorf("of another currency: got %+v", got)
		}
	})
}

// TestMergeCartTellsRisenPrices checks that a merge hides no price that rose, or got another currency, since the
// guest or the customer saw it.
func TestMergeCartTellsRisenPrices(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.REST().Shopper(t, 1)
		risen := func() { s.Priced(t, "D-13", 1500000) }
		dollars := func() {
			s.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPrice(1400000).SetPriceCurrency("USD") })
		}
		for _, c := range []struct {
			name    string
			changes func()
			mine    string // when the customer adds the variant: before the change, after it, or never
		}{
			{"risen", risen, ""},
			{"risen since the guest saw it", risen, "after"},
			{"in dollars", dollars, ""},
			{"in dollars since the guest saw it", dollars, "after"},
			{"in dollars since the customer saw it", dollars, "before"},
		} {
			s.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPrice(1450000).SetPriceCurrency("IRT") })
			g := newGuest(t, a)
			if c.mine == "before" {
				s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
				c.changes()
			}
			g.add(t, "D-13", 1)
			if c.mine != "before" {
				c.changes()
			}
			if c.mine == "after" {
				s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			}
			got := g.merge(t, s.API)
			if got.Cart.Items[0].Warning == nil || *got.Cart.Items[0].Warning != "PRICE_CHANGED" {
				t.Errorf("%s: merged: got %+v", c.name, got)
			}
			s.Wrong(t, "Checkout", shoptest.ToHome, "PRICE_CHANGED")
			s.Right(t, "Checkout", shoptest.ToHome)
		}
	})
}

// TestMergeCartRace merges one cart many times at once, while items are added to both carts. It must be
// merged once, without duplicates.
func TestMergeCartRace(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		s := shoptest.Crowd(t, 1, first)[0]
		for round := range 3 {
			g := newGuest(t, first)
			g.add(t, "D-13", 2)
			instances := []*shoptest.Accounts{first, second}
			merged := shoptest.Together(16, func(i int) guestReply {
				at := g
				at.Accounts = instances[i%2]
				if i%8 == 7 {
					return guestReply{code: "add" + at.add(t, "D-13", 1).code}
				}
				return at.merge(t, s.API)
			})
			codes := map[string]int{}
			for _, r := range merged {
				codes[r.code]++
			}
			want := 2 + codes["add"]
			if codes[""] != 1 || codes["NOT_FOUND"] != 13 || codes["add"]+codes["addNOT_FOUND"] != 2 {
				t.Errorf("round %d: %v", round, codes)
			}
			if got := s.Quantities(t); got != fmt.Sprintf("D-13 %d ", want) {
				t.Errorf("round %d: the cart has %s, want %d", round, got, want)
			}
			s.Right(t, "ClearCart", "")
		}
	})
}

// TestMergeCartsRace merges many guests' carts into one customer's at once. All of them must be in it.
func TestMergeCartsRace(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		s := shoptest.Crowd(t, 1, first)[0]
		guests := make([]guest, 10)
		for i := range guests {
			guests[i] = newGuest(t, first)
			guests[i].add(t, "D-13", 1)
			if i%2 == 1 {
				guests[i].Accounts = second
			}
		}
		for _, r := range shoptest.Together(len(guests),
			func(i int) guestReply { return guests[i].merge(t, s.API) }) {
			if r.code != "" || len(r.LeftOut) != 0 {
				t.Errorf("got %+v", r)
			}
		}
		if got := s.Quantities(t); got != "D-13 10 " {
			t.Errorf("the cart has %s", got)
		}
	})
}
