package cart

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/sweep"
	"storefront/internal/token"
	"storefront/internal/transaction"
)

// A guest's cart is identified by its token, of which only the hash is stored. Its row is made when an item
// is added (the limits are in guestlimits.go). It is read and edited like a customer's, and ends when it has
// not been used for long. At sign-in it can be merged with the customer's (merge.go).

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

// lockGuests is lock for a guest's cart. It makes the row of a new guest's.
func (s *Service) lockGuests(ctx context.Context, tx *ent.Tx, of Owner) (id uuid.UUID, at time.Time, err error) {
	if of.isNew {
		return s.makeGuests(ctx, tx, of)
	}
	now := s.now()
	found, err := lockGuests.Row(ctx, tx.Raw(), database.Values{
		"token": []byte(of.Guest), "tenant": of.Business, "at": now, "ends": now.Add(guestIdle),
		"soon": now.Add(putOffFrom),
	}, &id, &at)
	if err == nil && !found {
		err = noCart()
	}
	return id, at, err
}

// makeGuests makes the row of a guest's cart. It fails with RATE_LIMITED.
func (s *Service) makeGuests(ctx context.Context, tx *ent.Tx, of Owner) (id uuid.UUID, at time.Time, err error) {
	if err := s.admitGuest(ctx, tx, of); err != nil {
		return id, at, err
	}
	now := s.now()
	found, err := makeGuests.Row(ctx, tx.Raw(), database.Values{
		"cart": record.NewID(), "tenant": of.Business, "token": []byte(of.Guest),
		"ends": now.Add(guestIdle), "soon": now.Add(putOffFrom), "at": now,
	}, &id, &at)
	if err == nil && !found {
		err = noCart()
	}
	return id, at, err
}

// guestRow is the row of a guest's cart.
type guestRow struct {
	id            uuid.UUID
	updated, ends time.Time
}

func (s *Service) findGuests(
	ctx context.Context, on database.Executor, of Owner,
) (row guestRow, found bool, err error) {
	values := database.Values{"token": []byte(of.Guest), "tenant": of.Business}
	found, err = findGuests.Row(ctx, on, values, &row.id, &row.updated, &row.ends)
	return row, found, err
}

// readGuests is Read for a guest's cart. Reading counts as use, which is stored once a day.
func (s *Service) readGuests(ctx context.Context, of Owner) (*Cart, error) {
	at := s.now()
	row, found, err := s.findGuests(ctx, s.store.Raw(), of)
	switch {
	case err != nil:
		return nil, err
	case !found || !row.ends.After(at):
		return nil, noCart()
	}
	lines, err := s.Lines(ctx, s.store.Raw(), of, row.id)
	if err != nil {
		return nil, err
	}
	if len(lines) > 0 && row.ends.Before(at.Add(putOffFrom)) {
		err := transaction.Single(func() error {
			_, err := prolongGuests.Exec(ctx, s.store.Raw(), database.Values{
				"cart": row.id, "tenant": of.Business, "ends": at.Add(guestIdle), "at": at,
			})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return s.showAny(ctx, s.store.Raw(), of, row.updated, lines)
}

// endGuests sets the time at which a guest's cart ends.
func (s *Service) endGuests(ctx context.Context, on database.Executor, of Owner, id uuid.UUID, ends time.Time) error {
	_, err := endGuests.Exec(ctx, on, database.Values{"cart": id, "tenant": of.Business, "ends": ends})
	return err
}

// Old returns the job that deletes guests' carts that have ended.
func (s *Service) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(cart.Table, cart.FieldEndsAt, s.now())}
}
