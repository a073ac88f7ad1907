package account

import (
	"cmp"
	"context"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/internal/auth"
	"storefront/internal/fault"
)

// Me gives the caller's account.
func (s *Service) Me(ctx context.Context, caller auth.Caller) (*ent.User, error) {
	return s.store.User.Get(ctx, caller.User)
}

// ChangePassword sets a new password for the caller who knows the current one. All other sessions end.
func (s *Service) ChangePassword(ctx context.Context, caller auth.Caller, current, replacement string) error {
	me, err := s.Me(ctx, caller)
	if err != nil {
		return err
	}
	done, err := s.guessing.Take(ctx, me.CellNumber)
	if err != nil {
		return err
	}
	defer done()
	right, try, err := s.check(ctx, me.CellNumber, current, me)
	if err != nil {
		return err
	}
	if !right {
		return wrongCurrent()
	}
	hash, err := s.hasher.Hash(ctx, replacement)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		if err := try.succeeded(ctx, tx); err != nil {
			return err
		}
		if still, err := s.stillHas(ctx, tx, me); err != nil || !still {
			return cmp.Or(err, wrongCurrent())
		}
		if err := tx.User.UpdateOneID(caller.User).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		return s.end(ctx, tx, caller.User, session.IDNEQ(caller.Session))
	})
}

func wrongCurrent() error {
	return fault.New(fault.CurrentPasswordIncorrect, "the current password is wrong; if it is forgotten, reset it with an SMS code")
}
