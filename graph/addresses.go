package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/selection"
)

// Addresses are the customer's own, oldest first.
func (r userResolver) Addresses(ctx context.Context, u *ent.User) ([]*ent.Address, error) {
	return r.store.Address.Query().Where(address.UserID(u.ID)).Order(address.ByID()).Collect(selection.Of(ctx)).All(ctx)
}

// mostAddresses is how many a customer may keep.
const mostAddresses = 100

// CreateAddress adds an address.
func (m mutationResolver) CreateAddress(ctx context.Context, input AddressInput) (*AddressPayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := m.store.Address.Query().Where(address.UserID(caller.User)).Count(ctx)
	if err != nil {
		return nil, err
	}
	if kept >= mostAddresses {
		return nil, fault.New(fault.Conflict, "there are %d addresses already; remove one first", kept)
	}
	made, err := m.store.Address.Create().SetUserID(caller.User).
		SetNillableLabel(trimmed(input.Label)).
		SetProvince(strings.TrimSpace(input.Province)).
		SetCity(strings.TrimSpace(input.City)).
		SetAddress(strings.TrimSpace(input.Address)).
		SetNillablePostalCode(trimmed(input.PostalCode)).
		SetNillableLandline(trimmed(input.Landline)).
		Save(ctx)
	return &AddressPayload{made}, err
}

// UpdateAddress changes what is given of one of the customer's addresses.
func (m mutationResolver) UpdateAddress(ctx context.Context, id uuid.UUID, input AddressChangeInput) (*AddressPayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	change := m.store.Address.UpdateOneID(id).Where(address.UserID(caller.User))
	set(input.Label, change.SetLabel, change.ClearLabel)
	set(input.Province, change.SetProvince, nil)
	set(input.City, change.SetCity, nil)
	set(input.Address, change.SetAddress, nil)
	set(input.PostalCode, change.SetPostalCode, change.ClearPostalCode)
	set(input.Landline, change.SetLandline, change.ClearLandline)
	changed, err := change.Save(ctx)
	return &AddressPayload{changed}, err
}

// set applies a member of a change: a text is set, null clears, and what is absent stays.
func set[Change any](given graphql.Omittable[*string], to func(string) Change, clear func() Change) {
	text, present := given.ValueOK()
	if bare := trimmed(text); bare != nil {
		to(*bare)
	} else if present && clear != nil {
		clear()
	}
}

// DeleteAddress removes one of the customer's addresses.
func (m mutationResolver) DeleteAddress(ctx context.Context, id uuid.UUID) (*MessagePayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	removed, err := m.store.Address.Delete().Where(address.ID(id), address.UserID(caller.User)).Exec(ctx)
	if err == nil && removed == 0 {
		return nil, fault.New(fault.NotFound, "there is no such address")
	}
	return said("The address is removed.", err)
}
