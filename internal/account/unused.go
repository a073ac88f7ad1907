package account

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent/predicate"
	"storefront/ent/refreshtoken"
	"storefront/ent/session"
	"storefront/ent/user"
	"storefront/internal/personal"
)

// EraseUnused erases accounts with an unverified cell, without orders, listings or a role, whose sessions and
// password have not been used for Times.Unused, and returns their number. It frees numbers that strangers have
// registered. An account whose cell no code can reach stays, as its owner cannot verify it, and so does
// one without a password, which a shop's import has made.
func (s *Service) EraseUnused(ctx context.Context) (erased int, err error) {
	if s.Times.Unused == 0 {
		return 0, nil
	}
	return s.eraseDue(ctx, user.FieldCreatedAt, s.unused(s.now().Add(-s.Times.Unused)), personal.Drop)
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
