package account

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// LoginByCode signs in with a code, at no particular shop. It never makes an account: if there is none it
// fails with NO_ACCOUNT, and the code stays valid.
func (s *Service) LoginByCode(ctx context.Context, cell, code string) (out SignedIn, err error) {
	err = s.withAccountOf(ctx, shownCode{cell, code}, nil, s.sameSitting, leaveCode(ctx), s.beginning(ctx, &out))
	return out, err
}

// Verify marks the cell of an account as verified, without changing its password or sessions; from the hand that made
// it, it vouches for the account. The proof of a cell without an account is kept for its registration from the same
// client address. enabled is false if no code can reach the cell; then nothing is verified.
func (s *Service) Verify(ctx context.Context, cell, code string) (enabled, verified bool, err error) {
	if !s.Sender.Reaches(cell) {
		return false, false, nil
	}
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return true, false, err
	}
	defer leave()
	if err := s.mayProve(ctx, cell, toVerify); err != nil {
		return true, false, unlessInvalid(err)
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		proven, err := s.useCode(ctx, tx, cell, code, toVerify)
		if verified = err == nil; !verified {
			return err
		}
		found, err := tx.User.Query().Where(user.CellNumber(cell)).Only(ctx)
		if ent.IsNotFound(err) {
			return tx.OneTimeCode.Update().Where(onetimecode.ID(proven.row)).
				SetProvenUntil(s.now().Add(sitting)).SetProvenFrom(request.ClientAddress(ctx)).Exec(ctx)
		}
		if err != nil {
			return err
		}
		return s.markVerified(ctx, tx, found, proven)
	})
	return true, verified, unlessInvalid(err)
}

func unlessInvalid(err error) error {
	if fault.Is(err, fault.InvalidCode) {
		return nil
	}
	return err
}

// ResetPassword sets a new password with a code and ends all sessions. The password is refused before the
// code is used up. ended is whether a former password or session has ended by the hand-over of the account.
func (s *Service) ResetPassword(ctx context.Context, cell, code, password string) (ended bool, err error) {
	if err := s.refuseCommonPassword("newPassword", password, cell); err != nil {
		return false, err
	}
	if err := s.codeExpected(ctx, cell); err != nil { // a stranger's guess costs no hash
		return false, err
	}
	hash, err := s.hash(ctx, password)
	if err != nil {
		return false, err
	}
	set := func(tx *ent.Tx, account *ent.User, what bool) error {
		ended = what
		if err := tx.User.Update().Where(user.ID(account.ID)).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		if err := s.noteSignIn(ctx, tx, account.ID); err != nil { // so that the new password works from here at once
			return err
		}
		return s.endSessions(ctx, tx, account.ID)
	}
	err = s.withAccountOf(ctx, shownCode{cell, code}, nil, s.sameHand, leaveCode(ctx), set)
	return ended, err
}

// codeExpected is mayProve in a turn of its own.
func (s *Service) codeExpected(ctx context.Context, cell string) error {
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return s.mayProve(ctx, cell, toSignIn)
}

// hash hashes a password in a turn of its own.
func (s *Service) hash(ctx context.Context, password string) (string, error) {
	leave, err := s.enterPasswords(ctx, asStranger)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.hasher.Hash(ctx, password)
}

type shownCode struct{ cell, code string }

// withAccountOf uses a code and runs f for the account of its cell, in one transaction. The account belongs
// to the phone's holder from then on. at is the shop that the request names; nil: none. If there is no account it runs
// none instead. It fails with INVALID_CODE for a wrong code, whether or not there is an account, and with RATE_LIMITED.
func (s *Service) withAccountOf(
	ctx context.Context, shown shownCode, at *ent.Tenant, by hand, none func(tx *ent.Tx, proven *proof) error,
	f func(tx *ent.Tx, account *ent.User, ended bool) error,
) error {
	if !s.Sender.Reaches(shown.cell) {
		return invalidCode()
	}
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := s.mayProve(ctx, shown.cell, toSignIn); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		proven, err := s.useCode(ctx, tx, shown.cell, shown.code, toSignIn)
		if err != nil {
			return err
		}
		// The lock makes a concurrent closing visible, so that the account is opened again.
		found, err := tx.User.Query().Where(user.CellNumber(shown.cell)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if ent.IsNotFound(err) {
			return none(tx, proven)
		}
		if err != nil {
			return err
		}
		if at != nil {
			proven.usedAt = &at.ID
		}
		account, ended, err := s.settle(ctx, tx, found, proven, by)
		if err != nil {
			return err
		}
		return f(tx, account, ended)
	})
}

// markVerified marks the account's cell as verified, vouches for the account if the code comes from the hand that made
// it, and completes the link for which the code was requested. Password and sessions stay, although another person may
// have set them.
func (s *Service) markVerified(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof) error {
	if err := reopen(ctx, tx, account); err != nil {
		return err
	}
	if !account.Vouched {
		account, err := tx.User.Query().Where(user.ID(account.ID)).Modify(database.ForUpdate).Only(ctx)
		if err != nil {
			return err
		}
		same, err := s.sameSitting(ctx, tx, account)
		if err != nil {
			return err
		}
		update := tx.User.Update().Where(user.ID(account.ID)).SetCellVerified(true)
		if same {
			vouch(update.Mutation())
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
	}
	return s.completeLink(ctx, tx, account.ID, proven)
}

func reopen(ctx context.Context, tx *ent.Tx, account *ent.User) error {
	if account.ClosedAt == nil {
		return nil
	}
	return tx.User.Update().Where(user.ID(account.ID)).ClearClosedAt().Exec(ctx)
}

// completeLink activates the pending memberships that a code confirms. Its holder may be unaware of a link, and the
// staff of a shop see its members. So the code completes a link only at the address that asked for the link, or at the
// address that itself asked for the code with the link's shop; never a link of another shop than the one that the code
// or the sign-in names.
func (s *Service) completeLink(ctx context.Context, tx *ent.Tx, userID uuid.UUID, proven *proof) error {
	here := request.ClientAddress(ctx)
	knows := []predicate.Membership{membership.AskedFrom(here)}
	if proven.business != nil && proven.askedFrom == here {
		knows = append(knows, membership.BusinessID(*proven.business))
	}
	links := tx.Membership.Query().
		Where(membership.UserID(userID), membership.PendingUntilGT(s.now()), membership.Or(knows...))
	for _, only := range []*uuid.UUID{proven.business, proven.usedAt} {
		if only != nil {
			links.Where(membership.BusinessID(*only))
		}
	}
	confirmed, err := links.All(ctx)
	if err != nil {
		return err
	}
	for _, link := range confirmed {
		if err := member.Link(ctx, tx, userID, link.BusinessID); err != nil {
			return err
		}
	}
	return nil
}

func invalidCode() error {
	return fault.New(fault.InvalidCode, "the code is wrong, used or expired; ask for a new one")
}
