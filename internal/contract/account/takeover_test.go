package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/user"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/account"
)

// squat registers the nth cell of an API as a stranger does who shares its holder's address, and leaves
// things in the account.
func squat(t testing.TB, d shoptest.API, n int) shoptest.Shopper {
	t.Helper()
	s := d.Shopper(t, n)
	s.Right(t, "UpdateProfile", `{"email": "stranger@mail.example"}`)
	s.Right(t, "CreateAddress", shoptest.HomeAddress)
	s.Right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
	s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
	return s
}

// handedOver checks that nobody who registered an account has a way in any more, and that what is in it stays, with
// the mark fromBefore.
func handedOver(t testing.TB, d shoptest.API, theirs shoptest.Customer) {
	t.Helper()
	d.Dead(t, theirs)
	d.Wrong(t, "login", shoptest.ByPassword(theirs.Cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
	if d.IsMember(t, theirs.Cell, shoptest.ToolsShop) {
		t.Error("the account is a member still of the shop where it was registered")
	}
	who := uuid.MustParse(theirs.ID)
	left := d.Store.Client.User.GetX(t.Context(), who)
	if left.FirstName == nil || left.HandedOverAt == nil || !left.Vouched || left.Email != nil {
		t.Errorf("the account is %v, with the e-mail address %v", left, left.Email)
	}
	for table, want := range map[string]int{"carts": 1, "favorites": 1, "addresses WHERE from_before AND": 1,
		// the customer's own, from the sign-in by code
		"sign_in_addresses WHERE address <> '" + shoptest.OwnerAt + "' AND": 0} {
		if !strings.Contains(table, "WHERE") {
			table += " WHERE"
		}
		if n := d.Rows(t, "SELECT count(*) FROM "+table+" user_id = $1", who); n != want {
			t.Errorf("%d of %s, want %d", n, table, want)
		}
	}
}

// TestAccountContested has a stranger at the customer's own address register the customer's cell. The customer, who is
// refused to register, comes in by a code within the half hour: the stranger is out.
func TestAccountContested(t *testing.T) {
	enter := map[string]func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply{
		"loginOtp": func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply {
			return d.Right(t, "loginOtpSays", shoptest.ByCode(cell, code))
		},
		"resetPassword": func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply {
			return d.Right(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword))
		},
	}
	refused := map[string]func(d shoptest.API, t testing.TB, cell string){
		"here": func(d shoptest.API, t testing.TB, cell string) {
			d.Wrong(t, "register", shoptest.Registering(cell, shoptest.OtherPassword, shoptest.ToolsShop),
				409, "CELL_ALREADY_REGISTERED")
		},
		"at another shop": func(d shoptest.API, t testing.TB, cell string) {
			d.Wrong(t, "register", shoptest.Registering(cell, shoptest.OtherPassword, shoptest.MugsShop), 409,
				"CELL_EXISTS_OTHER_SITE")
		},
	}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d, n := d.From(shoptest.OwnerAt), 0
			for _, contest := range refused {
				for way, comes := range enter {
					n++
					theirs := squat(t, d, n)
					cell := theirs.Customer.Cell
					contest(d, t, cell)
					got := comes(d, t, cell, d.Code(t, cell))
					handedOver(t, d, theirs.Customer)
					if said := got.Member(t, "message"); !strings.Contains(said, "the former password") {
						t.Errorf("%s says %q", way, said)
					}
					if way == "resetPassword" {
						d.Login(t, cell, shoptest.OtherPassword)
					} else {
						d.Lives(t, got.Member(t, "accessToken"), true)
					}
				}
			}
		})
		a.NamesAreSearched(t)
	})
}

// TestAccountVerifiedForAnother has a customer verify a cell without an account, and a neighbour register it with that
// proof: no password or session of the neighbour's outlives the customer's sign-in by code half an hour later, or with
// signInByCode.
func TestAccountVerifiedForAnother(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d = d.From(shoptest.OwnerAt)
			cell := d.Cell(1)
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell))).Is(t, verified)
			theirs := squat(t, d, 1)
			d.Clock.Pass(31 * time.Minute)
			got := d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			handedOver(t, d, theirs.Customer)
			d.Lives(t, got.Member(t, "accessToken"), true)
		})
	})
}

// TestAccountVerifiedBefore has a customer verify a cell and then register it: the next code is of the same sitting, or
// of the same hand by the account's token, and ends nothing.
func TestAccountVerifiedBefore(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d = d.From(shoptest.OwnerAt)
			for n, operation := range []string{"verifyOtp", "loginOtp"} {
				for m, later := range []time.Duration{0, 48 * time.Hour} {
					cell := d.Cell(10*n + m)
					d.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell))).Is(t, verified)
					registered := d.Register(t, cell)
					d.Clock.Pass(later) // the token has expired then
					with := d
					if later > 0 {
						with = d.From("192.0.2.5").With(registered.Access)
					}
					with.Right(t, operation, shoptest.ByCode(cell, d.Code(t, cell)))
					d.From(shoptest.StrangerAt).Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
					d.Refresh(t, registered)
					d.Login(t, cell, shoptest.GoodPassword)
				}
			}
		})
	})
}

// TestAccountOneClient follows a client at one address that sends a token only where one is required.
func TestAccountOneClient(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d = d.From(shoptest.OwnerAt)
			registered := d.Register(t, d.Cell(1))
			got := d.Right(t, "loginOtpSays", shoptest.ByCode(d.Cell(1), d.Code(t, d.Cell(1))))
			if strings.Contains(got.Said, "message") && !strings.Contains(got.Said, `"message":null`) {
				t.Errorf("said %s", got.Said)
			}
			d.Lives(t, registered.Access, true)
			d.Login(t, d.Cell(1), shoptest.GoodPassword)

			d.Right(t, "verifyOtp", shoptest.ByCode(d.Cell(2), d.Code(t, d.Cell(2))))
			registered = d.Register(t, d.Cell(2))
			d.Lives(t, registered.Access, true)
			d.Login(t, d.Cell(2), shoptest.GoodPassword)

			for n, twice := range []bool{false, true} { // at once, and after the refusal that asks for it
				cell := d.Cell(3 + n)
				registered = d.Register(t, cell)
				if twice {
					d.Wrong(t, "register", shoptest.Registering(cell, shoptest.OtherPassword,
						shoptest.MugsShop), 409, "CELL_EXISTS_OTHER_SITE")
					d.Wrong(t, "register", shoptest.Registering(cell, shoptest.OtherPassword,
						shoptest.MugsShop), 409, "CELL_EXISTS_OTHER_SITE")
				}
				d.Right(t, "register", shoptest.Acknowledging(cell, shoptest.OtherPassword, shoptest.MugsShop))
				d.Right(t, "loginOtp", shoptest.ByCode(cell, d.CodeFrom(t, cell, shoptest.MugsShop)))
				d.Lives(t, registered.Access, true)
				d.Login(t, cell, shoptest.GoodPassword)
				d.Clock.Pass(48 * time.Hour) // the account is verified now, wherever the next code comes from
				d.From(shoptest.StrangerAt).Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
				d.Login(t, cell, shoptest.GoodPassword)
			}
			if !d.IsMember(t, d.Cell(4), shoptest.MugsShop) {
				t.Error("the link is not completed")
			}

			cell := d.Cell(5) // a request that is sent twice contests nothing
			registered = d.Register(t, cell)
			d.Wrong(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.ToolsShop), 409,
				"CELL_ALREADY_REGISTERED")
			d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			d.Lives(t, registered.Access, true)
		})
	})
}

// TestAccountContestStays checks that only the customer whose registration was refused can withdraw the
// contest.
func TestAccountContestStays(t *testing.T) {
	const third = "a third password"
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST().From(shoptest.OwnerAt)
		for n, steps := range [][]string{
			{shoptest.OtherPassword, "+" + third},                         // acknowledged by somebody else
			{shoptest.OtherPassword, third, "+" + shoptest.OtherPassword}, // refused to two
			{shoptest.OtherPassword, "+" + shoptest.GoodPassword},         // by who registered, who becomes a member
			{shoptest.OtherPassword, "+" + third, "+" + third},            // again and again
			{shoptest.OtherPassword, third, third, "+" + third},           // refused to two, twice
		} {
			theirs := squat(t, d, n)
			cell := theirs.Customer.Cell
			for _, step := range steps {
				if password, acknowledged := strings.CutPrefix(step, "+"); acknowledged {
					d.Right(t, "register", shoptest.Acknowledging(cell, password, shoptest.MugsShop))
				} else {
					d.Wrong(t, "register", shoptest.Registering(cell, password, shoptest.MugsShop), 409,
						"CELL_EXISTS_OTHER_SITE")
				}
			}
			d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			handedOver(t, d, theirs.Customer)
		}
	})
}

// TestAccountTakeoverRace has a customer whose cell a stranger has registered sign in by a code, twice at once
// on two servers, while a registration is refused and the stranger signs in. Afterwards either the stranger
// has nothing left, or the account was not contested yet.
func TestAccountTakeoverRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		for n := range 4 * *shoptest.Rounds {
			d := all[n%len(all)].From(shoptest.OwnerAt)
			theirs := squat(t, d, n)
			cell := theirs.Customer.Cell
			elsewhere := n%2 == 1 // else the code is from the address of the registration
			code := d.Code(t, cell)
			got := shoptest.Together(6, func(i int) shoptest.Reply {
				d := all[i%len(all)].From(shoptest.OwnerAt)
				switch i {
				case 0, 1:
					if elsewhere {
						d = d.From(shoptest.StrangerAt)
					}
					return d.Ask(t, "loginOtp", shoptest.ByCode(cell, code))
				case 2:
					return d.Ask(t, "register", shoptest.Registering(cell, shoptest.OtherPassword,
						shoptest.ToolsShop))
				case 3:
					return d.Ask(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword))
				case 4:
					return d.Ask(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.MugsShop))
				}
				return d.With(theirs.Customer.Access).Ask(t, "createAddress", shoptest.HomeAddress)
			})
			right := 0
			for _, one := range got[:2] {
				if one.Code == "" {
					right++
				} else if one.Code != "INVALID_CODE" {
					t.Fatalf("got %s", one.Body)
				}
			}
			if right != 1 {
				t.Fatalf("one code was right %d times", right)
			}
			left := a.Store.Client.User.Query().Where(user.CellNumber(cell)).OnlyX(t.Context())
			if !left.Vouched || !left.CellVerified || left.ContestedBy != nil || left.RegisteredFrom != nil {
				t.Errorf("afterwards it is %v", left)
			}
			if elsewhere && left.PasswordHash != nil {
				t.Error("the stranger's password is still good")
			}
			begun := []string{theirs.Customer.Access}
			for _, one := range got[3:5] {
				if one.Code == "" {
					begun = append(begun, one.Member(t, "accessToken"))
				}
			}
			for _, token := range begun {
				d.Lives(t, token, left.PasswordHash != nil)
			}
			for _, one := range got[:2] {
				if one.Code == "" {
					d.Lives(t, one.Member(t, "accessToken"), true)
				}
			}
		}
	})
}

// TestAccountClosedByCode closes an account with its token and a code, and opens it again by a sign-in with a
// code alone. Its profile must still be there.
func TestAccountClosedByCode(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		c := d.Register(t, d.Cell(1))
		of := shoptest.Worker{API: d.With(c.Access), Customer: c}
		of.Do(t, shoptest.CloseAccount, map[string]any{"in": map[string]any{"code": d.Code(t, c.Cell)}}, nil)
		a.Clock.Pass(time.Hour)
		back := shoptest.AsCustomer(t, d.Right(t, "loginOtp", shoptest.ByCode(c.Cell, d.Code(t, c.Cell))))
		if said := d.With(back.Access).Right(t, "me", "").Said; !strings.Contains(said, "Sara") {
			t.Errorf("the profile is gone: %s", said)
		}
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Closed = 10 * time.Hour
	})
}
