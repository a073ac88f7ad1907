package account_test

import (
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
)

// TestAccountHandedOverMeanwhile hands an account over to the holder of its cell while a request of the person who
// registered it is running. The request was authenticated before and writes afterwards: it must be refused.
func TestAccountHandedOverMeanwhile(t *testing.T) {
	writes := []struct {
		operation, input string
		fresh            bool // nothing was put into the account before
	}{
		{"CreateAddress", shoptest.HomeAddress, false},
		{"UpdateProfile", `{"email": "stranger@mail.example"}`, false},
		{"AddFavorite", `{"productId": "<tools:product:drill>"}`, true},
		{"AddCartItem", shoptest.Adding("D-13", 1), true},
		{"AddCartItem", shoptest.Adding("D-13", 1), false},
		{"ClearCart", "", false},
	}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		slow, happens := a.Meanwhile(t)
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for n, write := range writes {
				stranger, owner := d.From(shoptest.StrangerAt), d.From(shoptest.OwnerAt)
				var theirs shoptest.Shopper
				if write.fresh {
					theirs = stranger.Shopper(t, n)
				} else {
					theirs = squat(t, stranger, n)
				}
				cell := theirs.Customer.Cell
				code := owner.Code(t, cell)
				late := theirs
				late.Accounts = slow
				happens(func() { owner.Right(t, "loginOtp", shoptest.ByCode(cell, code)) })
				late.Wrong(t, write.operation, write.input, "UNAUTHENTICATED")
				d.Dead(t, theirs.Customer)
			}
		})
	})
}

// TestAccountHandedOverRace does the same at random moments, at two servers. What was written before has the mark
// fromBefore, and later requests are refused.
func TestAccountHandedOverRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		for n := range 8 * *shoptest.Rounds {
			d := all[n%len(all)]
			theirs := d.From(shoptest.StrangerAt).Shopper(t, n)
			cell := theirs.Customer.Cell
			owner := d.From(shoptest.OwnerAt)
			code := owner.Code(t, cell)
			shoptest.Together(6, func(i int) shoptest.Reply {
				late := theirs
				late.API = all[(n+i)%len(all)].From(shoptest.StrangerAt).With(theirs.Customer.Access)
				switch i {
				case 0:
					return owner.Ask(t, "loginOtp", shoptest.ByCode(cell, code))
				case 1:
					return late.Ask(t, "UpdateProfile", `{"email": "stranger@mail.example"}`)
				case 2:
					return late.Ask(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
				case 3, 4:
					return late.Ask(t, "AddCartItem", shoptest.Adding("D-13", 1))
				}
				return late.Ask(t, "CreateAddress", shoptest.HomeAddress)
			})
			d.Dead(t, theirs.Customer)
			who := uuid.MustParse(theirs.Customer.ID)
			if n := a.Rows(t, "SELECT count(*) FROM addresses WHERE user_id = $1 AND NOT from_before", who); n > 0 {
				t.Error("an address of the stranger's is as one of the customer's")
			}
			if n := a.Rows(t, "SELECT count(*) FROM users WHERE id = $1 AND email IS NOT NULL", who); n > 0 {
				t.Error("the stranger's e-mail address is as the customer's")
			}
		}
	})
}

// TestSignedOutInADocument signs out in the first field of a document: the one after it writes nothing.
func TestSignedOutInADocument(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		s := a.GraphQL().Shopper(t, 1)
		s.Bought(t, "D-13", 1)
		s.Right(t, "AddCartItem", shoptest.Adding("D-13", 2))
		shop := `businessId: "` + s.Business + `"`
		for _, field := range []string{
			shoptest.AddingAddress("late", "x"),
			s.Named(t, `addToCart(`+shop+`, items: [{storeItemVariantId: "<tools:variant:D-13>", quantity: 1}]) `+
				`{ cart { totalQuantity } }`),
			`emptyCart(` + shop + `) { cart { totalQuantity } }`,
			`checkout(` + shop + `, input: {shippingAddress: {province: "a", city: "b", address: "c"}, ` +
				`payment: {type: cash}}) ` +
				`{ order { id } }`,
		} {
			if got := s.Graph(t, `mutation { logout { message } `+field+` }`); got.Code != "UNAUTHENTICATED" {
				t.Errorf("%s: got %s", field, got.Body)
			}
			s.API = a.GraphQL().With(s.API.Login(t, s.Customer.Cell, shoptest.GoodPassword).Access)
			s.HasAddresses(t, 0)
			if is := s.Quantities(t); is != "D-13 2 " {
				t.Errorf("%s: the cart holds %s", field, is)
			}
		}
	})
}
