package staff

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/ent/staffinvitation"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
)

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
		works, err := tx.StaffMember.Query().Where(staffmember.UserID(who.ID), at(business)).WithUser().Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		open, err := take(ctx, tx, staffinvitation.BusinessID(business), staffinvitation.CellNumber(cell),
			staffinvitation.ExpiresAtGT(now))
		switch {
		case err == nil && works == nil:
			works, err = tx.StaffMember.Create().SetID(open.ID).SetUserID(who.ID).SetBusinessID(business).
				SetRole(open.Role).Save(ctx)
			if err == nil {
				works.Edges.User = who
				err = note(ctx, tx, "addStaff", works, nil, seen(works))
			}
		case err == nil:
			works, err = setRole(ctx, tx, works, open.Role)
		case fault.Is(err, fault.NotFound) && works != nil:
			err = nil
		case fault.Is(err, fault.NotFound):
			err = fault.New(fault.NotFound, "there is no such member of staff")
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
