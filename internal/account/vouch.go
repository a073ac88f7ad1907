package account

import (
	"context"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/database"
	"storefront/internal/personal"
	"storefront/internal/secondfactor"
	"storefront/internal/transaction"
)

// Anybody can register a cell number. So an account has two marks: its cell is verified by a code; and it is
// vouched for if the holder of the phone has confirmed its password and all else (contract 3.2).

// Ended says which parts of an earlier registration a code has ended.
type Ended int

const (
	Nothing   Ended = iota
	Password        // the password and all sessions
	AllBefore       // and the profile, addresses, carts, favorites, listings and memberships: nothing was ordered
)

type purpose int

const (
	signIn purpose = iota
	reset          // of the password, or a registration
)

// settle gives an account to the holder of its cell, who has just used a code. If the account was not vouched
// for, and the code does not vouch for it, its contents may be another person's: they end. It returns the
// account as changed.
func (s *Service) settle(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof, to purpose) (
	*ent.User, Ended, error,
) {
	if err := reopen(ctx, tx, account); err != nil {
		return nil, Nothing, err
	}
	ended := Nothing
	if !account.Vouched {
		var err error
		if account, ended, err = s.takeOver(ctx, tx, account, proven, to); err != nil {
			return nil, Nothing, err
		}
	}
	return account, ended, s.completeLink(ctx, tx, account.ID, proven)
}

// takeOver settles an account that was not vouched for. It locks the row first, so that it sees registrations
// that were refused meanwhile, and concurrent writes either are seen or wait.
func (s *Service) takeOver(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof, to purpose) (
	_ *ent.User, ended Ended, err error,
) {
	account, err = tx.User.Query().Where(user.ID(account.ID)).Modify(database.ForUpdate).Only(ctx)
	if err != nil || account.Vouched {
		return account, Nothing, err
	}
	update := tx.User.Update().Where(user.ID(account.ID)).SetCellVerified(true)
	vouchFor(update.Mutation())
	vouches := presents(ctx, account) || to == signIn && s.maybeRegistered(ctx, account) && account.ContestedBy == nil
	if !vouches {
		update.ClearPasswordHash()
	}
	if err := update.Exec(ctx); err != nil {
		return nil, Nothing, err
	}
	if !vouches {
		if ended, err = s.endBefore(ctx, tx, account, proven); err != nil {
			return nil, Nothing, err
		}
	}
	account, err = tx.User.Get(ctx, account.ID)
	return account, ended, err
}

// endBefore ends other people's access to an account whose password is already void. A concurrent login with
// that password waits for the row of the account, and then begins no session.
func (s *Service) endBefore(ctx context.Context, tx *ent.Tx, account *ent.User, proven *proof) (Ended, error) {
	if err := secondfactor.EndWaysIn(ctx, tx, account.ID, s.now()); err != nil {
		return Nothing, err
	}
	if account.PasswordHash == nil { // nobody could sign in since: a shop's import has made it, or ended its ways in
		return Nothing, nil
	}
	emptied, err := personal.Empty(ctx, tx, account.ID, proven.business)
	if emptied {
		return AllBefore, err
	}
	return Password, err
}

func presents(ctx context.Context, account *ent.User) bool {
	caller, err := auth.CallerOf(ctx)
	return err == nil && caller.User == account.ID
}

// maybeRegistered reports whether the request may come from the client that registered an account: it comes
// shortly afterwards from the same address. That proves no identity, but anybody else would have begun with a
// registration of their own, which is refused and contests the account.
func (s *Service) maybeRegistered(ctx context.Context, account *ent.User) bool {
	return account.RegisteredFrom != nil && *account.RegisteredFrom == auth.ClientAddress(ctx) && s.fresh(account)
}

func (s *Service) fresh(account *ent.User) bool {
	return !s.now().After(account.CreatedAt.Add(s.Times.Unproven))
}

// vouchFor marks an account as vouched for, and clears the columns that the decision used.
func vouchFor(m *ent.UserMutation) {
	m.SetVouched(true)
	m.ClearRegisteredFrom()
	m.ClearContestedBy()
}

// refuseContesting returns the refusal of a registration of a cell that has an account. If the account is not
// vouched for and the password is another one, it marks the account as contested.
func (s *Service) refuseContesting(ctx context.Context, account *ent.User, password string, refusal error) error {
	for account != nil && s.contestable(account) {
		same, err := s.hasher.Check(ctx, password, account.PasswordHash)
		if err == nil && !same && account.ContestedBy != nil {
			same, err = s.hasher.Check(ctx, password, account.ContestedBy)
		}
		if err != nil {
			return err
		}
		if same {
			break
		}
		by := "" // more than one
		if account.ContestedBy == nil {
			if by, err = s.hasher.Hash(ctx, password); err != nil {
				return err
			}
		}
		noted := 0
		err = s.inTx(ctx, func(tx *ent.Tx) error {
			noted, err = tx.User.Update().Where(user.ID(account.ID), user.Vouched(false), contestedAsIn(account)).
				SetContestedBy(by).Save(ctx)
			if err == nil && noted > 0 {
				err = transaction.Keep(refusal)
			}
			return err
		})
		if noted > 0 || err != nil {
			return err
		}
		if account, err = s.findUser(ctx, account.CellNumber); err != nil { // another request was faster
			return err
		}
	}
	return refusal
}

// contestable reports whether a refused registration of an account's cell must be noted.
func (s *Service) contestable(account *ent.User) bool {
	return !account.Vouched && account.RegisteredFrom != nil && s.fresh(account) &&
		(account.ContestedBy == nil || *account.ContestedBy != "")
}

// withdraws reports whether a password is the same as in the registration that contested an account. Then its
// customer repeats that registration and acknowledges the account.
func (s *Service) withdraws(ctx context.Context, account *ent.User, password string) (bool, error) {
	if !s.contestable(account) || account.ContestedBy == nil {
		return false, nil
	}
	return s.hasher.Check(ctx, password, account.ContestedBy)
}

// contestedAsIn matches an account whose contesting has not changed since it was read.
func contestedAsIn(account *ent.User) predicate.User {
	if account.ContestedBy == nil {
		return user.ContestedByIsNil()
	}
	return user.ContestedBy(*account.ContestedBy)
}
