package cart

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// crowdedGuests is how many carts one client network may fill in an hour while a shop has reached its limit
// of new carts.
const crowdedGuests = 30

// limitOfGuests is a limit on new guests' carts, with the error for clients that reach it.
type limitOfGuests struct {
	ratelimit.Quota
	full fault.Text
}

// ofAddress returns the limit of the client's address, or false if there is none. An IPv6 /64 counts as one
// address.
func (s *Service) ofAddress(of Owner) (limitOfGuests, bool) {
	own := ratelimit.Crowded("guestcarts", of.client, time.Hour, 1)[0]
	own.Most = s.GuestsInHour
	return limitOfGuests{own, fault.Say("too many carts from one client address")}, s.GuestsInHour > 0
}

func (l limitOfGuests) take(ctx context.Context, tx *ent.Tx, clock func() time.Time) error {
	wait, err := l.Take(ctx, tx, clock)
	return l.refuse(wait, err)
}

func (l limitOfGuests) refuse(wait time.Duration, err error) error {
	if err != nil || wait == 0 {
		return err
	}
	return fault.New(fault.RateLimited, "%s; try again in %d seconds", l.full, fault.Seconds(wait)).After(wait)
}

// peekGuests fails early if the client's address has made too many carts. It takes no lock.
func (s *Service) peekGuests(ctx context.Context, of Owner) error {
	address, limited := s.ofAddress(of)
	if !of.isNew || !limited {
		return nil
	}
	wait, err := address.Peek(ctx, s.store, s.now())
	return address.refuse(wait, err)
}

// admitGuest counts a new guest's cart. In a shop with many new carts it first deletes an empty one. If there
// is none, each client may make only few carts, so that an attacker with several addresses does not lock out
// others.
func (s *Service) admitGuest(ctx context.Context, tx *ent.Tx, of Owner) error {
	if address, limited := s.ofAddress(of); limited {
		if err := address.take(ctx, tx, s.now); err != nil {
			return err
		}
	}
	if s.ShopGuestsInHour == 0 {
		return nil
	}
	key := "guestcarts:shop:" + of.Business.String()
	wait, err := ratelimit.Quota{Key: key, Window: time.Hour, Most: s.ShopGuestsInHour}.Take(ctx, tx, s.now)
	if err != nil || wait == 0 {
		return err
	}
	at := s.now()
	gone, err := giveWay.Of(tx.Raw()).Exec(ctx, tx.Raw(), database.Values{
		"tenant": of.Business, "at": at, "soon": at.Add(unusedIdle),
	})
	if err != nil || gone > 0 {
		return err
	}
	for _, network := range ratelimit.Crowded(key, of.client, time.Hour, crowdedGuests) {
		crowded := limitOfGuests{network, fault.Say("too many carts at this shop")}
		if err := crowded.take(ctx, tx, s.now); err != nil {
			return err
		}
	}
	return nil
}
