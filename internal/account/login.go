package account

import (
	"cmp"
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// Login signs in with a password. cell is in E.164 form. An unknown cell and a wrong password are one answer and the same
// work.
func (s *Service) Login(ctx context.Context, cell, password string) (*ent.User, Tokens, error) {
	found, err := s.userOf(ctx, cell)
	if err != nil {
		return nil, Tokens{}, err
	}
	done, err := s.guessing.Take(ctx, cell)
	if err != nil {
		return nil, Tokens{}, err
	}
	defer done()
	right, try, err := s.check(ctx, cell, password, found)
	if err != nil {
		return nil, Tokens{}, err
	}
	if !right {
		return nil, Tokens{}, wrongPassword()
	}
	var pair Tokens
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		if err := try.succeeded(ctx, tx); err != nil {
			return err
		}
		if still, err := s.stillHas(ctx, tx, found); err != nil || !still {
			return cmp.Or(err, wrongPassword())
		}
		if !s.sender.Reaches(cell) { // no code could ever complete them, so the account's own password does
			if err := s.link(ctx, tx, found.ID); err != nil {
				return err
			}
		}
		pair, err = s.begin(ctx, tx, found.ID)
		return err
	})
	return found, pair, err
}

func wrongPassword() error {
	return fault.New(fault.InvalidCredentials,
		"cell number or password is wrong; sign in with an SMS code instead, or reset the password with one")
}

// stillHas tells whether the password that was compared is still the account's, and keeps it so until the transaction ends.
// Whoever changes it meanwhile waits, and then ends the session that is begun here too.
func (s *Service) stillHas(ctx context.Context, tx *ent.Tx, account *ent.User) (bool, error) {
	n, err := tx.User.Update().Where(user.ID(account.ID), user.PasswordHash(*account.PasswordHash)).SetUpdatedAt(s.now()).Save(ctx)
	return n > 0, err
}

// userOf gives the account of a cell; nil when there is none.
func (s *Service) userOf(ctx context.Context, cell string) (*ent.User, error) {
	found, err := s.store.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return found, err
}

// link makes a user's pending memberships active: all of them, or those that match.
func (s *Service) link(ctx context.Context, tx *ent.Tx, of uuid.UUID, which ...predicate.Membership) error {
	return tx.Membership.Update().
		Where(append(which, membership.UserID(of), membership.PendingUntilGT(s.now()))...).ClearPendingUntil().Exec(ctx)
}

// atOnce is how many passwords of one cell are compared at once: even several instances together stay below those that are
// free.
const atOnce = 2

// The limits of password guesses (contract 3.2).
const (
	freeGuesses = 10 // in a row, for one cell from one client address
	firstPause  = time.Minute
	longPause   = 15 * time.Minute
	hourly      = 100 // for one cell from anywhere
)

// guess is a password that is being tried; it has been counted as a failure already.
type guess struct {
	run    ratelimit.Run
	booked ratelimit.Booking
}

// check counts a guess and compares the password; no account is like a wrong one. It fails with RATE_LIMITED, right
// password or not, so that a stranger who guesses learns nothing.
func (s *Service) check(ctx context.Context, cell, password string, account *ent.User) (right bool, try guess, err error) {
	try.run = ratelimit.Run{
		Key:  "password:" + cell + "@" + network(auth.CredentialsOf(ctx).Client),
		Free: freeGuesses, First: firstPause, Most: longPause,
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		wait, err := try.run.Try(ctx, tx, s.now())
		if err != nil {
			return err
		}
		if wait == 0 {
			try.booked, wait, err = ratelimit.Take(ctx, tx, s.now(), ratelimit.Limit{Key: "password:" + cell, Window: time.Hour, Most: hourly})
		}
		if err == nil && wait > 0 {
			return tooMany(wait, fault.Say("too many wrong passwords for this cell number; sign in with an SMS code instead"))
		}
		return err
	})
	if err != nil {
		return false, try, err
	}
	var stored *string
	if account != nil {
		stored = account.PasswordHash
	}
	right, err = s.hasher.Check(ctx, password, stored)
	return right, try, err
}

// succeeded takes back what was counted: the password was right.
func (g guess) succeeded(ctx context.Context, tx *ent.Tx) error {
	if err := g.run.Clear(ctx, tx); err != nil {
		return err
	}
	return ratelimit.Undo(ctx, tx, g.booked)
}

// network is what counts as one client address: all of an IPv6 customer's /64.
func network(client netip.Addr) string {
	if client.Is6() && !client.Is4In6() {
		whole, _ := client.Prefix(64)
		return whole.String()
	}
	return client.Unmap().String()
}
