package account_test

import (
	"fmt"
	"testing"
	"time"

	"storefront/ent/user"
	"storefront/internal/contract/shoptest"
)

// wrongCodes guesses at the code of a cell; every guess is answered as wrong.
func wrongCodes(t testing.TB, d shoptest.API, cell, code string, n int) {
	t.Helper()
	for i := range n {
		operation := []string{"loginOtp", "verifyOtp", "resetPassword"}[i%3]
		if got := guessCode(t, d, operation, cell, shoptest.AnotherCode(code)); got != "wrong" {
			t.Fatalf("guess %d by %s: got %s", i+1, operation, got)
		}
	}
}

// TestAccountStrangersGuesses checks that a stranger who guesses at the codes of a cell uses up nobody
// else's guesses, at either of two servers.
func TestAccountStrangersGuesses(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		for n, d := range all {
			a.Clock.At.Store(shoptest.Today.UnixMicro())
			cell := d.Cell(10 + n)
			d.From("192.0.2.1").Register(t, cell)
			owner, stranger := d.From(shoptest.OwnerAt), all[(n+1)%len(all)].From(shoptest.StrangerAt)
			for round, operation := range []string{"verifyOtp", "loginOtp", "resetPassword"} {
				code := d.Code(t, cell)
				wrongCodes(t, stranger, cell, code, 5)
				if got := guessCode(t, stranger, operation, cell, code); got != "wrong" {
					t.Errorf("the sixth guess of one client at a code, which is right: got %s", got)
				}
				if got := guessCode(t, owner, operation, cell, code); got != "right" {
					t.Errorf("round %d: the owner's right code: got %s", round, got)
				}
			}
			code := d.Code(t, cell)
			stranger.TooMany(t, "loginOtp", shoptest.ByCode(cell, code), "3420")
			owner.Right(t, "loginOtp", shoptest.ByCode(cell, code))
		}
	})
}

// TestAccountCrowdsGuesses checks how many guesses one network, and all strangers together, have at one
// code and in an hour, and that these limits do not apply to the address from which the cell has signed in.
func TestAccountCrowdsGuesses(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		d, owner := all[0], all[3].From(shoptest.OwnerAt)
		cell := d.Cell(1)
		owner.Register(t, cell)
		owner.Right(t, "loginOtp", shoptest.ByCode(cell, owner.Code(t, cell)))

		from := func(network, n int) shoptest.API {
			return all[n%len(all)].From(fmt.Sprintf("2001:db8:%x:%x::1", network, n))
		}
		guess := func(code string, network, n int) { // all that one network has at a code
			t.Helper()
			for address := range n {
				wrongCodes(t, from(network, address), cell, code, 5)
			}
		}
		code := d.Code(t, cell)
		guess(code, 1, 4)
		if got := guessCode(t, from(1, 5), "loginOtp", cell, code); got != "wrong" {
			t.Errorf("the right code, once its network has guessed 20 times: got %s", got)
		}
		if got := guessCode(t, from(2, 1), "verifyOtp", cell, code); got != "right" {
			t.Errorf("the right code from another network: got %s", got)
		}

		code = d.Code(t, cell)
		guess(code, 2, 4)
		guess(code, 3, 2)
		if got := guessCode(t, from(4, 1), "loginOtp", cell, code); got != "wrong" {
			t.Errorf("the right code after 30 wrong ones, from an unknown address: got %s", got)
		}
		if got := guessCode(t, owner, "loginOtp", cell, code); got != "right" {
			t.Errorf("the right code after 30 wrong ones, from the owner's address: got %s", got)
		}

		code = d.Code(t, cell)
		guess(code, 4, 4)
		guess(code, 5, 2)
		code = d.Code(t, cell)
		guess(code, 6, 4)
		if got := guessCode(t, from(7, 1), "loginOtp", cell, code); got != "RATE_LIMITED" {
			t.Errorf("after 100 wrong codes in an hour, from an unknown address: got %s", got)
		}
		wrongCodes(t, owner, cell, code, 4)
		if got := guessCode(t, owner, "loginOtp", cell, code); got != "right" {
			t.Errorf("after 100 wrong codes in an hour, from the owner's address: got %s", got)
		}
		d.Clock.Pass(time.Hour)
		from(8, 1).Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
	})
}

// TestAccountSquatterGuesses checks that signing in to an account with an unverified cell does not make the
// client address known for that cell.
func TestAccountSquatterGuesses(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell := d.Cell(1)
		code := ""
		for n := range 7 {
			squatter := d.From(fmt.Sprintf("198.51.%d.1", n))
			if n == 0 {
				squatter.Register(t, cell)
				code = d.Code(t, cell)
			}
			squatter.Login(t, cell, shoptest.GoodPassword)
			if n < 6 {
				wrongCodes(t, squatter, cell, code, 5)
			} else if got := guessCode(t, squatter, "loginOtp", cell, code); got != "wrong" {
				t.Errorf("a guess after the 30 of all strangers: got %s", got)
			}
		}
		if a.Store.Client.User.Query().Where(user.CellVerified(true)).ExistX(t.Context()) {
			t.Error("the cell is verified")
		}
	})
}

// TestAccountCodeRaceOfGuessers guesses at one code from many addresses at once, at two servers. Each
// address has five guesses, a network has 20, and the owner's right code still works.
func TestAccountCodeRaceOfGuessers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t))
		for round := range *shoptest.Rounds {
			d := all[0]
			d.Clock.Pass(2 * time.Hour)
			cell := d.Cell(round)
			d.From(shoptest.OwnerAt).Register(t, cell)
			code := d.Code(t, cell)
			shoptest.Together(60, func(i int) string {
				return guessCode(t, all[i%len(all)].From(fmt.Sprintf("2001:db8:1:%x::1", i/10)), "loginOtp",
					cell, shoptest.AnotherCode(code))
			})
			if got := guessCode(t, d.From(shoptest.OwnerAt), "loginOtp", cell, code); got != "right" {
				t.Errorf("the owner's code: got %s", got)
			}
			a.Store.Client.OneTimeCode.Delete().ExecX(t.Context())
		}
	})
}
