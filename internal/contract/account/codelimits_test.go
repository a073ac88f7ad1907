package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/account"
)

// TestAccountCodesInTime checks how often codes go to one cell: one in 60 seconds, 5 an hour, 10 a day,
// with or without an account and in every spelling.
func TestAccountCodesInTime(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			known, nobody := d.Cell(1), d.Cell(2)
			d.Register(t, known)
			for _, cell := range []string{known, nobody} {
				d.Clock.At.Store(shoptest.Today.UnixMicro())
				var code string // codes of one cell may overtake each other on their way, so each is waited for
				send := func() {
					t.Helper()
					d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
					code = d.Phones.Code(t, cell)
				}
				send()
				d.TooMany(t, "sendOtp", shoptest.ToCell("0"+strings.TrimPrefix(cell, "+98")), "60")
				d.Clock.Pass(60*time.Second - time.Microsecond)
				d.TooMany(t, "sendOtp", shoptest.ToCellFrom(cell, shoptest.ToolsShop), "1")
				d.Clock.Pass(time.Microsecond)
				for range 4 {
					send()
					d.Clock.Pass(time.Minute)
				}
				// 5 minutes after the first of 5
				d.TooMany(t, "sendOtp", shoptest.ToCell(persianDigits(cell)), "3300")
				d.Clock.Pass(55*time.Minute - time.Microsecond)
				d.TooMany(t, "sendOtp", shoptest.ToCell(cell), "1")
				d.Clock.Pass(time.Microsecond)
				for range 5 {
					send()
					d.Clock.Pass(12 * time.Minute)
				}
				d.TooMany(t, "sendOtp", shoptest.ToCell(cell), "79200") // 2 hours after the first of 10
				d.Clock.Pass(22*time.Hour - time.Microsecond)
				d.TooMany(t, "sendOtp", shoptest.ToCell(cell), "1")
				d.Clock.Pass(time.Microsecond)
				send()
				d.Right(t, "verifyOtp", shoptest.ByCode(cell, code)).Is(t, verified)
			}
		})
	})
}

// TestAccountCodesBySettings checks the settings of a test environment, which signs one cell in again and again.
func TestAccountCodesBySettings(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent) // the first is a stranger's
			d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Phones.Code(t, cell)))
			for range 11 { // beyond the presets
				d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
				d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Phones.Code(t, cell)))
			}
			d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
			d.TooMany(t, "sendOtp", shoptest.ToCell(cell), "3600")
			d.Clock.Pass(time.Hour)
			for range 2 {
				d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
			}
			d.TooMany(t, "sendOtp", shoptest.ToCell(cell), "82800")
		})
	}, func(o *app.Options) {
		o.CodesInHour, o.CodesInDay, o.Times = 12, 14, account.Defaults
		o.Times.Resend = 0
	})
}

// TestAccountCodeRefused checks that a refused request for a code leaves the previous code valid.
func TestAccountCodeRefused(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		d.Register(t, d.Cell(1))
		code := d.Code(t, d.Cell(1))
		d.Wrong(t, "sendOtp", shoptest.ToCell(d.Cell(1)), 429, "RATE_LIMITED")
		d.Right(t, "loginOtp", shoptest.ByCode(d.Cell(1), code))
	})
}

// TestAccountCodesOfAll checks the budget of codes for the whole service. Refused requests count against no
// limit.
func TestAccountCodesOfAll(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			// so that the codes sent through the first API no longer count
			d.Clock.Pass(map[bool]time.Duration{false: 0, true: time.Hour}[d.GraphQL])
			for n := range 3 {
				d.From(fmt.Sprintf("203.0.%d.1", n)).Right(t, "sendOtp", shoptest.ToCell(d.Cell(n)))
			}
			for range 7 {
				d.TooMany(t, "sendOtp", shoptest.ToCell(d.Cell(9)), "60")
			}
			d.Clock.Pass(time.Minute)
			d.Right(t, "sendOtp", shoptest.ToCell(d.Cell(9)))
		})
	}, func(o *app.Options) { o.CodesInMinute = 3 })
}

// guessing holds the operations that take a code.
var guessing = map[string]func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply{
	"loginOtp": func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply {
		return d.Ask(t, "loginOtp", shoptest.ByCode(cell, code))
	},
	"verifyOtp": func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply {
		return d.Ask(t, "verifyOtp", shoptest.ByCode(cell, code))
	},
	"resetPassword": func(d shoptest.API, t testing.TB, cell, code string) shoptest.Reply {
		return d.Ask(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword))
	},
}

// guessCode tries a code and returns "right", "wrong" or the code of another error.
func guessCode(t testing.TB, d shoptest.API, operation, cell, code string) string {
	t.Helper()
	got := guessing[operation](d, t, cell, code)
	switch {
	case got.Code == "INVALID_CODE", strings.Contains(got.Said, `"verified":false`):
		return "wrong"
	case got.Code != "":
		return got.Code
	}
	return "right"
}

// everywhere returns every operation that takes a code, over REST and over GraphQL.
func everywhere(a *shoptest.Accounts) (ways []func(t testing.TB, cell, code string) string) {
	for _, d := range []shoptest.API{a.REST(), a.GraphQL()} {
		for _, operation := range []string{"loginOtp", "verifyOtp", "resetPassword"} {
			ways = append(ways, func(t testing.TB, cell, code string) string {
				t.Helper()
				return guessCode(t, d, operation, cell, code)
			})
		}
	}
	return ways
}

// TestAccountGuessesOfOneCode checks that a code is void after five wrong guesses, whatever operations
// made them.
func TestAccountGuessesOfOneCode(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, ways := a.REST(), everywhere(a)
		for n, way := range ways {
			for wrong, want := range map[int]string{4: "right", 5: "wrong"} {
				cell := d.Cell(10*n + wrong)
				d.Register(t, cell)
				code := d.Code(t, cell)
				for i := range wrong {
					if got := ways[(n+i)%len(ways)](t, cell, shoptest.AnotherCode(code)); got != "wrong" {
						t.Fatalf("guess %d: got %s", i+1, got)
					}
				}
				if got := way(t, cell, code); got != want {
					t.Errorf("the right code after %d wrong ones: %s, want %s", wrong, got, want)
				}
				if got := way(t, cell, d.Code(t, cell)); got != "right" {
					t.Errorf("the next code: got %s", got)
				}
			}
		}
	})
}

// TestAccountGuessesInAnHour checks that a cell has at most 15 wrong codes an hour over all operations.
func TestAccountGuessesInAnHour(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, ways := a.REST(), everywhere(a)
		try := func(n int, cell, code, want string) {
			t.Helper()
			if got := ways[n%len(ways)](t, cell, code); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		cell, other := d.Cell(1), d.Cell(2)
		for _, cell := range []string{cell, other} { // the address is known from now on
			d.Register(t, cell)
			d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		}
		for round := range 3 { // a right code does not reset the count
			code := d.Code(t, cell)
			for n := range 4 {
				try(round+n, cell, shoptest.AnotherCode(code), "wrong")
			}
			try(round, cell, code, "right")
		}
		code := d.Code(t, cell)
		for n := range 3 {
			try(n, cell, shoptest.AnotherCode(code), "wrong")
		}
		for n := range ways {
			try(n, cell, code, "RATE_LIMITED")
			try(n, cell, shoptest.AnotherCode(code), "RATE_LIMITED")
		}
		d.TooMany(t, "loginOtp", shoptest.ByCode(cell, code), "3420") // the first was three minutes ago
		try(0, other, d.Code(t, other), "right")
		d.Clock.Pass(57 * time.Minute)
		try(0, cell, d.Code(t, cell), "right")
	})
}

// TestAccountGuessesAtNothing checks that guesses are counted only while a code is live, so that nobody can
// be locked out in advance.
func TestAccountGuessesAtNothing(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d, ways := a.REST(), everywhere(a)
		cell := d.Cell(1)
		d.Register(t, cell)
		shoot := func() {
			t.Helper()
			for n := range 30 {
				if got := ways[n%len(ways)](t, cell, "123456"); got != "wrong" {
					t.Fatalf("guess %d: got %s", n, got)
				}
			}
		}
		shoot() // none was sent
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		shoot() // it was used
		d.Code(t, cell)
		d.Clock.Pass(5 * time.Minute)
		shoot() // it has expired
		code := d.Code(t, cell)
		for range 4 {
			guessCode(t, d, "verifyOtp", cell, shoptest.AnotherCode(code))
		}
		if got := guessCode(t, d, "loginOtp", cell, code); got != "right" {
			t.Errorf("got %s", got)
		}
	})
}
