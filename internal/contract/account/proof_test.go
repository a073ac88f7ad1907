package account_test

import (
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// TestAccountFirstProof checks what the first sign-in by code does to an account that somebody else may
// have registered long before. A code that is only verified ends nothing.
func TestAccountFirstProof(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for n, one := range []struct {
				name  string
				after time.Duration // from the registration to the proof
				ends  bool
			}{
				{"soon", 30 * time.Minute, false},
				{"late", 30*time.Minute + time.Microsecond, true},
			} {
				for m, operation := range []string{"loginOtp", "verifyOtp"} {
					cell := d.Cell(10*n + m)
					old := d.Register(t, cell)
					d.Clock.Pass(one.after - time.Minute)
					// with an access token that is still valid
					old = shoptest.AsCustomer(t, d.Right(t, "refresh", shoptest.Refreshing(old.Refresh)))
					got := d.Right(t, operation, shoptest.ByCode(cell, d.Code(t, cell)))
					ends := one.ends && operation == "loginOtp"
					d.Lives(t, old.Access, !ends)
					if ends {
						d.Wrong(t, "refresh", shoptest.Refreshing(old.Refresh), 401, "INVALID_CREDENTIALS")
						d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword), 401,
							"INVALID_CREDENTIALS")
						d.Right(t, "resetPassword", resetting(cell, d.Code(t, cell), shoptest.OtherPassword))
						d.Login(t, cell, shoptest.OtherPassword)
					} else {
						d.Login(t, cell, shoptest.GoodPassword)
					}
					if operation == "loginOtp" && !ends { // the session that this sign-in begins stays
						d.Lives(t, got.Member(t, "accessToken"), true)
					}
				}
			}
		})
	})
}

// TestAccountLaterProof checks that only the first sign-in by code ends anything.
func TestAccountLaterProof(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		cell := d.Cell(1)
		d.Register(t, cell)
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		d.Clock.Pass(48 * time.Hour)
		session := d.Login(t, cell, shoptest.GoodPassword)
		d.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		d.Lives(t, session.Access, true)
		d.Login(t, cell, shoptest.GoodPassword)
	})
}

// TestAccountOwnProof checks that a proof sent with the account's own token ends nothing, and that the
// token of another account or an invalid one makes no difference.
func TestAccountOwnProof(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			owner, other, third := d.Register(t, d.Cell(1)), d.Register(t, d.Cell(2)), d.Register(t, d.Cell(3))
			d.Clock.Pass(40 * time.Minute)
			fresh := func(c shoptest.Customer) shoptest.Customer {
				return shoptest.AsCustomer(t, d.Right(t, "refresh", shoptest.Refreshing(c.Refresh)))
			}
			owner, other, third = fresh(owner), fresh(other), fresh(third)
			d.With(owner.Access).Right(t, "verifyOtp", shoptest.ByCode(owner.Cell,
				d.Code(t, owner.Cell))).Is(t, verified)
			d.With(owner.Access).Right(t, "me", "").Is(t, `{"user": `+strings.Replace(sara(owner.Cell), "false",
				"true", 1)+`}`)
			d.Login(t, owner.Cell, shoptest.GoodPassword)

			d.With(owner.Access).Right(t, "loginOtp", shoptest.ByCode(other.Cell, d.Code(t, other.Cell)))
			d.Lives(t, other.Access, false)
			d.Lives(t, owner.Access, true)
			d.With("garbage").Right(t, "loginOtp", shoptest.ByCode(third.Cell, d.Code(t, third.Cell)))
			d.Lives(t, third.Access, false)
		})
	})
}

// TestAccountProvenBefore checks that a cell that was verified before it registers counts as verified for
// 30 minutes, once.
func TestAccountProvenBefore(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for n, one := range []struct {
				after time.Duration
				want  string
			}{{30*time.Minute - time.Microsecond, "true"}, {30 * time.Minute, "false"}} {
				cell := d.Cell(n)
				d.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell))).Is(t, verified)
				d.Right(t, "sendOtp", shoptest.ToCell(cell)) // at once
				d.Phones.Code(t, cell)                       // an unused code does not undo the verification
				d.Clock.Pass(one.after)
				got := d.Right(t, "register", shoptest.Registering(cell, shoptest.GoodPassword, shoptest.ToolsShop))
				if !strings.Contains(got.Said, `"cellVerified":`+one.want) {
					t.Errorf("after %v: got %s", one.after, got.Said)
				}
			}
		})
	})
}

// TestAccountNextCodeAtOnce checks that after a right code the next one may be requested at once.
func TestAccountNextCodeAtOnce(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell)))
			d.Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
			d.Right(t, "verifyOtp", shoptest.ByCode(cell, shoptest.AnotherCode(d.Phones.Code(t, cell)))).Is(t,
				notVerified)
			d.Wrong(t, "sendOtp", shoptest.ToCell(cell), 429, "RATE_LIMITED")
		})
	})
}
