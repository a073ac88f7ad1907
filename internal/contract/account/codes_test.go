package account_test

import (
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
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
func refusesCode(t testing.TB, d shoptest.API, cell, code string) {
	t.Helper()
	d.Wrong(t, "loginOtp", shoptest.ByCode(cell, code), 401, "INVALID_CODE")
	d.Wrong(t, "resetPassword", resetting(cell, code, "a third password"), 400, "INVALID_CODE")
	d.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, notVerified)
}

func TestAccountCodes(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			owner := d.Register(t, cell)
			sent := d.Right(t, "sendOtp", shoptest.ToCell(cell))
			if sent.Is(t, codeSent); sent.Header.Get("Retry-After") != "60" {
				t.Errorf("the next may be asked for in %q, want 60", sent.Header.Get("Retry-After"))
			}
			code := d.Phones.Code(t, cell)
			refusesCode(t, d, cell, shoptest.AnotherCode(code))
			shown := strings.Replace(sara(cell), "false", "true", 1)
			got := d.Right(t, "loginOtp", shoptest.ByCode(cell, code))
			if got.Is(t, signedIn(shown)); shoptest.AsCustomer(t, got).ID != owner.ID {
				t.Error("a code signs in as somebody else")
			}
			d.Lives(t, got.Member(t, "accessToken"), true)
			refusesCode(t, d, cell, code)

			// A code that has verified the cell can still be used for one sign-in or one reset, with its
			// remaining guesses.
			code = d.Code(t, cell)
			for range 4 {
				d.Right(t, "verifyOtp", shoptest.ByCode(cell, shoptest.AnotherCode(code))).Is(t, notVerified)
			}
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, persianDigits(code))).Is(t, verified)
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, notVerified)
			d.Right(t, "loginOtp", shoptest.ByCode(cell, code)).Is(t, signedIn(shown))
			refusesCode(t, d, cell, code)
			d.Login(t, cell, shoptest.GoodPassword)

			code = d.Code(t, cell) // a new one verifies again
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, verified)
			d.Wrong(t, "loginOtp", shoptest.ByCode(cell, shoptest.AnotherCode(code)), 401, "INVALID_CODE")
			d.Right(t, "resetPassword", resetting(cell, code, shoptest.GoodPassword)).Is(t, reset)
			refusesCode(t, d, cell, code)

			code = d.Code(t, cell)
			d.Right(t, "resetPassword", resetting(cell, " "+code+" ", shoptest.OtherPassword)).Is(t, reset)
			refusesCode(t, d, cell, code)
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
			d.Right(t, "login", shoptest.ByPassword(cell, shoptest.OtherPassword)).Is(t, signedIn(shown))
		})
	})
}

func persianDigits(text string) string {
	return strings.NewReplacer("0", "۰", "1", "۱", "2", "۲", "3", "٣", "4", "٤", "5", "۵", "6", "۶", "7", "۷",
		"8", "۸", "9", "٩").Replace(text)
}

// TestAccountCodesOfStrangers checks that a cell without an account gets the same answers as any other for as long as
// the code is wrong, and that no code creates an account.
func TestAccountCodesOfStrangers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			known, nobody := d.Cell(1), d.Cell(2)
			d.Register(t, known)
			for _, cell := range []string{known, nobody} {
				refusesCode(t, d, cell, "123456") // none was sent
				d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
				code := d.Phones.Code(t, cell)
				refusesCode(t, d, cell, shoptest.AnotherCode(code))
				d.Wrong(t, "sendOtp", shoptest.ToCell(cell), 429, "RATE_LIMITED")
			}
			code := d.Code(t, nobody)
			d.Wrong(t, "loginOtp", shoptest.ByCode(nobody, code), 401, "NO_ACCOUNT")
			d.Wrong(t, "resetPassword", resetting(nobody, code, shoptest.GoodPassword), 400, "NO_ACCOUNT")
			d.Wrong(t, "loginOtp", shoptest.ByCode(nobody, shoptest.AnotherCode(code)), 401, "INVALID_CODE")
			d.Wrong(t, "login", shoptest.ByPassword(nobody, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
			d.Register(t, nobody)
		})
	})
}

// TestAccountCodeLife checks that a code is valid for 300 seconds, and only the newest one.
func TestAccountCodeLife(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			code := d.Code(t, cell)
			d.Clock.Pass(300*time.Second - time.Microsecond)
			d.Right(t, "loginOtp", shoptest.ByCode(cell, code))
			code = d.Code(t, cell)
			d.Clock.Pass(300 * time.Second)
			refusesCode(t, d, cell, code)

			older := d.Code(t, cell)
			newer := d.Code(t, cell)
			if older == newer { // once in a million runs
				newer = d.Code(t, cell)
			}
			refusesCode(t, d, cell, older)
			d.Right(t, "loginOtp", shoptest.ByCode(cell, newer))
		})
	})
}

// TestAccountCodeMembers checks that a code has exactly six characters, and that an invalid request does
// not use it up.
func TestAccountCodeMembers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			code := d.Code(t, cell)
			for _, wrong := range []string{"", "12345", "1234567", "     ", code + "0", code[:5], code[:5] + " "} {
				d.Wrong(t, "loginOtp", shoptest.ByCode(cell, wrong), 400, "VALIDATION_FAILED", "code")
				d.Wrong(t, "verifyOtp", shoptest.ByCode(cell, wrong), 400, "VALIDATION_FAILED", "code")
				d.Wrong(t, "resetPassword", resetting(cell, wrong, shoptest.GoodPassword), 400,
					"VALIDATION_FAILED", "code")
			}
			for _, operation := range []string{"loginOtp", "verifyOtp"} {
				d.Wrong(t, operation, `{}`, 400, "VALIDATION_FAILED", "cellNumber", "code")
				d.Wrong(t, operation, `{"cellNumber": null, "code": 123456}`, 400, "VALIDATION_FAILED",
					"cellNumber", "code")
			}
			d.Wrong(t, "resetPassword", `{"newPassword": "short"}`, 400, "VALIDATION_FAILED", "cellNumber", "code",
				"newPassword")
			d.Wrong(t, "sendOtp", `{"domain": 5}`, 400, "VALIDATION_FAILED", "cellNumber", "domain")
			d.Wrong(t, "sendOtp", `{}`, 400, "VALIDATION_FAILED", "cellNumber")
			d.Wrong(t, "resetPassword", resetting(cell, code, "short"), 400, "VALIDATION_FAILED", "newPassword")
			d.Right(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword)) // it was not used up
		})
	})
}

// TestAccountUnreachable checks that nobody is verified or signed in by a code where no SMS can be sent,
// not even with an earlier code.
func TestAccountUnreachable(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell, nobody := d.Cell(1), d.Cell(2)
			d.Register(t, cell)
			code := d.Code(t, cell)
			d.Phones.OutOfReach(cell, nobody)
			for _, one := range []string{cell, nobody} {
				for range 12 { // nothing is counted
					d.Right(t, "sendOtp", shoptest.ToCell(one)).Is(t, codeless)
				}
				d.Right(t, "verifyOtp", shoptest.ByCode(one, code)).Is(t, unverified)
				d.Wrong(t, "loginOtp", shoptest.ByCode(one, code), 401, "INVALID_CODE")
				d.Wrong(t, "resetPassword", resetting(one, code, shoptest.OtherPassword), 400, "INVALID_CODE")
			}
			d.Right(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword)).Is(t, signedIn(sara(cell)))
		})
	})
}
