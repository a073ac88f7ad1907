package contract_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/user"
	"storefront/internal/account"
	"storefront/internal/app"
)

// squat registers the nth cell of a door as a stranger does who shares its holder's address, and leaves
// things in the account.
func squat(t testing.TB, d door, n int) shopper {
	t.Helper()
	s := d.shopper(t, n)
	s.right(t, "UpdateProfile", `{"email": "stranger@mail.example"}`)
	s.right(t, "CreateAddress", homeAddress)
	s.right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
	s.right(t, "AddCartItem", adding("D-13", 1))
	return s
}

// nothingLeft checks that an account has nothing of who registered it: neither password nor sessions, nor data.
func nothingLeft(t testing.TB, d door, theirs customer) {
	t.Helper()
	d.dead(t, theirs)
	d.wrong(t, "login", byPassword(theirs.cell, goodPassword), 401, "INVALID_CREDENTIALS")
	if d.isMember(t, theirs.cell, toolsShop) {
		t.Error("the account is a member still of the shop where it was registered")
	}
	who := uuid.MustParse(theirs.id)
	left := d.store.Client.User.GetX(t.Context(), who)
	if left.FirstName != nil || left.LastName != nil || left.Email != nil {
		t.Errorf("the profile is still %v %v %v", left.FirstName, left.LastName, left.Email)
	}
	for _, table := range []string{"addresses", "carts", "favorites", "sign_in_addresses"} {
		except := ""
		if table == "sign_in_addresses" { // the customer's own, from the sign-in by code
			except = " AND address <> '" + ownerAt + "'"
		}
		rows, err := d.store.Client.QueryContext(t.Context(), "SELECT 1 FROM "+table+" WHERE user_id = $1"+except, who)
		if err != nil {
			t.Fatal(err)
		}
		if rows.Next() {
			t.Errorf("something of the stranger's is left in %s", table)
		}
		rows.Close()
	}
}

// TestAccountContested has a stranger at the customer's own address register the customer's cell. The customer, who is
// refused to register, comes in by a code within the half hour: the stranger is out, with all they left.
func TestAccountContested(t *testing.T) {
	enter := map[string]func(d door, t testing.TB, cell, code string) reply{
		"loginOtp": func(d door, t testing.TB, cell, code string) reply {
			return d.right(t, "loginOtpSays", byCode(cell, code))
		},
		"resetPassword": func(d door, t testing.TB, cell, code string) reply {
			return d.right(t, "resetPassword", resetting(cell, code, otherPassword))
		},
	}
	refused := map[string]func(d door, t testing.TB, cell string){
		"here": func(d door, t testing.TB, cell string) {
			d.wrong(t, "register", registering(cell, otherPassword, toolsShop), 409, "CELL_ALREADY_REGISTERED")
		},
		"at another shop": func(d door, t testing.TB, cell string) {
			d.wrong(t, "register", registering(cell, otherPassword, mugsShop), 409, "CELL_EXISTS_OTHER_SITE")
		},
		"after a code that was only verified": func(d door, t testing.TB, cell string) {
			d.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
			d.wrong(t, "register", registering(cell, otherPassword, toolsShop), 409, "CELL_ALREADY_REGISTERED")
		},
	}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d, n := d.from(ownerAt), 0
			for _, contest := range refused {
				for way, comes := range enter {
					n++
					theirs := squat(t, d, n)
					cell := theirs.customer.cell
					contest(d, t, cell)
					got := comes(d, t, cell, d.code(t, cell))
					nothingLeft(t, d, theirs.customer)
					if d.graphQL || way == "resetPassword" {
						if said := got.member(t, "message"); !strings.Contains(said, "cleared") {
							t.Errorf("%s says %q", way, said)
						}
					}
					if way == "resetPassword" {
						d.login(t, cell, otherPassword)
					} else {
						d.lives(t, got.member(t, "accessToken"), true)
					}
				}
			}
		})
	})
}

// TestAccountVerifiedForAnother has a customer verify a cell without an account, and a neighbour register it with that
// proof: no password or session of the neighbour's outlives the customer's sign-in by code, however soon it is.
func TestAccountVerifiedForAnother(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d = d.from(ownerAt)
			for n, later := range []time.Duration{0, 48 * time.Hour} {
				cell := d.cell(n)
				d.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
				theirs := squat(t, d, n)
				d.clock.pass(later)
				got := d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
				nothingLeft(t, d, theirs.customer)
				d.lives(t, got.member(t, "accessToken"), true)
			}
		})
	})
}

// TestAccountVerifiedBefore has a customer verify a cell and then register it: the address says nothing, as in
// TestAccountVerifiedForAnother, but the account's token vouches with the next code.
func TestAccountVerifiedBefore(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d = d.from(ownerAt)
			for n, operation := range []string{"verifyOtp", "loginOtp"} {
				cell := d.cell(n)
				d.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
				registered := d.register(t, cell)
				d.with(registered.access).right(t, operation, byCode(cell, d.code(t, cell)))
				d.from(strangerAt).right(t, "loginOtp", byCode(cell, d.code(t, cell)))
				d.lives(t, registered.access, true)
				d.login(t, cell, goodPassword)
			}
		})
	})
}

// TestAccountOneClient follows the flows of a client that sends no token where it need not, from one address.
func TestAccountOneClient(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d = d.from(ownerAt)
			registered := d.register(t, d.cell(1))
			got := d.right(t, "loginOtpSays", byCode(d.cell(1), d.code(t, d.cell(1))))
			if d.graphQL && !strings.Contains(got.said, `"message":null`) {
				t.Errorf("said %s", got.said)
			}
			d.lives(t, registered.access, true)
			d.login(t, d.cell(1), goodPassword)

			d.right(t, "verifyOtp", byCode(d.cell(2), d.code(t, d.cell(2))))
			registered = d.register(t, d.cell(2))
			d.lives(t, registered.access, true)
			d.login(t, d.cell(2), goodPassword)

			for n, twice := range []bool{false, true} { // at once, and after the refusal that asks for it
				cell := d.cell(3 + n)
				registered = d.register(t, cell)
				if twice {
					d.wrong(t, "register", registering(cell, otherPassword, mugsShop), 409, "CELL_EXISTS_OTHER_SITE")
					d.wrong(t, "register", registering(cell, otherPassword, mugsShop), 409, "CELL_EXISTS_OTHER_SITE")
				}
				d.right(t, "register", acknowledging(cell, otherPassword, mugsShop))
				d.right(t, "loginOtp", byCode(cell, d.codeFrom(t, cell, mugsShop)))
				d.lives(t, registered.access, true)
				d.login(t, cell, goodPassword)
				d.clock.pass(48 * time.Hour) // it is vouched for now, wherever the next code comes from
				d.from(strangerAt).right(t, "loginOtp", byCode(cell, d.code(t, cell)))
				d.login(t, cell, goodPassword)
			}
			if !d.isMember(t, d.cell(4), mugsShop) {
				t.Error("the link is not completed")
			}

			cell := d.cell(5) // a request that is sent twice contests nothing
			registered = d.register(t, cell)
			d.wrong(t, "register", registering(cell, goodPassword, toolsShop), 409, "CELL_ALREADY_REGISTERED")
			d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
			d.lives(t, registered.access, true)
		})
	})
}

// TestAccountContestStays checks that nobody but who was refused takes back that an account is contested.
func TestAccountContestStays(t *testing.T) {
	const third = "a third password"
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest().from(ownerAt)
		for n, steps := range [][]string{
			{otherPassword, "+" + third},                // acknowledged by somebody else
			{otherPassword, third, "+" + otherPassword}, // refused to two
			{otherPassword, "+" + goodPassword},         // by who registered, who becomes a member
			{otherPassword, "+" + third, "+" + third},   // again and again
			{otherPassword, third, third, "+" + third},  // refused to two, twice
		} {
			theirs := squat(t, d, n)
			cell := theirs.customer.cell
			for _, step := range steps {
				if password, acknowledged := strings.CutPrefix(step, "+"); acknowledged {
					d.right(t, "register", acknowledging(cell, password, mugsShop))
				} else {
					d.wrong(t, "register", registering(cell, password, mugsShop), 409, "CELL_EXISTS_OTHER_SITE")
				}
			}
			d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
			nothingLeft(t, d, theirs.customer)
		}
	})
}

// TestAccountWithOrders checks that an account with an order keeps what is in it: the order may be the customer's.
func TestAccountWithOrders(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest().from(ownerAt)
		theirs := squat(t, d, 1)
		cell := theirs.customer.cell
		theirs.bought(t, "D-13", 1)
		d.clock.pass(time.Hour)
		got := a.graphQL().from(ownerAt).right(t, "loginOtpSays", byCode(cell, d.code(t, cell)))
		if said := got.member(t, "message"); strings.Contains(said, "cleared") || !strings.Contains(said, "have ended") {
			t.Errorf("said %q", said)
		}
		d.dead(t, theirs.customer)
		d.wrong(t, "login", byPassword(cell, goodPassword), 401, "INVALID_CREDENTIALS")
		mine := d.with(got.member(t, "accessToken"))
		if mine.hasAddresses(t, 1); !strings.Contains(mine.right(t, "me", "").said, "Sara") {
			t.Error("the profile is gone")
		}
	})
}

// TestAccountTakeoverRace has a customer who was registered by a stranger come by a code, on two servers,
// while the same is tried twice, a registration is refused, and the stranger signs in: afterwards either
// the stranger has nothing, or nobody had contested the account yet.
func TestAccountTakeoverRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		for n := range 4 * *rounds {
			d := all[n%len(all)].from(ownerAt)
			theirs := squat(t, d, n)
			cell := theirs.customer.cell
			elsewhere := n%2 == 1 // else the code is from the address of the registration
			code := d.code(t, cell)
			got := together(6, func(i int) reply {
				d := all[i%len(all)].from(ownerAt)
				switch i {
				case 0, 1:
					if elsewhere {
						d = d.from(strangerAt)
					}
					return d.ask(t, "loginOtp", byCode(cell, code))
				case 2:
					return d.ask(t, "register", registering(cell, otherPassword, toolsShop))
				case 3:
					return d.ask(t, "login", byPassword(cell, goodPassword))
				case 4:
					return d.ask(t, "register", registering(cell, goodPassword, mugsShop))
				}
				return d.with(theirs.customer.access).ask(t, "createAddress", homeAddress)
			})
			right := 0
			for _, one := range got[:2] {
				if one.code == "" {
					right++
				} else if one.code != "INVALID_CODE" {
					t.Fatalf("%s", one.body)
				}
			}
			if right != 1 {
				t.Fatalf("one code was right %d times", right)
			}
			left := a.store.Client.User.Query().Where(user.CellNumber(cell)).OnlyX(t.Context())
			if !left.Vouched || !left.CellVerified || left.ContestedBy != nil || left.RegisteredFrom != nil {
				t.Errorf("afterwards it is %v", left)
			}
			if elsewhere && left.PasswordHash != nil {
				t.Error("the stranger's password is still good")
			}
			begun := []string{theirs.customer.access}
			for _, one := range got[3:5] {
				if one.code == "" {
					begun = append(begun, one.member(t, "accessToken"))
				}
			}
			for _, token := range begun {
				d.lives(t, token, left.PasswordHash != nil)
			}
			for _, one := range got[:2] {
				if one.code == "" {
					d.lives(t, one.member(t, "accessToken"), true)
				}
			}
		}
	})
}

// TestAccountClosedByCode closes an account with its token and a code, and opens it again from anywhere: it is the same
// person's, whose profile is there still.
func TestAccountClosedByCode(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.graphQL()
		c := d.register(t, d.cell(1))
		of := worker{d.with(c.access), c}
		of.do(t, closeAccount, map[string]any{"in": map[string]any{"code": d.code(t, c.cell)}}, nil)
		a.clock.pass(time.Hour)
		back := asCustomer(t, d.right(t, "loginOtp", byCode(c.cell, d.code(t, c.cell))))
		if said := d.with(back.access).right(t, "me", "").said; !strings.Contains(said, "Sara") {
			t.Errorf("the profile is gone: %s", said)
		}
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Closed = 10 * time.Hour
	})
}
