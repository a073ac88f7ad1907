package cart

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
)

// crowdedGuests is how many carts one client network may fill in an hour while a shop has reached its limit
// of new carts.
const crowdedGuests = 30

// ofAddress returns the limit of the client's address. An IPv6 /64 counts as one address.
func (s *Service) ofAddress(of Owner) ratelimit.Quota {
	own := ratelimit.Crowded("guestcarts", of.client, time.Hour, 1)[0]
	own.Most = s.GuestsInHour
	return own
}

// refuse returns RATE_LIMITED if a client has to wait.
func refuse(full fault.Text, wait time.Duration, err error) error {
	if err != nil || wait == 0 {
		return err
	}
	return fault.New(fault.RateLimited, "%s; try again in %d seconds", full, fault.Seconds(wait)).After(wait)
}

// admitGuest counts a new guest's cart. Above the limit of the client's address it deletes the oldest cart that the
// address filled in that time and never read or changed; in a shop with many new carts, an empty one. If there is none
// of these, the address waits; and in such a shop each client may make only few carts, so that an attacker with
// several addresses does not lock out others.
func (s *Service) admitGuest(ctx context.Context, tx *ent.Tx, of Owner) error {
	if own := s.ofAddress(of); own.Most > 0 {
		wait, err := own.Take(ctx, tx, s.clock.Now)
		if err == nil && wait > 0 {
			gone, err := giveOldestWay.Of(tx.Raw()).Exec(ctx, tx.Raw(), database.Values{
				"by": own.Key, "since": s.clock.Now().Add(-own.Window),
			})
			if err != nil || gone > 0 {
				return err // the shop has no cart more
			}
		}
		if err := refuse(fault.Say("too many carts from one client address"), wait, err); err != nil {
			return err
		}
	}
	if s.ShopGuestsInHour == 0 {
		return nil
	}
	key := "guestcarts:shop:" + of.Business.String()
	wait, err := ratelimit.Quota{Key: key, Window: time.Hour, Most: s.ShopGuestsInHour}.Take(ctx, tx, s.clock.Now)
	if err != nil || wait == 0 {
		return err
	}
	at := s.clock.Now()
	gone, err := giveWay.Of(tx.Raw()).Exec(ctx, tx.Raw(), database.Values{
		"tenant": of.Business, "at": at, "soon": at.Add(unusedIdle),
	})
	if err != nil || gone > 0 {
		return err
	}
	for _, network := range ratelimit.Crowded(key, of.client, time.Hour, crowdedGuests) {
		wait, err := network.Take(ctx, tx, s.clock.Now)
		if err := refuse(fault.Say("too many carts at this shop"), wait, err); err != nil {
			return err
		}
	}
	return nil
}
