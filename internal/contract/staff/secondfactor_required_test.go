package staff_test

import (
	"slices"
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

// TestSecondFactorIsRequired has a shop require it while others work there.
func TestSecondFactorIsRequired(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, editor := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Editor)
		operator := c.Staff(t, "", record.Operator)
		c.Employ(t, editor, c.Mugs, record.Editor)
		_, program := token(t, c, c.Tools, []staff.Permission{staff.SeeShop}, nil)
		there, elsewhere := map[string]any{"shop": c.Tools}, map[string]any{"shop": c.Mugs}
		on := map[string]any{"shop": c.Tools, "is": true}

		editor.Refused(t, "FORBIDDEN", require, on)
		program.Refused(t, "FORBIDDEN", require, on)
		got := owner.Refused(t, "CONFLICT", require, on)
		if !strings.Contains(got.Errors[0].Message, "your own") {
			t.Errorf("got %+v", got.Errors)
		}
		owner.Do(t, require, map[string]any{"shop": c.Tools, "is": false}, nil)
		guarded(t, c, owner)
		editor.Do(t, asStaff, there, nil)
		for range 2 {
			owner.Do(t, require, on, nil)
		}
		refused := editor.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, there)
		if !strings.Contains(refused.Errors[0].Message, "beginSecondFactor") {
			t.Errorf("got %+v", refused.Errors)
		}
		farsi := editor
		farsi.Headers = append(slices.Clone(farsi.Headers), "Accept-Language", "fa")
		if said := farsi.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, there); said.Errors[0].Message ==
			refused.Errors[0].Message {
			t.Errorf("in Farsi: %+v", said.Errors)
		}
		editor.Do(t, asStaff, elsewhere, nil)
		operator.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, there)
		operator.Do(t, asStaff, elsewhere, nil)
		program.Do(t, asStaff, there, nil)
		c.Customer(t).Refused(t, "FORBIDDEN", asStaff, there)
		var seen struct {
			Staff []struct {
				UserID          string
				HasSecondFactor bool
			}
			ShopAccess struct{ RequiresSecondFactor bool }
		}
		read := func() {
			t.Helper()
			owner.Do(t, `query($shop: ID!) { staff(businessId: $shop) { userId hasSecondFactor }
				shopAccess(businessId: $shop) { requiresSecondFactor } }`, there, &seen)
		}
		read()
		if !seen.ShopAccess.RequiresSecondFactor || !seen.Staff[0].HasSecondFactor || seen.Staff[1].HasSecondFactor {
			t.Errorf("got %+v", seen)
		}

		// A member with a second factor can go on in the session that has proved it, until the role ends.
		phone, _ := guarded(t, c, editor)
		editor.Do(t, asStaff, there, nil)
		second := another(t, c.Accounts, editor)
		second.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, elsewhere) // must be proved everywhere
		second.Do(t, proveFactor, code(phone.next()), nil)
		second.Do(t, asStaff, elsewhere, nil)
		dismiss(t, c, editor)
		editor.Refused(t, "FORBIDDEN", asStaff, there)
		second.Refused(t, "FORBIDDEN", asStaff, elsewhere)

		owner.Do(t, require, map[string]any{"shop": c.Tools, "is": false}, nil)
		operator.Do(t, asStaff, there, nil)
		var log struct {
			AuditLogConnection struct {
				Nodes []struct {
					Action        string
					Before, After map[string]bool
				}
			}
		}
		owner.Do(t, `query($shop: ID!) { auditLogConnection(businessId: $shop, action: "requireSecondFactor") { nodes {
			action before after } } }`, there, &log)
		if got := log.AuditLogConnection.Nodes; len(got) != 2 || got[0].After["requireSecondFactor"] ||
			!got[1].After["requireSecondFactor"] || got[1].Before["requireSecondFactor"] {
			t.Errorf("got %+v", got)
		}
	})
}

// TestOperatorsNeedASecondFactor tests the option OperatorsNeedFactor.
func TestOperatorsNeedASecondFactor(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		shop := map[string]any{"shop": c.Tools}
		owner.Do(t, asStaff, shop, nil)
		operator.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, shop)
		operator.Refused(t, "SECOND_FACTOR_REQUIRED", `{ partnerKeys { id } }`, nil)
		guarded(t, c, operator)
		operator.Do(t, `{ partnerKeys { id } }`, nil, nil)
		operator.Do(t, asStaff, shop, nil)
		if n := c.Rows(t, `SELECT count(*) FROM audit_entries WHERE business_id IS NULL
			AND action = 'confirmSecondFactor' AND role = 'operator'`); n != 1 {
			t.Errorf("%d entries in the log of the service", n)
		}
	}, func(o *app.Options) { o.OperatorsNeedFactor = true })
}

// TestSecondFactorWhenKeysAreExchanged replaces the signing key, once as it should be and once without the older one.
func TestSecondFactorWhenKeysAreExchanged(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, hasty := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
		phone, _ := guarded(t, c, owner)
		hastyApp, recovery := guarded(t, c, hasty)
		old := c.Key
		with := func(key string, other []byte) *shoptest.Accounts {
			return c.Instance(t, func(o *app.Options) { o.Key, o.OtherKey = []byte(strings.Repeat(key, 32)), other })
		}
		lost := with("n", nil)
		hastys := another(t, lost, hasty)
		said := hastys.Refused(t, "CONFLICT", proveFactor, code(hastyApp.next()))
		if !strings.Contains(said.Errors[0].Message, "recovery code") {
			t.Errorf("got %+v", said.Errors)
		}
		hastys.Do(t, proveFactor, code(recovery[0]), nil)
		if !strings.Contains(lost.Log.String(), "TOKEN_SIGNING_KEY") {
			t.Error("nothing in the log says what to do")
		}
		both := with("n", old)
		another(t, both, owner).Do(t, proveFactor, code(phone.at(0)), nil)
		both.Service.Sweep(t.Context())
		another(t, with("n", nil), owner).Do(t, proveFactor, code(phone.next()), nil)
		another(t, with("n", nil), hasty).Do(t, proveFactor, code(hastyApp.at(0)), nil)
		another(t, c.Accounts, owner).Refused(t, "CONFLICT", proveFactor, code(phone.next()))
	})
}

// TestSecondFactorOfSomebodyElse takes an account over. The second factor of the person who registered the
// number must be deleted.
func TestSecondFactorOfSomebodyElse(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		d := c.GraphQL().From("203.0.113.7")
		who := d.Register(t, "+989121230011")
		guarded(t, c, shoptest.Worker{API: d.With(who.Access), Customer: who})
		holder := c.GraphQL().From("198.51.100.9")
		holder.Right(t, "loginOtp", shoptest.ByCode(who.Cell, holder.Code(t, who.Cell)))
		n := c.Rows(t, "SELECT (SELECT count(*) FROM authenticators) + (SELECT count(*) FROM recovery_codes)")
		if n != 0 {
			t.Errorf("%d secrets and codes are left", n)
		}
	})
}
