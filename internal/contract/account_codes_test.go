package contract_test

import (
	"strings"
	"testing"
	"time"
)

const (
	codeSent = `{"enabled": true, "message": "A code is on its way to this cell number.", ` +
		`"expiresInSeconds": 300}`
	codeless = `{"enabled": false, "message": "No SMS code can be sent to this cell number; ` +
		`sign in with the password."}`
	verified    = `{"enabled": true, "verified": true, "message": "The cell number is verified."}`
	notVerified = `{"enabled": true, "verified": false, "message": "The code is wrong, used or expired; ` +
		`ask for a new one."}`
	unverified = `{"enabled": false, "verified": false, "message": "No SMS code can be sent to this cell ` +
		`number; sign in with the password."}`
	reset = `{"message": "The password is changed and all sessions have ended; sign in with the new password."}`
)

// refusesCode checks that every operation refuses a code.
func (d door) refusesCode(t testing.TB, cell, code string) {
	t.Helper()
	d.wrong(t, "loginOtp", byCode(cell, code), 401, "INVALID_CODE")
	d.wrong(t, "resetPassword", resetting(cell, code, "a third password"), 400, "INVALID_CODE")
	d.right(t, "verifyOtp", byCode(cell, code)).is(t, notVerified)
}

func TestAccountCodes(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			owner := d.register(t, cell)
			d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
			code := d.phones.code(t, cell)
			d.refusesCode(t, cell, anotherCode(code))
			shown := strings.Replace(sara(cell), "false", "true", 1)
			got := d.right(t, "loginOtp", byCode(cell, code))
			if got.is(t, signedIn(shown)); asCustomer(t, got).id != owner.id {
				t.Error("a code signs in as somebody else")
			}
			d.lives(t, got.member(t, "accessToken"), true)
			d.refusesCode(t, cell, code)

			// A code that has verified the cell is good for one sign-in, or one reset, with the guesses it has left.
			code = d.code(t, cell)
			for range 4 {
				d.right(t, "verifyOtp", byCode(cell, anotherCode(code))).is(t, notVerified)
			}
			d.right(t, "verifyOtp", byCode(cell, persianDigits(code))).is(t, verified)
			d.right(t, "verifyOtp", byCode(cell, code)).is(t, notVerified)
			d.right(t, "loginOtp", byCode(cell, code)).is(t, signedIn(shown))
			d.refusesCode(t, cell, code)
			d.login(t, cell, goodPassword)

			code = d.code(t, cell) // a new one verifies again
			d.right(t, "verifyOtp", byCode(cell, code)).is(t, verified)
			d.wrong(t, "loginOtp", byCode(cell, anotherCode(code)), 401, "INVALID_CODE")
			d.right(t, "resetPassword", resetting(cell, code, goodPassword)).is(t, reset)
			d.refusesCode(t, cell, code)

			code = d.code(t, cell)
			d.right(t, "resetPassword", resetting(cell, " "+code+" ", otherPassword)).is(t, reset)
			d.refusesCode(t, cell, code)
			d.wrong(t, "login", byPassword(cell, goodPassword), 401, "INVALID_CREDENTIALS")
			d.right(t, "login", byPassword(cell, otherPassword)).is(t, signedIn(shown))
		})
	})
}

func persianDigits(text string) string {
	return strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "٣", "4", "٤", "5", "۵", "6", "۶", "7", "۷",
		"8", "۸", "9", "٩").Replace(text)
}

// TestAccountCodesOfStrangers checks that a cell without an account gets the same answers as any other, and
// that no code creates an account.
func TestAccountCodesOfStrangers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			known, nobody := d.cell(1), d.cell(2)
			d.register(t, known)
			for _, cell := range []string{known, nobody} {
				d.refusesCode(t, cell, "123456") // none was sent
				d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
				code := d.phones.code(t, cell)
				d.refusesCode(t, cell, anotherCode(code))
				d.wrong(t, "sendOtp", toCell(cell), 429, "RATE_LIMITED")
			}
			code := d.code(t, nobody)
			d.wrong(t, "loginOtp", byCode(nobody, code), 401, "INVALID_CODE")
			d.refusesCode(t, nobody, code)
			code = d.code(t, nobody)
			d.wrong(t, "resetPassword", resetting(nobody, code, goodPassword), 400, "INVALID_CODE")
			d.wrong(t, "login", byPassword(nobody, goodPassword), 401, "INVALID_CREDENTIALS")
			d.register(t, nobody)
		})
	})
}

// TestAccountCodeLife checks that a code is valid for 300 seconds, and only the newest one.
func TestAccountCodeLife(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			code := d.code(t, cell)
			d.clock.pass(300*time.Second - time.Microsecond)
			d.right(t, "loginOtp", byCode(cell, code))
			code = d.code(t, cell)
			d.clock.pass(300 * time.Second)
			d.refusesCode(t, cell, code)

			older := d.code(t, cell)
			newer := d.code(t, cell)
			if older == newer { // once in a million runs
				newer = d.code(t, cell)
			}
			d.refusesCode(t, cell, older)
			d.right(t, "loginOtp", byCode(cell, newer))
		})
	})
}

// TestAccountCodeMembers checks that a code has exactly six characters, and that an invalid request does
// not use it up.
func TestAccountCodeMembers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			code := d.code(t, cell)
			for _, wrong := range []string{"", "12345", "1234567", "     ", code + "0", code[:5], code[:5] + " "} {
				d.wrong(t, "loginOtp", byCode(cell, wrong), 400, "VALIDATION_FAILED", "code")
				d.wrong(t, "verifyOtp", byCode(cell, wrong), 400, "VALIDATION_FAILED", "code")
				d.wrong(t, "resetPassword", resetting(cell, wrong, goodPassword), 400, "VALIDATION_FAILED", "code")
			}
			for _, operation := range []string{"loginOtp", "verifyOtp"} {
				d.wrong(t, operation, `{}`, 400, "VALIDATION_FAILED", "cellNumber", "code")
				d.wrong(t, operation, `{"cellNumber": null, "code": 123456}`, 400, "VALIDATION_FAILED",
					"cellNumber", "code")
			}
			d.wrong(t, "resetPassword", `{"newPassword": "short"}`, 400, "VALIDATION_FAILED", "cellNumber", "code",
				"newPassword")
			d.wrong(t, "sendOtp", `{"domain": 5}`, 400, "VALIDATION_FAILED", "cellNumber", "domain")
			d.wrong(t, "sendOtp", `{}`, 400, "VALIDATION_FAILED", "cellNumber")
			d.wrong(t, "resetPassword", resetting(cell, code, "short"), 400, "VALIDATION_FAILED", "newPassword")
			d.right(t, "resetPassword", resetting(cell, code, otherPassword)) // it was not used up
		})
	})
}

// TestAccountUnreachable checks that nobody is verified or signed in by a code where no SMS can be sent,
// not even with an earlier code.
func TestAccountUnreachable(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell, nobody := d.cell(1), d.cell(2)
			d.register(t, cell)
			code := d.code(t, cell)
			d.phones.outOfReach(cell, nobody)
			for _, one := range []string{cell, nobody} {
				for range 12 { // nothing is counted
					d.right(t, "sendOtp", toCell(one)).is(t, codeless)
				}
				d.right(t, "verifyOtp", byCode(one, code)).is(t, unverified)
				d.wrong(t, "loginOtp", byCode(one, code), 401, "INVALID_CODE")
				d.wrong(t, "resetPassword", resetting(one, code, otherPassword), 400, "INVALID_CODE")
			}
			d.right(t, "login", byPassword(cell, goodPassword)).is(t, signedIn(sara(cell)))
		})
	})
}
