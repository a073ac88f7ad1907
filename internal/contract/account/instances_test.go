package account_test

import (
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// TestAccountInstances checks that instances of the service over one database share codes, limits and
// sessions.
func TestAccountInstances(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		one, other := a.REST(), a.Instance(t).GraphQL()
		cell := one.Cell(1)
		c := one.Register(t, cell)
		other.Lives(t, c.Access, true)

		// Codes: sent by one, used at the other, and once.
		code := one.Code(t, cell)
		other.Wrong(t, "sendOtp", shoptest.ToCell(cell), 429, "RATE_LIMITED")
		other.Right(t, "loginOtp", shoptest.ByCode(cell, code))
		refusesCode(t, one, cell, code)
		code = other.Code(t, cell)
		for range 2 {
			guessCode(t, one, "verifyOtp", cell, shoptest.AnotherCode(code))
			guessCode(t, other, "loginOtp", cell, shoptest.AnotherCode(code))
		}
		guessCode(t, one, "resetPassword", cell, shoptest.AnotherCode(code))
		if got := guessCode(t, other, "verifyOtp", cell, code); got != "wrong" {
			t.Errorf("after five wrong guesses: got %s", got)
		}

		// Passwords: ten wrong ones, five at each.
		for range 5 {
			wrongLogins(t, one, cell, 1)
			wrongLogins(t, other, cell, 1)
		}
		one.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
		other.TooMany(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), "60")
		one.Clock.Pass(time.Minute)
		other.Login(t, cell, shoptest.GoodPassword)
		wrongLogins(t, one, cell, 1)

		// A session that ends at one instance is refused at the other at once.
		mine, theirs := one.Login(t, cell, shoptest.GoodPassword), other.Login(t, cell, shoptest.GoodPassword)
		one.With(mine.Access).Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
			shoptest.OtherPassword))
		other.Dead(t, theirs)
		other.Lives(t, mine.Access, true)
		next := other.Refresh(t, mine)
		other.Lives(t, next.Access, true)
		one.Clock.Pass(11 * time.Second)
		one.Wrong(t, "refresh", shoptest.Refreshing(mine.Refresh), 401, "INVALID_CREDENTIALS")
		other.Dead(t, next)
	})
}

// TestAccountRestart checks that a new instance accepts what an earlier one issued, and that one without a
// provider accepts no code.
func TestAccountRestart(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		before := a.REST()
		c := before.Register(t, before.Cell(1))
		code := before.Code(t, c.Cell)
		a.Stop()
		mute := a.Instance(t, func(o *app.Options) { o.Sender = nil }).REST()
		mute.Lives(t, c.Access, true)
		mute.Right(t, "sendOtp", shoptest.ToCell(c.Cell)).Is(t, codeless)
		mute.Right(t, "verifyOtp", shoptest.ByCode(c.Cell, code)).Is(t, unverified)
		mute.Wrong(t, "loginOtp", shoptest.ByCode(c.Cell, code), 401, "INVALID_CODE")
		mute.Wrong(t, "resetPassword", resetting(c.Cell, code, shoptest.OtherPassword), 400, "INVALID_CODE")
		mute.Login(t, c.Cell, shoptest.GoodPassword)
		after := a.Instance(t).REST()
		after.Lives(t, c.Access, true)
		after.Right(t, "loginOtp", shoptest.ByCode(c.Cell, code))
		after.Refresh(t, c)
	})
}
