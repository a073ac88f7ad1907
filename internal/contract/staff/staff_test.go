// Package staff_test checks what staff do: content, orders, moderation, erasure, webhooks and the audit log.
package staff_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const (
	staffOf            = `query($shop: ID!) { staff(businessId: $shop) { id cellNumber role firstName } }`
	invitations        = `query($shop: ID!) { staffInvitations(businessId: $shop) { id cellNumber role } }`
	withdrawInvitation = `mutation($shop: ID!, $id: ID!) { withdrawInvitation(businessId: $shop, ` +
		`invitationId: $id) { message } }`
	ownInvitations    = `{ me { invitations { id domain role } } }`
	acceptInvitation  = `mutation($id: ID!) { acceptInvitation(invitationId: $id) { workplace { domain role } } }`
	declineInvitation = `mutation($id: ID!) { declineInvitation(invitationId: $id) { message } }`
	changeStaff       = `mutation($shop: ID!, $id: ID!, $role: StaffRole!) {
		changeStaff(businessId: $shop, staffId: $id, role: $role) { staffMember { role } } }`
	removeStaff = `mutation($shop: ID!, $id: ID!) { removeStaff(businessId: $shop, staffId: $id) { message } }`
)

// hiring returns the variables of addStaff.
func hiring(shop, cell, role string) map[string]any {
	return map[string]any{"shop": shop, "in": map[string]any{"cellNumber": cell, "role": role}}
}

// invite invites the holder of a cell, and returns the invitation's id.
func invite(t testing.TB, w shoptest.Worker, shop, cell, role string) (id string) {
	t.Helper()
	var out struct {
		AddStaff struct {
			StaffMember *struct{}
			Invitation  struct{ ID, CellNumber, Role string }
		}
	}
	w.Do(t, shoptest.AddStaff, hiring(shop, cell, role), &out)
	if i := out.AddStaff.Invitation; out.AddStaff.StaffMember != nil || i.CellNumber != cell || i.Role != role {
		t.Fatalf("invited: %+v", out)
	}
	return out.AddStaff.Invitation.ID
}

// hire has somebody invited and accept, and returns the member's id, which the invitation had.
func hire(t testing.TB, w shoptest.Worker, shop string, who shoptest.Worker, role string) (id string) {
	t.Helper()
	id = invite(t, w, shop, who.Customer.Cell, role)
	who.Do(t, acceptInvitation, map[string]any{"id": id}, nil)
	return id
}

// TestRemovedStaffAreNotInvited removes a member for whom an invitation is open, as it may be after a race or a move.
func TestRemovedStaffAreNotInvited(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, editor := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Editor)
		shop := uuid.MustParse(c.Tools)
		c.Store.Client.StaffInvitation.Create().SetBusinessID(shop).SetCellNumber(editor.Customer.Cell).
			SetRole(record.Owner).SetExpiresAt(c.Clock.Now().Add(time.Hour)).ExecX(t.Context())
		member := c.Store.Client.StaffMember.Query().Where(staffmember.BusinessID(shop),
			staffmember.UserID(uuid.MustParse(editor.ID))).OnlyX(t.Context())
		owner.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": member.ID}, nil)
		if n := c.Store.Client.StaffInvitation.Query().CountX(t.Context()); n != 0 {
			t.Errorf("%d invitations are open, want none", n)
		}
	})
}

func TestStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, other, operator := c.Staff(t, c.Tools, record.Owner), c.Customer(t), c.Staff(t, "", record.Operator)
		in := func(cell string, role string) map[string]any { return hiring(c.Tools, cell, role) }
		id := hire(t, owner, c.Tools, other, "editor")
		other.Refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.Tools})
		owner.Do(t, changeStaff, map[string]any{"shop": c.Tools, "id": id, "role": "owner"}, nil)

		var all struct {
			Staff []struct{ CellNumber, Role, FirstName string }
		}
		other.Do(t, staffOf, map[string]any{"shop": c.Tools}, &all)
		if got := fmt.Sprint(all.Staff); got != fmt.Sprintf("[{%s owner Sara} {%s owner Sara}]",
			owner.Customer.Cell, other.Customer.Cell) {
			t.Errorf("staff: got %s", got)
		}
		var me struct {
			Me struct {
				Workplaces []struct {
					Domain, Role string
					Permissions  []string
				}
			}
		}
		other.Do(t, `{ me { workplaces { domain role permissions } } }`, nil, &me)
		if w := me.Me.Workplaces; len(w) != 1 || w[0].Domain != "tools.example" || w[0].Role != "owner" ||
			len(w[0].Permissions) < 10 {
			t.Errorf("workplaces: %+v", w)
		}

		other.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": id}, nil) // owners may go
		other.Refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.Tools})
		owner.Refused(t, "NOT_FOUND", removeStaff, map[string]any{"shop": c.Tools, "id": id})
		own := ownID(t, owner, c.Tools)
		owner.Refused(t, "CONFLICT", removeStaff, map[string]any{"shop": c.Tools, "id": own})
		owner.Refused(t, "CONFLICT", changeStaff, map[string]any{"shop": c.Tools, "id": own, "role": "editor"})
		owner.Refused(t, "CONFLICT", shoptest.AddStaff, in(owner.Customer.Cell, "support"))
		operator.Refused(t, "NOT_FOUND", changeStaff, map[string]any{"shop": c.Mugs, "id": own, "role": "editor"})

		owner.Refused(t, "VALIDATION_FAILED", shoptest.AddStaff, in(other.Customer.Cell, "operator"))
		owner.Refused(t, "VALIDATION_FAILED", shoptest.AddStaff, in("12", "editor"))
		owner.Refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.Mugs})
		owner.Refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": shoptest.NobodysID})
		owner.Refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": "no id"})
		operator.Refused(t, "NOT_FOUND", staffOf, map[string]any{"shop": shoptest.NobodysID})
		operator.Refused(t, "NOT_FOUND", staffOf, map[string]any{"shop": "no id"})
		operator.Do(t, staffOf, map[string]any{"shop": c.Mugs}, nil)
		nobody := shoptest.Worker{API: c.GraphQL()}
		nobody.Refused(t, "UNAUTHENTICATED", staffOf, map[string]any{"shop": c.Tools})
		nobody.Refused(t, "UNAUTHENTICATED", shoptest.AddStaff, in(other.Customer.Cell, "editor"))
	})
}

// ownID returns the worker's own record among a shop's staff.
func ownID(t testing.TB, w shoptest.Worker, business string) string {
	t.Helper()
	id, err := w.Store.Client.StaffMember.Query().
		Where(staffmember.UserID(uuid.MustParse(w.ID)),
			staffmember.BusinessID(uuid.MustParse(business))).OnlyID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return id.String()
}

// TestLastOwnersLeaveAtOnce has two owners remove each other at the same time: one stays.
func TestLastOwnersLeaveAtOnce(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		a, b := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
		ids := map[string]string{a.ID: ownID(t, a, c.Tools), b.ID: ownID(t, b, c.Tools)}
		done := make(chan shoptest.Answered)
		for _, pair := range [][2]shoptest.Worker{{a, b}, {b, a}} {
			go func() {
				done <- pair[0].Ask(t, removeStaff, map[string]any{"shop": c.Tools, "id": ids[pair[1].ID]})
			}()
		}
		first, second := <-done, <-done
		left, err := c.Store.Client.StaffMember.Query().Where(staffmember.RoleEQ(record.Owner)).
			Count(context.Background())
		if err != nil || left != 1 {
			t.Errorf("%d owners are left, %v: %+v %+v", left, err, first, second)
		}
	})
}
