package cart

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// crowdedGuests is how many carts one home may fill in an hour while a shop has as many new ones as it takes.
const crowdedGuests = 30

// limitOfGuests is a limit on the carts that are made for guests, and what it says when it is reached.
type limitOfGuests struct {
	ratelimit.Quota
	full fault.Text
}

// ofAddress is the limit of one client address (an IPv6 network of 64 bits counts as one); false: there is none.
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
	full := fault.New(fault.RateLimited, "%s; try again in %d seconds", l.full, fault.Seconds(wait))
	full.RetryAfter = wait
	return full
}

// peekGuests refuses early, without a lock, what an address cannot add because it has too many carts.
func (s *Service) peekGuests(ctx context.Context, of Owner) error {
	address, limited := s.ofAddress(of)
	if !of.fresh || !limited {
		return nil
	}
	wait, err := address.Peek(ctx, s.store, s.now())
	if err != nil || wait == 0 {
		return err
	}
	if _, found, err := s.findGuests(ctx, s.store.Raw(), of); found || err != nil {
		return err
	}
	return address.refuse(wait, nil)
}

// admitGuest counts a cart that is about to be made for a guest. A shop that has many new ones makes room by
// an empty cart, and where it has none each client may make few: a stranger with some addresses keeps nobody
// else out.
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
