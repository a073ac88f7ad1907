package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/record"
)

// TestStaffInvitations invites holders of numbers: a shop learns nothing of a number until its holder
// accepts, and nobody accepts for another.
func TestStaffInvitations(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, foreign := c.staff(t, c.tools, record.Owner), c.staff(t, c.mugs, record.Owner)
		invitee, other := c.customer(t), c.customer(t)
		d := c.graphQL()
		squatter := worker{door: d.with(d.register(t, d.cell(1)).access), customer: customer{cell: d.cell(1)}}
		const nobody = "+989120009999"

		// The answers to an account, to one that nobody vouches for, and to a number without an account are alike.
		var alike []string
		for _, cell := range []string{invitee.customer.cell, squatter.customer.cell, nobody} {
			got := owner.ask(t, addStaff, hiring(c.tools, cell, "editor"))
			text := string(must(json.Marshal(got))(t))
			var read struct{ Invitation struct{ ID string } }
			if err := json.Unmarshal(got.Data["addStaff"], &read); err != nil {
				t.Fatal(err)
			}
			alike = append(alike, strings.NewReplacer(cell, "<cell>", read.Invitation.ID, "<id>").Replace(text))
		}
		if alike[0] != alike[1] || alike[0] != alike[2] || strings.Contains(alike[0], "Sara") {
			t.Errorf("the answers differ: %v", alike)
		}
		var open struct {
			StaffInvitations []struct{ ID, CellNumber, Role string }
		}
		owner.do(t, invitations, map[string]any{"shop": c.tools}, &open)
		if len(open.StaffInvitations) != 3 {
			t.Fatalf("open: %+v", open)
		}
		var members struct {
			Staff []struct{ CellNumber, FirstName string }
		}
		owner.do(t, staffOf, map[string]any{"shop": c.tools}, &members)
		if len(members.Staff) != 1 {
			t.Errorf("who was invited is among the staff: %+v", members)
		}

		// Nobody else sees, accepts, declines or withdraws it.
		id := map[string]any{"id": open.StaffInvitations[0].ID}
		at := func(shop string, id any) map[string]any { return map[string]any{"shop": shop, "id": id} }
		for _, who := range []worker{other, squatter, foreign} {
			var mine struct {
				Me struct{ Invitations []struct{ ID string } }
			}
			who.do(t, ownInvitations, nil, &mine)
			if len(mine.Me.Invitations) > 0 {
				t.Errorf("somebody else sees %v", mine)
			}
			who.refused(t, "NOT_FOUND", acceptInvitation, id)
			who.refused(t, "NOT_FOUND", declineInvitation, id)
		}
		squatter.refused(t, "NOT_FOUND", acceptInvitation, map[string]any{"id": open.StaffInvitations[1].ID})
		foreign.refused(t, "NOT_FOUND", withdrawInvitation, at(c.mugs, id["id"]))
		foreign.refused(t, "FORBIDDEN", withdrawInvitation, at(c.tools, id["id"]))
		foreign.refused(t, "FORBIDDEN", invitations, map[string]any{"shop": c.tools})
		anybody := worker{door: d}
		anybody.refused(t, "UNAUTHENTICATED", acceptInvitation, id)
		anybody.refused(t, "UNAUTHENTICATED", invitations, map[string]any{"shop": c.tools})

		// An invitation gives no right; once accepted it does, and the name is shown.
		invitee.refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.tools})
		invitee.refused(t, "FORBIDDEN", `query($shop: ID!) { staffRecords(businessId: $shop, kind: product) { total } }`,
			map[string]any{"shop": c.tools})
		var mine struct {
			Me struct {
				Invitations []struct{ ID, Domain, Role string }
			}
		}
		invitee.do(t, ownInvitations, nil, &mine)
		if got := fmt.Sprint(mine.Me.Invitations); got != fmt.Sprintf("[{%s tools.example editor}]", id["id"]) {
			t.Errorf("the invitee sees %s", got)
		}
		var refreshed struct {
			RefreshTokens struct {
				User struct{ Invitations []struct{ ID string } }
			}
		}
		invitee.do(t, `mutation($token: String!) { refreshTokens(input: {refreshToken: $token}) { user { invitations { id } } } }`,
			map[string]any{"token": invitee.customer.refresh}, &refreshed)
		if len(refreshed.RefreshTokens.User.Invitations) != 1 {
			t.Errorf("a refresh shows %+v", refreshed)
		}
		var accepted struct {
			AcceptInvitation struct{ Workplace struct{ Domain, Role string } }
		}
		invitee.do(t, acceptInvitation, id, &accepted)
		if w := accepted.AcceptInvitation.Workplace; w.Domain != "tools.example" || w.Role != "editor" {
			t.Errorf("accepted %+v", w)
		}
		invitee.refused(t, "NOT_FOUND", acceptInvitation, id)
		owner.do(t, staffOf, map[string]any{"shop": c.tools}, &members)
		if len(members.Staff) != 2 || members.Staff[1].FirstName != "Sara" {
			t.Errorf("staff: %+v", members)
		}
		var changed struct {
			AddStaff struct {
				StaffMember struct{ Role, FirstName string }
			}
		}
		owner.do(t, addStaff, hiring(c.tools, invitee.customer.cell, "support"), &changed) // who works there already
		if m := changed.AddStaff.StaffMember; m.Role != "support" || m.FirstName != "Sara" {
			t.Errorf("changed %+v", m)
		}

		// One that is withdrawn, declined or too old is none.
		owner.do(t, withdrawInvitation, at(c.tools, open.StaffInvitations[2].ID), nil)
		owner.refused(t, "NOT_FOUND", withdrawInvitation, at(c.tools, open.StaffInvitations[2].ID))
		second := owner.invite(t, c.tools, other.customer.cell, "manager")
		if again := owner.invite(t, c.tools, other.customer.cell, "editor"); again != second {
			t.Error("a number has two invitations of one shop")
		}
		other.do(t, declineInvitation, map[string]any{"id": second}, nil)
		other.refused(t, "NOT_FOUND", acceptInvitation, map[string]any{"id": second})
		third := owner.invite(t, c.tools, other.customer.cell, "editor")
		c.clock.pass(14 * days)
		late := worker{d.with(d.login(t, other.customer.cell, goodPassword).access), other.customer}
		late.refused(t, "NOT_FOUND", acceptInvitation, map[string]any{"id": third})
		c.service.Sweep(t.Context())
		if n := c.rows(t, "SELECT count(*) FROM staff_invitations"); n != 0 {
			t.Errorf("%d invitations are left", n)
		}
	})
}

// TestStaffInvitedByNumber checks that who registers an invited number has no invitation until a code has signed in.
func TestStaffInvitedByNumber(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, d := c.staff(t, c.tools, record.Owner), c.graphQL()
		cell := d.cell(1)
		id := map[string]any{"id": owner.invite(t, c.tools, cell, "manager")}
		registered := d.from(strangerAt).register(t, cell)
		stranger := worker{d.with(registered.access), registered}
		stranger.refused(t, "NOT_FOUND", acceptInvitation, id)
		d.from(ownerAt).right(t, "verifyOtp", byCode(cell, d.code(t, cell))) // of the holder, which gives the stranger nothing
		stranger.refused(t, "NOT_FOUND", acceptInvitation, id)
		back := asCustomer(t, d.from(ownerAt).right(t, "loginOtp", byCode(cell, d.code(t, cell))))
		stranger.refused(t, "UNAUTHENTICATED", acceptInvitation, id)
		worker{d.with(back.access), back}.do(t, acceptInvitation, id, nil)
	})
}

// TestStaffInvitationRace accepts an invitation while it is withdrawn and declined: one of them finds it.
func TestStaffInvitationRace(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		second := c.instance(t)
		owner, invitee := c.staff(t, c.tools, record.Owner), c.customer(t)
		elsewhere := worker{second.graphQL().with(invitee.access), invitee.customer}
		who := uuid.MustParse(invitee.id)
		for range 4 * *rounds {
			id := owner.invite(t, c.tools, invitee.customer.cell, "editor")
			got := together(4, func(i int) string {
				switch i {
				case 0:
					return owner.ask(t, withdrawInvitation, map[string]any{"shop": c.tools, "id": id}).code()
				case 1:
					return invitee.ask(t, declineInvitation, map[string]any{"id": id}).code()
				case 2:
					return invitee.ask(t, acceptInvitation, map[string]any{"id": id}).code()
				}
				return elsewhere.ask(t, acceptInvitation, map[string]any{"id": id}).code()
			})
			if counts := tallied(got); counts[""] != 1 || counts["NOT_FOUND"] != 3 {
				t.Fatalf("%v", got)
			}
			works := c.store.Client.StaffMember.Query().Where(staffmember.HasUserWith(user.ID(who))).ExistX(t.Context())
			if accepted := got[2] == "" || got[3] == ""; works != accepted {
				t.Fatalf("works there: %v after %v", works, got)
			}
			if works {
				owner.do(t, removeStaff, map[string]any{"shop": c.tools, "id": id}, nil)
			}
			c.clock.pass(time.Second)
		}
	})
}
