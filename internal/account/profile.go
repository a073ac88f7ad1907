package account

import (
	"cmp"
	"context"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/internal/auth"
	"storefront/internal/bulkhead"
	"storefront/internal/fault"
)

// Me returns the caller's account.
func (s *Service) Me(ctx context.Context, caller auth.Caller) (*ent.User, error) {
	return s.store.User.Get(ctx, caller.User)
}

// ChangePassword sets a new password for a caller who knows the current one, and ends all other sessions.
func (s *Service) ChangePassword(ctx context.Context, caller auth.Caller, current, replacement string) error {
	leave, err := s.enterPasswords(ctx, bulkhead.Known)
	if err != nil {
		return err
	}
	defer leave()
	me, err := s.Me(ctx, caller)
	if err != nil {
		return err
	}
	if err := s.refuseCommonPassword("newPassword", replacement, me.CellNumber); err != nil {
		return err
	}
	unlock, err := s.guessing.Lock(ctx, me.CellNumber)
	if err != nil {
		return err
	}
	defer unlock()
	standing, err := s.standing(ctx, me)
	if err != nil {
		return err
	}
	right, counted, err := s.checkPassword(ctx, me.CellNumber, current, me, standing)
	if err != nil {
		return err
	}
	if !right {
		return wrongCurrentPassword()
	}
	hash, err := s.hasher.Hash(ctx, replacement)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		if err := counted.undo(ctx, tx); err != nil {
			return err
		}
		if unchanged, err := s.lockPassword(ctx, tx, me); err != nil || !unchanged {
			return cmp.Or(err, wrongCurrentPassword())
		}
		if err := tx.User.UpdateOneID(caller.User).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		return s.endSessions(ctx, tx, caller.User, session.IDNEQ(caller.Session))
	})
}

func wrongCurrentPassword() error {
	return fault.New(fault.CurrentPasswordIncorrect,
		"the current password is wrong; if it is forgotten, reset it with an SMS code")
}
