package account

import (
	"cmp"
	"context"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/ent/signinaddress"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/bulkhead"
	"storefront/internal/fault"
	"storefront/internal/transaction"
)

// LoginByCode signs in with a code. It never makes an account.
func (s *Service) LoginByCode(ctx context.Context, cell, code string) (found *ent.User, pair Tokens, err error) {
	err = s.withAccountOf(ctx, cell, code, func(tx *ent.Tx, account *ent.User) error {
		found = account
		pair, err = s.beginSession(ctx, tx, account.ID)
		return err
	})
	return found, pair, err
}

// Verify marks the cell of an account as verified; the proof of a cell without an account is kept for its
// registration from the same client address. enabled is false when no code can reach the cell; then nothing
// is verified.
func (s *Service) Verify(ctx context.Context, cell, code string) (enabled, verified bool, err error) {
	if !s.sender.Reaches(cell) {
		return false, false, nil
	}
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return true, false, err
	}
	defer leave()
	if may, err := s.mayProve(ctx, cell, toVerify); err != nil || !may {
		return true, false, err
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		proven, err := s.useCode(ctx, tx, cell, code, toVerify)
		if err != nil {
			return err
		}
		verified = proven != nil
		if !verified {
			return nil
		}
		found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
		if ent.IsNotFound(err) {
			return tx.OneTimeCode.Update().Where(onetimecode.ID(proven.row)).
				SetProvenUntil(s.now().Add(s.times.Unproven)).SetProvenFrom(auth.ClientAddress(ctx)).Exec(ctx)
		}
		if err != nil {
			return err
		}
		return s.applyProof(ctx, tx, found, proven)
	})
	return true, verified, err
}

// ResetPassword sets a new password with a code and ends all sessions. The password is refused before the
// code is used up.
func (s *Service) ResetPassword(ctx context.Context, cell, code, password string) error {
	if err := s.refuseCommonPassword("newPassword", password, cell); err != nil {
		return err
	}
	if may, err := s.codeExpected(ctx, cell); err != nil || !may { // a stranger's guess costs no hash
		return cmp.Or(err, invalidCode())
	}
	hash, err := s.hash(ctx, password)
	if err != nil {
		return err
	}
	return s.withAccountOf(ctx, cell, code, func(tx *ent.Tx, account *ent.User) error {
		if err := tx.User.Update().Where(user.ID(account.ID)).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		if err := s.noteSignIn(ctx, tx, account.ID); err != nil { // the new password must be taken here at once
			return err
		}
		return s.endSessions(ctx, tx, account.ID)
	})
}

// codeExpected is mayProve in a turn of its own.
func (s *Service) codeExpected(ctx context.Context, cell string) (bool, error) {
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	return s.mayProve(ctx, cell, toSignIn)
}

// hash hashes a password in a turn of its own.
func (s *Service) hash(ctx context.Context, password string) (string, error) {
	leave, err := s.enterPasswords(ctx, bulkhead.Stranger)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.hasher.Hash(ctx, password)
}

// withAccountOf uses a code and runs f for the account of its cell, in one transaction. It fails with
// INVALID_CODE for a wrong code and for a cell without an account alike, and with RATE_LIMITED.
func (s *Service) withAccountOf(
	ctx context.Context, cell, code string, f func(tx *ent.Tx, account *ent.User) error,
) error {
	if !s.sender.Reaches(cell) {
		return invalidCode()
	}
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if may, err := s.mayProve(ctx, cell, toSignIn); err != nil || !may {
		return cmp.Or(err, invalidCode())
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		account, err := s.proveAccount(ctx, tx, cell, code)
		if err != nil {
			return err
		}
		if account == nil {
			return transaction.Keep(invalidCode())
		}
		return f(tx, account)
	})
}

// proveAccount uses a code and returns the account of its cell; nil for a wrong code or no account.
func (s *Service) proveAccount(ctx context.Context, tx *ent.Tx, cell, code string) (*ent.User, error) {
	proven, err := s.useCode(ctx, tx, cell, code, toSignIn)
	if err != nil || proven == nil {
		return nil, err
	}
	found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return found, s.applyProof(ctx, tx, found, proven)
}

// applyProof marks the account's cell as verified and completes the links that waited for a proof.
//
// The first proof also settles whose account it is. A stranger may have registered the cell: if that was
// long ago or from another client address, the sessions and the password of the registration end, unless
// the request carries the account's own token.
//
// An account that was closed is open again.
func (s *Service) applyProof(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof) error {
	if account.ClosedAt != nil {
		if err := tx.User.Update().Where(user.ID(account.ID)).ClearClosedAt().Exec(ctx); err != nil {
			return err
		}
	}
	if !account.CellVerified {
		update := tx.User.Update().Where(user.ID(account.ID)).SetCellVerified(true).ClearRegisteredFrom()
		caller, err := auth.CallerOf(ctx)
		bySelf := err == nil && caller.User == account.ID
		late := s.now().After(account.CreatedAt.Add(s.times.Unproven))
		elsewhere := account.RegisteredFrom != nil && *account.RegisteredFrom != auth.ClientAddress(ctx)
		doubtful := !bySelf && (late || elsewhere)
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
			_, err := tx.SignInAddress.Delete().Where(signinaddress.UserID(account.ID)).Exec(ctx)
			if err != nil {
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

// takeEarlierProof reports whether a cell without an account was proven a short while ago from the same
// client address, and forgets the proof.
func (s *Service) takeEarlierProof(ctx context.Context, tx *ent.Tx, cell string) (bool, error) {
	n, err := tx.OneTimeCode.Update().
		Where(onetimecode.CellNumber(cell), onetimecode.ProvenUntilGT(s.now()),
			onetimecode.ProvenFrom(auth.ClientAddress(ctx))).
		ClearProvenUntil().ClearProvenFrom().Save(ctx)
	return n > 0, err
}

func invalidCode() error {
	return fault.New(fault.InvalidCode, "the code is wrong, used or expired; ask for a new one")
}
