package account

import (
	"context"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/transaction"
)

// LoginByCode signs in with a code. It never makes an account.
func (s *Service) LoginByCode(ctx context.Context, cell, code string) (found *ent.User, pair Tokens, err error) {
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		if found, err = s.proveAccount(ctx, tx, cell, code); err != nil {
			return err
		}
		if found == nil {
			return transaction.Keep(invalidCode())
		}
		pair, err = s.beginSession(ctx, tx, found.ID)
		return err
	})
	return found, pair, err
}

// Verify marks the cell of an account as verified; the proof of a cell without an account is kept for its
// registration. enabled is false when no code can reach the cell; then nothing is verified.
func (s *Service) Verify(ctx context.Context, cell, code string) (enabled, verified bool, err error) {
	if !s.sender.Reaches(cell) {
		return false, false, nil
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		proven, err := s.useCode(ctx, tx, cell, code)
		if err != nil {
			return err
		}
		verified = proven != nil
		if !verified {
			return nil
		}
		found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
		if ent.IsNotFound(err) {
			until := s.now().Add(s.times.Unproven)
			return tx.OneTimeCode.UpdateOneID(proven.row).SetProvenUntil(until).Exec(ctx)
		}
		if err != nil {
			return err
		}
		return s.applyProof(ctx, tx, found, proven)
	})
	return true, verified, err
}

// ResetPassword sets a new password with a code and ends all sessions. The caller has checked the password,
// so that no code is used up for a bad one.
func (s *Service) ResetPassword(ctx context.Context, cell, code, password string) error {
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		found, err := s.proveAccount(ctx, tx, cell, code)
		if err != nil {
			return err
		}
		if found == nil {
			return transaction.Keep(invalidCode())
		}
		if err := tx.User.UpdateOneID(found.ID).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		return s.endSessions(ctx, tx, found.ID)
	})
}

// proveAccount uses a code and returns the account of its cell; nil for a wrong code or no account.
func (s *Service) proveAccount(ctx context.Context, tx *ent.Tx, cell, code string) (*ent.User, error) {
	if !s.sender.Reaches(cell) {
		return nil, nil
	}
	proven, err := s.useCode(ctx, tx, cell, code)
	if err != nil || proven == nil {
		return nil, err
	}
	found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return found, s.applyProof(ctx, tx, found, proven)
}

// applyProof marks the account's cell as verified and completes the links that waited for a proof. The person
// who registered the cell long ago without a proof may not own the phone: such sessions and such a password
// end, unless the request carries the account's own token.
func (s *Service) applyProof(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof) error {
	if !account.CellVerified {
		update := tx.User.UpdateOneID(account.ID).SetCellVerified(true)
		caller, err := auth.CallerOf(ctx)
		bySelf := err == nil && caller.User == account.ID
		doubtful := s.now().After(account.CreatedAt.Add(s.times.Unproven)) && !bySelf
		if doubtful {
			update.ClearPasswordHash()
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
		if doubtful { // after the password, so that a concurrent login with it begins no session
			if err := s.endSessions(ctx, tx, account.ID); err != nil {
				return err
			}
		}
		account.CellVerified = true
	}
	var matching []predicate.Membership
	if proven.business != nil {
		matching = append(matching, membership.BusinessID(*proven.business))
	}
	return s.activateLinks(ctx, tx, account.ID, matching...)
}

// takeEarlierProof reports whether a cell without an account was proven a short while ago, and forgets it.
func (s *Service) takeEarlierProof(ctx context.Context, tx *ent.Tx, cell string) (bool, error) {
	n, err := tx.OneTimeCode.Update().
		Where(onetimecode.CellNumber(cell), onetimecode.ProvenUntilGT(s.now())).
		ClearProvenUntil().Save(ctx)
	return n > 0, err
}

func invalidCode() error {
	return fault.New(fault.InvalidCode, "the code is wrong, used or expired; ask for a new one")
}
