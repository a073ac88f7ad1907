// Package staff manages who works for a shop, and what each role may do (contract 3.6).
//
// Staff are customers of the service whose account has a role in one shop or, as operator of the service, in
// all of them. They sign in like customers; the role is looked up for each request, so it ends as soon as it
// is removed. The directive @staff of the schema requires a permission; graph finds the member with Find
// before the resolver runs. The command `storefront staff` makes the first owner; owners invite others by
// their cell numbers.
//
// Programs have an access token of the shop with permissions of its own (accesstoken.go).
package staff

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/session"
	"storefront/ent/staffinvitation"
	"storefront/ent/staffmember"
	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// findMember reads the role of an account in a business, and whether the session has proved the second
// factor.
var findMember = database.Statement(`SELECT m.role, m.business_id IS NULL,
		EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = $user AND a.confirmed_at IS NOT NULL),
		EXISTS (SELECT 1 FROM sessions s WHERE s.id = $session AND s.proven_at IS NOT NULL),
		EXISTS (SELECT 1 FROM tenants t WHERE t.id = $business AND t.second_factor_since IS NOT NULL)
	FROM staff_members m WHERE m.user_id = $user AND (m.business_id = $business OR m.business_id IS NULL)
	ORDER BY m.business_id IS NULL DESC LIMIT 1`)

// Find returns the role of a caller in a business, or of an operator of the service; it reports false if
// there is neither. For uuid.Nil it looks for operators only. operatorsNeed is whether operators need a
// second factor.
func Find(
	ctx context.Context, store *ent.Client, caller request.Caller, business uuid.UUID, operatorsNeed bool,
) (request.Staff, bool, error) {
	is := request.Staff{User: caller.User, Business: business}
	var operator, has, proven, required bool
	known, err := findMember.Row(ctx, store.Raw(),
		database.Values{"user": caller.User, "session": caller.Session, "business": business},
		&is.Role, &operator, &has, &proven, &required)
	if err != nil || !known {
		return request.Staff{}, false, err
	}
	switch {
	case has && proven:
		is.SecondFactor = request.FactorProven
	case has:
		is.SecondFactor = request.FactorUnproven
	case required || operator && operatorsNeed:
		is.SecondFactor = request.FactorMissing
	}
	return is, true, nil
}

// Of returns the staff of a business, owners first, then in the order in which they were added. For uuid.Nil
// it returns the operators of the service.
func Of(ctx context.Context, store *ent.Client, business uuid.UUID) ([]*ent.StaffMember, error) {
	found, err := store.StaffMember.Query().Where(at(business)).WithUser().
		Order(staffmember.ByCreatedAt(), staffmember.ByID()).All(ctx)
	order := record.StaffRole("").Values()
	slices.SortStableFunc(found, func(a, b *ent.StaffMember) int {
		return slices.Index(order, string(a.Role)) - slices.Index(order, string(b.Role))
	})
	return found, err
}

// Add gives the account of a cell a role in a business, replacing any role there. The account must exist,
// and its cell must be verified, because somebody else may have registered the number; unproven waives that.
func Add(
	ctx context.Context, store *ent.Client, business uuid.UUID, cell string, role record.StaffRole, unproven bool,
) (member *ent.StaffMember, err error) {
	err = change(ctx, store, business, func(tx *ent.Tx) error {
		who, err := tx.User.Query().Where(user.CellNumber(cell), user.ClosedAtIsNil()).Only(ctx)
		switch {
		case ent.IsNotFound(err):
			return fault.New(fault.NotFound,
				"no account has this cell number; its owner registers first, as customers do")
		case err != nil:
			return err
		case !who.Vouched && !unproven:
			return fault.New(fault.Conflict,
				"nobody has proved yet that this cell number is theirs; they sign in with an SMS code first")
		}
		member, err = employ(ctx, tx, "addStaff", who,
			&ent.StaffInvitation{ID: record.NewID(), BusinessID: business, Role: role})
		if err != nil {
			return err
		}
		return endInvitation(ctx, tx, business, cell)
	})
	return member, err
}

// employ gives an account the role of an invitation, replacing any role in that business. action is that of a new
// member, who gets the id of the invitation.
func employ(
	ctx context.Context, tx *ent.Tx, action string, who *ent.User, open *ent.StaffInvitation,
) (*ent.StaffMember, error) {
	member, err := tx.StaffMember.Query().Where(staffmember.UserID(who.ID), at(open.BusinessID)).Only(ctx)
	if err == nil {
		member.Edges.User = who
		return setRole(ctx, tx, member, open.Role)
	}
	if !ent.IsNotFound(err) {
		return nil, err
	}
	create := tx.StaffMember.Create().SetID(open.ID).SetUserID(who.ID).SetRole(open.Role)
	if open.BusinessID != uuid.Nil {
		create.SetBusinessID(open.BusinessID)
	}
	if member, err = create.Save(ctx); err != nil {
		return nil, err
	}
	member.Edges.User = who
	return member, note(ctx, tx, action, member, nil, seen(member))
}

// endInvitation deletes an open invitation of a number, which must not give a role again later.
func endInvitation(ctx context.Context, tx *ent.Tx, business uuid.UUID, cell string) error {
	if business == uuid.Nil { // operators are not invited
		return nil
	}
	_, err := tx.StaffInvitation.Delete().
		Where(staffinvitation.BusinessID(business), staffinvitation.CellNumber(cell)).Exec(ctx)
	return err
}

// Change changes the role of a member.
func Change(
	ctx context.Context, store *ent.Client, business, id uuid.UUID, role record.StaffRole,
) (member *ent.StaffMember, err error) {
	err = change(ctx, store, business, func(tx *ent.Tx) error {
		before, err := memberOf(ctx, tx, business, staffmember.ID(id))
		if err != nil {
			return err
		}
		member, err = setRole(ctx, tx, before, role)
		return err
	})
	return member, err
}

// Remove removes a member from the staff.
func Remove(ctx context.Context, store *ent.Client, business, id uuid.UUID) error {
	return change(ctx, store, business, func(tx *ent.Tx) error {
		before, err := memberOf(ctx, tx, business, staffmember.ID(id))
		if err != nil {
			return err
		}
		if err := tx.StaffMember.DeleteOneID(id).Where(at(business)).Exec(ctx); err != nil {
			return err
		}
		if err := endInvitation(ctx, tx, business, before.Edges.User.CellNumber); err != nil {
			return err
		}
		return note(ctx, tx, "removeStaff", before, seen(before), nil)
	})
}

// setRole gives a member, whose account is loaded, a role.
func setRole(
	ctx context.Context, tx *ent.Tx, member *ent.StaffMember, role record.StaffRole,
) (*ent.StaffMember, error) {
	if member.Role == role {
		return member, nil
	}
	changed, err := tx.StaffMember.UpdateOneID(member.ID).Where(at(convert.Value(member.BusinessID))).SetRole(role).
		Save(ctx)
	if err != nil {
		return nil, err
	}
	changed.Edges.User = member.Edges.User
	return changed, note(ctx, tx, "changeStaff", changed, seen(member), seen(changed))
}

// note records a change of a member, whose account is loaded.
func note(ctx context.Context, tx *ent.Tx, action string, member *ent.StaffMember, before, after any) error {
	who := member.Edges.User
	return audit.Record(ctx, tx, action, audit.Change{
		Kind: "staffMember", ID: member.ID, Name: who.CellNumber, Customer: who.ID, Before: before, After: after,
	})
}

// seen is the form of a member in the audit log.
func seen(member *ent.StaffMember) any {
	return map[string]any{"userId": member.UserID, "role": member.Role}
}

func memberOf(
	ctx context.Context, tx *ent.Tx, business uuid.UUID, which predicate.StaffMember,
) (*ent.StaffMember, error) {
	found, err := tx.StaffMember.Query().Where(which, at(business)).WithUser().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.New(fault.NotFound, "there is no such member of staff")
	}
	return found, err
}

// at matches the members of a business, or the operators of the service for uuid.Nil.
func at(business uuid.UUID) func(*sql.Selector) {
	if business == uuid.Nil {
		return staffmember.BusinessIDIsNil()
	}
	return staffmember.BusinessID(business)
}

// change runs a change of a shop's staff, one at a time, and fails if it would leave no owner.
func change(ctx context.Context, store *ent.Client, business uuid.UUID, f func(tx *ent.Tx) error) error {
	// The caller may remove themselves, so the role is looked for under the lock, and not before the commit.
	unchecked := request.WithStaff(ctx, request.Staff{Business: business})
	return transaction.Run(unchecked, store, func(tx *ent.Tx) error {
		if err := lock(ctx, tx, business); err != nil {
			return err
		}
		if err := transaction.EmployedStill(ctx, tx); err != nil {
			return err
		}
		owners := func() (int, error) {
			return tx.StaffMember.Query().Where(at(business), staffmember.RoleEQ(record.Owner)).Count(ctx)
		}
		before, err := owners()
		if err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		after, err := owners()
		if err == nil && before > 0 && after == 0 {
			err = fault.New(fault.Conflict, "a shop keeps at least one owner; make somebody else its owner first")
		}
		return err
	})
}

// lock makes other changes of a shop's staff wait until this one ends.
func lock(ctx context.Context, tx *ent.Tx, business uuid.UUID) error {
	if business == uuid.Nil {
		return nil
	}
	shops, err := tx.Tenant.Query().Where(tenant.ID(business)).
		Modify(database.ForNoKeyUpdate).Select(tenant.FieldID, tenant.FieldClosedAt).All(ctx)
	if err == nil && len(shops) > 0 && shops[0].ClosedAt != nil {
		err = member.Closed()
	}
	return err
}

// SetPassword gives a person who works for a shop, or is invited to, a password by its hash, where no SMS code reaches
// their number. Their sessions end, and the role of an open invitation is given. It fails with NOT_FOUND for everybody
// else. It proves nothing: the account stays as unproven as it was.
func SetPassword(
	ctx context.Context, store *ent.Client, business uuid.UUID, cell, hash string, now time.Time,
) error {
	return change(ctx, store, business, func(tx *ent.Tx) error {
		who, err := tx.User.Query().Where(user.CellNumber(cell), user.ClosedAtIsNil()).
			Modify(database.ForUpdate).Only(ctx)
		if ent.IsNotFound(err) {
			err = fault.New(fault.NotFound, "no account has this cell number")
		}
		if err != nil {
			return err
		}
		var works *ent.StaffMember
		open, err := take(ctx, tx, staffinvitation.BusinessID(business), staffinvitation.CellNumber(cell),
			staffinvitation.ExpiresAtGT(now))
		if err == nil {
			works, err = employ(ctx, tx, "addStaff", who, open)
		} else if fault.Is(err, fault.NotFound) {
			works, err = memberOf(ctx, tx, business, staffmember.UserID(who.ID))
		}
		if err != nil {
			return err
		}
		if err := tx.User.Update().Where(user.ID(who.ID)).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		err = tx.Session.Update().Where(session.UserID(who.ID), session.EndedAtIsNil()).
			SetEndedAt(record.Moment(now)).Exec(ctx)
		if err != nil {
			return err
		}
		return note(ctx, tx, "setStaffPassword", works, map[string]any{"password": nil},
			map[string]any{"password": "set"})
	})
}
