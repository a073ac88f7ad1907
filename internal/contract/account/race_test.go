package account_test

import (
	"slices"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// TestAccountRegistrationsRace registers one cell many times at once: one account results.
func TestAccountRegistrationsRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		cell := all[0].Cell(1)
		got := shoptest.Together(16, func(i int) shoptest.Reply {
			return all[i%len(all)].Ask(t, "register", shoptest.Registering(cell, shoptest.GoodPassword,
				shoptest.ToolsShop))
		})
		made := slices.DeleteFunc(slices.Clone(got), func(r shoptest.Reply) bool { return r.Code != "" })
		for _, r := range got {
			if r.Code != "" && r.Code != "CELL_ALREADY_REGISTERED" {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}
		if len(made) != 1 {
			t.Fatalf("%d registrations of one cell", len(made))
		}
		if id := all[0].Login(t, cell, shoptest.GoodPassword).ID; id != made[0].Member(t, "user.id") {
			t.Error("the account is another one than was answered")
		}

		// At two shops at once, with one password, it is one account and a member of both.
		cell = all[0].Cell(2)
		ids := shoptest.Together(2, func(i int) string {
			return shoptest.AsCustomer(t, all[i].Right(t, "register", shoptest.Registering(cell,
				shoptest.GoodPassword,
				[]string{shoptest.ToolsShop, shoptest.MugsShop}[i]))).ID
		})
		if ids[0] != ids[1] || !all[0].IsMember(t, cell, shoptest.ToolsShop) ||
			!all[0].IsMember(t, cell, shoptest.MugsShop) {
			t.Errorf("accounts %v", ids)
		}
	})
}

// TestAccountCodeRace uses one code a hundred times at once, through every operation: one call signs in or resets, and
// before it one at most verifies.
func TestAccountCodeRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell := d.Cell(1)
		d.Register(t, cell)
		ways := append(everywhere(a), everywhere(a.Instance(t))...)
		for range 2 {
			code := d.Code(t, cell)
			got := shoptest.Tallied(shoptest.Together(100, func(i int) string {
				use := map[bool]string{true: "verify ", false: "sign in "}[i%3 == 1] // as everywhere orders them
				return use + ways[i%len(ways)](t, cell, code)
			}))
			if got["sign in right"] != 1 || got["verify right"] > 1 || got["sign in wrong"] != 66 ||
				got["verify right"]+got["verify wrong"] != 33 {
				t.Errorf("got %v", got)
			}
		}
	})
}

// TestAccountGuessesRace guesses at codes concurrently: no more than five guesses at each are compared and counted,
// and after the 15 of an hour the right code fails too.
func TestAccountGuessesRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell := d.Cell(1)
		d.Register(t, cell)
		ways := append(everywhere(a), everywhere(a.Instance(t))...)
		for round := range 3 {
			code := d.Code(t, cell)
			got := shoptest.Tallied(shoptest.Together(30,
				func(i int) string { return ways[i%len(ways)](t, cell, shoptest.AnotherCode(code)) }))
			// The fifth guess of the last round is the fifteenth of the hour; concurrent guesses may get
			// that limit.
			last := round == 2
			if got["wrong"] != 30 && !(last && got["wrong"] >= 5 && got["wrong"]+got["RATE_LIMITED"] == 30) {
				t.Errorf("got %v", got)
			}
			for _, way := range ways {
				if got := way(t, cell, code); got != "wrong" {
					t.Errorf("the right code after too many guesses: got %s", got)
				}
			}
		}
		code := d.Code(t, cell)
		for _, way := range ways {
			if got := way(t, cell, code); got != "RATE_LIMITED" {
				t.Errorf("the right code: got %s", got)
			}
		}
	})
}

// TestAccountPasswordsRace guesses at one password concurrently: ten guesses are compared.
func TestAccountPasswordsRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		cell := all[0].Cell(1)
		mine := all[0].Register(t, cell)
		got := shoptest.Tallied(shoptest.Together(48, func(i int) string {
			d := all[i%len(all)]
			switch i / len(all) % 3 {
			case 0:
				return d.Ask(t, "login", shoptest.ByPassword(cell, "wrong password")).Code
			case 1:
				return d.Ask(t, "register", shoptest.Registering(cell, "wrong password", shoptest.MugsShop)).Code
			}
			return d.With(mine.Access).Ask(t, "changePassword", shoptest.Changing("wrong password",
				shoptest.OtherPassword)).Code
		}))
		if compared := got["INVALID_CREDENTIALS"] + got["CELL_EXISTS_OTHER_SITE"] +
			got["CURRENT_PASSWORD_INCORRECT"]; compared != 10 || got["RATE_LIMITED"] != 38 {
			t.Errorf("got %v", got)
		}
		for _, d := range all {
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 429, "RATE_LIMITED")
		}
	})
}

// TestAccountSignInsRace signs one customer in many times at once from one address. Guesses are counted
// before they are compared, and still none of these is refused.
func TestAccountSignInsRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t), a.Instance(t), a.Instance(t))
		cell := all[0].Cell(1)
		all[0].Register(t, cell)
		for _, c := range shoptest.Together(16, func(i int) shoptest.Customer {
			return all[i%len(all)].Login(t, cell, shoptest.GoodPassword)
		}) {
			all[0].Lives(t, c.Access, true)
		}
		wrongLogins(t, all[0], cell, 9)
		all[0].Login(t, cell, shoptest.GoodPassword)
	})
}

// TestAccountSendingRace requests codes concurrently: one is sent.
func TestAccountSendingRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		cell := all[0].Cell(1)
		all[0].Register(t, cell)
		got := shoptest.Tallied(shoptest.Together(24, func(i int) string {
			return all[i%len(all)].Ask(t, "sendOtp", shoptest.ToCell(cell)).Code
		}))
		if got[""] != 1 || got["RATE_LIMITED"] != 23 {
			t.Errorf("got %v", got)
		}
		all[0].Right(t, "loginOtp", shoptest.ByCode(cell, a.Phones.Code(t, cell)))
	})
}

// TestAccountEndRace signs in while the password is replaced: no session begun with the old password
// survives, no matter which came first.
func TestAccountEndRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		d := all[0]
		for n, replace := range []func(cell, code string) shoptest.Reply{
			func(cell, code string) shoptest.Reply {
				return d.Right(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword))
			},
			// the first sign-in by code of an old account
			func(cell, code string) shoptest.Reply { return d.Right(t, "loginOtp", shoptest.ByCode(cell, code)) },
		} {
			for round := range 4 {
				cell := d.Cell(10*n + round)
				d.Register(t, cell)
				d.Clock.Pass(time.Hour)
				code := d.Code(t, cell)
				got := shoptest.Together(5, func(i int) shoptest.Reply {
					if i == 0 {
						return replace(cell, code)
					}
					return all[i%len(all)].Ask(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword))
				})
				for _, r := range got[1:] {
					if r.Code == "" {
						d.Lives(t, r.Member(t, "accessToken"), false)
					} else if r.Code != "INVALID_CREDENTIALS" {
						t.Errorf("got %s", r.Body)
					}
				}
			}
		}
	})
}
