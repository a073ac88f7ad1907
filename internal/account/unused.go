package account

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/refreshtoken"
	"storefront/ent/session"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/personal"
	"storefront/internal/transaction"
)

// EraseUnused erases accounts with an unverified cell, without orders, listings or a role, whose sessions and
// password have not been used for Times.Unused, and returns their number. It frees numbers that strangers have
// registered. An account whose cell no code can reach stays, as its owner cannot verify it, and so does
// one without a password, which a shop's import has made. Each account is checked again and erased in a transaction of
// its own.
func (s *Service) EraseUnused(ctx context.Context) (erased int, err error) {
	if s.Times.Unused == 0 {
		return 0, nil
	}
	due := s.unused(s.now().Add(-s.Times.Unused))
	last := time.Time{}
	for {
		found, err := s.Store.User.Query().Where(due, user.CreatedAtGT(last)).Order(user.ByCreatedAt(sql.OrderAsc())).
			Limit(accountsAtOnce).Select(user.FieldID, user.FieldCreatedAt, user.FieldCellNumber).All(ctx)
		if err != nil || len(found) == 0 {
			return erased, err
		}
		for _, one := range found {
			last = one.CreatedAt
			if !s.Sender.Reaches(one.CellNumber) {
				continue
			}
			gone := false
			err := transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
				gone = false
				if err := personal.Lock(ctx, tx, one.ID); err != nil {
					return err
				}
				if err := lockTokens(ctx, tx, one.ID); err != nil { // a refresh in progress counts as use
					return err
				}
				if still, err := tx.User.Query().Where(user.ID(one.ID), due).Exist(ctx); err != nil || !still {
					return err
				}
				gone = true
				return personal.Drop(ctx, s.Store, tx, one.ID)
			})
			switch {
			case err == nil && gone:
				erased++
			// Otherwise it is gone, or its customer works for a shop now.
			case err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Conflict):
				return erased, err
			}
		}
	}
}

// lockTokens makes a refresh with a token of a user wait until the transaction ends.
func lockTokens(ctx context.Context, tx *ent.Tx, userID uuid.UUID) error {
	_, err := tx.RefreshToken.Query().Where(refreshtoken.HasSessionWith(session.UserID(userID))).
		Modify(database.ForUpdate).Select(refreshtoken.FieldID).All(ctx)
	return err
}

// unused matches the accounts for EraseUnused that were not used since a time. Tokens are kept that long
// (Old).
func (s *Service) unused(since time.Time) predicate.User {
	return user.And(user.CellVerified(false), user.Vouched(false), user.PasswordHashNotNil(),
		user.CreatedAtLTE(since), user.UpdatedAtLTE(since),
		func(u *sql.Selector) {
			d := sql.Dialect(u.Dialect())
			id := u.C(user.FieldID)
			for _, table := range []string{"orders", "user_products", "staff_members"} {
				of := sql.Table(table)
				u.Where(sql.NotExists(d.Select(of.C("id")).From(of).Where(sql.ColumnsEQ(of.C("user_id"), id))))
			}
			sessions, tokens := sql.Table(session.Table), sql.Table(refreshtoken.Table)
			u.Where(sql.NotExists(d.Select(tokens.C(refreshtoken.FieldID)).From(tokens).Join(sessions).
				On(tokens.C(refreshtoken.FieldSessionID), sessions.C(session.FieldID)).
				Where(sql.And(sql.ColumnsEQ(sessions.C(session.FieldUserID), id),
					sql.IsNull(sessions.C(session.FieldEndedAt)),
					sql.GT(tokens.C(refreshtoken.FieldCreatedAt), since)))))
		})
}
