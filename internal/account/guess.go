package account

import (
	"context"
	"net/netip"
	"time"

	"storefront/ent"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// The limits of password guesses (contract 3.2).
const (
	freeGuesses = 10 // in a row, for one cell from one client address
	firstPause  = time.Minute
	longPause   = 15 * time.Minute
	hourly      = 100 // for one cell from anywhere
)

// comparedAtOnce is how many passwords of one cell are compared at once. It is small so that right guesses
// that run at once on several instances stay below freeGuesses together.
const comparedAtOnce = 2

// countedGuess is a password guess that has been counted as a failure.
type countedGuess struct {
	lockout ratelimit.Lockout
	booking ratelimit.Booking
}

// checkPassword counts a guess and compares the password. A nil account is compared like a wrong password. It
// fails with RATE_LIMITED, for right passwords too, so that a stranger who guesses learns nothing.
func (s *Service) checkPassword(
	ctx context.Context, cell, password string, account *ent.User,
) (right bool, counted countedGuess, err error) {
	counted.lockout = ratelimit.Lockout{
		Key:   "password:" + cell + "@" + network(auth.CredentialsOf(ctx).Client),
		Free:  freeGuesses,
		First: firstPause,
		Most:  longPause,
	}
	err = s.inTx(ctx, func(tx *ent.Tx) error {
		wait, err := counted.lockout.Try(ctx, tx, s.now())
		if err != nil {
			return err
		}
		if wait == 0 {
			counted.booking, wait, err = ratelimit.Take(ctx, tx, s.now(),
				ratelimit.Limit{Key: "password:" + cell, Window: time.Hour, Most: hourly})
		}
		if err == nil && wait > 0 {
			return tooMany(wait,
				fault.Say("too many wrong passwords for this cell number; sign in with an SMS code instead"))
		}
		return err
	})
	if err != nil {
		return false, counted, err
	}
	var stored *string
	if account != nil {
		stored = account.PasswordHash
	}
	right, err = s.hasher.Check(ctx, password, stored)
	return right, counted, err
}

// undo takes back what was counted, because the password was right.
func (g countedGuess) undo(ctx context.Context, tx *ent.Tx) error {
	if err := g.lockout.Clear(ctx, tx); err != nil {
		return err
	}
	return ratelimit.Undo(ctx, tx, g.booking)
}

// network returns what counts as one client address: an IPv4 address, or the /64 that one IPv6 customer has.
func network(client netip.Addr) string {
	if client.Is6() && !client.Is4In6() {
		prefix, _ := client.Prefix(64)
		return prefix.String()
	}
	return client.Unmap().String()
}
