package cart

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/member"
	"storefront/internal/ratelimit"
	"storefront/internal/sweep"
	"storefront/internal/token"
	"storefront/internal/transaction"
)

// A guest's cart is opened by its token, of which only the hash is stored. It is read and edited as a customer's is,
// and ends when it has not been used for long; signing in merges it with the customer's (merge.go).

const (
	guestIdle  = 30 * 24 * time.Hour // ends a guest's cart that is not used
	unusedIdle = 24 * time.Hour      // ends one into which nothing was ever put
	putOffFrom = guestIdle - 24*time.Hour
)

// Guest is the owner of the cart with a token.
func Guest(business uuid.UUID, secret string) Owner {
	return Owner{Business: business, Guest: string(token.Hash(secret))}
}

// NewGuest makes an empty cart for a guest, and gives its token, of 256 random bits. It fails with NOT_FOUND where there
// is no such business, and with RATE_LIMITED where the client address has made too many of them in an hour, or all
// guests of the business have.
func (s *Service) NewGuest(ctx context.Context, business uuid.UUID, client string) (made *Cart, secret string, err error) {
	secret, hash := token.NewOpaque()
	of, at := Owner{Business: business, Guest: string(hash)}, s.now()
	ctx = of.In(ctx)
	limits := s.limitsOfGuests(business, client)
	for _, l := range limits {
		if wait, err := l.Peek(ctx, s.store, at); err != nil || wait > 0 {
			return nil, "", l.refuse(wait, err)
		}
	}
	err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		for _, l := range limits {
			if wait, err := l.Take(ctx, tx, at); err != nil || wait > 0 {
				return l.refuse(wait, err)
			}
		}
		var id uuid.UUID
		found, err := makeGuests.Row(ctx, tx.Raw(), database.Values{
			"cart": uuid.Must(uuid.NewV7()), "tenant": business, "token": []byte(of.Guest), "ends": at.Add(unusedIdle), "at": at,
		}, &id)
		if err == nil && !found {
			err = member.NoBusiness()
		}
		if err != nil {
			return err
		}
		made, err = s.showAny(ctx, tx.Raw(), of, at, nil)
		return err
	})
	return made, secret, err
}

// limitOfGuests is a limit on the carts that are made for guests, and what it says when it is reached.
type limitOfGuests struct {
	ratelimit.Quota
	full fault.Text
}

// limitsOfGuests are the limits in the order in which they are locked. That of the business is for a stranger with many
// client addresses, who could fill the table.
func (s *Service) limitsOfGuests(business uuid.UUID, client string) (limits []limitOfGuests) {
	if s.GuestsInHour > 0 {
		limits = append(limits, limitOfGuests{
			ratelimit.Quota{Key: "guestcarts@" + client, Window: time.Hour, Most: s.GuestsInHour},
			fault.Say("too many carts from one client address"),
		})
	}
	if s.ShopGuestsInHour > 0 {
		limits = append(limits, limitOfGuests{
			ratelimit.Quota{Key: "guestcarts:shop:" + business.String(), Window: time.Hour, Most: s.ShopGuestsInHour},
			fault.Say("too many carts at this shop"),
		})
	}
	return limits
}

func (l limitOfGuests) refuse(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	full := fault.New(fault.RateLimited, "%s; try again in %d seconds", l.full, fault.Seconds(wait))
	full.RetryAfter = wait
	return full
}

func noCart() error { return fault.New(fault.NotFound, "there is no such cart, or it has ended") }

// lockGuests is lock for a guest's cart.
func (s *Service) lockGuests(ctx context.Context, tx *ent.Tx, of Owner) (id uuid.UUID, at time.Time, err error) {
	now := s.now()
	found, err := lockGuests.Row(ctx, tx.Raw(), database.Values{
		"token": []byte(of.Guest), "tenant": of.Business, "at": now, "ends": now.Add(guestIdle),
	}, &id, &at)
	if err == nil && !found {
		err = noCart()
	}
	return id, at, err
}

// readGuests is Read for a guest's cart. To read it is to use it, which is noted once a day.
func (s *Service) readGuests(ctx context.Context, of Owner) (*Cart, error) {
	var id uuid.UUID
	var updated, ends time.Time
	at := s.now()
	found, err := readGuests.Row(ctx, s.store.Raw(), database.Values{
		"token": []byte(of.Guest), "tenant": of.Business, "at": at,
	}, &id, &updated, &ends)
	if err == nil && !found {
		err = noCart()
	}
	if err != nil {
		return nil, err
	}
	lines, err := s.Lines(ctx, s.store.Raw(), of, id)
	if err != nil {
		return nil, err
	}
	if len(lines) > 0 && ends.Before(at.Add(putOffFrom)) {
		err = transaction.Single(func() error {
			_, err := putOff.Exec(ctx, s.store.Raw(), database.Values{"cart": id, "tenant": of.Business, "ends": at.Add(guestIdle)})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return s.showAny(ctx, s.store.Raw(), of, updated, lines)
}

// Old are the carts of guests that have ended.
func (s *Service) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(cart.Table, cart.FieldEndsAt, s.now())}
}
