package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/internal/contract/shoptest"
)

// TestAccountRegisterHere checks that registering an existing account of this shop gets the same answer for
// every password.
func TestAccountRegisterHere(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			d.Register(t, cell)
			messages := map[string]bool{}
			for range 6 { // more than the free guesses; these do not count as guesses
				for _, input := range []string{
					shoptest.Registering(cell, shoptest.GoodPassword,
						shoptest.ToolsShop), shoptest.Registering(cell, shoptest.OtherPassword, shoptest.ToolsShop),
					shoptest.Acknowledging(cell, shoptest.GoodPassword,
						shoptest.ToolsShop), shoptest.Acknowledging(cell, shoptest.OtherPassword, shoptest.ToolsShop),
				} {
					messages[d.Wrong(t, "register", input, 409, "CELL_ALREADY_REGISTERED").Message(t)] = true
				}
			}
			if len(messages) != 1 {
				t.Errorf("the password shows: %v", messages)
			}
			d.Login(t, cell, shoptest.GoodPassword)
		})
	})
}

// TestAccountRegisterOtherSite registers at a second shop.
func TestAccountRegisterOtherSite(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			cell := d.Cell(1)
			owner := d.Register(t, cell)
			other := strings.NewReplacer("Sara", "Reza", "Karimi", "Other")

			// The password differs: nothing is written.
			refused := d.Wrong(t, "register", other.Replace(shoptest.Registering(cell, shoptest.OtherPassword,
				shoptest.MugsShop)), 409,
				"CELL_EXISTS_OTHER_SITE")
			if !strings.HasPrefix(refused.Message(t), "CELL_EXISTS_OTHER_SITE:") {
				t.Errorf("said %s", refused.Body)
			}
			d.Wrong(t, "register", strings.Replace(shoptest.Acknowledging(cell, shoptest.OtherPassword,
				shoptest.MugsShop), "true", "false", 1),
				409, "CELL_EXISTS_OTHER_SITE")

			// It is acknowledged: the cell alone is shown, and nobody is signed in.
			pending := d.Right(t, "register", shoptest.Acknowledging(cell, shoptest.OtherPassword, shoptest.MugsShop))
			pending.Is(t, `{"user": {"id": null, "cellNumber": "`+cell+
				`", "cellVerified": null, "firstName": null, "lastName": null, "email": null, "createdAt": null},
				"accessToken": null, "refreshToken": null, "registeredBusiness": `+mugsBusiness+
				`, "verificationRequired": true,
				"message": "`+pending.Member(t, "message")+`"}`)
			if d.IsMember(t, cell, shoptest.MugsShop) {
				t.Error("a link that waits is a membership")
			}

			// With the right password, the customer becomes a member and is signed in. The profile does not
			// change.
			joined := d.Right(t, "register", other.Replace(shoptest.Registering(cell, shoptest.GoodPassword,
				shoptest.MugsShop)))
			joined.Is(t, `{"user": `+sara(cell)+`, "accessToken": "<access>", "refreshToken": "<refresh>", `+
				`"registeredBusiness": `+mugsBusiness+`}`)
			if shoptest.AsCustomer(t, joined).ID != owner.ID {
				t.Error("one cell has two accounts")
			}
			if !d.IsMember(t, cell, shoptest.MugsShop) {
				t.Error("not a member")
			}
			d.With(joined.Member(t, "accessToken")).Right(t, "me", "").Is(t, `{"user": `+sara(cell)+`}`)
			d.Wrong(t, "login", shoptest.ByPassword(cell, shoptest.OtherPassword), 401, "INVALID_CREDENTIALS")
			d.Right(t, "login", shoptest.ByPassword(cell, shoptest.GoodPassword)).Is(t, signedIn(sara(cell)))
		})
		if a.Stop(); a.Phones.Sent > 0 {
			t.Errorf("%d messages were sent", a.Phones.Sent)
		}
	})
}

// TestAccountAcknowledgeNew checks that the acknowledgement has no effect for a new cell or a right
// password.
func TestAccountAcknowledgeNew(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		shoptest.AsCustomer(t, d.Right(t, "register", shoptest.Acknowledging(d.Cell(1), shoptest.GoodPassword,
			shoptest.ToolsShop)))
		shoptest.AsCustomer(t, d.Right(t, "register", shoptest.Acknowledging(d.Cell(1), shoptest.GoodPassword,
			shoptest.MugsShop)))
		d.Login(t, d.Cell(1), shoptest.GoodPassword)
	})
}

// linking returns the cell of an account of the tool shop with a pending link to the mug shop.
func linking(t testing.TB, d shoptest.API, n int) (cell string) {
	t.Helper()
	cell = d.Cell(n)
	d.Register(t, cell)
	d.Right(t, "register", shoptest.Acknowledging(cell, shoptest.OtherPassword, shoptest.MugsShop))
	return cell
}

// TestAccountLink checks that each operation that takes a code completes a link within 30 minutes: by a code that is
// used where the link was asked for, if it was requested for that shop or for none, or where the code itself was
// requested for that shop.
func TestAccountLink(t *testing.T) {
	prove := map[string]func(cell, code string) string{
		"loginOtp": shoptest.ByCode, "verifyOtp": shoptest.ByCode,
		"resetPassword": func(cell, code string) string { return resetting(cell, code, "a third password") },
	}
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			n := 0
			for operation, input := range prove {
				const link, code, other = "192.0.2.1", "192.0.2.2", "192.0.2.3" // where each was asked for
				for _, one := range []struct {
					name, domain string
					used         string        // where the code is used
					after        time.Duration // from the link to the proof
					linked       bool
				}{
					{"for this shop, in time", shoptest.MugsShop, link, 30*time.Minute - time.Microsecond, true},
					{"for this shop, where it was asked for", shoptest.MugsShop, code, time.Minute, true},
					{"for this shop, elsewhere", shoptest.MugsShop, other, time.Minute, false},
					{"for none", "", link, time.Minute, true},
					{"for none, where it was asked for", "", code, time.Minute, false},
					{"for nobody's domain", "nobody.example", link, time.Minute, true},
					{"for another shop", "xn--mgbp4e7t.example", link, time.Minute, false},
					{"too late", shoptest.MugsShop, link, 30 * time.Minute, false},
				} {
					if n++; d.GraphQL && one.domain != shoptest.MugsShop {
						continue // what completes a link is decided below both APIs
					}
					cell := linking(t, d.From(link), n)
					d.Clock.Pass(one.after - time.Minute)
					sent := d.From(code).CodeFrom(t, cell, one.domain)
					d.From(one.used).Right(t, operation, input(cell, sent))
					if got := d.IsMember(t, cell, shoptest.MugsShop); got != one.linked {
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
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		narrow, wide, again := linking(t, d, 1), linking(t, d, 2), linking(t, d, 3)
		d.CodeFrom(t, narrow, shoptest.MugsShop)
		d.Right(t, "verifyOtp", shoptest.ByCode(narrow, d.CodeFrom(t, narrow, shoptest.ToolsShop)))
		if d.IsMember(t, narrow, shoptest.MugsShop) {
			t.Error("a code for the tool shop made a link to the mug shop")
		}
		d.Right(t, "verifyOtp", shoptest.ByCode(wide, d.CodeFrom(t, wide, shoptest.MugsShop)))
		if !d.IsMember(t, wide, shoptest.MugsShop) {
			t.Error("the link did not wait for a code of its shop")
		}
		d.Clock.Pass(10 * time.Minute)
		d.Right(t, "register", shoptest.Acknowledging(again, shoptest.OtherPassword, shoptest.MugsShop))
		d.Clock.Pass(25 * time.Minute)
		d.Right(t, "verifyOtp", shoptest.ByCode(again, d.CodeFrom(t, again, shoptest.MugsShop)))
		if !d.IsMember(t, again, shoptest.MugsShop) {
			t.Error("a link that was made again did not wait anew")
		}
	})
}

// TestAccountLinkWithoutCode checks that no link waits where no code can complete it, and that the answer names the
// way.
func TestAccountLinkWithoutCode(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			for n, way := range []string{"Ask for an SMS code", "Register with that account's password"} {
				cell := d.Cell(1 + n)
				d.Register(t, cell)
				if n == 1 {
					d.Phones.OutOfReach(cell)
				}
				got := d.Right(t, "register", shoptest.Acknowledging(cell, shoptest.OtherPassword, shoptest.MugsShop))
				if said := got.Member(t, "message"); !strings.Contains(said, way) {
					t.Errorf("said %q, want %q", said, way)
				}
				d.Login(t, cell, shoptest.GoodPassword)
				if d.IsMember(t, cell, shoptest.MugsShop) {
					t.Error("a link that nobody confirmed is a membership")
				}
			}
			d.Right(t, "register", shoptest.Registering(d.Cell(2), shoptest.GoodPassword, shoptest.MugsShop))
			if !d.IsMember(t, d.Cell(2), shoptest.MugsShop) {
				t.Error("the account's password has not linked it")
			}
		})
	})
}

// TestAccountLinkAtAnotherShop has a stranger ask for a link at the mug shop, and for a code with its domain, of a
// customer of the tool shop: the customer, who signs in there with that code, becomes no member of the mug shop.
func TestAccountLinkAtAnotherShop(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		cell := d.Cell(1)
		owner, stranger := d.From(shoptest.OwnerAt), d.From(shoptest.StrangerAt)
		owner.Register(t, cell)
		stranger.Right(t, "register", shoptest.Acknowledging(cell, shoptest.OtherPassword, shoptest.MugsShop))
		code := stranger.CodeFrom(t, cell, shoptest.MugsShop)
		owner.Right(t, "signInByCode", shoptest.ByCodeAt(cell, code, shoptest.ToolsShop))
		if d.IsMember(t, cell, shoptest.MugsShop) {
			t.Error("the staff of the mug shop see a customer who was never there")
		}

		// A registration by code at the tool shop completes no link to the mug shop, even where that was asked for.
		cell = linking(t, owner, 2)
		owner.Right(t, "register", shoptest.Proving(cell, "code", owner.Code(t, cell), shoptest.ToolsShop))
		if d.IsMember(t, cell, shoptest.MugsShop) {
			t.Error("a registration at the tool shop has completed a link to the mug shop")
		}
	})
}

// TestConfirmedLinkStartsMembership checks that a membership starts when its link is confirmed, not when it was
// requested.
func TestConfirmedLinkStartsMembership(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.GraphQL()
		cell, mugs := linking(t, d, 1), uuid.MustParse(a.Named(t, "<tenant:mugs>"))
		begun := func() *ent.Membership {
			of, err := a.Store.Client.Membership.Query().Where(membership.HasUserWith(user.CellNumber(cell)),
				membership.BusinessID(mugs)).All(t.Context())
			if err != nil || len(of) != 1 {
				t.Fatal(of, err)
			}
			return of[0]
		}
		asked := begun()
		d.Right(t, "loginOtp", shoptest.ByCode(cell, d.CodeFrom(t, cell, shoptest.MugsShop)))
		since := begun()
		if since.ID != asked.ID || since.PendingUntil != nil || since.CreatedAt.Equal(asked.CreatedAt) {
			t.Errorf("asked for at %v, confirmed since %v", asked.CreatedAt, since.CreatedAt)
		}
	})
}
