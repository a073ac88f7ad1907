package account

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/personal"
	"storefront/internal/transaction"
)

// CloseAccount closes the account of a caller who gives its password, or else a code sent to its cell. Its
// sessions end, and no password signs in. The account is erased after Times.Closed; until then a code opens
// it again. CloseAccount fails with CONFLICT for members of a shop's staff.
func (s *Service) CloseAccount(ctx context.Context, caller auth.Caller, password, code *string) error {
	close := func(tx *ent.Tx, me *ent.User) error { return s.close(ctx, tx, me.ID) }
	if password == nil { // a code opens it again, and its holder finds everything unchanged
		return s.withOwnCode(ctx, caller, *code, personal.Lock, close)
	}
	return s.withOwnPassword(ctx, caller, *password, personal.Lock, close)
}

// close closes an account that is locked.
func (s *Service) close(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	if s.Times.Closed == 0 {
		return personal.CloseIn(ctx, s.Store, tx, id)
	}
	if err := personal.MustNotWork(ctx, tx, id); err != nil {
		return err
	}
	if err := tx.User.Update().Where(user.ID(id)).SetClosedAt(s.now()).ClearPasswordHash().Exec(ctx); err != nil {
		return err
	}
	return s.endSessions(ctx, tx, id)
}

// EraseOld erases closed and unused accounts (EraseClosed, EraseUnused), and returns how many.
func (s *Service) EraseOld(ctx context.Context) (erased int, err error) {
	closed, failure := s.EraseClosed(ctx)
	unused, err := s.EraseUnused(ctx)
	return closed + unused, errors.Join(failure, err)
}

// accountsAtOnce is how many accounts are looked up at once.
const accountsAtOnce = 100

// EraseClosed erases the accounts that were closed at least Times.Closed ago, and returns how many. Each is
// checked again and erased in a transaction of its own: its customer may have opened it again.
func (s *Service) EraseClosed(ctx context.Context) (erased int, err error) {
	due := user.ClosedAtLTE(s.now().Add(-s.Times.Closed))
	last := time.Time{}
	for {
		found, err := s.Store.User.Query().Where(due, user.ClosedAtGT(last)).Order(user.ByClosedAt(sql.OrderAsc())).
			Limit(accountsAtOnce).Select(user.FieldID, user.FieldClosedAt).All(ctx)
		if err != nil || len(found) == 0 {
			return erased, err
		}
		for _, one := range found {
			last = *one.ClosedAt
			err := transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
				if err := personal.Lock(ctx, tx, one.ID); err != nil {
					return err
				}
				if still, err := tx.User.Query().Where(user.ID(one.ID), due).Exist(ctx); err != nil || !still {
					return err
				}
				return personal.CloseIn(ctx, s.Store, tx, one.ID)
			})
			switch {
			case err == nil:
				erased++
			// the account is gone, or its customer works for a shop now
			case !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Conflict):
				return erased, err
			}
		}
	}
}
