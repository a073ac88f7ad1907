package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// TestAccountCodeUsedOnce uses one code many times at once, at two instances of which one has a clock that is
// behind: it is right once for each use, and wrong from then on.
func TestAccountCodeUsedOnce(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		behind := func(o *app.Options) {
			o.Clock = func() time.Time { return a.Clock.Now().Add(-2 * time.Minute) }
		}
		all := shoptest.Sides(a, a.Instance(t, behind))
		ways := []func(d shoptest.API, cell, code string) shoptest.Reply{
			func(d shoptest.API, cell, code string) shoptest.Reply {
				return d.Ask(t, "loginOtp", shoptest.ByCode(cell, code))
			},
			func(d shoptest.API, cell, code string) shoptest.Reply {
				return d.Ask(t, "verifyOtp", shoptest.ByCode(cell, code))
			},
			func(d shoptest.API, cell, code string) shoptest.Reply {
				return d.Ask(t, "resetPassword", resetting(cell, code, shoptest.GoodPassword))
			},
		}
		for n := range 3 * len(ways) {
			cell, way := all[0].Cell(n), ways[n%len(ways)]
			all[0].Register(t, cell)
			code := all[0].Code(t, cell)
			right := 0
			for _, got := range shoptest.Together(8,
				func(i int) shoptest.Reply { return way(all[i%len(all)], cell, code) }) {
				if got.Code == "" && !strings.Contains(got.Said, `"verified":false`) {
					right++
				}
			}
			if right != 1 {
				t.Errorf("way %d: a code was right %d times", n%len(ways), right)
			}
			if n%len(ways) == 1 { // it has verified the cell, and can still sign in once
				got := shoptest.Together(8, func(i int) string {
					return all[i%len(all)].Ask(t, "loginOtp",
						shoptest.ByCode(cell, code)).Code
				})
				if counts := shoptest.Tallied(got); counts[""] != 1 || counts["INVALID_CODE"] != 7 {
					t.Errorf("a code that has verified the cell signed in: %v", counts)
				}
			}
			for _, d := range all {
				refusesCode(t, d, cell, code)
			}
		}
	})
}

// TestAccountGuessesAtDeadCode checks that guesses at a code without remaining guesses do not count towards
// the hour's limit.
func TestAccountGuessesAtDeadCode(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, ways := a.REST(), everywhere(a)
		cell := d.Cell(1)
		d.Register(t, cell)
		code := d.Code(t, cell)
		for n := range 20 {
			if got := ways[n%len(ways)](t, cell, shoptest.AnotherCode(code)); got != "wrong" {
				t.Fatalf("guess %d: got %s", n+1, got)
			}
		}
		if got := guessCode(t, d, "loginOtp", cell, d.Code(t, cell)); got != "right" {
			t.Errorf("the next code is %s", got)
		}
	})
}

// TestAccountOwnerIsNotLockedOut checks that wrong passwords from everywhere lock nobody out who has signed
// in from the same address within 30 days.
func TestAccountOwnerIsNotLockedOut(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell, owner := d.Cell(1), d.From(shoptest.OwnerAt)
		made := d.From("192.0.2.1").Register(t, cell)
		d.With(made.Access).Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		owner.Login(t, cell, shoptest.GoodPassword)
		guess := func() {
			t.Helper()
			for n := range 100 {
				wrongLogins(t, d.From(fmt.Sprintf("203.0.113.%d", n)), cell, 1)
			}
		}
		guess()
		d.From("192.0.2.77").TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "3600")
		owner.Login(t, cell, shoptest.GoodPassword)
		wrongLogins(t, owner, cell, 10) // the limit of one address holds for the owner too
		owner.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")

		d.Clock.Pass(30 * 24 * time.Hour)
		guess()
		owner.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "3600")
	})
}

// TestAccountGuessesFromOneAddress checks how many wrong passwords one client address may try over all
// cells.
func TestAccountGuessesFromOneAddress(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		d.Register(t, d.Cell(1))
		stranger := d.From(shoptest.StrangerAt)
		for n := range 300 {
			wrongLogins(t, stranger, d.Cell(100+n), 1)
			if n%50 == 0 { // right passwords do not count
				stranger.Login(t, d.Cell(1), shoptest.GoodPassword)
			}
		}
		stranger.TooMany(t, "login", shoptest.ByPassword(d.Cell(1), shoptest.GoodPassword), "600")
		stranger.TooMany(t, "register", shoptest.Registering(d.Cell(1), shoptest.GoodPassword,
			shoptest.MugsShop), "600")
		got := stranger.Wrong(t, "login", shoptest.ByPassword(d.Cell(1), shoptest.GoodPassword), 429, "RATE_LIMITED")
		if said := got.Message(t); !strings.Contains(said, "from one client address") {
			t.Errorf("said %q", said)
		}
		d.From(shoptest.OwnerAt).Login(t, d.Cell(1), shoptest.GoodPassword)
		d.Clock.Pass(10 * time.Minute)
		stranger.Login(t, d.Cell(1), shoptest.GoodPassword)
	})
}

// TestAccountWrongCodesFromOneAddress checks how many wrong codes one client address may try over all
// cells.
func TestAccountWrongCodesFromOneAddress(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		owner, stranger := d.From(shoptest.OwnerAt), d.From(shoptest.StrangerAt)
		d.Clock.Pass(time.Minute)
		for n := range 21 {
			d.Right(t, "sendOtp", shoptest.ToCell(d.Cell(n)))
		}
		code := ""
		for n := range 100 {
			cell := d.Cell(n / 5)
			if n%5 == 0 {
				code = shoptest.AnotherCode(d.Phones.Code(t, cell))
			}
			if got := guessCode(t, stranger, "verifyOtp", cell, code); got != "wrong" {
				t.Fatalf("guess %d: got %s", n+1, got)
			}
		}
		cell := d.Cell(20)
		code = d.Phones.Code(t, cell)
		got := stranger.Wrong(t, "verifyOtp", shoptest.ByCode(cell, code), 429, "RATE_LIMITED")
		if said := got.Message(t); !strings.Contains(said, "from one client address") {
			t.Errorf("said %q", said)
		}
		owner.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, verified)
	})
}

// TestAccountCodesToOneAddress checks how many codes one client address may ask for, and what a refusal says.
func TestAccountCodesToOneAddress(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d.Clock.Pass(map[bool]time.Duration{false: 0, true: time.Hour}[d.GraphQL])
			for n := range 3 {
				d.From(fmt.Sprintf("2001:db8:1:2::%d", n)).Right(t, "sendOtp", shoptest.ToCell(d.Cell(n)))
			}
			for range 3 {
				got := d.From("2001:db8:1:2:3::").Wrong(t, "sendOtp", shoptest.ToCell(d.Cell(9)), 429, "RATE_LIMITED")
				if said := got.Message(t); !strings.HasPrefix(said, "too many codes for one client address") {
					t.Errorf("said %q", said)
				}
			}
			// a refusal counted against nobody
			d.From(shoptest.OwnerAt).Right(t, "sendOtp", shoptest.ToCell(d.Cell(9)))
			d.From("2001:db8:2:3::1").Right(t, "sendOtp", shoptest.ToCell(d.Cell(8)))
			d.Clock.Pass(10 * time.Minute)
			d.From("2001:db8:1:2::1").Right(t, "sendOtp", shoptest.ToCell(d.Cell(7)))
		})
		a.Stop()
		if log := a.Log.String(); !strings.Contains(log, "TRUSTED_PROXIES") {
			t.Error("the log does not say what an operator may do")
		}
	}, func(o *app.Options) { o.CodesToAddress, o.CodesInMinute = 3, 32 })
}

// TestAccountTakenBefore checks that somebody who registers another person's cell has no way in once its owner signs in
// by a code from elsewhere, however soon, and that verifying a code alone ends nothing.
func TestAccountTakenBefore(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			owner, stranger := d.From(shoptest.OwnerAt), d.From(shoptest.StrangerAt)
			theirs := squat(t, stranger, 2)
			cell := theirs.Customer.Cell
			owner.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell))).Is(t, verified)
			d.Lives(t, theirs.Customer.Access, true)
			owner.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			handedOver(t, d, theirs.Customer)

			mine := d.Cell(3) // from the address of the registration it changes nothing
			session := owner.Register(t, mine)
			owner.Right(t, "loginOtp", shoptest.ByCode(mine, d.Code(t, mine)))
			d.Lives(t, session.Access, true)
			owner.Login(t, mine, shoptest.GoodPassword)

			// nor from elsewhere with the account's own token
			for n, operation := range []string{"loginOtp", "verifyOtp"} {
				moved := d.Cell(101 + n)
				session = owner.Register(t, moved)
				d.From("192.0.2.5").With(session.Access).Right(t, operation, shoptest.ByCode(moved, d.Code(t, moved)))
				d.Lives(t, session.Access, true)
				d.Clock.Pass(48 * time.Hour)
				// wherever the next one comes from
				stranger.Right(t, "loginOtp", shoptest.ByCode(moved, d.Code(t, moved)))
				owner.Login(t, moved, shoptest.GoodPassword)
			}
		})
	})
}

// TestAccountProofOfUnknownCell checks that a verified cell without an account can be registered as
// verified only from the same client address.
func TestAccountProofOfUnknownCell(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			owner, stranger := d.From(shoptest.OwnerAt), d.From(shoptest.StrangerAt)
			for n, one := range map[int]struct {
				shoptest.API
				verified string
			}{1: {stranger, "false"}, 2: {owner, "true"}} {
				cell := d.Cell(n)
				owner.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell))).Is(t, verified)
				made := one.Right(t, "register", shoptest.Registering(cell, shoptest.GoodPassword,
					shoptest.ToolsShop))
				if !strings.Contains(shoptest.Tidied(t, made.Said), `"cellVerified": `+one.verified) {
					t.Errorf("the cell is verified: want %s, got %s", one.verified, made.Said)
				}
			}
		})
	})
}

// TestAccountSecondSiteRace registers one cell at a second site many times at once.
func TestAccountSecondSiteRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		for n := range 4 {
			cell := all[0].Cell(n)
			all[0].Register(t, cell)
			got := shoptest.Together(8, func(i int) string {
				r := all[i%len(all)].Ask(t, "register", shoptest.Registering(cell, shoptest.GoodPassword,
					shoptest.MugsShop))
				return r.Code
			})
			if counts := shoptest.Tallied(got); counts[""] != 1 || counts["CELL_ALREADY_REGISTERED"] != 7 {
				t.Errorf("got %v", counts)
			}
			wrongLogins(t, all[0], cell, 9) // the refused registrations were not counted as wrong passwords
			all[0].Login(t, cell, shoptest.GoodPassword)
		}
	})
}

// TestAccountAddressRace adds more addresses at once than are left.
func TestAccountAddressRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		mine := all[0].Register(t, all[0].Cell(1))
		for range 95 {
			all[0].With(mine.Access).Right(t, "createAddress", shoptest.HomeAddress)
		}
		got := shoptest.Together(20, func(i int) string {
			return all[i%len(all)].With(mine.Access).Ask(t, "createAddress", shoptest.HomeAddress).Code
		})
		if counts := shoptest.Tallied(got); counts[""] != 5 || counts["CONFLICT"] != 15 {
			t.Errorf("got %v", counts)
		}
	})
}

// TestAccountLandlines checks that no answer says a code is on its way to a phone that takes no SMS.
func TestAccountLandlines(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		o := func(o *app.Options) { o.Sender = printing(t) }
		d := a.Instance(t, o).REST()
		d.Right(t, "sendOtp", shoptest.ToCell("+982188776655")).Is(t, codeless)
		d.Right(t, "sendOtp", shoptest.ToCell("+989121234567")).Is(t, codeSent)
	})
}

// TestAccountCommonPasswords checks what the setting refuses, and where: for new passwords only.
func TestAccountCommonPasswords(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		refuse := func(o *app.Options) { o.RefuseCommonPasswords = true }
		for _, d := range shoptest.Sides(a.Instance(t, refuse)) {
			cell := d.Cell(1)
			for _, password := range []string{"password", "Football1", cell, cell[1:], "0" + cell[3:]} {
				d.Wrong(t, "register", shoptest.Registering(cell, password, shoptest.ToolsShop), 400,
					"VALIDATION_FAILED", "password")
			}
			mine := d.Register(t, cell)
			code := d.Code(t, cell)
			d.Wrong(t, "resetPassword", resetting(cell, code, "password"), 400, "VALIDATION_FAILED", "newPassword")
			d.With(mine.Access).Wrong(t, "changePassword", shoptest.Changing(shoptest.GoodPassword, "password"), 400,
				"VALIDATION_FAILED", "newPassword")
			d.Right(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword)) // it was not used up
		}
		d := a.REST() // by default they are accepted, and can be used at a second shop
		d.Right(t, "register", shoptest.Registering(d.Cell(2), "password", shoptest.ToolsShop))
		d.Right(t, "resetPassword", resetting(d.Cell(2), d.Code(t, d.Cell(2)), "0"+d.Cell(2)[3:]))
		d.Right(t, "resetPassword", resetting(d.Cell(2), d.Code(t, d.Cell(2)), "password"))
		a.Instance(t, refuse).REST().Right(t, "register", shoptest.Registering(d.Cell(2), "password",
			shoptest.MugsShop))
	})
}
