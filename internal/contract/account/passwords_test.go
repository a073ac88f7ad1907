package account_test

import (
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/platform/password"
)

// TestAccountChangePassword checks that only the caller's session stays valid.
func TestAccountChangePassword(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			other, mine, bystander := d.Register(t, cell), d.Login(t, cell,
				shoptest.GoodPassword), d.Register(t, d.Cell(2))
			d.With(mine.Access).Wrong(t, "changePassword", shoptest.Changing("wrong password",
				shoptest.OtherPassword), 400,
				"CURRENT_PASSWORD_INCORRECT")
			d.With(mine.Access).Wrong(t, "changePassword", `{}`, 400, "VALIDATION_FAILED", "currentPassword",
				"newPassword")
			d.With(mine.Access).Wrong(t, "changePassword", `{"currentPassword": 1, "newPassword": null}`, 400,
				"VALIDATION_FAILED", "currentPassword", "newPassword")
			d.With(mine.Access).Wrong(t, "changePassword", shoptest.Changing("", "1234567"), 400, "VALIDATION_FAILED",
				"currentPassword", "newPassword")
			d.Lives(t, other.Access, true)
			d.Login(t, cell, shoptest.GoodPassword)

			d.With(mine.Access).Right(t, "changePassword", shoptest.Changing(shoptest.GoodPassword,
				shoptest.OtherPassword)).
				Is(t, `{"message": "The password is changed; your other sessions have ended."}`)
			d.Dead(t, other)
			d.Lives(t, mine.Access, true)
			d.Lives(t, d.Refresh(t, mine).Access, true)
			d.Lives(t, bystander.Access, true)
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
			d.Login(t, cell, shoptest.OtherPassword)
			d.Login(t, bystander.Cell, shoptest.GoodPassword)
		})
	})
}

// TestAccountResetPassword checks that all sessions end and none begins.
func TestAccountResetPassword(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			one, two, bystander := d.Register(t, cell), d.Login(t, cell, shoptest.GoodPassword), d.Register(t,
				d.Cell(2))
			code := d.Code(t, cell)
			d.With(two.Access).Right(t, "resetPassword", resetting(cell, code, shoptest.OtherPassword)).Is(t, reset)
			d.Dead(t, one)
			d.Dead(t, two)
			d.Lives(t, bystander.Access, true)
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
			d.Login(t, cell, shoptest.OtherPassword)
		})
	})
}

// TestAccountPasswordCost checks that passwords are hashed at the cost of the contract, unlike in other tests.
func TestAccountPasswordCost(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell := d.Cell(1)
		d.Register(t, cell)
		hash := a.Store.Client.User.Query().OnlyX(t.Context()).PasswordHash
		if hash == nil || !strings.HasPrefix(*hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Error("the stored hash is of another kind or cost")
		}
		d.Login(t, cell, shoptest.GoodPassword)
		d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.OtherPassword), 401, "INVALID_CREDENTIALS")
	}, func(o *app.Options) { o.PasswordCost = password.Cost{} })
}
