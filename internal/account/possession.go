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

// What a code that came back does: it proves that whoever holds it has the cell.

// LoginByCode signs in with a code. It never makes an account.
func (s *Service) LoginByCode(ctx context.Context, cell, code string) (found *ent.User, pair Tokens, err error) {
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		if found, err = s.possessed(ctx, tx, cell, code); err != nil {
			return err
		}
		if found == nil {
			return transaction.Keep(invalidCode())
		}
		pair, err = s.begin(ctx, tx, found.ID)
		return err
	})
	return found, pair, err
}

// Verify marks a cell as its account's own; a cell without an account is remembered for its registration. enabled is false
// when no code can reach the cell, and then nobody is ever verified.
func (s *Service) Verify(ctx context.Context, cell, code string) (enabled, verified bool, err error) {
	if !s.sender.Reaches(cell) {
		return false, false, nil
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		proven, err := s.prove(ctx, tx, cell, code)
		if err != nil {
			return err
		}
		verified = proven != nil
		if !verified {
			return nil
		}
		found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
		if ent.IsNotFound(err) {
			return tx.OneTimeCode.UpdateOneID(proven.row).SetProvenUntil(s.now().Add(s.times.Unproven)).Exec(ctx)
		}
		if err != nil {
			return err
		}
		return s.owned(ctx, tx, found, proven)
	})
	return true, verified, err
}

// ResetPassword sets a new password with a code. All sessions end. The password has been found good before, so that no
// code is used for a bad one.
func (s *Service) ResetPassword(ctx context.Context, cell, code, password string) error {
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		found, err := s.possessed(ctx, tx, cell, code)
		if err != nil {
			return err
		}
		if found == nil {
			return transaction.Keep(invalidCode())
		}
		if err := tx.User.UpdateOneID(found.ID).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		return s.end(ctx, tx, found.ID)
	})
}

// possessed gives the account of a cell that a code has proven; nil for a wrong code or no account.
func (s *Service) possessed(ctx context.Context, tx *ent.Tx, cell, code string) (*ent.User, error) {
	if !s.sender.Reaches(cell) {
		return nil, nil
	}
	proven, err := s.prove(ctx, tx, cell, code)
	if err != nil || proven == nil {
		return nil, err
	}
	found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return found, s.owned(ctx, tx, found, proven)
}

// owned does what a proof does to an account: its cell is verified, and the links that waited for this are made. Whoever
// registered it without a proof, and long ago, may not have the phone: their sessions and password end, unless it is the
// account itself that brings the proof.
func (s *Service) owned(ctx context.Context, tx *ent.Tx, of *ent.User, proven *proof) error {
	if !of.CellVerified {
		update := tx.User.UpdateOneID(of.ID).SetCellVerified(true)
		caller, err := auth.CallerOf(ctx)
		doubtful := s.now().After(of.CreatedAt.Add(s.times.Unproven)) && (err != nil || caller.User != of.ID)
		if doubtful {
			update.ClearPasswordHash()
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
		if doubtful { // after the password, so that no session is begun with it beside this
			if err := s.end(ctx, tx, of.ID); err != nil {
				return err
			}
		}
		of.CellVerified = true
	}
	var which []predicate.Membership
	if proven.business != nil {
		which = append(which, membership.BusinessID(*proven.business))
	}
	return s.link(ctx, tx, of.ID, which...)
}

// provenBefore tells whether a cell without an account was proven a moment ago, and forgets it.
func (s *Service) provenBefore(ctx context.Context, tx *ent.Tx, cell string) (bool, error) {
	n, err := tx.OneTimeCode.Update().
		Where(onetimecode.CellNumber(cell), onetimecode.ProvenUntilGT(s.now())).ClearProvenUntil().Save(ctx)
	return n > 0, err
}

func invalidCode() error {
	return fault.New(fault.InvalidCode, "the code is wrong, used or expired; ask for a new one")
}
