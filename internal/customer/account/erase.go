package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/user"
	"storefront/internal/customer/personal"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/request"
)

// CloseAccount closes the account of a caller who gives its password, or else a code sent to its cell. Its
// sessions end, and no password signs in. The account is erased after Times.Closed; until then a code opens
// it again, and its holder finds everything unchanged. CloseAccount fails with CONFLICT for members of a shop's staff.
func (s *Service) CloseAccount(ctx context.Context, caller request.Caller, password, code *string) error {
	return s.withOwn(ctx, caller, password, code, personal.Lock, func(tx *ent.Tx, me *ent.User) error {
		if s.Times.Closed == 0 {
			return personal.CloseIn(ctx, s.Store, tx, me.ID)
		}
		if err := personal.MustNotWork(ctx, tx, me.ID); err != nil {
			return err
		}
		err := tx.User.Update().Where(user.ID(me.ID)).SetClosedAt(s.now()).ClearPasswordHash().Exec(ctx)
		if err != nil {
			return err
		}
		return s.endSessions(ctx, tx, me.ID)
	})
}

// EraseOld erases the accounts that were closed at least Times.Closed ago, and those that register has made of an
// unverified cell, in which only names and memberships are, and whose sessions and password have not been used for
// Times.Unused. It returns how many. It frees numbers that strangers have registered. An account whose cell no code can
// reach stays, as its owner cannot verify it.
func (s *Service) EraseOld(ctx context.Context) (erased int, err error) {
	erased, err = s.eraseDue(ctx, user.FieldClosedAt, user.ClosedAtLTE(s.now().Add(-s.Times.Closed)), personal.CloseIn)
	if s.Times.Unused == 0 {
		return erased, err
	}
	unused, failure := s.eraseDue(ctx, user.FieldCreatedAt, unused(s.now().Add(-s.Times.Unused)), personal.Drop)
	return erased + unused, errors.Join(err, failure)
}

const accountsAtOnce = 100

// eraseDue erases the accounts that are due, in the order of a column with a time, and returns how many. Each is
// checked again and erased in a transaction of its own: its customer may have used it, or opened it again.
func (s *Service) eraseDue(ctx context.Context, column string, due predicate.User,
	erase func(context.Context, *ent.Client, *ent.Tx, uuid.UUID) error,
) (erased int, err error) {
	last := time.Time{}
	for {
		found, err := s.Store.User.Query().Where(due, sql.FieldGT(column, last)).
			Order(sql.OrderByField(column).ToFunc()).Limit(accountsAtOnce).All(ctx)
		if err != nil || len(found) == 0 {
			return erased, err
		}
		for _, one := range found {
			last = one.CreatedAt
			if column == user.FieldClosedAt {
				last = *one.ClosedAt
			} else if !s.Sender.Reaches(one.CellNumber) {
				continue
			}
			gone := false
			err := transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
				gone = false
				if _, err := personal.Lock(ctx, tx, one.ID); err != nil {
					return err
				}
				_, err := tx.Session.Query().Where(session.UserID(one.ID)).
					Modify(database.ForUpdate).Select(session.FieldID).All(ctx)
				if err != nil { // a refresh in progress counts as use, and waits
					return err
				}
				if still, err := tx.User.Query().Where(user.ID(one.ID), due).Exist(ctx); err != nil || !still {
					return err
				}
				gone = true
				return erase(ctx, s.Store, tx, one.ID)
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

// unused matches the accounts for EraseOld that were not used since a time. Sessions are kept that long (Old).
func unused(since time.Time) predicate.User {
	return user.And(user.CellVerified(false), user.Vouched(false), user.RegisteredFromNotNil(),
		user.EmailIsNil(), user.EmailBeforeIsNil(), user.CreatedAtLTE(since), user.UpdatedAtLTE(since),
		func(u *sql.Selector) {
			d := sql.Dialect(u.Dialect())
			id := u.C(user.FieldID)
			for _, in := range contents {
				of := sql.Table(in.table)
				u.Where(sql.NotExists(d.Select(of.C("id")).From(of).Where(sql.ColumnsEQ(of.C(in.column), id))))
			}
			sessions := sql.Table(session.Table)
			u.Where(sql.NotExists(d.Select(sessions.C(session.FieldID)).From(sessions).Where(sql.And(
				sql.ColumnsEQ(sessions.C(session.FieldUserID), id), sql.IsNull(sessions.C(session.FieldEndedAt)),
				sql.GT(sessions.C(session.FieldRefreshedAt), since)))))
		})
}

// contents are the columns that refer to an account, but those of what a registration and a sign-in make.
var contents = func() (all []struct{ table, column string }) {
	for _, t := range ent.Tables {
		if slices.Contains([]string{membership.Table, session.Table, signinaddress.Table}, t.Name) {
			continue
		}
		for _, r := range t.References {
			if r.To == user.Table {
				all = append(all, struct{ table, column string }{t.Name, r.Column})
			}
		}
	}
	return all
}()

// Old returns jobs that delete the sessions, pending links, codes and counted events that no rule reads any more.
// Expired sessions are kept for Times.Unused: they show that the account was used.
func (s *Service) Old() []sweep.Job {
	now := s.now()
	untold := now.Add(-s.Times.Unused)
	jobs := []sweep.Job{
		sweep.Before(session.Table, session.FieldExpiresAt, untold),
		sweep.Before(session.Table, session.FieldEndedAt, now.Add(-originKnownFor)), // origins are known this long
		sweep.Before(membership.Table, membership.FieldPendingUntil, now),
		sweep.Before(onetimecode.Table, onetimecode.FieldExpiresAt, now.Add(-day)),
		sweep.Before(signinaddress.Table, signinaddress.FieldLastAt, now.Add(-knownFor)),
	}
	return append(jobs, ratelimit.Old(now)...)
}
