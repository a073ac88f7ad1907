package contract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/account"
	"storefront/internal/app"
)

// tooMany checks that an operation is rate limited and, over REST, which Retry-After it answers.
func (d door) tooMany(t testing.TB, operation, input, seconds string) {
	t.Helper()
	if got := d.wrong(t, operation, input, 429, "RATE_LIMITED"); !d.graphQL &&
		got.header.Get("Retry-After") != seconds {
		t.Errorf("%s: Retry-After %q, want %q", operation, got.header.Get("Retry-After"), seconds)
	}
}

// TestAccountCodesInTime checks how often codes go to one cell: one in 60 seconds, 5 an hour, 10 a day,
// with or without an account and in every spelling.
func TestAccountCodesInTime(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			known, nobody := d.cell(1), d.cell(2)
			d.register(t, known)
			for _, cell := range []string{known, nobody} {
				d.clock.at.Store(today.UnixMicro())
				var code string // codes of one cell may overtake each other on their way, so each is waited for
				send := func() {
					t.Helper()
					d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
					code = d.phones.code(t, cell)
				}
				send()
				d.tooMany(t, "sendOtp", toCell("0"+strings.TrimPrefix(cell, "+98")), "60")
				d.clock.pass(60*time.Second - time.Microsecond)
				d.tooMany(t, "sendOtp", toCellFrom(cell, toolsShop), "1")
				d.clock.pass(time.Microsecond)
				for range 4 {
					send()
					d.clock.pass(time.Minute)
				}
				d.tooMany(t, "sendOtp", toCell(persianDigits(cell)), "3300") // 5 minutes after the first of 5
				d.clock.pass(55*time.Minute - time.Microsecond)
				d.tooMany(t, "sendOtp", toCell(cell), "1")
				d.clock.pass(time.Microsecond)
				for range 5 {
					send()
					d.clock.pass(12 * time.Minute)
				}
				d.tooMany(t, "sendOtp", toCell(cell), "79200") // 2 hours after the first of 10
				d.clock.pass(22*time.Hour - time.Microsecond)
				d.tooMany(t, "sendOtp", toCell(cell), "1")
				d.clock.pass(time.Microsecond)
				send()
				d.right(t, "verifyOtp", byCode(cell, code)).is(t, verified)
			}
		})
	})
}

// TestAccountCodesBySettings checks the settings of a test environment, which signs one cell in again and again.
func TestAccountCodesBySettings(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			for range 11 { // beyond the presets
				d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
				d.right(t, "loginOtp", byCode(cell, d.phones.code(t, cell)))
			}
			d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
			d.tooMany(t, "sendOtp", toCell(cell), "3600")
			d.clock.pass(time.Hour)
			for range 2 {
				d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
			}
			d.tooMany(t, "sendOtp", toCell(cell), "82800")
		})
	}, func(o *app.Options) {
		o.CodesInHour, o.CodesInDay, o.Times = 12, 14, account.Defaults
		o.Times.Resend = 0
	})
}

// TestAccountCodeRefused checks that a refused request for a code leaves the previous code valid.
func TestAccountCodeRefused(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		d.register(t, d.cell(1))
		code := d.code(t, d.cell(1))
		d.wrong(t, "sendOtp", toCell(d.cell(1)), 429, "RATE_LIMITED")
		d.right(t, "loginOtp", byCode(d.cell(1), code))
	})
}

// TestAccountCodesOfAll checks the budget of codes for the whole service; requests beyond it count against
// nobody.
func TestAccountCodesOfAll(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			// beyond the minute of the other door
			d.clock.pass(map[bool]time.Duration{false: 0, true: time.Hour}[d.graphQL])
			for n := range 3 {
				d.from(fmt.Sprintf("203.0.%d.1", n)).right(t, "sendOtp", toCell(d.cell(n)))
			}
			for range 7 {
				d.tooMany(t, "sendOtp", toCell(d.cell(9)), "60")
			}
			d.clock.pass(time.Minute)
			d.right(t, "sendOtp", toCell(d.cell(9)))
		})
	}, func(o *app.Options) { o.CodesInMinute = 3 })
}

// guessing are the operations that take a code.
var guessing = map[string]func(d door, t testing.TB, cell, code string) reply{
	"loginOtp": func(d door, t testing.TB, cell, code string) reply {
		return d.ask(t, "loginOtp", byCode(cell, code))
	},
	"verifyOtp": func(d door, t testing.TB, cell, code string) reply {
		return d.ask(t, "verifyOtp", byCode(cell, code))
	},
	"resetPassword": func(d door, t testing.TB, cell, code string) reply {
		return d.ask(t, "resetPassword", resetting(cell, code, otherPassword))
	},
}

// guess tries a code and returns "right", "wrong" or the code of another error.
func (d door) guess(t testing.TB, operation, cell, code string) string {
	t.Helper()
	got := guessing[operation](d, t, cell, code)
	switch {
	case got.code == "INVALID_CODE", strings.Contains(got.said, `"verified":false`):
		return "wrong"
	case got.code != "":
		return got.code
	}
	return "right"
}

// everywhere returns every operation that takes a code, over REST and over GraphQL.
func (a *accounts) everywhere() (ways []func(t testing.TB, cell, code string) string) {
	for _, d := range []door{a.rest(), a.graphQL()} {
		for _, operation := range []string{"loginOtp", "verifyOtp", "resetPassword"} {
			ways = append(ways, func(t testing.TB, cell, code string) string {
				t.Helper()
				return d.guess(t, operation, cell, code)
			})
		}
	}
	return ways
}

// TestAccountGuessesOfOneCode checks that a code is void after five wrong guesses, whatever operations
// made them.
func TestAccountGuessesOfOneCode(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d, ways := a.rest(), a.everywhere()
		for n, way := range ways {
			for wrong, want := range map[int]string{4: "right", 5: "wrong"} {
				cell := d.cell(10*n + wrong)
				d.register(t, cell)
				code := d.code(t, cell)
				for i := range wrong {
					if got := ways[(n+i)%len(ways)](t, cell, anotherCode(code)); got != "wrong" {
						t.Fatalf("guess %d: %s", i+1, got)
					}
				}
				if got := way(t, cell, code); got != want {
					t.Errorf("the right code after %d wrong ones: %s, want %s", wrong, got, want)
				}
				if got := way(t, cell, d.code(t, cell)); got != "right" {
					t.Errorf("the next code: %s", got)
				}
			}
		}
	})
}

// TestAccountGuessesInAnHour checks that a cell has at most 15 wrong codes an hour over all operations.
func TestAccountGuessesInAnHour(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d, ways := a.rest(), a.everywhere()
		try := func(n int, cell, code, want string) {
			t.Helper()
			if got := ways[n%len(ways)](t, cell, code); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		cell, other := d.cell(1), d.cell(2)
		d.register(t, cell)
		d.register(t, other)
		for round := range 3 { // a right one gives nothing back
			code := d.code(t, cell)
			for n := range 4 {
				try(round+n, cell, anotherCode(code), "wrong")
			}
			try(round, cell, code, "right")
		}
		code := d.code(t, cell)
		for n := range 3 {
			try(n, cell, anotherCode(code), "wrong")
		}
		for n := range ways {
			try(n, cell, code, "RATE_LIMITED")
			try(n, cell, anotherCode(code), "RATE_LIMITED")
		}
		d.tooMany(t, "loginOtp", byCode(cell, code), "3420") // the first was three minutes ago
		try(0, other, d.code(t, other), "right")
		d.clock.pass(57 * time.Minute)
		try(0, cell, d.code(t, cell), "right")
	})
}

// TestAccountGuessesAtNothing checks that guesses are counted only while a code is live, so that nobody can
// be locked out in advance.
func TestAccountGuessesAtNothing(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d, ways := a.rest(), a.everywhere()
		cell := d.cell(1)
		d.register(t, cell)
		shoot := func() {
			t.Helper()
			for n := range 30 {
				if got := ways[n%len(ways)](t, cell, "123456"); got != "wrong" {
					t.Fatalf("guess %d: %s", n, got)
				}
			}
		}
		shoot() // none was sent
		d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
		shoot() // it was used
		d.code(t, cell)
		d.clock.pass(5 * time.Minute)
		shoot() // it has expired
		code := d.code(t, cell)
		for range 4 {
			d.guess(t, "verifyOtp", cell, anotherCode(code))
		}
		if got := d.guess(t, "loginOtp", cell, code); got != "right" {
			t.Errorf("%s", got)
		}
	})
}
