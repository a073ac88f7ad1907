package contract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
)

// The client addresses of the customer and of one who is not.
const ownerAt, strangerAt = "198.51.100.9", "203.0.113.7"

// TestAccountCodeUsedOnce uses one code many times at once, at two instances of which one has a clock that is
// behind: it is right once for each use, and wrong from then on.
func TestAccountCodeUsedOnce(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		behind := func(o *app.Options) {
			o.Clock = func() time.Time { return a.clock.now().Add(-2 * time.Minute) }
		}
		all := sides(a, a.instance(t, behind))
		ways := []func(d door, cell, code string) reply{
			func(d door, cell, code string) reply { return d.ask(t, "loginOtp", byCode(cell, code)) },
			func(d door, cell, code string) reply { return d.ask(t, "verifyOtp", byCode(cell, code)) },
			func(d door, cell, code string) reply {
				return d.ask(t, "resetPassword", resetting(cell, code, goodPassword))
			},
		}
		for n := range 3 * len(ways) {
			cell, way := all[0].cell(n), ways[n%len(ways)]
			all[0].register(t, cell)
			code := all[0].code(t, cell)
			right := 0
			for _, got := range together(8, func(i int) reply { return way(all[i%len(all)], cell, code) }) {
				if got.code == "" && !strings.Contains(got.said, `"verified":false`) {
					right++
				}
			}
			if right != 1 {
				t.Errorf("way %d: a code was right %d times", n%len(ways), right)
			}
			if n%len(ways) == 1 { // it has verified the cell, and signs in once as well
				got := together(8, func(i int) string { return all[i%len(all)].ask(t, "loginOtp", byCode(cell, code)).code })
				if counts := tallied(got); counts[""] != 1 || counts["INVALID_CODE"] != 7 {
					t.Errorf("a code that has verified the cell signed in: %v", counts)
				}
			}
			for _, d := range all {
				d.refusesCode(t, cell, code)
			}
		}
	})
}

// TestAccountGuessesAtDeadCode checks that guesses at a code that has none left do not use up those of the
// hour.
func TestAccountGuessesAtDeadCode(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d, ways := a.rest(), a.everywhere()
		cell := d.cell(1)
		d.register(t, cell)
		code := d.code(t, cell)
		for n := range 20 {
			if got := ways[n%len(ways)](t, cell, anotherCode(code)); got != "wrong" {
				t.Fatalf("guess %d: %s", n+1, got)
			}
		}
		if got := d.guess(t, "loginOtp", cell, d.code(t, cell)); got != "right" {
			t.Errorf("the next code is %s", got)
		}
	})
}

// TestAccountOwnerIsNotLockedOut checks that wrong passwords from everywhere lock nobody out who has signed
// in from the same address within 30 days.
func TestAccountOwnerIsNotLockedOut(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell, owner := d.cell(1), d.from(ownerAt)
		d.from("192.0.2.1").register(t, cell)
		owner.login(t, cell, goodPassword)
		guess := func() {
			t.Helper()
			for n := range 100 {
				d.from(fmt.Sprintf("203.0.113.%d", n)).wrongLogins(t, cell, 1)
			}
		}
		guess()
		d.from("192.0.2.77").tooMany(t, "login", byPassword(cell, goodPassword), "3600")
		owner.login(t, cell, goodPassword)
		owner.wrongLogins(t, cell, 10) // the limit of one address holds for the owner too
		owner.tooMany(t, "login", byPassword(cell, goodPassword), "60")

		d.clock.pass(30 * 24 * time.Hour)
		guess()
		owner.tooMany(t, "login", byPassword(cell, goodPassword), "3600")
	})
}

// TestAccountGuessesFromOneAddress checks how often one client address may be wrong over all cells.
func TestAccountGuessesFromOneAddress(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		d.register(t, d.cell(1))
		stranger := d.from(strangerAt)
		for n := range 300 {
			stranger.wrongLogins(t, d.cell(100+n), 1)
			if n%50 == 0 { // what is right does not count
				stranger.login(t, d.cell(1), goodPassword)
			}
		}
		stranger.tooMany(t, "login", byPassword(d.cell(1), goodPassword), "600")
		stranger.tooMany(t, "register", registering(d.cell(1), goodPassword, mugsShop), "600")
		got := stranger.wrong(t, "login", byPassword(d.cell(1), goodPassword), 429, "RATE_LIMITED")
		if said := got.message(t); !strings.Contains(said, "from one client address") {
			t.Errorf("said %q", said)
		}
		d.from(ownerAt).login(t, d.cell(1), goodPassword)
		d.clock.pass(10 * time.Minute)
		stranger.login(t, d.cell(1), goodPassword)
	})
}

// TestAccountWrongCodesFromOneAddress checks the same of codes.
func TestAccountWrongCodesFromOneAddress(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		owner, stranger := d.from(ownerAt), d.from(strangerAt)
		d.clock.pass(time.Minute)
		for n := range 21 {
			d.right(t, "sendOtp", toCell(d.cell(n)))
		}
		code := ""
		for n := range 100 {
			cell := d.cell(n / 5)
			if n%5 == 0 {
				code = anotherCode(d.phones.code(t, cell))
			}
			if got := stranger.guess(t, "verifyOtp", cell, code); got != "wrong" {
				t.Fatalf("guess %d: %s", n+1, got)
			}
		}
		cell := d.cell(20)
		code = d.phones.code(t, cell)
		got := stranger.wrong(t, "verifyOtp", byCode(cell, code), 429, "RATE_LIMITED")
		if said := got.message(t); !strings.Contains(said, "from one client address") {
			t.Errorf("said %q", said)
		}
		owner.right(t, "verifyOtp", byCode(cell, code)).is(t, verified)
	})
}

// TestAccountCodesToOneAddress checks how many codes one client address may ask for, and what a refusal says.
func TestAccountCodesToOneAddress(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d.clock.pass(map[bool]time.Duration{false: 0, true: time.Hour}[d.graphQL])
			for n := range 3 {
				d.from(fmt.Sprintf("2001:db8:1:2::%d", n)).right(t, "sendOtp", toCell(d.cell(n)))
			}
			for range 3 {
				got := d.from("2001:db8:1:2:3::").wrong(t, "sendOtp", toCell(d.cell(9)), 429, "RATE_LIMITED")
				if said := got.message(t); !strings.HasPrefix(said, "too many codes for one client address") {
					t.Errorf("said %q", said)
				}
			}
			d.from(ownerAt).right(t, "sendOtp", toCell(d.cell(9))) // a refusal counted against nobody
			d.from("2001:db8:2:3::1").right(t, "sendOtp", toCell(d.cell(8)))
			d.clock.pass(10 * time.Minute)
			d.from("2001:db8:1:2::1").right(t, "sendOtp", toCell(d.cell(7)))
		})
		a.stop()
		if log := a.log.String(); !strings.Contains(log, "TRUSTED_PROXIES") {
			t.Error("the log does not say what an operator may do")
		}
	}, func(o *app.Options) { o.CodesToAddress, o.CodesInMinute = 3, 32 })
}

// TestAccountTakenBefore checks that one who registers another's cell keeps nothing of the account once its
// owner signs in by a code from elsewhere, however soon that is, and that a code which is only verified ends nothing.
func TestAccountTakenBefore(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			owner, stranger := d.from(ownerAt), d.from(strangerAt)
			theirs := squat(t, stranger, 2)
			cell := theirs.customer.cell
			owner.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
			d.lives(t, theirs.customer.access, true)
			owner.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
			nothingLeft(t, d, theirs.customer)

			mine := d.cell(3) // from the address of the registration it changes nothing
			session := owner.register(t, mine)
			owner.right(t, "loginOtp", byCode(mine, d.code(t, mine)))
			d.lives(t, session.access, true)
			owner.login(t, mine, goodPassword)

			for n, operation := range []string{"loginOtp", "verifyOtp"} { // nor from elsewhere with the account's own token
				moved := d.cell(101 + n)
				session = owner.register(t, moved)
				d.from("192.0.2.5").with(session.access).right(t, operation, byCode(moved, d.code(t, moved)))
				d.lives(t, session.access, true)
				d.clock.pass(48 * time.Hour)
				stranger.right(t, "loginOtp", byCode(moved, d.code(t, moved))) // wherever the next one comes from
				owner.login(t, moved, goodPassword)
			}
		})
	})
}

// TestAccountProofOfUnknownCell checks that a proof of a cell without an account serves no registration but
// one from the same client address.
func TestAccountProofOfUnknownCell(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			owner, stranger := d.from(ownerAt), d.from(strangerAt)
			for n, one := range map[int]struct {
				door
				verified string
			}{1: {stranger, "false"}, 2: {owner, "true"}} {
				cell := d.cell(n)
				owner.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
				made := one.right(t, "register", registering(cell, goodPassword, toolsShop))
				if !strings.Contains(tidied(t, made.said), `"cellVerified": `+one.verified) {
					t.Errorf("the cell is verified: want %s, got %s", one.verified, made.said)
				}
			}
		})
	})
}

// TestAccountSecondSiteRace registers one cell at a second site many times at once.
func TestAccountSecondSiteRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		for n := range 4 {
			cell := all[0].cell(n)
			all[0].register(t, cell)
			got := together(8, func(i int) string {
				r := all[i%len(all)].ask(t, "register", registering(cell, goodPassword, mugsShop))
				return r.code
			})
			if counts := tallied(got); counts[""] != 1 || counts["CELL_ALREADY_REGISTERED"] != 7 {
				t.Errorf("%v", counts)
			}
			all[0].wrongLogins(t, cell, 9) // the seven were not counted as wrong passwords
			all[0].login(t, cell, goodPassword)
		}
	})
}

// TestAccountAddressRace adds more addresses at once than are left.
func TestAccountAddressRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		mine := all[0].register(t, all[0].cell(1))
		for range 95 {
			all[0].with(mine.access).right(t, "createAddress", homeAddress)
		}
		got := together(20, func(i int) string {
			return all[i%len(all)].with(mine.access).ask(t, "createAddress", homeAddress).code
		})
		if counts := tallied(got); counts[""] != 5 || counts["CONFLICT"] != 15 {
			t.Errorf("%v", counts)
		}
	})
}

// TestAccountLandlines checks that no answer says a code is on its way to a phone that takes no SMS.
func TestAccountLandlines(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		o := func(o *app.Options) { o.Sender = printing(t) }
		d := a.instance(t, o).rest()
		d.right(t, "sendOtp", toCell("+982188776655")).is(t, codeless)
		d.right(t, "sendOtp", toCell("+989121234567")).is(t, codeSent)
	})
}

// TestAccountCommonPasswords checks what the setting refuses, and where: for new passwords only.
func TestAccountCommonPasswords(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		refuse := func(o *app.Options) { o.RefuseCommonPasswords = true }
		for _, d := range sides(a.instance(t, refuse)) {
			cell := d.cell(1)
			for _, password := range []string{"password", "Football1", cell, cell[1:], "0" + cell[3:]} {
				d.wrong(t, "register", registering(cell, password, toolsShop), 400, "VALIDATION_FAILED", "password")
			}
			mine := d.register(t, cell)
			code := d.code(t, cell)
			d.wrong(t, "resetPassword", resetting(cell, code, "password"), 400, "VALIDATION_FAILED", "newPassword")
			d.with(mine.access).wrong(t, "changePassword", changing(goodPassword, "password"), 400,
				"VALIDATION_FAILED", "newPassword")
			d.right(t, "resetPassword", resetting(cell, code, otherPassword)) // it was not used up
		}
		d := a.rest() // by default they are taken, and such a password is good for a second site
		d.right(t, "register", registering(d.cell(2), "password", toolsShop))
		d.right(t, "resetPassword", resetting(d.cell(2), d.code(t, d.cell(2)), "0"+d.cell(2)[3:]))
		d.right(t, "resetPassword", resetting(d.cell(2), d.code(t, d.cell(2)), "password"))
		a.instance(t, refuse).rest().right(t, "register", registering(d.cell(2), "password", mugsShop))
	})
}
