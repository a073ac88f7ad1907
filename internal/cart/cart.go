// Package cart keeps what customers mean to buy (contract 3.3): one cart for each customer and business.
//
// An edit runs in one transaction: lock the cart's row (the first write makes it and links the customer to
// the business), change one line, read all lines with today's prices and stock, and check the changed line.
// The lock makes edits of one cart follow one another, while edits of different carts never meet. Nothing is
// stored of a variant but its id, the quantity and the price that the customer saw; a price or stock that
// changed shows as a warning on the line when the cart is read.
//
// The resolvers in graph call it, and internal/order reads and empties carts at checkout. Links to businesses
// are internal/member's.
package cart

import (
	"context"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/internal/member"
	"storefront/internal/tenancy"
)

// Owner says whose cart: a customer's at a business.
type Owner struct{ Business, User uuid.UUID }

// In returns a context that works on the records of the business.
func (o Owner) In(ctx context.Context) context.Context { return tenancy.In(ctx, o.Business) }

// Service keeps the carts.
type Service struct {
	store *ent.Client // guarded by tenancy.Guard
	clock func() time.Time
}

// New makes the service. clock gives the time that requests see.
func New(store *ent.Client, clock func() time.Time) *Service { return &Service{store, clock} }

// now is cut to microseconds, which is what both databases keep.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// Read returns a cart as it stands now. It never fails because a line went bad.
func (s *Service) Read(ctx context.Context, of Owner) (*Cart, error) {
	ctx = of.In(ctx)
	kept, err := s.store.Cart.Query().Where(cart.UserID(of.User)).Only(ctx)
	if ent.IsNotFound(err) {
		return s.show(of, nil, time.Time{}, nil), nil
	}
	if err != nil {
		return nil, err
	}
	lines, err := s.Lines(ctx, s.store, kept.ID)
	return s.show(of, &kept.ID, kept.UpdatedAt, lines), err
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
// business, too.
func (s *Service) lock(ctx context.Context, tx *ent.Tx, of Owner, at time.Time) (uuid.UUID, error) {
	mine := uuid.Must(uuid.NewV7())
	id, err := tx.Cart.Create().SetID(mine).SetUserID(of.User).SetCreatedAt(at).SetUpdatedAt(at).
		OnConflictColumns(cart.FieldUserID, cart.FieldTenantID).
		Update(func(u *ent.CartUpsert) { u.SetUpdatedAt(at) }).ID(ctx)
	if err == nil && id == mine {
		err = member.Link(ctx, tx, of.User, of.Business)
	}
	return id, err
}

// Locked reads a cart and keeps others from writing it until the transaction ends. It is not found where
// nothing was ever put into it.
func (s *Service) Locked(ctx context.Context, tx *ent.Tx, of Owner) (*ent.Cart, error) {
	q := tx.Cart.Query().Where(cart.UserID(of.User))
	q.Modify(func(s *sql.Selector) {
		if s.Dialect() == dialect.Postgres { // SQLite's transactions write alone
			s.ForUpdate()
		}
	})
	return q.Only(ctx)
}
