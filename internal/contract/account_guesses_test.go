package contract_test

import (
	"fmt"
	"testing"
	"time"
)

// wrongLogins signs in with wrong passwords; all of them are compared.
func (d door) wrongLogins(t testing.TB, cell string, n int) {
	t.Helper()
	for range n {
		d.wrong(t, "login", byPassword(cell, "wrong password"), 401, "INVALID_CREDENTIALS")
	}
}

// TestAccountLockout checks that ten wrong passwords from one address lock out that address, even with the
// right password, and no other address.
func TestAccountLockout(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell, nobody := d.cell(1), d.cell(2)
			d.register(t, cell)
			d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
			stranger, owner := d.from("203.0.113.7"), d.from("198.51.100.9")
			for _, one := range []string{cell, nobody} {
				stranger.wrongLogins(t, one, 10)
				stranger.tooMany(t, "login", byPassword(one, goodPassword), "60")
				stranger.tooMany(t, "login", byPassword(one, "wrong password"), "60")
			}
			stranger.tooMany(t, "register", registering(cell, goodPassword, mugsShop), "60")
			stranger.wrong(t, "register", registering(cell, goodPassword, toolsShop), 409, "CELL_ALREADY_REGISTERED")
			mine := owner.login(t, cell, goodPassword)
			stranger.with(mine.access).tooMany(t, "changePassword", changing(goodPassword, otherPassword), "60")
			stranger.right(t, "loginOtp", byCode(cell, stranger.code(t, cell))) // a minute passes
			stranger.login(t, cell, goodPassword)
			stranger.wrongLogins(t, cell, 10) // a success has cleared the first ten
			stranger.tooMany(t, "login", byPassword(cell, goodPassword), "60")
		})
	})
}

// TestAccountLockoutGrows checks that the lock lasts a minute, then twice as long each time up to 15
// minutes, and that attempts while it is locked do not extend it.
func TestAccountLockoutGrows(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			d.wrongLogins(t, cell, 9)
			for _, seconds := range []int{60, 120, 240, 480, 900, 900} {
				d.wrongLogins(t, cell, 1)
				d.tooMany(t, "login", byPassword(cell, goodPassword), fmt.Sprint(seconds))
				d.clock.pass(time.Duration(seconds)*time.Second - time.Microsecond)
				d.tooMany(t, "login", byPassword(cell, goodPassword), "1")
				d.clock.pass(time.Microsecond)
			}
			d.login(t, cell, goodPassword)
			d.wrongLogins(t, cell, 10)
			d.tooMany(t, "login", byPassword(cell, goodPassword), "60")
		})
	})
}

// TestAccountGuessesEverywhere checks that sign-in, registration and change of password share one count,
// over both interfaces and all spellings of the cell.
func TestAccountGuessesEverywhere(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		rest, graph := a.rest(), a.graphQL()
		cell := rest.cell(1)
		mine := rest.register(t, cell)
		for _, d := range []door{rest, graph} {
			d.wrong(t, "login", byPassword("0"+cell[3:], "wrong password"), 401, "INVALID_CREDENTIALS")
			d.wrong(t, "register", registering(cell, "wrong password", mugsShop), 409, "CELL_EXISTS_OTHER_SITE")
			d.right(t, "register", acknowledging(cell, "wrong password", mugsShop))
			d.with(mine.access).wrong(t, "changePassword", changing("wrong password", otherPassword), 400,
				"CURRENT_PASSWORD_INCORRECT")
			d.wrong(t, "login", byPassword(cell, "wrong password"), 401, "INVALID_CREDENTIALS")
		}
		for _, d := range []door{rest, graph} {
			d.tooMany(t, "login", byPassword(cell, goodPassword), "60")
			d.tooMany(t, "register", registering(cell, goodPassword, mugsShop), "60")
			d.tooMany(t, "register", acknowledging(cell, "wrong password", mugsShop), "60")
			d.with(mine.access).tooMany(t, "changePassword", changing(goodPassword, otherPassword), "60")
		}
	})
}

// TestAccountResetUnlocks checks that a new password is taken at once where a code has set it, whatever wrong ones came
// before it.
func TestAccountResetUnlocks(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.from("192.0.2.1").register(t, cell)
			owner, elsewhere := d.from(ownerAt), d.from(strangerAt)
			for _, one := range []door{owner, elsewhere} {
				one.wrongLogins(t, cell, 10)
				one.tooMany(t, "login", byPassword(cell, goodPassword), "60")
			}
			owner.right(t, "resetPassword", resetting(cell, d.code(t, cell), otherPassword))
			owner.login(t, cell, otherPassword)
			elsewhere.wrongLogins(t, cell, 1) // the pause is over
			elsewhere.tooMany(t, "login", byPassword(cell, otherPassword), "120")

			for n := range 79 { // with those before it is an hour's
				d.from(fmt.Sprintf("203.0.113.%d", 10+n)).wrongLogins(t, cell, 1)
			}
			moved := d.from("192.0.2.77")
			if got := moved.ask(t, "login", byPassword(cell, otherPassword)); got.code != "RATE_LIMITED" {
				t.Errorf("from an unknown address: %s", got.code)
			}
			moved.right(t, "resetPassword", resetting(cell, d.code(t, cell), goodPassword)).is(t, reset)
			moved.login(t, cell, goodPassword)
		})
	})
}

// TestAccountNetworks checks what counts as one client address: an IPv4 address, or an IPv6 /64.
func TestAccountNetworks(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell := d.cell(1)
		d.register(t, cell)
		for n := range 10 {
			d.from(fmt.Sprintf("2001:db8:1:2:%x::%x", n, n+1)).wrongLogins(t, cell, 1)
		}
		d.from("2001:db8:1:2:ffff::1").tooMany(t, "login", byPassword(cell, goodPassword), "60")
		d.from("2001:db8:1:3::1").login(t, cell, goodPassword)
		d.from("203.0.113.7").wrongLogins(t, cell, 10)
		d.from("::ffff:203.0.113.7").tooMany(t, "login", byPassword(cell, goodPassword), "60")
		d.from("203.0.113.8").login(t, cell, goodPassword)
	})
}

// TestAccountGuessesFromAnywhere checks that one cell has at most 100 wrong passwords an hour, from all
// addresses together.
func TestAccountGuessesFromAnywhere(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell, other := d.cell(1), d.cell(2)
		d.register(t, cell)
		d.register(t, other)
		d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
		d.login(t, cell, goodPassword) // what is right does not count
		for n := range 100 {
			d.from(fmt.Sprintf("203.0.113.%d", n)).wrongLogins(t, cell, 1)
			d.clock.pass(time.Second)
		}
		fresh := d.from("198.51.100.1")
		for range 12 { // refused, they are not counted against the address
			fresh.tooMany(t, "login", byPassword(cell, goodPassword), "3500")
		}
		fresh.login(t, other, goodPassword)
		fresh.right(t, "loginOtp", byCode(cell, fresh.code(t, cell)))
		d.clock.pass(3500*time.Second - time.Minute)
		fresh.login(t, cell, goodPassword)
	})
}

// TestAccountLogin checks that an unknown cell and a wrong password get the same answer, and which members
// are required.
func TestAccountLogin(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d.register(t, d.cell(1))
			d.right(t, "login", byPassword(d.cell(1), goodPassword)).is(t, signedIn(sara(d.cell(1))))
			wrong := d.wrong(t, "login", byPassword(d.cell(1), "wrong password"), 401, "INVALID_CREDENTIALS")
			unknown := d.wrong(t, "login", byPassword(d.cell(2), goodPassword), 401, "INVALID_CREDENTIALS")
			if wrong.message(t) != unknown.message(t) {
				t.Errorf("said %q and %q", wrong.message(t), unknown.message(t))
			}
			d.wrong(t, "login", `{}`, 400, "VALIDATION_FAILED", "cellNumber", "password")
			d.wrong(t, "login", `{"cellNumber": {}, "password": 12345678}`, 400, "VALIDATION_FAILED",
				"cellNumber", "password")
			d.wrong(t, "login", `{"cellNumber": "0912", "password": ""}`, 400, "VALIDATION_FAILED",
				"cellNumber", "password")
		})
	})
}
