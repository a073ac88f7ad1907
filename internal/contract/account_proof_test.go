package contract_test

import (
	"strings"
	"testing"
	"time"
)

// TestAccountFirstProof checks what the first sign-in by code does to an account that somebody else may
// have registered long before. A code that is only verified ends nothing.
func TestAccountFirstProof(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			for n, one := range []struct {
				name  string
				after time.Duration // from the registration to the proof
				ends  bool
			}{
				{"soon", 30 * time.Minute, false},
				{"late", 30*time.Minute + time.Microsecond, true},
			} {
				for m, operation := range []string{"loginOtp", "verifyOtp"} {
					cell := d.cell(10*n + m)
					old := d.register(t, cell)
					d.clock.pass(one.after - time.Minute)
					old = asCustomer(t, d.right(t, "refresh", refreshing(old.refresh))) // whose access token still lives
					got := d.right(t, operation, byCode(cell, d.code(t, cell)))
					ends := one.ends && operation == "loginOtp"
					d.lives(t, old.access, !ends)
					if ends {
						d.wrong(t, "refresh", refreshing(old.refresh), 401, "INVALID_CREDENTIALS")
						d.wrong(t, "login", byPassword(cell, goodPassword), 401, "INVALID_CREDENTIALS")
						d.right(t, "resetPassword", resetting(cell, d.code(t, cell), otherPassword))
						d.login(t, cell, otherPassword)
					} else {
						d.login(t, cell, goodPassword)
					}
					if operation == "loginOtp" && !ends { // the session that the proof itself begins goes on
						d.lives(t, got.member(t, "accessToken"), true)
					}
				}
			}
		})
	})
}

// TestAccountLaterProof checks that only the first sign-in by code ends anything.
func TestAccountLaterProof(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell := d.cell(1)
		d.register(t, cell)
		d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
		d.clock.pass(48 * time.Hour)
		session := d.login(t, cell, goodPassword)
		d.right(t, "verifyOtp", byCode(cell, d.code(t, cell)))
		d.right(t, "loginOtp", byCode(cell, d.code(t, cell)))
		d.lives(t, session.access, true)
		d.login(t, cell, goodPassword)
	})
}

// TestAccountOwnProof checks that a proof which the account itself brings ends nothing, and that another's
// token, or one that is worth nothing, makes no difference.
func TestAccountOwnProof(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			owner, other, third := d.register(t, d.cell(1)), d.register(t, d.cell(2)), d.register(t, d.cell(3))
			d.clock.pass(40 * time.Minute)
			fresh := func(c customer) customer { return asCustomer(t, d.right(t, "refresh", refreshing(c.refresh))) }
			owner, other, third = fresh(owner), fresh(other), fresh(third)
			d.with(owner.access).right(t, "verifyOtp", byCode(owner.cell, d.code(t, owner.cell))).is(t, verified)
			d.with(owner.access).right(t, "me", "").is(t, `{"user": `+strings.Replace(sara(owner.cell), "false",
				"true", 1)+`}`)
			d.login(t, owner.cell, goodPassword)

			d.with(owner.access).right(t, "loginOtp", byCode(other.cell, d.code(t, other.cell)))
			d.lives(t, other.access, false)
			d.lives(t, owner.access, true)
			d.with("garbage").right(t, "loginOtp", byCode(third.cell, d.code(t, third.cell)))
			d.lives(t, third.access, false)
		})
	})
}

// TestAccountProvenBefore checks that a cell which was proven counts as proven when it registers within 30
// minutes, once.
func TestAccountProvenBefore(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			for n, one := range []struct {
				after time.Duration
				want  string
			}{{30*time.Minute - time.Microsecond, "true"}, {30 * time.Minute, "false"}} {
				cell := d.cell(n)
				d.right(t, "verifyOtp", byCode(cell, d.code(t, cell))).is(t, verified)
				d.right(t, "sendOtp", toCell(cell)) // at once
				d.phones.code(t, cell)              // and not coming back it takes nothing away
				d.clock.pass(one.after)
				got := d.right(t, "register", registering(cell, goodPassword, toolsShop))
				if !strings.Contains(got.said, `"cellVerified":`+one.want) {
					t.Errorf("after %v: %s", one.after, got.said)
				}
			}
		})
	})
}

// TestAccountNextCodeAtOnce checks that a right code opens the way for the next one.
func TestAccountNextCodeAtOnce(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			d.right(t, "verifyOtp", byCode(cell, d.code(t, cell)))
			d.right(t, "sendOtp", toCell(cell)).is(t, codeSent)
			d.right(t, "verifyOtp", byCode(cell, anotherCode(d.phones.code(t, cell)))).is(t, notVerified)
			d.wrong(t, "sendOtp", toCell(cell), 429, "RATE_LIMITED")
		})
	})
}
