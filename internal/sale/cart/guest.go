package cart

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/token"
	"storefront/internal/record"
)

// A guest's cart is identified by its token, of which only the hash is stored. Its row is made when an item
// is added, within limits. It is read and edited like a customer's, and ends when it has not been used for long.
// At sign-in it can be merged with the customer's (merge.go).

const (
	guestIdle  = 30 * 24 * time.Hour // until an unused guest's cart ends
	unusedIdle = 24 * time.Hour      // until an empty one ends
	putOffFrom = guestIdle - 24*time.Hour
)

// Guest returns the owner of the cart with a token. client is the caller's address.
func (s *Service) Guest(business uuid.UUID, secret string, client netip.Addr) Owner {
	return Owner{Business: business, Guest: string(token.Hash(secret)), client: client}
}

// Newcomer returns the owner of a new guest's cart, and its token. It stores nothing: the first item makes the row.
// client is the caller's address.
func (s *Service) Newcomer(business uuid.UUID, client netip.Addr) (of Owner, secret string) {
	secret = token.NewOpaque()
	of = s.Guest(business, secret, client)
	of.isNew = true
	return of, secret
}

func noCart() error { return fault.New(fault.NotFound, "there is no such cart, or it has ended") }

// lockGuests is lock for a guest's cart. It makes the row of a new guest's, or fails with RATE_LIMITED.
func (s *Service) lockGuests(ctx context.Context, tx *ent.Tx, owner Owner) (id uuid.UUID, at time.Time, err error) {
	lock := lockGuests
	if owner.isNew {
		if err := s.admitGuest(ctx, tx, owner); err != nil {
			return id, at, err
		}
		lock = makeGuests
	}
	now := s.clock.Now()
	found, err := lock.Row(ctx, tx.Raw(), database.Values{
		"cart": record.NewID(), "tenant": owner.Business, "token": []byte(owner.Guest),
		"ends": now.Add(guestIdle), "soon": now.Add(putOffFrom), "at": now,
		"by": s.ofAddress(owner).Key,
	}, &id, &at)
	if err == nil && !found {
		err = noCart()
	}
	return id, at, err
}

// readGuests is Read for a guest's cart. Reading counts as use, which is stored the first
// time and then once a day.
func (s *Service) readGuests(ctx context.Context, owner Owner) (*Cart, error) {
	at := s.clock.Now()
	var id uuid.UUID
	var updated, ends time.Time
	var untouched bool
	values := database.Values{"token": []byte(owner.Guest), "tenant": owner.Business}
	found, err := findGuests.Row(ctx, s.store.Raw(), values, &id, &updated, &ends, &untouched)
	switch {
	case err != nil:
		return nil, err
	case !found || !ends.After(at):
		return nil, noCart()
	}
	lines, err := s.Lines(ctx, s.store.Raw(), owner, id)
	if err != nil {
		return nil, err
	}
	if len(lines) > 0 && (untouched || ends.Before(at.Add(putOffFrom))) {
		err := transaction.Single(func() error {
			_, err := prolongGuests.Exec(ctx, s.store.Raw(), database.Values{
				"cart": id, "tenant": owner.Business, "ends": at.Add(guestIdle), "at": at,
			})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return s.showAny(ctx, s.store.Raw(), owner, updated, lines)
}

// Old returns the job that deletes guests' carts that have ended.
func (s *Service) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(cart.Table, cart.FieldEndsAt, s.clock.Now())}
}

// crowdedGuests is how many carts one client network may fill in an hour while a shop has reached its limit
// of new carts.
const crowdedGuests = 30

// ofAddress returns the limit of the client's address. An IPv6 /64 counts as one address.
func (s *Service) ofAddress(owner Owner) ratelimit.Quota {
	own := ratelimit.Crowded("guestcarts", owner.client, time.Hour, 1)[0]
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
func (s *Service) admitGuest(ctx context.Context, tx *ent.Tx, owner Owner) error {
	if own := s.ofAddress(owner); own.Most > 0 {
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
	key := "guestcarts:shop:" + owner.Business.String()
	wait, err := ratelimit.Quota{Key: key, Window: time.Hour, Most: s.ShopGuestsInHour}.Take(ctx, tx, s.clock.Now)
	if err != nil || wait == 0 {
		return err
	}
	at := s.clock.Now()
	gone, err := giveWay.Of(tx.Raw()).Exec(ctx, tx.Raw(), database.Values{
		"tenant": owner.Business, "at": at, "soon": at.Add(unusedIdle),
	})
	if err != nil || gone > 0 {
		return err
	}
	for _, network := range ratelimit.Crowded(key, owner.client, time.Hour, crowdedGuests) {
		wait, err := network.Take(ctx, tx, s.clock.Now)
		if err := refuse(fault.Say("too many carts at this shop"), wait, err); err != nil {
			return err
		}
	}
	return nil
}
