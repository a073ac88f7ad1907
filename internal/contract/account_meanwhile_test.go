package contract_test

import "testing"

// TestAccountTakenOverMeanwhile has the holder of a cell take an account over while a request of who
// registered it runs: it was let in before, and writes afterwards. It is refused, and nothing of it is
// left.
func TestAccountTakenOverMeanwhile(t *testing.T) {
	writes := []struct {
		operation, input string
		fresh            bool // nothing was put into the account before
	}{
		{"CreateAddress", homeAddress, false},
		{"UpdateProfile", `{"email": "stranger@mail.example"}`, false},
		{"AddFavorite", `{"productId": "<tools:product:drill>"}`, true},
		{"AddCartItem", adding("D-13", 1), true},
		{"AddCartItem", adding("D-13", 1), false},
		{"ClearCart", "", false},
	}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		slow, happens := a.meanwhile(t)
		a.eachDoor(t, func(t *testing.T, d door) {
			for n, write := range writes {
				stranger, owner := d.from(strangerAt), d.from(ownerAt)
				var theirs shopper
				if write.fresh {
					theirs = stranger.shopper(t, n)
				} else {
					theirs = squat(t, stranger, n)
				}
				cell := theirs.customer.cell
				code := owner.code(t, cell)
				late := theirs
				late.accounts = slow
				happens(func() { owner.right(t, "loginOtp", byCode(cell, code)) })
				late.wrong(t, write.operation, write.input, "UNAUTHENTICATED")
				nothingLeft(t, owner, theirs.customer)
			}
		})
	})
}

// TestAccountTakenOverRace does the same at any moment, at two servers: a request that was answered before
// is cleared with the rest, and one that comes too late is refused.
func TestAccountTakenOverRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		for n := range 8 * *rounds {
			d := all[n%len(all)]
			theirs := d.from(strangerAt).shopper(t, n)
			cell := theirs.customer.cell
			owner := d.from(ownerAt)
			code := owner.code(t, cell)
			together(6, func(i int) reply {
				late := theirs
				late.door = all[(n+i)%len(all)].from(strangerAt).with(theirs.customer.access)
				switch i {
				case 0:
					return owner.ask(t, "loginOtp", byCode(cell, code))
				case 1:
					return late.ask(t, "UpdateProfile", `{"email": "stranger@mail.example"}`)
				case 2:
					return late.ask(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
				case 3, 4:
					return late.ask(t, "AddCartItem", adding("D-13", 1))
				}
				return late.ask(t, "CreateAddress", homeAddress)
			})
			nothingLeft(t, owner, theirs.customer)
		}
	})
}

// TestSignedOutInADocument signs out in the first field of a document: the one after it writes nothing.
func TestSignedOutInADocument(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		s := a.graphQL().shopper(t, 1)
		s.bought(t, "D-13", 1)
		s.right(t, "AddCartItem", adding("D-13", 2))
		shop := `businessId: "` + s.business + `"`
		for _, field := range []string{
			addingAddress("late", "x"),
			s.named(t, `addCartItem(`+shop+`, input: {storeItemVariantId: "<tools:variant:D-13>", quantity: 1}) `+
				`{ cart { totalQuantity } }`),
			`clearCart(` + shop + `) { cart { totalQuantity } }`,
			`checkout(` + shop + `, input: {shippingAddress: {province: "a", city: "b", address: "c"}, payment: {type: cash}}) ` +
				`{ order { id } }`,
		} {
			if got := s.graph(t, `mutation { logout { message } `+field+` }`); got.code != "UNAUTHENTICATED" {
				t.Errorf("%s: %s", field, got.body)
			}
			s.door = a.graphQL().with(s.door.login(t, s.customer.cell, goodPassword).access)
			s.hasAddresses(t, 0)
			if is := s.quantities(t); is != "D-13 2 " {
				t.Errorf("%s: the cart holds %s", field, is)
			}
		}
	})
}
