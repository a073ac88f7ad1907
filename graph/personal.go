package graph

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/customer/personal"
	"storefront/internal/fault"
	"storefront/internal/request"
)

func (r userResolver) DataExport(ctx context.Context, _ *ent.User) (json.RawMessage, error) {
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	return exported(personal.ExportAccount(ctx, r.r.Store, caller.User))
}

func (q queryResolver) CustomerExport(ctx context.Context, businessID, customerID uuid.UUID) (json.RawMessage, error) {
	return exported(personal.ExportAt(ctx, q.r.Store, businessID, customerID))
}

func exported(export personal.Export, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(export)
}

func (m mutationResolver) CloseAccount(
	ctx context.Context, input api.CloseAccountInput,
) (*api.MessagePayload, error) {
	if (input.CurrentPassword == nil) == (input.Code == nil) {
		return nil, fault.Invalid("input", "must have exactly one of currentPassword and code")
	}
	return messagePayload("The account is closed.",
		m.r.Accounts.CloseAccount(ctx, callerOf(ctx), input.CurrentPassword, input.Code))
}

func (m mutationResolver) EraseCustomer(
	ctx context.Context, businessID, customerID uuid.UUID, alsoErase []uuid.UUID,
) (*api.ErasurePayload, error) {
	erased, err := personal.At(ctx, m.r.Store, businessID, customerID, alsoErase...)
	return erasure("The customer is erased.", erased), err
}

func (q queryResolver) AccountExport(ctx context.Context, cellNumber string) (json.RawMessage, error) {
	who, err := personal.ByCell(ctx, q.r.Store, cellOf(cellNumber))
	if err != nil {
		return nil, err
	}
	return exported(personal.HandOut(ctx, q.r.Store, who.ID))
}

func (m mutationResolver) EraseAccount(
	ctx context.Context, cellNumber string, alsoErase []uuid.UUID,
) (*api.ErasurePayload, error) {
	who, err := personal.ByCell(ctx, m.r.Store, cellOf(cellNumber))
	if err != nil {
		return nil, err
	}
	erased, err := personal.Account(ctx, m.r.Store, who.ID, alsoErase...)
	return erasure("The account is erased.", erased), err
}

func erasure(message api.Message, figures personal.Figures) *api.ErasurePayload {
	return &api.ErasurePayload{
		Message: message, Orders: figures.Orders, Opinions: figures.Opinions,
		Listings: figures.Listings, Messages: figures.Messages,
		Favorites: figures.Favorites, Uploads: figures.Uploads,
	}
}
