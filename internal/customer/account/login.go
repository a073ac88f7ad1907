package account

import (
	"context"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/fault"
)

// Login signs in with a password. An unknown cell and a wrong password give the same answer after the same work.
func (s *Service) Login(ctx context.Context, cell, password string) (*ent.User, Tokens, error) {
	found, err := s.findUser(ctx, cell)
	if err != nil {
		return nil, Tokens{}, err
	}
	by, err := s.standingOf(ctx, s.Store, cell)
	if err != nil {
		return nil, Tokens{}, err
	}
	leave, err := s.enterPasswords(ctx, by.trusted())
	if err != nil {
		return nil, Tokens{}, err
	}
	defer leave()
	guess, err := s.checkPassword(ctx, cell, password, found, by)
	if err != nil {
		return nil, Tokens{}, err
	}
	defer guess.end()
	if !guess.right {
		return nil, Tokens{}, wrongPassword()
	}
	var pair Tokens
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		if err := s.confirm(ctx, tx, guess, found, wrongPassword()); err != nil {
			return err
		}
		pair, err = s.beginSession(ctx, tx, found)
		return err
	})
	return found, pair, err
}

func wrongPassword() error {
	return fault.New(fault.InvalidCredentials,
		"cell number or password is wrong; sign in with an SMS code instead, or reset the password with one")
}

// findUser returns the account of a cell; nil if there is none.
func (s *Service) findUser(ctx context.Context, cell string) (*ent.User, error) {
	found, err := s.Store.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return found, err
}
