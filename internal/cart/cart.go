// Package cart keeps what customers mean to buy (contract 3.3): one cart for each customer and business.
//
// An edit runs in one transaction: lock the cart's row (the first write makes it and links the customer to
// the business), change one line, read all lines with today's prices and stock, and check the changed line.
// The lock makes edits of one cart follow one another, while edits of different carts never meet. On PostgreSQL,
// where each statement is a round trip, something is added by two statements instead: one reads all lines, and one
// writes if the cart is still as it was read (quick.go); if it is not, the edit runs as said before. Nothing is
// stored of a variant but its id, the quantity and the price that the customer saw; a price or stock that
// changed shows as a warning on the line when the cart is read.
//
// The resolvers in graph call it, and internal/order reads and empties carts at checkout. Links to businesses
// are internal/member's.
package cart

import (
	"context"
	"crypto/rand"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/internal/database"
	"storefront/internal/member"
	"storefront/internal/tenancy"
)

// Owner says whose cart at a business: the customer User's or, with Guest, that of a guest (guest.go).
type Owner struct {
	Business, User uuid.UUID
	Guest          string // hash of the token of a guest's cart; empty: it is a customer's

	client netip.Addr // of the guest
	fresh  bool       // the guest's token is new enough for a cart without a row
	adds   bool       // such a cart gets its row
}

// In returns a context that works on the records of the business.
func (o Owner) In(ctx context.Context) context.Context { return tenancy.In(ctx, o.Business) }

// Service keeps the carts.
type Service struct {
	GuestsInHour     int    // carts that one client address may make for guests; 0: any number
	ShopGuestsInHour int    // carts that all guests of a shop may make before each may make few; 0: any number
	Key              []byte // signs the tokens of guests; the same on all servers
	OtherKey         []byte // tokens of this one are taken as well; nil: none

	store *ent.Client // guarded by tenancy.Guard
	clock func() time.Time
}

// New makes the service, with a key of its own. clock gives the time that requests see.
func New(store *ent.Client, clock func() time.Time) *Service {
	s := &Service{store: store, clock: clock, Key: make([]byte, 32)}
	_, _ = rand.Read(s.Key) // never fails
	return s
}

// now is cut to microseconds, which is what both databases keep.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// Read returns a cart as it stands now. It never fails because a line went bad.
func (s *Service) Read(ctx context.Context, of Owner) (*Cart, error) {
	ctx = of.In(ctx)
	if of.Guest != "" {
		return s.readGuests(ctx, of)
	}
	kept, err := s.store.Cart.Query().Where(cart.UserID(of.User)).Only(ctx)
	if ent.IsNotFound(err) {
		return s.showAny(ctx, s.store.Raw(), of, time.Time{}, nil)
	}
	if err != nil {
		return nil, err
	}
	lines, err := s.Lines(ctx, s.store.Raw(), of, kept.ID)
	if err != nil {
		return nil, err
	}
	return s.showAny(ctx, s.store.Raw(), of, kept.UpdatedAt, lines)
}

// Checkouts is how often a customer's cart became an order.
func (s *Service) Checkouts(ctx context.Context, of Owner) (int64, error) {
	kept, err := s.store.Cart.Query().Where(cart.UserID(of.User)).Select(cart.FieldCheckouts).Only(of.In(ctx))
	if err != nil {
		return 0, ent.MaskNotFound(err)
	}
	return kept.Checkouts, nil
}

// lock takes the lock of a cart's row, which is made by the first write; that links the customer to the
// business, too. It returns when the cart is written, which is now, and never before its last write. It fails
// with NOT_FOUND where there is no such business, or no such cart of a guest. A guest's cart into which
// nothing was put has no row: no id and no time.
func (s *Service) lock(ctx context.Context, tx *ent.Tx, of Owner) (id uuid.UUID, at time.Time, err error) {
	if of.Guest != "" {
		return s.lockGuests(ctx, tx, of)
	}
	mine := uuid.Must(uuid.NewV7())
	found, err := lockCart.Row(ctx, tx.Raw(), database.Values{
		"mine": mine, "tenant": of.Business, "user": of.User, "at": s.now(),
	}, &id, &at)
	switch {
	case err != nil:
		return id, at, err
	case !found:
		return id, at, member.NoBusiness()
	case id == mine:
		return id, at, member.Link(ctx, tx, of.User, of.Business)
	}
	return id, at, nil
}

// Kept is the row of a cart whose lock is held.
type Kept struct {
	ID           uuid.UUID
	Version      string // as of Seen; on PostgreSQL alone
	Checkouts    int64
	LastOrder    *uuid.UUID
	LastCheckout []byte
	UpdatedAt    time.Time
}

// Locked reads a cart and keeps others from writing it until the transaction ends. It is not found where
// nothing was ever put into it.
func (s *Service) Locked(ctx context.Context, tx *ent.Tx, of Owner) (kept Kept, found bool, err error) {
	found, err = readLocked.Of(tx.Raw()).Row(ctx, tx.Raw(), database.Values{
		"user": of.User, "tenant": of.Business,
	},
		&kept.ID, &kept.Version, &kept.Checkouts, &kept.LastOrder, &kept.LastCheckout, &kept.UpdatedAt)
	return kept, found, err
}
