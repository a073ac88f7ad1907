package graph

import (
	"context"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/user"
	"storefront/graph/model"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/selection"
	"storefront/internal/transaction"
)

// Addresses returns the customer's addresses, oldest first.
func (r userResolver) Addresses(ctx context.Context, u *ent.User) ([]*ent.Address, error) {
	return r.r.Store.Address.Query().Where(address.UserID(u.ID)).
		Order(address.ByID()).Collect(selection.Of(ctx)).All(ctx)
}

// mostAddresses is how many addresses a customer may keep.
const mostAddresses = 100

// CreateAddress adds an address.
func (m mutationResolver) CreateAddress(ctx context.Context, input model.AddressInput) (*model.AddressPayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	var made *ent.Address
	err = transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		if err := lockUser(ctx, tx, caller.User); err != nil { // so that concurrent requests count one after another
			return err
		}
		kept, err := tx.Address.Query().Where(address.UserID(caller.User)).Count(ctx)
		if err != nil {
			return err
		}
		if kept >= mostAddresses {
			return fault.New(fault.Conflict, "there are %d addresses already; remove one first", kept)
		}
		made, err = tx.Address.Create().SetUserID(caller.User).
			SetNillableLabel(trimmed(input.Label)).
			SetProvince(strings.TrimSpace(input.Province)).
			SetCity(strings.TrimSpace(input.City)).
			SetAddress(strings.TrimSpace(input.Address)).
			SetNillablePostalCode(trimmed(input.PostalCode)).
			SetNillableLandline(trimmed(input.Landline)).
			Save(ctx)
		return err
	})
	return &model.AddressPayload{Address: made}, err
}

// lockUser locks the row of a user: other transactions that lock it wait until tx ends.
func lockUser(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	return tx.User.Update().Where(user.ID(id)).SetUpdatedAt(time.Now().UTC()).Exec(ctx)
}

// UpdateAddress changes the given members of one of the customer's addresses.
func (m mutationResolver) UpdateAddress(
	ctx context.Context, id uuid.UUID, input model.AddressChangeInput,
) (*model.AddressPayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	var changed *ent.Address
	err = transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) (err error) {
		change := tx.Address.UpdateOneID(id).Where(address.UserID(caller.User))
		applyChange(input.Label, change.SetLabel, change.ClearLabel)
		applyChange(input.Province, change.SetProvince, nil)
		applyChange(input.City, change.SetCity, nil)
		applyChange(input.Address, change.SetAddress, nil)
		applyChange(input.PostalCode, change.SetPostalCode, change.ClearPostalCode)
		applyChange(input.Landline, change.SetLandline, change.ClearLandline)
		changed, err = change.Save(ctx)
		return err
	})
	return &model.AddressPayload{Address: changed}, err
}

// applyChange applies one member of a PATCH: a text is set, null and "" clear, an absent member changes
// nothing. clear is nil for a member that cannot be cleared.
func applyChange[Change any](given graphql.Omittable[*string], set func(string) Change, clear func() Change) {
	text, present := given.ValueOK()
	if bare := trimmed(text); bare != nil {
		set(*bare)
	} else if present && clear != nil {
		clear()
	}
}

// DeleteAddress removes one of the customer's addresses.
func (m mutationResolver) DeleteAddress(ctx context.Context, id uuid.UUID) (*model.MessagePayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		removed, err := tx.Address.Delete().Where(address.ID(id), address.UserID(caller.User)).Exec(ctx)
		if err == nil && removed == 0 {
			err = fault.New(fault.NotFound, "there is no such address")
		}
		return err
	})
	return messagePayload("The address is removed.", err)
}
