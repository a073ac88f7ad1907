// Package personal exports what the service stores about a customer, and erases it (contract 3.10).
//
// An account serves all shops, so both come in two sizes. Staff reach what their shop stores: orders, cart,
// favorites, listings, opinions, messages. Customers, and the operator's commands, reach the account with
// what every shop stores.
//
// ent/schema says what is a person's, and what an erasure does to it: walk.go finds the rows, export.go shows them,
// and erase.go erases them.
//
// All records of a customer refer to the row of the account, which erasing locks. A concurrent write is
// either erased with the rest, or waits and then finds the account deleted.
package personal

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// customerOf returns a customer of a shop: a member, or a person who has ordered there.
func customerOf(ctx context.Context, store *ent.Client, shop, id uuid.UUID) (*ent.User, error) {
	who, err := store.User.Get(ctx, id)
	if ent.IsNotFound(err) {
		return nil, unknown()
	}
	if err != nil {
		return nil, err
	}
	known, err := store.Membership.Query().
		Where(membership.UserID(id), membership.BusinessID(shop), membership.PendingUntilIsNil()).Exist(ctx)
	if err == nil && !known {
		err = unknown()
	}
	return who, err
}

func unknown() error { return fault.New(fault.NotFound, "the shop has no such customer") }

func gone() error { return fault.New(fault.NotFound, "the account is gone") }

// ByCell returns the account of a cell number, in E.164 form.
func ByCell(ctx context.Context, store *ent.Client, cell string) (*ent.User, error) {
	who, err := store.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if ent.IsNotFound(err) {
		err = fault.New(fault.NotFound, "no account has this cell number")
	}
	return who, err
}

// actsFor returns a context for work in a shop: that of the operator who calls, or else of no person.
func actsFor(ctx context.Context, shop uuid.UUID) context.Context {
	by, _ := request.StaffOf(ctx)
	by.Business = shop
	return request.WithStaff(ctx, by)
}
