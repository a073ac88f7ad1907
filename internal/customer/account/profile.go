package account

import (
	"context"
	"strings"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/platform/password"
	"storefront/internal/request"
)

// ChangeProfile changes the caller's profile as set says. An unconfirmed e-mail address that is sent back unchanged
// stays unconfirmed; another one replaces it.
func (s *Service) ChangeProfile(
	ctx context.Context, caller request.Caller, set func(*ent.UserUpdateOne),
) (*ent.User, error) {
	return s.changeProfile(ctx, caller, func(me *ent.User, change *ent.UserUpdateOne) error {
		set(change)
		email, given := change.Mutation().Email()
		switch {
		case given && me.EmailBefore != nil && email == *me.EmailBefore:
			change.Mutation().ResetEmail()
		case given || change.Mutation().EmailCleared():
			change.ClearEmailBefore()
		}
		return nil
	})
}

// ConfirmEmail confirms the caller's e-mail address from before the hand-over. It fails with CONFLICT if there is none.
func (s *Service) ConfirmEmail(ctx context.Context, caller request.Caller) (*ent.User, error) {
	return s.changeProfile(ctx, caller, func(me *ent.User, change *ent.UserUpdateOne) error {
		if me.EmailBefore == nil {
			return fault.New(fault.Conflict, "there is no e-mail address to confirm")
		}
		change.SetEmail(*me.EmailBefore).ClearEmailBefore()
		return nil
	})
}

func (s *Service) changeProfile(
	ctx context.Context, caller request.Caller, set func(me *ent.User, change *ent.UserUpdateOne) error,
) (changed *ent.User, err error) {
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		me, err := tx.User.Query().Where(user.ID(caller.User)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if err != nil {
			return err
		}
		change := tx.User.UpdateOneID(me.ID)
		if err := set(me, change); err != nil {
			return err
		}
		if changed, err = change.Save(ctx); err != nil {
			return err
		}
		text := member.SearchText(changed.FirstName, changed.LastName, changed.Email)
		changed, err = tx.User.UpdateOne(changed).SetSearchText(text).Save(ctx)
		return err
	})
	return changed, err
}

// EmailOf returns the e-mail address that is shown to the account itself, even if it is unconfirmed.
func EmailOf(u *ent.User) *string {
	if u.EmailBefore != nil {
		return u.EmailBefore
	}
	return u.Email
}

// ChangePassword sets a new password for a caller who knows the current one, and ends all other sessions.
func (s *Service) ChangePassword(within context.Context, caller request.Caller, current, replacement string) error {
	ctx := transaction.Apart(within) // a wrong guess counts; and no transaction is open while it waits and hashes
	leave, err := s.enterPasswords(ctx, asKnown)
	if err != nil {
		return err
	}
	defer leave()
	me, err := s.Store.User.Get(ctx, caller.User)
	if err != nil {
		return err
	}
	if err := s.refuseCommonPassword("newPassword", replacement, me.CellNumber); err != nil {
		return err
	}
	guess, err := s.checkOwnPassword(ctx, me, current)
	if err != nil {
		return err
	}
	defer guess.end()
	hash, err := s.hasher.Hash(ctx, replacement)
	if err != nil {
		return err
	}
	ctx = within
	return s.inTx(ctx, func(tx *ent.Tx) error {
		if err := s.confirm(ctx, tx, guess, me, wrongCurrentPassword()); err != nil {
			return err
		}
		if err := tx.User.UpdateOneID(caller.User).SetPasswordHash(hash).Exec(ctx); err != nil {
			return err
		}
		return s.endSessions(ctx, tx, caller.User, session.IDNEQ(caller.Session))
	})
}

// ChangePasswordByCode is ChangePassword for a caller who gives a code that was sent to the account's cell, and may
// have no password. It fails with INVALID_CODE and RATE_LIMITED.
func (s *Service) ChangePasswordByCode(ctx context.Context, caller request.Caller, code, replacement string) error {
	me, err := s.Store.User.Get(ctx, caller.User)
	if err != nil {
		return err
	}
	if err := s.refuseCommonPassword("newPassword", replacement, me.CellNumber); err != nil {
		return err
	}
	if err := s.codeExpected(ctx, me.CellNumber); err != nil {
		return err
	}
	hash, err := s.hash(ctx, replacement)
	if err != nil {
		return err
	}
	return s.withOwnCode(ctx, caller, code, secondfactor.Lock, func(tx *ent.Tx, me *ent.User) error {
		set, err := tx.User.Update().Where(user.ID(me.ID), user.ClosedAtIsNil()).SetPasswordHash(hash).Save(ctx)
		if err == nil && set == 0 { // it was closed meanwhile, which ended this session
			err = request.Unauthenticated()
		}
		if err != nil {
			return err
		}
		return s.endSessions(ctx, tx, caller.User, session.IDNEQ(caller.Session))
	})
}

func wrongCurrentPassword() error {
	return fault.New(fault.CurrentPasswordIncorrect,
		"the current password is wrong; if it is forgotten, reset it with an SMS code")
}

// refuseCommonPassword fails with VALIDATION_FAILED for a new password that is common or the cell number
// itself, if the settings ask for that. field is the member with the password.
func (s *Service) refuseCommonPassword(field, newPassword, cell string) error {
	var bad fault.Fields
	if s.RefuseCommonPasswords {
		switch {
		case password.IsCommon(newPassword):
			bad.Add(field, "is one of the most used passwords; choose another one")
		case isNumber(newPassword, cell):
			bad.Add(field, "must not be the cell number")
		}
	}
	return bad.Err()
}

// isNumber reports whether a password is a cell number, in E.164 form or as dialled within the country.
func isNumber(newPassword, cell string) bool {
	typed, ok := phone.Normalize(newPassword)
	if ok && typed == cell {
		return true
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(newPassword, "+"), "00")
	return digits == strings.TrimPrefix(cell, "+")
}
