package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/fault"
	"storefront/internal/request"
)

type locker func(ctx context.Context, tx *ent.Tx, id uuid.UUID) (*ent.User, error)

// withOwnPassword runs f in a transaction for a caller who gives the account's password. It fails with
// CURRENT_PASSWORD_INCORRECT and RATE_LIMITED.
func (s *Service) withOwnPassword(
	ctx context.Context, caller request.Caller, password string, lock locker, f func(tx *ent.Tx, me *ent.User) error,
) error {
	leave, err := s.enterPasswords(ctx, asKnown)
	if err != nil {
		return err
	}
	defer leave()
	me, err := s.Store.User.Get(ctx, caller.User)
	if err != nil {
		return err
	}
	guess, err := s.checkOwnPassword(ctx, me, password)
	if err != nil {
		return err
	}
	defer guess.end()
	return s.inTx(ctx, func(tx *ent.Tx) error {
		if _, err := lock(ctx, tx, me.ID); err != nil {
			return err
		}
		if err := s.confirm(ctx, tx, guess, me, wrongCurrentPassword()); err != nil {
			return err
		}
		return f(tx, me)
	})
}

// withOwnCode runs f in a transaction for a caller who gives a code that was sent to the account's cell. The
// account is vouched for from then on. It fails with INVALID_CODE and RATE_LIMITED.
func (s *Service) withOwnCode(
	ctx context.Context, caller request.Caller, code string, lock locker, f func(tx *ent.Tx, me *ent.User) error,
) error {
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return err
	}
	defer leave()
	me, err := s.Store.User.Get(ctx, caller.User)
	if err != nil {
		return err
	}
	if err := s.mayProve(ctx, me.CellNumber, toSignIn); err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		if _, err := lock(ctx, tx, me.ID); err != nil {
			return err
		}
		if _, err := s.useCode(ctx, tx, me.CellNumber, code, toSignIn); err != nil {
			return err
		}
		if !me.Vouched {
			update := tx.User.Update().Where(user.ID(me.ID))
			vouch(update.Mutation())
			if err := update.Exec(ctx); err != nil {
				return err
			}
		}
		return f(tx, me)
	})
}

// withOwn is withOwnPassword, or withOwnCode for a caller who gives no password.
func (s *Service) withOwn(ctx context.Context, caller request.Caller, password, code *string, lock locker,
	f func(tx *ent.Tx, me *ent.User) error,
) error {
	if password == nil {
		return s.withOwnCode(ctx, caller, *code, lock, f)
	}
	return s.withOwnPassword(ctx, caller, *password, lock, f)
}

// BeginSecondFactor returns a new secret for an authenticator app to a caller who gives the account's
// password, or a code that was sent to its cell.
func (s *Service) BeginSecondFactor(
	ctx context.Context, caller request.Caller, password, code *string,
) (begun secondfactor.Setup, err error) {
	err = s.withOwn(ctx, caller, password, code, secondfactor.Lock, func(tx *ent.Tx, me *ent.User) (err error) {
		begun, err = s.Factors.Begin(ctx, tx, me)
		return err
	})
	return begun, err
}

// RemoveSecondFactor switches off the second factor of a caller who gives one of its codes, and the password
// if the account has one.
func (s *Service) RemoveSecondFactor(ctx context.Context, caller request.Caller, code string, password *string) error {
	me, err := s.Store.User.Get(ctx, caller.User)
	if err != nil {
		return err
	}
	remove := func(tx *ent.Tx, me *ent.User) error { return s.Factors.Remove(ctx, tx, me, caller, code) }
	if me.PasswordHash != nil {
		if password == nil {
			return fault.Invalid("input.currentPassword", "must be given, as the account has one")
		}
		return s.withOwnPassword(ctx, caller, *password, secondfactor.Lock, remove)
	}
	return s.inTx(ctx, func(tx *ent.Tx) error {
		now, err := secondfactor.Lock(ctx, tx, caller.User)
		if err == nil && now.PasswordHash != nil { // it was set meanwhile
			err = wrongCurrentPassword()
		}
		if err != nil {
			return err
		}
		return remove(tx, now)
	})
}

// recently is how long a proof of the second factor is enough for ProveAgain.
const recently = 5 * time.Minute

// ProveAgain checks that it is still the person who uses a session, whoever found it open: somebody with a second
// factor must have proved that in the session lately, else it fails with SECOND_FACTOR_REQUIRED; others give their
// password. It fails with CURRENT_PASSWORD_INCORRECT and RATE_LIMITED, and with CONFLICT for an account with neither.
func (s *Service) ProveAgain(ctx context.Context, caller request.Caller, password *string) error {
	factor, err := s.Factors.Of(ctx, caller.User, caller.Session)
	if err != nil {
		return err
	}
	if factor != nil {
		if factor.ProvenAt == nil || s.now().Sub(*factor.ProvenAt) > recently {
			return fault.New(fault.SecondFactorRequired, "prove your second factor once more by proveSecondFactor; "+
				"for this it must have been in the last %d minutes", int(recently.Minutes()))
		}
		return nil
	}
	me, err := s.Store.User.Get(ctx, caller.User)
	switch {
	case err != nil:
		return err
	case me.PasswordHash == nil:
		return fault.New(fault.Conflict,
			"your account has neither a password nor a second factor; set one of them up first")
	case password == nil:
		return fault.Invalid("currentPassword", "must be given, as your account has no second factor")
	}
	return s.withOwnPassword(ctx, caller, *password, secondfactor.Lock, func(*ent.Tx, *ent.User) error { return nil })
}
