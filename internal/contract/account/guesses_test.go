package account_test

import (
	"fmt"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// wrongLogins signs in with n wrong passwords. None may be refused before it is compared.
func wrongLogins(t testing.TB, d shoptest.API, cell string, n int) {
	t.Helper()
	for range n {
		d.Wrong(t, "login", shoptest.ByPassword(cell, "wrong password"), 401, "INVALID_CREDENTIALS")
	}
}

// TestAccountLockout checks that ten wrong passwords from one address lock out that address, even with the
// right password, but no other address and no device that sends its token.
func TestAccountLockout(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell, nobody := d.Cell(1), d.Cell(2)
			d.Register(t, cell)
			d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			stranger, owner := d.From("203.0.113.7"), d.From("198.51.100.9")
			for _, one := range []string{cell, nobody} {
				wrongLogins(t, stranger, one, 10)
				stranger.TooMany(t, "login", shoptest.ByPassword(one, shoptest.GoodPassword), "60")
				stranger.TooMany(t, "login", shoptest.ByPassword(one, "wrong password"), "60")
			}
			stranger.TooMany(t, "register", shoptest.Registering(cell, shoptest.GoodPassword,
				shoptest.MugsShop), "60")
			stranger.Wrong(t, "register", shoptest.Registering(cell, shoptest.GoodPassword,
				shoptest.ToolsShop), 409, "CELL_ALREADY_REGISTERED")
			mine := owner.Login(t, cell, shoptest.GoodPassword)
			// a device counts for itself
			stranger.With(mine.Access).Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
				shoptest.GoodPassword))
			stranger.Right(t, "loginOtp", shoptest.ByCode(cell, stranger.Code(t, cell))) // a minute passes
			stranger.Login(t, cell, shoptest.GoodPassword)
			wrongLogins(t, stranger, cell, 10) // a success has cleared the first ten
			stranger.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
		})
	})
}

// TestAccountLockoutGrows checks that the lock lasts a minute, then twice as long each time up to 15
// minutes, and that attempts while it is locked do not extend it.
func TestAccountLockoutGrows(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			wrongLogins(t, d, cell, 9)
			for _, seconds := range []int{60, 120, 240, 480, 900, 900} {
				wrongLogins(t, d, cell, 1)
				d.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), fmt.Sprint(seconds))
				d.Clock.Pass(time.Duration(seconds)*time.Second - time.Microsecond)
				d.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "1")
				d.Clock.Pass(time.Microsecond)
			}
			d.Login(t, cell, shoptest.GoodPassword)
			wrongLogins(t, d, cell, 10)
			d.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
		})
	})
}

// TestAccountGuessesEverywhere checks that sign-in, registration and change of password share one count,
// over both interfaces and all spellings of the cell.
func TestAccountGuessesEverywhere(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		rest, graph := a.REST(), a.GraphQL()
		cell := rest.Cell(1)
		mine := rest.Register(t, cell)
		for _, d := range []shoptest.API{rest, graph} {
			d.Wrong(t, "login", shoptest.ByPassword("0"+cell[3:], "wrong password"), 401, "INVALID_CREDENTIALS")
			d.Wrong(t, "register", shoptest.Registering(cell, "wrong password", shoptest.MugsShop), 409,
				"CELL_EXISTS_OTHER_SITE")
			d.Right(t, "register", shoptest.Acknowledging(cell, "wrong password", shoptest.MugsShop))
			d.With(mine.Access).Wrong(t, "changePassword", shoptest.Changing("wrong password",
				shoptest.OtherPassword), 400,
				"CURRENT_PASSWORD_INCORRECT")
			d.Wrong(t, "login", shoptest.ByPassword(cell, "wrong password"), 401, "INVALID_CREDENTIALS")
		}
		for _, d := range []shoptest.API{rest, graph} {
			d.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
			d.TooMany(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.MugsShop), "60")
			d.TooMany(t, "register", shoptest.Acknowledging(cell, "wrong password", shoptest.MugsShop), "60")
			d.With(mine.Access).TooMany(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
				shoptest.OtherPassword), "60")
		}
	})
}

// TestAccountResetUnlocks checks that a password set by a code works at once, whatever wrong passwords came
// before it.
func TestAccountResetUnlocks(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.From("192.0.2.1").Register(t, cell)
			owner, elsewhere := d.From(shoptest.OwnerAt), d.From(shoptest.StrangerAt)
			for _, one := range []shoptest.API{owner, elsewhere} {
				wrongLogins(t, one, cell, 10)
				one.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
			}
			owner.Right(t, "resetPassword", resetting(cell, d.Code(t, cell), shoptest.OtherPassword))
			owner.Login(t, cell, shoptest.OtherPassword)
			wrongLogins(t, elsewhere, cell, 1) // the lock has expired
			elsewhere.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.OtherPassword), "120")

			for n := range 79 { // with those before it is an hour's
				wrongLogins(t, d.From(fmt.Sprintf("203.0.113.%d", 10+n)), cell, 1)
			}
			moved := d.From("192.0.2.77")
			if got := moved.Ask(t, "login", shoptest.ByPassword(cell,
				shoptest.OtherPassword)); got.Code != "RATE_LIMITED" {
				t.Errorf("from an unknown address: got %s", got.Code)
			}
			moved.Right(t, "resetPassword", resetting(cell, d.Code(t, cell), shoptest.GoodPassword)).Is(t, reset)
			moved.Login(t, cell, shoptest.GoodPassword)
		})
	})
}

// TestAccountNetworks checks what counts as one client address: an IPv4 address, or an IPv6 /64.
func TestAccountNetworks(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell := d.Cell(1)
		d.Register(t, cell)
		for n := range 10 {
			wrongLogins(t, d.From(fmt.Sprintf("2001:db8:1:2:%x::%x", n, n+1)), cell, 1)
		}
		d.From("2001:db8:1:2:ffff::1").TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
		d.From("2001:db8:1:3::1").Login(t, cell, shoptest.GoodPassword)
		wrongLogins(t, d.From("203.0.113.7"), cell, 10)
		d.From("::ffff:203.0.113.7").TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
		d.From("203.0.113.8").Login(t, cell, shoptest.GoodPassword)
	})
}

// TestAccountGuessesFromAnywhere checks that one cell has at most 100 wrong passwords an hour, from all
// addresses together.
func TestAccountGuessesFromAnywhere(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell, other := d.Cell(1), d.Cell(2)
		d.Register(t, cell)
		d.Register(t, other)
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		d.Login(t, cell, shoptest.GoodPassword) // right passwords do not count
		for n := range 100 {
			wrongLogins(t, d.From(fmt.Sprintf("203.0.113.%d", n)), cell, 1)
			d.Clock.Pass(time.Second)
		}
		fresh := d.From("198.51.100.1")
		for range 12 { // when refused, they do not count against the address
			fresh.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "3500")
		}
		fresh.Login(t, other, shoptest.GoodPassword)
		fresh.Right(t, "loginOtp", shoptest.ByCode(cell, fresh.Code(t, cell)))
		d.Clock.Pass(3500*time.Second - time.Minute)
		fresh.Login(t, cell, shoptest.GoodPassword)
	})
}

// TestAccountLogin checks that an unknown cell and a wrong password get the same answer, and which members
// are required.
func TestAccountLogin(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			d.Register(t, d.Cell(1))
			d.Right(t, "login", shoptest.ByPassword(d.Cell(1), shoptest.GoodPassword)).Is(t,
				signedIn(sara(d.Cell(1))))
			wrong := d.Wrong(t, "login", shoptest.ByPassword(d.Cell(1), "wrong password"), 401, "INVALID_CREDENTIALS")
			unknown := d.Wrong(t, "login", shoptest.ByPassword(d.Cell(2), shoptest.GoodPassword), 401,
				"INVALID_CREDENTIALS")
			if wrong.Message(t) != unknown.Message(t) {
				t.Errorf("got the message %q, want %q as of an unknown cell", wrong.Message(t), unknown.Message(t))
			}
			d.Wrong(t, "login", `{}`, 400, "VALIDATION_FAILED", "cellNumber", "password")
			d.Wrong(t, "login", `{"cellNumber": {}, "password": 12345678}`, 400, "VALIDATION_FAILED",
				"cellNumber", "password")
			d.Wrong(t, "login", `{"cellNumber": "0912", "password": ""}`, 400, "VALIDATION_FAILED",
				"cellNumber", "password")
		})
	})
}
