package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/staffmember"
	"storefront/graph/engine"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

// onlyStaff implements the directive @staff. The business is the field's argument businessId, else the
// business of the object whose field it is. The resolver gets a context that carries the staff and allows
// only records of this business.
func (r *Resolver) onlyStaff(ctx context.Context, obj any, next graphql.Resolver, may staff.Permission) (any, error) {
	member, err := r.staffFor(ctx, obj)
	if err != nil {
		return nil, err
	}
	if err := staff.Check(ctx, member, may); err != nil {
		return nil, err
	}
	if err := engine.RefuseRepeat(ctx); err != nil {
		return nil, err
	}
	member.Roles = staff.RolesWith(may)
	ctx = request.WithStaff(ctx, member)
	if member.Business != uuid.Nil {
		ctx = tenancy.In(ctx, member.Business)
	}
	return next(ctx)
}

// seenBy is an object that staff have read and whose fields may need further permissions.
type seenBy interface{ Staff() request.Staff }

// staffFor returns the caller's role in the business that a field belongs to. For a caller who is not staff
// it has no role and no program.
func (r *Resolver) staffFor(ctx context.Context, obj any) (request.Staff, error) {
	switch reached := obj.(type) {
	case seenBy:
		return reached.Staff(), nil
	case *ent.Comment:
		return r.staffOnce(ctx, reached.TenantID)
	case *ent.ExpertReview:
		return r.staffOnce(ctx, reached.TenantID)
	}
	args := graphql.GetFieldContext(ctx).Args
	business, named := args["businessId"].(uuid.UUID)
	return r.memberOf(ctx, business, named && args[engine.NoShop] == nil)
}

// staffOnce is memberOf for the fields of many records of one business.
func (r *Resolver) staffOnce(ctx context.Context, business uuid.UUID) (request.Staff, error) {
	type member struct{ of uuid.UUID }
	return catalog.Once(ctx, member{business}, func() (request.Staff, error) { return r.memberOf(ctx, business, true) })
}

// mayStaff implements engine.Options.MayStaff.
func (r *Resolver) mayStaff(ctx context.Context, argument func(name string) string, permission string) error {
	business := argument("businessId")
	id, _ := api.UnmarshalID(business) // what is not an id finds no business
	member, err := r.memberOf(ctx, id, business != "")
	if err == nil {
		err = staff.Check(ctx, member, staff.Permission(permission))
	}
	return err
}

// memberOf returns the caller's role in a business, if one is named, as staffFor does.
func (r *Resolver) memberOf(ctx context.Context, business uuid.UUID, named bool) (request.Staff, error) {
	if program := request.Of(ctx).Program; program != nil {
		if !named || business != program.Business {
			return request.Staff{}, nil
		}
		return request.Staff{Business: business, Program: program}, r.reachBusiness(ctx, business)
	}
	if by, _ := request.StaffOf(ctx); by.IsCommand() {
		by.Business = business
		if !named {
			return by, nil
		}
		return by, r.reachBusiness(ctx, business)
	}
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return request.Staff{}, err
	}
	member, known, err := staff.Find(ctx, r.Store, caller, business, r.OperatorsNeedFactor)
	if err == nil && known && named {
		err = r.reachBusiness(ctx, business)
	}
	return member, err
}

func (q queryResolver) Staff(ctx context.Context, businessID uuid.UUID) ([]*ent.StaffMember, error) {
	return staff.Of(ctx, q.r.Store, businessID)
}

func (r userResolver) Workplaces(ctx context.Context, u *ent.User) ([]*api.Workplace, error) {
	found, err := r.r.Store.StaffMember.Query().Where(staffmember.UserID(u.ID)).WithBusiness().
		Order(staffmember.ByCreatedAt(), staffmember.ByID()).All(ctx)
	return convert.All(found, workplaceOf), err
}

// workplaceOf returns the workplace of a member. The member's business must have been read.
func workplaceOf(m *ent.StaffMember) *api.Workplace {
	place := &api.Workplace{Role: m.Role, Permissions: staff.Permissions(m.Role)}
	if shop := m.Edges.Business; shop != nil {
		place.BusinessID, place.Domain = &shop.ID, &shop.Domain
		place.Name, place.NameFa = &shop.Name, &shop.NameFa
	}
	return place
}

func (staffMemberResolver) CellNumber(_ context.Context, m *ent.StaffMember) (string, error) {
	return m.Edges.User.CellNumber, nil
}

func (staffMemberResolver) FirstName(_ context.Context, m *ent.StaffMember) (*string, error) {
	return m.Edges.User.FirstName, nil
}

func (r staffMemberResolver) HasSecondFactor(ctx context.Context, members []*ent.StaffMember) ([]bool, error) {
	users := convert.All(members, func(m *ent.StaffMember) uuid.UUID { return m.UserID })
	found, err := r.r.Factors.Have(ctx, users)
	return convert.All(members, func(m *ent.StaffMember) bool { return found[m.UserID] }), err
}

func (staffMemberResolver) LastName(_ context.Context, m *ent.StaffMember) (*string, error) {
	return m.Edges.User.LastName, nil
}

func (q queryResolver) StaffInvitations(ctx context.Context, businessID uuid.UUID) ([]*ent.StaffInvitation, error) {
	return staff.Invitations(ctx, q.r.Store, businessID, q.r.clock())
}

func (r staffInvitationResolver) Sms(_ context.Context, i *ent.StaffInvitation) (*record.NoticeState, error) {
	if i.Sms == nil {
		return nil, nil
	}
	state := i.Sms.At(r.r.clock(), *i.SmsAt)
	return &state, nil
}

func (r userResolver) Invitations(ctx context.Context, u *ent.User) ([]*api.ReceivedInvitation, error) {
	found, err := staff.Received(ctx, r.r.Store, u.ID, r.r.clock())
	received := make([]*api.ReceivedInvitation, len(found))
	for i, one := range found {
		shop := one.Edges.Business
		received[i] = &api.ReceivedInvitation{ID: one.ID, BusinessID: shop.ID, Domain: shop.Domain, Name: shop.Name,
			NameFa: shop.NameFa, Role: one.Role, ExpiresAt: one.ExpiresAt}
	}
	return received, err
}

func (m mutationResolver) AddStaff(
	ctx context.Context, businessID uuid.UUID, input api.StaffInput,
) (*api.AddStaffPayload, error) {
	if err := ofShop(input.Role, "input.role"); err != nil {
		return nil, err
	}
	invite := staff.Inviter{Store: m.r.Store, Clock: m.r.clock, Notices: m.r.Notices}.Invite
	member, invitation, err := invite(ctx, businessID, cellOf(input.CellNumber), input.Role)
	return &api.AddStaffPayload{StaffMember: member, Invitation: invitation}, err
}

func (m mutationResolver) WithdrawInvitation(
	ctx context.Context, businessID, invitationID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The invitation is withdrawn.", staff.Withdraw(ctx, m.r.Store, businessID, invitationID))
}

func (m mutationResolver) AcceptInvitation(
	ctx context.Context, invitationID uuid.UUID,
) (*api.AcceptInvitationPayload, error) {
	made, err := staff.Accept(ctx, m.r.Store, callerOf(ctx).User, invitationID, m.r.clock)
	if err != nil {
		return nil, err
	}
	made.Edges.Business, err = m.r.Store.Tenant.Get(ctx, *made.BusinessID)
	return &api.AcceptInvitationPayload{Workplace: workplaceOf(made)}, err
}

func (m mutationResolver) DeclineInvitation(
	ctx context.Context, invitationID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The invitation is declined.",
		staff.Decline(ctx, m.r.Store, callerOf(ctx).User, invitationID, m.r.clock))
}

func (m mutationResolver) ChangeStaff(
	ctx context.Context, businessID, staffID uuid.UUID, role record.StaffRole,
) (*api.StaffPayload, error) {
	if err := ofShop(role, "role"); err != nil {
		return nil, err
	}
	changed, err := staff.Change(ctx, m.r.Store, businessID, staffID, role)
	return &api.StaffPayload{StaffMember: changed}, err
}

func (m mutationResolver) RemoveStaff(
	ctx context.Context, businessID, staffID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The member of staff is removed.", staff.Remove(ctx, m.r.Store, businessID, staffID))
}

// ofShop refuses the role of operators, who work for no shop.
func ofShop(role record.StaffRole, member string) error {
	if role == record.Operator {
		return fault.Invalid(member, "must be a role in the shop; operators are made by a command")
	}
	return nil
}

func (q queryResolver) AccessTokens(ctx context.Context, businessID uuid.UUID) ([]*ent.AccessToken, error) {
	return q.r.Tokens.TokensOf(ctx, businessID)
}

func (accessTokenResolver) Permissions(_ context.Context, t *ent.AccessToken) ([]staff.Permission, error) {
	return staff.PermissionsOf(t.Permissions), nil
}

// AccessToken returns the access token of the program that made each change. All entries are of one business.
func (r auditEntryResolver) AccessToken(
	ctx context.Context, entries []*ent.AuditEntry,
) ([]*ent.AccessToken, error) {
	return referred(entries, func(e *ent.AuditEntry) *uuid.UUID { return e.TokenID },
		func(ids []uuid.UUID) (map[uuid.UUID]*ent.AccessToken, error) {
			return staff.TokensByID(ctx, r.r.Store, *entries[0].BusinessID, ids)
		})
}

func (m mutationResolver) CreateAccessToken(
	ctx context.Context, businessID uuid.UUID, input api.AccessTokenInput,
) (*api.AccessTokenPayload, error) {
	secret, made, err := m.r.Tokens.CreateToken(ctx, businessID, staff.NewToken{
		Name: strings.TrimSpace(input.Name), Permissions: input.Permissions, Expires: input.ExpiresAt,
	})
	return &api.AccessTokenPayload{AccessToken: made, Token: secret}, err
}

func (m mutationResolver) RevokeAccessToken(
	ctx context.Context, businessID, tokenID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The access token is revoked.", m.r.Tokens.RevokeToken(ctx, businessID, tokenID))
}
