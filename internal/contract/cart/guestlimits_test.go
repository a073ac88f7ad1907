package cart_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/sale/cart"
)

// cartRows returns the number of rows of carts.
func cartRows(t testing.TB, a *shoptest.Accounts) (n int) {
	t.Helper()
	if _, err := database.Statement(`SELECT count(*) FROM carts`).Row(t.Context(), a.Store.Client.Raw(), nil,
		&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// sweepCarts deletes expired carts.
func sweepCarts(t testing.TB, a *shoptest.Accounts) {
	t.Helper()
	carts := cart.New(a.Store.Client, a.Clock.Now)
	if err := sweep.Run(t.Context(), a.Store.Client.Raw(), carts.Old(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestGuestCartsNeedSomething checks that no cart is stored for a guest who puts nothing into it, and that several
// requests at once fill one cart.
func TestGuestCartsNeedSomething(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		g, before := newGuest(t, a), cartRows(t, a)
		for _, items := range []string{`[]`, `[{storeItemVariantId: "<tools:variant:D-16>"}]`} { // nothing; not on sale
			got := g.onCarts(t, "mutation", `addToCart(businessId: $b, items: `+items+`) { cartToken }`)
			if got.code == "" || got.CartToken != "" {
				t.Errorf("%s: got %+v", items, got)
			}
		}
		if n := cartRows(t, a); n != before {
			t.Errorf("%d rows for carts with nothing in them", n-before)
		}
		for _, r := range shoptest.Together(4, func(int) guestReply { return g.add(t, "D-13", 1) }) {
			if r.code != "" {
				t.Errorf("got %+v", r)
			}
		}
		if got := g.read(t).quantities(); got != "D-13 4" || cartRows(t, a) != before {
			t.Errorf("the cart has %s, in %d rows", got, cartRows(t, a)-before)
		}
		forged, elsewhere := g, g
		forged.token = strings.Repeat("A", 43)
		elsewhere.business = a.Named(t, "<tenant:mugs>")
		for name, none := range map[string]guest{"forged": forged, "elsewhere": elsewhere} {
			if got := none.add(t, "D-13", 1); got.code != "NOT_FOUND" {
				t.Errorf("%s: got %+v", name, got)
			}
		}
	})
}

// TestGuestCartsOfADocument asks for several carts at once.
func TestGuestCartsOfADocument(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		g, other := newGuest(t, a), newGuest(t, a)
		add := func(name, token string) string {
			return fmt.Sprintf(`%s: addToCart(businessId: $b, cartToken: %s,
				items: [{storeItemVariantId: "<tools:variant:D-13>", quantity: 1}]) { message } `, name, token)
		}
		for document, code := range map[string]string{
			`a: ` + newCart + ` { cartToken } b: ` + newCart + ` { cartToken }`: "LIMIT_EXCEEDED",
			add("a", "$t") + add("b", `"`+other.token+`"`):                      "LIMIT_EXCEEDED",
			add("a", "$t") + add("b", `"`+g.token+`"`):                          "",
			`a: ` + newCart + ` { cartToken } ` + add("b", "$t"):                "LIMIT_EXCEEDED",
		} {
			got := g.Send(t, "POST", "/graphql",
				shoptest.GraphQLBody(`mutation($b: ID!, $t: String!) { `+g.Named(t, document)+
					` unused: emptyCart(businessId: $b, cartToken: $t) @skip(if: true) { message } }`,
					fmt.Sprintf(`{"b": %q, "t": %q}`, g.business, g.token)))
			if said := strings.Contains(string(got.Body), "LIMIT_EXCEEDED"); said != (code != "") {
				t.Errorf("%s: got %s", document, got.Body)
			}
		}
	})
}

// TestGuestCartsEnd lets carts stay unused, and read, over weeks.
func TestGuestCartsEnd(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		emptied, left, used := newGuest(t, a), newGuest(t, a), newGuest(t, a)
		emptied.add(t, "D-13", 1)
		emptied.empty(t)
		left.add(t, "D-10", 1)
		used.add(t, "D-13", 1)
		a.REST().Shopper(t, 1).Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		a.Clock.Pass(25 * time.Hour)
		if got := emptied.read(t); got.code != "NOT_FOUND" {
			t.Errorf("a cart that was emptied a day ago: got %+v", got)
		}
		a.Clock.Pass(27 * 24 * time.Hour)
		sweepCarts(t, a)
		if n := cartRows(t, a); n != 3 {
			t.Errorf("there are %d carts, want 3", n)
		}
		if got := used.read(t); got.quantities() != "D-13 1" { // reading counts as use
			t.Errorf("used: got %+v", got)
		}
		a.Clock.Pass(2 * 24 * time.Hour)
		if got := left.read(t); got.code != "NOT_FOUND" {
			t.Errorf("a cart that was left 30 days ago: got %+v", got)
		}
		if got := left.add(t, "D-10", 1); got.code != "NOT_FOUND" {
			t.Errorf("a cart that was left 30 days ago takes more: got %+v", got)
		}
		a.Clock.Pass(24 * time.Hour)
		sweepCarts(t, a)
		if n := cartRows(t, a); n != 2 {
			t.Errorf("there are %d carts: the customer's and the one that is used", n)
		}
		if got := used.read(t); got.quantities() != "D-13 1" {
			t.Errorf("used: got %+v", got)
		}
	})
}

// TestMergedGuestCartStaysGone checks that after a merge, and after a sweep, the token of a cart makes no new
// one.
func TestMergedGuestCartStaysGone(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s, g := a.REST().Shopper(t, 1), newGuest(t, a)
		g.add(t, "D-13", 1)
		g.merge(t, s.API)
		for range 3 {
			if got := g.add(t, "D-13", 1); got.code != "NOT_FOUND" {
				t.Errorf("got %+v", got)
			}
			a.Clock.Pass(12 * time.Hour)
			sweepCarts(t, a)
		}
		a.Clock.Pass(time.Hour)
		sweepCarts(t, a)
		if n := cartRows(t, a); n != 1 {
			t.Errorf("%d rows, want the customer's", n)
		}
	})
}

// from returns a client address.
func from(text string) []string { return []string{"X-Forwarded-For", text} }

// fills adds an item to a new guest's cart from an address, and returns the reply.
func (g guest) fills(t testing.TB, address string) guestReply {
	t.Helper()
	return g.onCarts(t, "mutation", newCart+` { cartToken `+cartFields+` }`, from(address)...)
}

func (g guest) adds(t testing.TB, address string) guestReply {
	t.Helper()
	return g.onCarts(t, "mutation", `addToCart(businessId: $b, cartToken: $t, items: [{storeItemVariantId:
		"<tools:variant:D-13>", quantity: 1}]) { `+cartFields+` }`, from(address)...)
}

// TestGuestCartsAreLimited fills carts from two client addresses. Those that nobody changed give way to new ones of
// their address, the oldest first, and others stay.
func TestGuestCartsAreLimited(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		g := guest{Accounts: a, business: a.Named(t, "<tenant:tools>"), token: "none"}
		fill := func(int) guestReply { return g.fills(t, "203.0.113.7") }
		one, seen := g, g.fills(t, "203.0.113.7")
		one.token = seen.CartToken
		one.read(t)
		a.Clock.Pass(time.Second)
		filled := append([]guestReply{seen}, shoptest.Together(5, fill)...)
		a.Clock.Pass(time.Second)
		filled = append(filled, shoptest.Together(3, fill)...)
		if n := cartRows(t, a); n != 5 {
			t.Errorf("%d carts, want 5", n)
		}
		codes := map[string]int{}
		for i, r := range filled {
			one.token = r.CartToken
			if code := one.adds(t, "203.0.113.7").code; 0 < i && i < 6 {
				codes[code]++
			} else if code != "" {
				t.Errorf("cart %d, which was read or is new: got %s", i, code)
			}
		}
		if codes[""] != 1 || codes["NOT_FOUND"] != 4 {
			t.Errorf("of the older ones that nobody read: got %v", codes)
		}
		if got := g.fills(t, "203.0.113.7"); got.code != "RATE_LIMITED" {
			t.Errorf("beside carts that were changed: got %+v", got)
		}
		if got := g.fills(t, "203.0.113.8"); got.code != "" {
			t.Errorf("another address: got %+v", got)
		}
		a.Clock.Pass(time.Hour)
		if got := g.fills(t, "203.0.113.7"); got.code != "" {
			t.Errorf("an hour later: got %+v", got)
		}
	}, func(o *app.Options) {
		o.GuestCartsInHour = 5
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
}

// TestFullShopTakesGuests lets strangers make as many carts as a shop allows in an hour. From then on they
// get only a few more, from any address of their networks, and everybody else still gets one.
func TestFullShopTakesGuests(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		g := guest{Accounts: a, business: a.Named(t, "<tenant:tools>"), token: "none"}
		tries := func(address string, n int) (taken int, last guestReply) {
			for i := range n {
				if got := g.fills(t, fmt.Sprintf(address, i)); got.code == "" {
					taken, last = taken+1, got
				} else if got.code != "RATE_LIMITED" {
					t.Errorf("got %+v", got)
				}
			}
			return taken, last
		}
		_, last := tries("2001:db8:1:1::%x", 5) // the shop is full
		if n, _ := tries("2001:db8:1:1::%x", 35); n != 30 {
			t.Errorf("one home got %d carts more, want 30", n)
		}
		if n, _ := tries("2001:db8:1:%x::1", 36); n != 30 { // of its /56, which may have 60
			t.Errorf("the wider network of the home got %d carts more, want 30", n)
		}
		if got := g.fills(t, "2001:db8:1:ff00::1"); got.code != "" {
			t.Errorf("a neighbour: got %+v", got)
		}
		if got := g.fills(t, "2001:db8:2::1"); got.code != "" {
			t.Errorf("a stranger: got %+v", got)
		}
		if n, _ := tries("203.0.113.%d", 3); n != 3 {
			t.Errorf("an address of IPv4 got %d carts, want 3", n)
		}
		g.token = last.CartToken
		rows := cartRows(t, a)
		g.empty(t)
		if got := g.fills(t, "2001:db8:1:1::9"); got.code != "" || cartRows(t, a) != rows {
			t.Errorf("in the place of an empty cart: %+v, %d rows more", got, cartRows(t, a)-rows)
		}
		if got := g.fills(t, "2001:db8:1:1::9"); got.code != "RATE_LIMITED" {
			t.Errorf("with no empty cart left: got %+v", got)
		}
		a.Clock.Pass(time.Hour)
		if got := g.fills(t, "2001:db8:1:1::9"); got.code != "" {
			t.Errorf("an hour later: got %+v", got)
		}
	}, func(o *app.Options) {
		o.ShopGuestCartsInHour = 5
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
}
