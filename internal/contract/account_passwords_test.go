package contract_test

import (
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/password"
)

// TestAccountChangePassword checks that only the caller's session stays valid.
func TestAccountChangePassword(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			other, mine, bystander := d.register(t, cell), d.login(t, cell, goodPassword), d.register(t, d.cell(2))
			d.with(mine.access).wrong(t, "changePassword", changing("wrong password", otherPassword), 400,
				"CURRENT_PASSWORD_INCORRECT")
			d.with(mine.access).wrong(t, "changePassword", `{}`, 400, "VALIDATION_FAILED", "currentPassword",
				"newPassword")
			d.with(mine.access).wrong(t, "changePassword", `{"currentPassword": 1, "newPassword": null}`, 400,
				"VALIDATION_FAILED", "currentPassword", "newPassword")
			d.with(mine.access).wrong(t, "changePassword", changing("", "1234567"), 400, "VALIDATION_FAILED",
				"currentPassword", "newPassword")
			d.lives(t, other.access, true)
			d.login(t, cell, goodPassword)

			d.with(mine.access).right(t, "changePassword", changing(goodPassword, otherPassword)).
				is(t, `{"message": "The password is changed; your other sessions have ended."}`)
			d.dead(t, other)
			d.lives(t, mine.access, true)
			d.lives(t, d.refresh(t, mine).access, true)
			d.lives(t, bystander.access, true)
			d.wrong(t, "login", byPassword(cell, goodPassword), 401, "INVALID_CREDENTIALS")
			d.login(t, cell, otherPassword)
			d.login(t, bystander.cell, goodPassword)
		})
	})
}

// TestAccountResetPassword checks that all sessions end and none begins.
func TestAccountResetPassword(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			one, two, bystander := d.register(t, cell), d.login(t, cell, goodPassword), d.register(t, d.cell(2))
			code := d.code(t, cell)
			d.with(two.access).right(t, "resetPassword", resetting(cell, code, otherPassword)).is(t, reset)
			d.dead(t, one)
			d.dead(t, two)
			d.lives(t, bystander.access, true)
			d.wrong(t, "login", byPassword(cell, goodPassword), 401, "INVALID_CREDENTIALS")
			d.login(t, cell, otherPassword)
		})
	})
}

// TestAccountPasswordCost checks that passwords are hashed at the cost of the contract, unlike in other tests.
func TestAccountPasswordCost(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell := d.cell(1)
		d.register(t, cell)
		hash := a.store.Client.User.Query().OnlyX(t.Context()).PasswordHash
		if hash == nil || !strings.HasPrefix(*hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Error("the stored hash is of another kind or cost")
		}
		d.login(t, cell, goodPassword)
		d.wrong(t, "login", byPassword(cell, otherPassword), 401, "INVALID_CREDENTIALS")
	}, func(o *app.Options) { o.PasswordCost = password.Cost{} })
}
