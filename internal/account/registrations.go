package account

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/internal/auth"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// admitRegistration counts a new account against the hourly limits of the client's networks. It fails with
// RATE_LIMITED. A recently verified cell is not counted: its SMS was limited already, and customers who share
// an address with an attacker can still register this way.
func (s *Service) admitRegistration(ctx context.Context, cell string) error {
	if s.RegistrationsInHour == 0 {
		return nil
	}
	proven, err := s.Store.OneTimeCode.Query().Where(provenHere(ctx, cell, s.now())).Exist(ctx)
	if err != nil || proven {
		return err
	}
	networks := ratelimit.Crowded("register", auth.CredentialsOf(ctx).Client, time.Hour, s.RegistrationsInHour)
	for _, n := range networks {
		wait, err := n.Peek(ctx, s.Store, s.now())
		if err != nil {
			return err
		}
		if wait > 0 {
			return s.tooManyRegistrations(ctx, cell, wait)
		}
	}
	return s.inTx(database.WithoutSync(ctx), func(tx *ent.Tx) error {
		for _, n := range networks { // the narrowest first, so that all transactions lock in the same order
			wait, err := n.Take(ctx, tx, s.now)
			if err != nil {
				return err
			}
			if wait > 0 {
				return s.tooManyRegistrations(ctx, cell, wait)
			}
		}
		return nil
	})
}

func (s *Service) tooManyRegistrations(ctx context.Context, cell string, wait time.Duration) error {
	s.Log.WarnContext(ctx,
		"registrations were refused to a network (CLIENT_LIMITS); if it is a storefront's own server that calls for "+
			"its customers, name it in TRUSTED_PROXIES and let it pass their addresses on in X-Forwarded-For",
		"client", auth.ClientAddress(ctx))
	if s.Sender.Reaches(cell) {
		return tooMany(wait,
			fault.Say("too many accounts were registered from this network; a cell number that an SMS code "+
				"has verified may register"))
	}
	return tooMany(wait, fault.Say("too many accounts were registered from this network"))
}

// provenHere matches the code of a cell without an account that was recently proven from the request's
// address.
func provenHere(ctx context.Context, cell string, now time.Time) predicate.OneTimeCode {
	return onetimecode.And(onetimecode.CellNumber(cell), onetimecode.ProvenUntilGT(now),
		onetimecode.ProvenFrom(auth.ClientAddress(ctx)))
}
