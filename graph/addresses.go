package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/location"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
)

func (r userResolver) Addresses(ctx context.Context, u *ent.User) ([]*ent.Address, error) {
	return r.r.Store.Address.Query().Where(address.UserID(u.ID)).
		Order(address.ByFromBefore(), address.ByID()).Collect(selection.Of(ctx)).All(ctx)
}

func (m mutationResolver) CreateAddress(
	ctx context.Context, input api.AddressInput, locationID *uuid.UUID,
) (*api.AddressPayload, error) {
	if err := m.r.checkLocation(ctx, locationID, "locationId"); err != nil {
		return nil, err
	}
	made, err := m.r.Accounts.AddAddress(ctx, callerOf(ctx), func(create *ent.AddressCreate) {
		create.SetNillableLabel(search.Trimmed(input.Label)).
			SetProvince(strings.TrimSpace(input.Province)).
			SetCity(strings.TrimSpace(input.City)).
			SetNillableLocationID(locationID).
			SetAddress(strings.TrimSpace(input.Address)).
			SetNillablePostalCode(search.Trimmed(input.PostalCode)).
			SetNillableLandline(search.Trimmed(input.Landline))
	})
	return &api.AddressPayload{Address: made}, err
}

func (m mutationResolver) UpdateAddress(
	ctx context.Context, id uuid.UUID, input api.AddressChangeInput, locationID *uuid.UUID,
) (*api.AddressPayload, error) {
	if err := m.r.checkLocation(ctx, locationID, "locationId"); err != nil {
		return nil, err
	}
	changed, err := m.r.Accounts.ChangeAddress(ctx, callerOf(ctx), id, func(change *ent.AddressUpdateOne) {
		applyChange(input.Label, change.SetLabel, change.ClearLabel)
		applyChange(input.Province, change.SetProvince, nil)
		applyChange(input.City, change.SetCity, nil)
		if locationID != nil {
			change.SetLocationID(*locationID)
		} else if input.Province.IsSet() || input.City.IsSet() { // another place, by its name alone
			change.ClearLocationID()
		}
		applyChange(input.Address, change.SetAddress, nil)
		applyChange(input.PostalCode, change.SetPostalCode, change.ClearPostalCode)
		applyChange(input.Landline, change.SetLandline, change.ClearLandline)
	})
	return &api.AddressPayload{Address: changed}, err
}

// checkLocation fails with NOT_FOUND if a member names a location that does not exist.
func (r *Resolver) checkLocation(ctx context.Context, id *uuid.UUID, member string) error {
	if id == nil {
		return nil
	}
	known, err := r.Store.Location.Query().Where(location.ID(*id)).Exist(ctx)
	if err == nil && !known {
		err = fault.New(fault.NotFound, "there is no such location").Of(member)
	}
	return err
}

// applyChange applies one member of a PATCH: a text is set, null and "" clear, an absent member changes
// nothing. clear is nil for a member that cannot be cleared.
func applyChange[Change any](value graphql.Omittable[*string], set func(string) Change, clear func() Change) {
	text, present := value.ValueOK()
	if bare := search.Trimmed(text); bare != nil {
		set(*bare)
	} else if present && clear != nil {
		clear()
	}
}

func (m mutationResolver) DeleteAddress(ctx context.Context, id uuid.UUID) (*api.MessagePayload, error) {
	return messagePayload("The address is removed.", m.r.Accounts.RemoveAddress(ctx, callerOf(ctx), id))
}
