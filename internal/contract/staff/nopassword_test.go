package staff_test

import (
	"encoding/base32"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestStaffWithoutPassword checks that a person who signed up by phone, without a password, can work for a
// shop, use a second factor, export their data, and close the account.
func TestStaffWithoutPassword(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, d := c.Staff(t, c.Tools, record.Owner), c.GraphQL()
		cell := d.Cell(1)
		invitation := map[string]any{"id": invite(t, owner, c.Tools, cell, "manager")}
		signedUp := d.Right(t, "signInByCode", shoptest.ByCodeAt(cell, d.Code(t, cell), shoptest.ToolsShop))
		who := shoptest.AsCustomer(t, d.Right(t, "register",
			shoptest.Proving(cell, "ticket", signedUp.Member(t, "ticket"), shoptest.ToolsShop)))
		worker := shoptest.Worker{API: d.With(who.Access), Customer: who}
		worker.Do(t, acceptInvitation, invitation, nil) // the ticket has verified the number
		worker.Do(t, asStaff, map[string]any{"shop": c.Tools}, nil)

		var setup struct {
			BeginSecondFactor struct{ Secret string }
		}
		worker.Refused(t, "CURRENT_PASSWORD_INCORRECT", beginFactor, byPassword(shoptest.GoodPassword))
		worker.Do(t, beginFactor, map[string]any{"in": map[string]any{"code": d.Code(t, cell)}}, &setup)
		phone := phoneApp{shoptest.Must(base32.StdEncoding.DecodeString(setup.BeginSecondFactor.Secret))(t), c.Clock}
		worker.Do(t, confirmFactor, code(phone.at(0)), nil)
		again := shoptest.AsCustomer(t, d.Right(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell))))
		back := shoptest.Worker{API: d.With(again.Access), Customer: again}
		back.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, map[string]any{"shop": c.Tools})
		back.Do(t, proveFactor, code(phone.next()), nil)
		back.Do(t, asStaff, map[string]any{"shop": c.Tools}, nil)
		back.Do(t, removeFactor, map[string]any{"in": code(phone.next())}, nil)

		held := back.Ask(t, `{ me { dataExport } }`, nil)
		if text := string(held.Data["me"]); !strings.Contains(text, cell) || strings.Contains(text, "assword") {
			t.Errorf("got %s", text)
		}
		byCode := map[string]any{"in": map[string]any{"code": d.Code(t, cell)}}
		back.Refused(t, "CONFLICT", shoptest.CloseAccount, byCode) // still works for a shop
		owner.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": invitation["id"]}, nil)
		back.Do(t, shoptest.CloseAccount, byCode, nil)
		d.Wrong(t, "loginOtp", shoptest.ByCode(cell, d.Code(t, cell)), 401, "NO_ACCOUNT")
	})
}
