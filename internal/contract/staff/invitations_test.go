package staff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestStaffInvitations invites the holders of numbers. A shop learns nothing about a number until its
// holder accepts, and nobody can accept an invitation of another person.
func TestStaffInvitations(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, foreign := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Mugs, record.Owner)
		invitee, other := c.Customer(t), c.Customer(t)
		d := c.GraphQL()
		squatter := shoptest.Worker{API: d.With(d.Register(t, d.Cell(1)).Access),
			Customer: shoptest.Customer{Cell: d.Cell(1)}}
		const nobody = "+989120009999"

		// The answers for an account, an unverified account and a number without an account are the same.
		var alike []string
		for _, cell := range []string{invitee.Customer.Cell, squatter.Customer.Cell, nobody} {
			got := owner.Ask(t, shoptest.AddStaff, hiring(c.Tools, cell, "editor"))
			text := string(shoptest.Must(json.Marshal(got))(t))
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
		owner.Do(t, invitations, map[string]any{"shop": c.Tools}, &open)
		if len(open.StaffInvitations) != 3 {
			t.Fatalf("open: %+v", open)
		}
		var members struct {
			Staff []struct{ CellNumber, FirstName string }
		}
		owner.Do(t, staffOf, map[string]any{"shop": c.Tools}, &members)
		if len(members.Staff) != 1 {
			t.Errorf("who was invited is among the staff: %+v", members)
		}

		// Nobody else sees, accepts, declines or withdraws it.
		id := map[string]any{"id": open.StaffInvitations[0].ID}
		at := func(shop string, id any) map[string]any { return map[string]any{"shop": shop, "id": id} }
		for _, who := range []shoptest.Worker{other, squatter, foreign} {
			var mine struct {
				Me struct{ Invitations []struct{ ID string } }
			}
			who.Do(t, ownInvitations, nil, &mine)
			if len(mine.Me.Invitations) > 0 {
				t.Errorf("somebody else sees %v", mine)
			}
			who.Refused(t, "NOT_FOUND", acceptInvitation, id)
			who.Refused(t, "NOT_FOUND", declineInvitation, id)
		}
		squatter.Refused(t, "NOT_FOUND", acceptInvitation, map[string]any{"id": open.StaffInvitations[1].ID})
		foreign.Refused(t, "NOT_FOUND", withdrawInvitation, at(c.Mugs, id["id"]))
		foreign.Refused(t, "FORBIDDEN", withdrawInvitation, at(c.Tools, id["id"]))
		foreign.Refused(t, "FORBIDDEN", invitations, map[string]any{"shop": c.Tools})
		anybody := shoptest.Worker{API: d}
		anybody.Refused(t, "UNAUTHENTICATED", acceptInvitation, id)
		anybody.Refused(t, "UNAUTHENTICATED", invitations, map[string]any{"shop": c.Tools})

		// An invitation gives no permission. Once it is accepted, it does, and the name is shown.
		invitee.Refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.Tools})
		invitee.Refused(t, "FORBIDDEN", `query($shop: ID!) { staffRecordsConnection(businessId: $shop, `+
			`kind: product) { totalCount } }`,
			map[string]any{"shop": c.Tools})
		var mine struct {
			Me struct {
				Invitations []struct{ ID, Domain, Role string }
			}
		}
		invitee.Do(t, ownInvitations, nil, &mine)
		if got := fmt.Sprint(mine.Me.Invitations); got != fmt.Sprintf("[{%s tools.example editor}]", id["id"]) {
			t.Errorf("the invitee sees %s", got)
		}
		var refreshed struct {
			RefreshTokens struct {
				User struct{ Invitations []struct{ ID string } }
			}
		}
		invitee.Do(t, `mutation($token: String!) { refreshTokens(input: {refreshToken: $token}) { user { `+
			`invitations { id } } } }`,
			map[string]any{"token": invitee.Customer.Refresh}, &refreshed)
		if len(refreshed.RefreshTokens.User.Invitations) != 1 {
			t.Errorf("a refresh shows %+v", refreshed)
		}
		var accepted struct {
			AcceptInvitation struct{ Workplace struct{ Domain, Role string } }
		}
		invitee.Do(t, acceptInvitation, id, &accepted)
		if w := accepted.AcceptInvitation.Workplace; w.Domain != "tools.example" || w.Role != "editor" {
			t.Errorf("accepted %+v", w)
		}
		invitee.Refused(t, "NOT_FOUND", acceptInvitation, id)
		owner.Do(t, staffOf, map[string]any{"shop": c.Tools}, &members)
		if len(members.Staff) != 2 || members.Staff[1].FirstName != "Sara" {
			t.Errorf("staff: %+v", members)
		}
		var changed struct {
			AddStaff struct {
				StaffMember struct{ Role, FirstName string }
			}
		}
		// a member already
		owner.Do(t, shoptest.AddStaff, hiring(c.Tools, invitee.Customer.Cell, "support"), &changed)
		if m := changed.AddStaff.StaffMember; m.Role != "support" || m.FirstName != "Sara" {
			t.Errorf("changed %+v", m)
		}

		// An invitation that was withdrawn, declined or has expired cannot be used.
		owner.Do(t, withdrawInvitation, at(c.Tools, open.StaffInvitations[2].ID), nil)
		owner.Refused(t, "NOT_FOUND", withdrawInvitation, at(c.Tools, open.StaffInvitations[2].ID))
		second := invite(t, owner, c.Tools, other.Customer.Cell, "manager")
		if again := invite(t, owner, c.Tools, other.Customer.Cell, "editor"); again != second {
			t.Error("a number has two invitations of one shop")
		}
		other.Do(t, declineInvitation, map[string]any{"id": second}, nil)
		other.Refused(t, "NOT_FOUND", acceptInvitation, map[string]any{"id": second})
		third := invite(t, owner, c.Tools, other.Customer.Cell, "editor")
		c.Clock.Pass(14 * shoptest.Days)
		late := shoptest.Worker{API: d.With(d.Login(t, other.Customer.Cell, shoptest.GoodPassword).Access),
			Customer: other.Customer}
		late.Refused(t, "NOT_FOUND", acceptInvitation, map[string]any{"id": third})
		c.Service.Sweep(t.Context())
		if n := c.Rows(t, "SELECT count(*) FROM staff_invitations"); n != 0 {
			t.Errorf("%d invitations are left", n)
		}
	})
}

// TestStaffInvitedByNumber checks that a person who registers an invited number cannot use the invitation
// before signing in by a code.
func TestStaffInvitedByNumber(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, d := c.Staff(t, c.Tools, record.Owner), c.GraphQL()
		cell := d.Cell(1)
		id := map[string]any{"id": invite(t, owner, c.Tools, cell, "manager")}
		registered := d.From(shoptest.StrangerAt).Register(t, cell)
		stranger := shoptest.Worker{API: d.With(registered.Access), Customer: registered}
		stranger.Refused(t, "NOT_FOUND", acceptInvitation, id)
		// the holder's verification gives the stranger nothing
		d.From(shoptest.OwnerAt).Right(t, "verifyOtp", shoptest.ByCode(cell, d.Code(t, cell)))
		stranger.Refused(t, "NOT_FOUND", acceptInvitation, id)
		back := shoptest.AsCustomer(t, d.From(shoptest.OwnerAt).Right(t, "loginOtp",
			shoptest.ByCode(cell, d.Code(t, cell))))
		stranger.Refused(t, "UNAUTHENTICATED", acceptInvitation, id)
		shoptest.Worker{API: d.With(back.Access), Customer: back}.Do(t, acceptInvitation, id, nil)
	})
}

// TestStaffInvitationRace accepts an invitation while it is withdrawn and declined. Only one of them
// succeeds.
func TestStaffInvitationRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second := c.Instance(t)
		owner, invitee := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		elsewhere := shoptest.Worker{API: second.GraphQL().With(invitee.Access), Customer: invitee.Customer}
		who := uuid.MustParse(invitee.ID)
		for range 4 * *shoptest.Rounds {
			id := invite(t, owner, c.Tools, invitee.Customer.Cell, "editor")
			got := shoptest.Together(4, func(i int) string {
				switch i {
				case 0:
					return owner.Ask(t, withdrawInvitation, map[string]any{"shop": c.Tools, "id": id}).Code()
				case 1:
					return invitee.Ask(t, declineInvitation, map[string]any{"id": id}).Code()
				case 2:
					return invitee.Ask(t, acceptInvitation, map[string]any{"id": id}).Code()
				}
				return elsewhere.Ask(t, acceptInvitation, map[string]any{"id": id}).Code()
			})
			if counts := shoptest.Tallied(got); counts[""] != 1 || counts["NOT_FOUND"] != 3 {
				t.Fatalf("got %v", got)
			}
			works := c.Store.Client.StaffMember.Query().Where(staffmember.HasUserWith(user.ID(who))).ExistX(t.Context())
			if accepted := got[2] == "" || got[3] == ""; works != accepted {
				t.Fatalf("works there: %v after %v", works, got)
			}
			if works {
				owner.Do(t, removeStaff, map[string]any{"shop": c.Tools, "id": id}, nil)
			}
			c.Clock.Pass(time.Second)
		}
	})
}
