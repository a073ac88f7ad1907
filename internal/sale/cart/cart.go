// Package cart holds the carts of customers and guests (contract 3.3): one cart for each customer and
// business.
//
// An edit runs in one transaction: lock the cart's row (the first write makes it and links the customer to
// the business), change one line, read all lines with today's prices and stock, and check the changed line.
// The lock makes edits of one cart follow one another; edits of different carts do not wait for each other.
// On PostgreSQL, where each statement is a round trip, items are added by two statements instead: one reads
// all lines, and one writes if the cart has not changed since (statements.go); if it has, the edit runs as above.
// A line stores only the id of its variant, the quantity and the price that the customer saw; a changed price
// or stock shows as a warning on the line when the cart is read.
//
// The resolvers in graph call it, and internal/sale/order reads and empties carts at checkout. Links to businesses
// are internal/customer/member's.
package cart

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// Owner is the owner of a cart at a business: the customer User or, if Guest is set, a guest (guest.go).
type Owner struct {
	Business, User uuid.UUID
	Guest          string // hash of the token of a guest's cart; empty for a customer

	client netip.Addr // of the guest
	isNew  bool       // the guest's cart has no row yet
}

// In returns a context that works on the records of the business.
func (o Owner) In(ctx context.Context) context.Context { return tenancy.In(ctx, o.Business) }

// Service reads and edits carts.
type Service struct {
	GuestsInHour     int // carts that one client address may make for guests; 0: any number
	ShopGuestsInHour int // carts that all guests of a shop may make before each is limited; 0: any number

	store *ent.Client // guarded by tenancy.Guard
	clock record.Clock
}

// New returns a service. clock returns the time that requests see.
func New(store *ent.Client, clock func() time.Time) *Service {
	return &Service{store: store, clock: clock}
}

// Read returns a cart with today's prices and stock. It does not fail if a line can no longer be bought.
func (s *Service) Read(ctx context.Context, owner Owner) (*Cart, error) {
	ctx = owner.In(ctx)
	if owner.Guest != "" {
		return s.readGuests(ctx, owner)
	}
	kept, err := s.store.Cart.Query().Where(cart.UserID(owner.User)).Only(ctx)
	if ent.IsNotFound(err) {
		return s.showAny(ctx, s.store.Raw(), owner, time.Time{}, nil)
	}
	if err != nil {
		return nil, err
	}
	lines, err := s.Lines(ctx, s.store.Raw(), owner, kept.ID)
	if err != nil {
		return nil, err
	}
	return s.showAny(ctx, s.store.Raw(), owner, kept.UpdatedAt, lines)
}

// Checkouts returns how often a customer's cart became an order.
func (s *Service) Checkouts(ctx context.Context, owner Owner) (int64, error) {
	kept, err := s.store.Cart.Query().Where(cart.UserID(owner.User)).Select(cart.FieldCheckouts).Only(owner.In(ctx))
	if err != nil {
		return 0, ent.MaskNotFound(err)
	}
	return kept.Checkouts, nil
}

// lock locks the row of a cart. The first write makes the row, and links the customer to the business. lock
// returns the id of the row and the time of this write, which is never before the cart's last write. It fails
// with NOT_FOUND if there is no such business, or no such cart of a guest. The cart of a guest who has added
// nothing has no row: id and time are zero.
func (s *Service) lock(ctx context.Context, tx *ent.Tx, owner Owner) (id uuid.UUID, at time.Time, err error) {
	if owner.Guest != "" {
		return s.lockGuests(ctx, tx, owner)
	}
	mine := record.NewID()
	found, err := lockCart.Row(ctx, tx.Raw(), database.Values{
		"mine": mine, "tenant": owner.Business, "user": owner.User, "at": s.clock.Now(),
	}, &id, &at)
	switch {
	case err != nil:
		return id, at, err
	case !found:
		return id, at, member.NoBusiness()
	case id == mine:
		return id, at, member.Link(ctx, tx, owner.User, owner.Business)
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
	CheckedOut   bool // after the request had arrived
	Closing      int  // of the shop: member.CheckOpen
	Rules        record.OrderRules
	Sale         int64 // the shop's sale_version
	Repriced     bool  // a checkout reported changed prices after the request had arrived
}

// Locked reads a cart and locks it until the transaction ends, for a request that arrived at a time of the database's
// clock. found is false if nothing was ever added to it.
func (s *Service) Locked(
	ctx context.Context, tx *ent.Tx, owner Owner, arrived time.Time,
) (kept Kept, found bool, err error) {
	found, err = readLocked.Of(tx.Raw()).Row(ctx, tx.Raw(), database.Values{
		"user": owner.User, "tenant": owner.Business, "arrived": arrived,
	},
		&kept.ID, &kept.Version, &kept.Checkouts, &kept.LastOrder, &kept.LastCheckout, &kept.UpdatedAt,
		&kept.CheckedOut, &kept.Repriced, &kept.Closing, &kept.Rules, &kept.Sale, &kept.Rules.TakesPayments)
	return kept, found, err
}
