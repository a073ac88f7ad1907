package contract_test

import (
	"strings"
	"testing"
	"time"
)

// TestAccountRegisterHere checks that registering an existing account of this shop gets the same answer for
// every password.
func TestAccountRegisterHere(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			d.register(t, cell)
			messages := map[string]bool{}
			for range 6 { // more than the guesses that are free: these are none
				for _, input := range []string{
					registering(cell, goodPassword, toolsShop), registering(cell, otherPassword, toolsShop),
					acknowledging(cell, goodPassword, toolsShop), acknowledging(cell, otherPassword, toolsShop),
				} {
					messages[d.wrong(t, "register", input, 409, "CELL_ALREADY_REGISTERED").message(t)] = true
				}
			}
			if len(messages) != 1 {
				t.Errorf("the password shows: %v", messages)
			}
			d.login(t, cell, goodPassword)
		})
	})
}

// TestAccountRegisterOtherSite registers at a second shop.
func TestAccountRegisterOtherSite(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			cell := d.cell(1)
			owner := d.register(t, cell)
			other := strings.NewReplacer("Sara", "Reza", "Karimi", "Other")

			// The password differs: nothing is written.
			refused := d.wrong(t, "register", other.Replace(registering(cell, otherPassword, mugsShop)), 409,
				"CELL_EXISTS_OTHER_SITE")
			if !strings.HasPrefix(refused.message(t), "CELL_EXISTS_OTHER_SITE:") {
				t.Errorf("said %s", refused.body)
			}
			d.wrong(t, "register", strings.Replace(acknowledging(cell, otherPassword, mugsShop), "true", "false", 1),
				409, "CELL_EXISTS_OTHER_SITE")

			// It is acknowledged: the cell alone is shown, and nobody is signed in.
			pending := d.right(t, "register", acknowledging(cell, otherPassword, mugsShop))
			pending.is(t, `{"user": {"id": null, "cellNumber": "`+cell+
				`", "cellVerified": null, "firstName": null, "lastName": null, "email": null, "createdAt": null},
				"accessToken": null, "refreshToken": null, "registeredBusiness": `+mugsBusiness+
				`, "verificationRequired": true,
				"message": "`+pending.member(t, "message")+`"}`)
			if d.isMember(t, cell, mugsShop) {
				t.Error("a link that waits is a membership")
			}

			// The password matches: a member and signed in, and the profile stays as it was.
			joined := d.right(t, "register", other.Replace(registering(cell, goodPassword, mugsShop)))
			joined.is(t, `{"user": `+sara(cell)+`, "accessToken": "<access>", "refreshToken": "<refresh>", `+
				`"registeredBusiness": `+mugsBusiness+`}`)
			if asCustomer(t, joined).id != owner.id {
				t.Error("one cell has two accounts")
			}
			if !d.isMember(t, cell, mugsShop) {
				t.Error("not a member")
			}
			d.with(joined.member(t, "accessToken")).right(t, "me", "").is(t, `{"user": `+sara(cell)+`}`)
			d.wrong(t, "login", byPassword(cell, otherPassword), 401, "INVALID_CREDENTIALS")
			d.right(t, "login", byPassword(cell, goodPassword)).is(t, signedIn(sara(cell)))
		})
		if a.stop(); a.phones.sent > 0 {
			t.Errorf("%d messages were sent", a.phones.sent)
		}
	})
}

// TestAccountAcknowledgeNew checks that the acknowledgement has no effect for a new cell or a right
// password.
func TestAccountAcknowledgeNew(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		asCustomer(t, d.right(t, "register", acknowledging(d.cell(1), goodPassword, toolsShop)))
		asCustomer(t, d.right(t, "register", acknowledging(d.cell(1), goodPassword, mugsShop)))
		d.login(t, d.cell(1), goodPassword)
	})
}

// linking is an account of the tool shop for which a link to the mug shop waits.
func (d door) linking(t testing.TB, n int) (cell string) {
	t.Helper()
	cell = d.cell(n)
	d.register(t, cell)
	d.right(t, "register", acknowledging(cell, otherPassword, mugsShop))
	return cell
}

// TestAccountLink completes links by a code that was asked for at the shop, by each route, within 30
// minutes. Who asks for a code elsewhere may not know of the link.
func TestAccountLink(t *testing.T) {
	prove := map[string]func(cell, code string) string{
		"loginOtp": byCode, "verifyOtp": byCode,
		"resetPassword": func(cell, code string) string { return resetting(cell, code, "a third password") },
	}
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			n := 0
			for operation, input := range prove {
				for _, one := range []struct {
					name, domain string
					after        time.Duration // from the link to the proof
					linked       bool
				}{
					{"for this shop, at the last moment", mugsShop, 30*time.Minute - time.Microsecond, true},
					{"for none", "", time.Minute, false},
					{"for nobody's domain", "nobody.example", time.Minute, false},
					{"for another shop", "xn--mgbp4e7t.example", time.Minute, false},
					{"too late", mugsShop, 30 * time.Minute, false},
				} {
					if n++; d.graphQL && one.domain != mugsShop {
						continue // what completes a link is decided below both doors
					}
					cell := d.linking(t, n)
					d.clock.pass(one.after - time.Minute)
					code := d.codeFrom(t, cell, one.domain)
					d.right(t, operation, input(cell, code))
					if got := d.isMember(t, cell, mugsShop); got != one.linked {
						t.Errorf("%s with a code %s: a member %v", operation, one.name, got)
					}
				}
			}
		})
	})
}

// TestAccountLinkCodes checks that only the newest code completes a link, and that a repeated link starts
// its wait again.
func TestAccountLinkCodes(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		narrow, wide, again := d.linking(t, 1), d.linking(t, 2), d.linking(t, 3)
		d.codeFrom(t, narrow, mugsShop)
		d.right(t, "verifyOtp", byCode(narrow, d.codeFrom(t, narrow, toolsShop)))
		if d.isMember(t, narrow, mugsShop) {
			t.Error("a code for the tool shop made a link to the mug shop")
		}
		d.codeFrom(t, wide, toolsShop)
		d.right(t, "verifyOtp", byCode(wide, d.codeFrom(t, wide, "")))
		if d.isMember(t, wide, mugsShop) {
			t.Error("a code for no shop made a link")
		}
		d.right(t, "verifyOtp", byCode(wide, d.codeFrom(t, wide, mugsShop)))
		if !d.isMember(t, wide, mugsShop) {
			t.Error("the link did not wait for a code of its shop")
		}
		d.clock.pass(10 * time.Minute)
		d.right(t, "register", acknowledging(again, otherPassword, mugsShop))
		d.clock.pass(25 * time.Minute)
		d.right(t, "verifyOtp", byCode(again, d.codeFrom(t, again, mugsShop)))
		if !d.isMember(t, again, mugsShop) {
			t.Error("a link that was made again did not wait anew")
		}
	})
}

// TestAccountLinkWithoutCode checks that the account's own password completes a link only where no code
// can, and that the answer names the way that does.
func TestAccountLinkWithoutCode(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			d.phones.outOfReach(d.cell(1), d.cell(2), d.cell(3))
			for n, way := range map[int]string{5: "Ask for an SMS code", 6: "Sign in with the password of that account"} {
				d.register(t, d.cell(n))
				if n == 6 {
					d.phones.outOfReach(d.cell(n))
				}
				got := d.right(t, "register", acknowledging(d.cell(n), otherPassword, mugsShop))
				if said := got.member(t, "message"); !strings.Contains(said, way) {
					t.Errorf("said %q, want %q", said, way)
				}
			}
			beyond, late, stranger, reached := d.linking(t, 1), d.linking(t, 2), d.linking(t, 3), d.linking(t, 4)
			d.login(t, beyond, goodPassword)
			d.wrong(t, "login", byPassword(stranger, otherPassword), 401, "INVALID_CREDENTIALS")
			d.login(t, reached, goodPassword)
			d.clock.pass(30 * time.Minute)
			d.login(t, late, goodPassword)
			for cell, want := range map[string]bool{beyond: true, late: false, stranger: false, reached: false} {
				if got := d.isMember(t, cell, mugsShop); got != want {
					t.Errorf("%s is a member: %v, want %v", cell, got, want)
				}
			}
		})
	})
}
