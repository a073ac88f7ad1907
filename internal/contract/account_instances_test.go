package contract_test

import (
	"testing"
	"time"

	"storefront/internal/account"
	"storefront/internal/app"
)

// TestAccountInstances checks that instances of the service over one database share codes, limits and
// sessions.
func TestAccountInstances(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		one, other := a.rest(), a.instance(t).graphQL()
		cell := one.cell(1)
		c := one.register(t, cell)
		other.lives(t, c.access, true)

		// Codes: sent by one, used at the other, and once.
		code := one.code(t, cell)
		other.wrong(t, "sendOtp", toCell(cell), 429, "RATE_LIMITED")
		other.right(t, "loginOtp", byCode(cell, code))
		one.refusesCode(t, cell, code)
		code = other.code(t, cell)
		for range 2 {
			one.guess(t, "verifyOtp", cell, anotherCode(code))
			other.guess(t, "loginOtp", cell, anotherCode(code))
		}
		one.guess(t, "resetPassword", cell, anotherCode(code))
		if got := other.guess(t, "verifyOtp", cell, code); got != "wrong" {
			t.Errorf("after five wrong guesses: %s", got)
		}

		// Passwords: ten wrong ones, five at each.
		for range 5 {
			one.wrongLogins(t, cell, 1)
			other.wrongLogins(t, cell, 1)
		}
		one.tooMany(t, "login", byPassword(cell, goodPassword), "60")
		other.tooMany(t, "login", byPassword(cell, goodPassword), "60")
		one.clock.pass(time.Minute)
		other.login(t, cell, goodPassword)
		one.wrongLogins(t, cell, 1)

		// Sessions: one that ends here is refused there at once.
		mine, theirs := one.login(t, cell, goodPassword), other.login(t, cell, goodPassword)
		one.with(mine.access).right(t, "changePassword", changing(goodPassword, otherPassword))
		other.dead(t, theirs)
		other.lives(t, mine.access, true)
		next := other.refresh(t, mine)
		one.clock.pass(account.Defaults.Grace)
		one.wrong(t, "refresh", refreshing(mine.refresh), 401, "INVALID_CREDENTIALS")
		other.dead(t, next)
	})
}

// TestAccountRestart checks that a new instance accepts what an earlier one issued, and that one without a
// provider accepts no code.
func TestAccountRestart(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		before := a.rest()
		c := before.register(t, before.cell(1))
		code := before.code(t, c.cell)
		a.stop()
		mute := a.instance(t, func(o *app.Options) { o.Sender = nil }).rest()
		mute.lives(t, c.access, true)
		mute.right(t, "sendOtp", toCell(c.cell)).is(t, codeless)
		mute.right(t, "verifyOtp", byCode(c.cell, code)).is(t, unverified)
		mute.wrong(t, "loginOtp", byCode(c.cell, code), 401, "INVALID_CODE")
		mute.wrong(t, "resetPassword", resetting(c.cell, code, otherPassword), 400, "INVALID_CODE")
		mute.login(t, c.cell, goodPassword)
		after := a.instance(t).rest()
		after.lives(t, c.access, true)
		after.right(t, "loginOtp", byCode(c.cell, code))
		after.refresh(t, c)
	})
}
