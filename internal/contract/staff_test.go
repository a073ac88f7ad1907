package contract_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/internal/app"
	"storefront/internal/record"
)

// crew is the service with staff of the tool shop and others.
type crew struct {
	*accounts
	tools, mugs string // the ids of the shops
	made        int    // customers
}

// eachCrew runs f on both databases.
func eachCrew(t *testing.T, f func(t *testing.T, c *crew), settings ...func(*app.Options)) {
	t.Helper()
	eachAccounts(t, func(t *testing.T, a *accounts) {
		f(t, &crew{accounts: a, tools: a.named(t, "<tenant:tools>"), mugs: a.named(t, "<tenant:mugs>")})
	}, settings...)
}

// worker is a customer who may work for a shop, at GraphQL.
type worker struct {
	door
	customer
}

// customer registers a customer who stands behind the account.
func (c *crew) customer(t testing.TB) worker {
	t.Helper()
	c.made++
	d := c.graphQL()
	who := d.register(t, fmt.Sprintf("+98935000%04d", c.made))
	id := uuid.MustParse(who.id)
	if err := c.store.Client.User.UpdateOneID(id).SetCellVerified(true).SetVouched(true).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return worker{d.with(who.access), who}
}

// staff registers a customer and gives them a role in a shop; the operator's is that of the service.
func (c *crew) staff(t testing.TB, business string, role record.StaffRole) worker {
	t.Helper()
	w := c.customer(t)
	c.employ(t, w, business, role)
	return w
}

func (c *crew) employ(t testing.TB, w worker, business string, role record.StaffRole) {
	t.Helper()
	create := c.store.Client.StaffMember.Create().SetUserID(uuid.MustParse(w.id)).SetRole(role)
	if role != record.Operator {
		create.SetBusinessID(uuid.MustParse(business))
	}
	if err := create.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// answered is an answer of GraphQL to one operation.
type answered struct {
	Data   map[string]json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct {
			Code   string
			Errors []struct{ Field, Message string }
		}
	}
}

// code is the code of the first error, empty for none.
func (a answered) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

// ask sends a document; names like <tenant:tools> may stand in it and in its variables.
func (w worker) ask(t testing.TB, document string, variables map[string]any) (got answered) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": w.named(t, document), "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	sent := w.send(t, "POST", "/graphql", w.named(t, string(body)), w.headers...)
	if err := json.Unmarshal(sent.body, &got); err != nil {
		t.Fatalf("%d %s", sent.status, sent.body)
	}
	return got
}

// do sends a document that must succeed, and reads its data.
func (w worker) do(t testing.TB, document string, variables map[string]any, data any) {
	t.Helper()
	got := w.ask(t, document, variables)
	if len(got.Errors) > 0 {
		t.Fatalf("%s %v: %+v", document, variables, got.Errors)
	}
	if data == nil {
		return
	}
	whole, _ := json.Marshal(got.Data) // it was read from JSON
	if err := json.Unmarshal(whole, data); err != nil {
		t.Fatalf("%v: %s", err, whole)
	}
}

// refused sends a document that must fail with a code.
func (w worker) refused(t testing.TB, code, document string, variables map[string]any) answered {
	t.Helper()
	got := w.ask(t, document, variables)
	if got.code() != code {
		t.Fatalf("%s %v: %q, want %s: %+v", document, variables, got.code(), code, got.Errors)
	}
	return got
}

const (
	staffOf  = `query($shop: ID!) { staff(businessId: $shop) { id cellNumber role firstName } }`
	addStaff = `mutation($shop: ID!, $in: StaffInput!) { addStaff(businessId: $shop, input: $in) {
		staffMember { id role firstName } invitation { id cellNumber role } } }`
	invitations        = `query($shop: ID!) { staffInvitations(businessId: $shop) { id cellNumber role } }`
	withdrawInvitation = `mutation($shop: ID!, $id: ID!) { withdrawInvitation(businessId: $shop, invitationId: $id) { message } }`
	ownInvitations     = `{ me { invitations { id domain role } } }`
	acceptInvitation   = `mutation($id: ID!) { acceptInvitation(invitationId: $id) { workplace { domain role } } }`
	declineInvitation  = `mutation($id: ID!) { declineInvitation(invitationId: $id) { message } }`
	changeStaff        = `mutation($shop: ID!, $id: ID!, $role: StaffRole!) {
		changeStaff(businessId: $shop, staffId: $id, role: $role) { staffMember { role } } }`
	removeStaff = `mutation($shop: ID!, $id: ID!) { removeStaff(businessId: $shop, staffId: $id) { message } }`
)

// hiring are the variables of addStaff.
func hiring(shop, cell, role string) map[string]any {
	return map[string]any{"shop": shop, "in": map[string]any{"cellNumber": cell, "role": role}}
}

// invite invites the holder of a cell, and returns the invitation's id.
func (w worker) invite(t testing.TB, shop, cell, role string) (id string) {
	t.Helper()
	var out struct {
		AddStaff struct {
			StaffMember *struct{}
			Invitation  struct{ ID, CellNumber, Role string }
		}
	}
	w.do(t, addStaff, hiring(shop, cell, role), &out)
	if i := out.AddStaff.Invitation; out.AddStaff.StaffMember != nil || i.CellNumber != cell || i.Role != role {
		t.Fatalf("invited: %+v", out)
	}
	return out.AddStaff.Invitation.ID
}

// hire has somebody invited and accept, and returns the member's id, which the invitation had.
func (w worker) hire(t testing.TB, shop string, who worker, role string) (id string) {
	t.Helper()
	id = w.invite(t, shop, who.customer.cell, role)
	who.do(t, acceptInvitation, map[string]any{"id": id}, nil)
	return id
}

func TestStaff(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		owner, other, operator := c.staff(t, c.tools, record.Owner), c.customer(t), c.staff(t, "", record.Operator)
		in := func(cell string, role string) map[string]any { return hiring(c.tools, cell, role) }
		id := owner.hire(t, c.tools, other, "editor")
		other.refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.tools})
		owner.do(t, changeStaff, map[string]any{"shop": c.tools, "id": id, "role": "owner"}, nil)

		var all struct {
			Staff []struct{ CellNumber, Role, FirstName string }
		}
		other.do(t, staffOf, map[string]any{"shop": c.tools}, &all)
		if got := fmt.Sprint(all.Staff); got != fmt.Sprintf("[{%s owner Sara} {%s owner Sara}]", owner.customer.cell, other.customer.cell) {
			t.Errorf("staff: %s", got)
		}
		var me struct {
			Me struct {
				Workplaces []struct {
					Domain, Role string
					Permissions  []string
				}
			}
		}
		other.do(t, `{ me { workplaces { domain role permissions } } }`, nil, &me)
		if w := me.Me.Workplaces; len(w) != 1 || w[0].Domain != "tools.example" || w[0].Role != "owner" || len(w[0].Permissions) < 10 {
			t.Errorf("workplaces: %+v", w)
		}

		other.do(t, removeStaff, map[string]any{"shop": c.tools, "id": id}, nil) // owners may go
		other.refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.tools})
		owner.refused(t, "NOT_FOUND", removeStaff, map[string]any{"shop": c.tools, "id": id})
		own := owner.ownID(t, c.tools)
		owner.refused(t, "CONFLICT", removeStaff, map[string]any{"shop": c.tools, "id": own})
		owner.refused(t, "CONFLICT", changeStaff, map[string]any{"shop": c.tools, "id": own, "role": "editor"})
		owner.refused(t, "CONFLICT", addStaff, in(owner.customer.cell, "support"))
		operator.refused(t, "NOT_FOUND", changeStaff, map[string]any{"shop": c.mugs, "id": own, "role": "editor"})

		owner.refused(t, "VALIDATION_FAILED", addStaff, in(other.customer.cell, "operator"))
		owner.refused(t, "VALIDATION_FAILED", addStaff, in("12", "editor"))
		owner.refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": c.mugs})
		owner.refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": nobodys})
		owner.refused(t, "FORBIDDEN", staffOf, map[string]any{"shop": "no id"})
		operator.refused(t, "NOT_FOUND", staffOf, map[string]any{"shop": nobodys})
		operator.refused(t, "NOT_FOUND", staffOf, map[string]any{"shop": "no id"})
		operator.do(t, staffOf, map[string]any{"shop": c.mugs}, nil)
		nobody := worker{door: c.graphQL()}
		nobody.refused(t, "UNAUTHENTICATED", staffOf, map[string]any{"shop": c.tools})
		nobody.refused(t, "UNAUTHENTICATED", addStaff, in(other.customer.cell, "editor"))
	})
}

// ownID is the worker's own record among a shop's staff.
func (w worker) ownID(t testing.TB, business string) string {
	t.Helper()
	id, err := w.store.Client.StaffMember.Query().
		Where(staffmember.UserID(uuid.MustParse(w.id)), staffmember.BusinessID(uuid.MustParse(business))).OnlyID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return id.String()
}

// TestLastOwnersLeaveAtOnce has two owners remove each other at the same time: one stays.
func TestLastOwnersLeaveAtOnce(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		a, b := c.staff(t, c.tools, record.Owner), c.staff(t, c.tools, record.Owner)
		ids := map[string]string{a.id: a.ownID(t, c.tools), b.id: b.ownID(t, c.tools)}
		done := make(chan answered)
		for _, pair := range [][2]worker{{a, b}, {b, a}} {
			go func() {
				done <- pair[0].ask(t, removeStaff, map[string]any{"shop": c.tools, "id": ids[pair[1].id]})
			}()
		}
		first, second := <-done, <-done
		left, err := c.store.Client.StaffMember.Query().Where(staffmember.RoleEQ(record.Owner)).Count(context.Background())
		if err != nil || left != 1 {
			t.Errorf("%d owners are left, %v: %+v %+v", left, err, first, second)
		}
	})
}
