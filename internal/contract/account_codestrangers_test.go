package contract_test

import (
	"fmt"
	"testing"
	"time"

	"storefront/ent/user"
)

// wrongCodes guesses at the code of a cell; every guess is answered as wrong.
func (d door) wrongCodes(t testing.TB, cell, code string, n int) {
	t.Helper()
	for i := range n {
		operation := []string{"loginOtp", "verifyOtp", "resetPassword"}[i%3]
		if got := d.guess(t, operation, cell, anotherCode(code)); got != "wrong" {
			t.Fatalf("guess %d by %s: %s", i+1, operation, got)
		}
	}
}

// TestAccountStrangersGuesses checks that a stranger who guesses at the codes of a cell takes them away from
// nobody else, at any of two servers.
func TestAccountStrangersGuesses(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		for n, d := range all {
			a.clock.at.Store(today.UnixMicro())
			cell := d.cell(10 + n)
			d.from("192.0.2.1").register(t, cell)
			owner, stranger := d.from(ownerAt), all[(n+1)%len(all)].from(strangerAt)
			for round, operation := range []string{"verifyOtp", "loginOtp", "resetPassword"} {
				code := d.code(t, cell)
				stranger.wrongCodes(t, cell, code, 5)
				if got := stranger.guess(t, operation, cell, code); got != "wrong" {
					t.Errorf("the sixth guess of one client at a code, which is right: %s", got)
				}
				if got := owner.guess(t, operation, cell, code); got != "right" {
					t.Errorf("round %d: the owner's right code: %s", round, got)
				}
			}
			code := d.code(t, cell)
			stranger.tooMany(t, "loginOtp", byCode(cell, code), "3420")
			owner.right(t, "loginOtp", byCode(cell, code))
		}
	})
}

// TestAccountCrowdsGuesses checks how many guesses a network and all strangers together have at a code and in
// an hour, and that none of that concerns the address from which the cell has signed in.
func TestAccountCrowdsGuesses(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		d, owner := all[0], all[3].from(ownerAt)
		cell := d.cell(1)
		owner.register(t, cell)
		owner.right(t, "loginOtp", byCode(cell, owner.code(t, cell)))

		from := func(network, n int) door { return all[n%len(all)].from(fmt.Sprintf("2001:db8:%x:%x::1", network, n)) }
		guess := func(code string, network, n int) { // all that one network has at a code
			t.Helper()
			for address := range n {
				from(network, address).wrongCodes(t, cell, code, 5)
			}
		}
		code := d.code(t, cell)
		guess(code, 1, 4)
		if got := from(1, 5).guess(t, "loginOtp", cell, code); got != "wrong" {
			t.Errorf("the right code, once its network has guessed 20 times: %s", got)
		}
		if got := from(2, 1).guess(t, "verifyOtp", cell, code); got != "right" {
			t.Errorf("the right code from another network: %s", got)
		}

		code = d.code(t, cell)
		guess(code, 2, 4)
		guess(code, 3, 2)
		if got := from(4, 1).guess(t, "loginOtp", cell, code); got != "wrong" {
			t.Errorf("the right code after 30 wrong ones, from an unknown address: %s", got)
		}
		if got := owner.guess(t, "loginOtp", cell, code); got != "right" {
			t.Errorf("the right code after 30 wrong ones, from the owner's address: %s", got)
		}

		code = d.code(t, cell)
		guess(code, 4, 4)
		guess(code, 5, 2)
		code = d.code(t, cell)
		guess(code, 6, 4)
		if got := from(7, 1).guess(t, "loginOtp", cell, code); got != "RATE_LIMITED" {
			t.Errorf("after 100 wrong codes in an hour, from an unknown address: %s", got)
		}
		owner.wrongCodes(t, cell, code, 4)
		if got := owner.guess(t, "loginOtp", cell, code); got != "right" {
			t.Errorf("after 100 wrong codes in an hour, from the owner's address: %s", got)
		}
		d.clock.pass(time.Hour)
		from(8, 1).right(t, "loginOtp", byCode(cell, d.code(t, cell)))
	})
}

// TestAccountSquatterGuesses checks that an address is not known to a cell by an account that anybody could have made.
func TestAccountSquatterGuesses(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell := d.cell(1)
		code := ""
		for n := range 7 {
			squatter := d.from(fmt.Sprintf("198.51.%d.1", n))
			if n == 0 {
				squatter.register(t, cell)
				code = d.code(t, cell)
			}
			squatter.login(t, cell, goodPassword)
			if n < 6 {
				squatter.wrongCodes(t, cell, code, 5)
			} else if got := squatter.guess(t, "loginOtp", cell, code); got != "wrong" {
				t.Errorf("a guess after the 30 of all strangers: %s", got)
			}
		}
		if a.store.Client.User.Query().Where(user.CellVerified(true)).ExistX(t.Context()) {
			t.Error("the cell is verified")
		}
	})
}

// TestAccountCodeRaceOfGuessers guesses at one code from many addresses at once, at two servers: each has
// five guesses, all of one network 20, and the owner's code is right.
func TestAccountCodeRaceOfGuessers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		for round := range *rounds {
			d := all[0]
			d.clock.pass(2 * time.Hour)
			cell := d.cell(round)
			d.from(ownerAt).register(t, cell)
			code := d.code(t, cell)
			together(60, func(i int) string {
				return all[i%len(all)].from(fmt.Sprintf("2001:db8:1:%x::1", i/10)).guess(t, "loginOtp", cell, anotherCode(code))
			})
			if n := a.store.Client.OneTimeCode.Query().OnlyX(t.Context()).Guesses; n != 20 {
				t.Errorf("%d guesses of one network were compared, want 20", n)
			}
			if got := d.from(ownerAt).guess(t, "loginOtp", cell, code); got != "right" {
				t.Errorf("the owner's code: %s", got)
			}
			a.store.Client.OneTimeCode.Delete().ExecX(t.Context())
		}
	})
}
