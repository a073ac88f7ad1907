package graph

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/graph/model"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/personal"
)

// DataExport returns all that the service holds on the customer.
func (r userResolver) DataExport(ctx context.Context, _ *ent.User) (json.RawMessage, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	return exported(personal.ExportAccount(ctx, r.r.Store, caller.User))
}

// CustomerExport returns what a shop holds on one of its customers.
func (q queryResolver) CustomerExport(ctx context.Context, businessID, customerID uuid.UUID) (json.RawMessage, error) {
	return exported(personal.ExportAt(ctx, q.r.Store, businessID, customerID))
}

func exported(found *personal.Export, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(found)
}

// CloseAccount closes the caller's account.
func (m mutationResolver) CloseAccount(
	ctx context.Context, input model.CloseAccountInput,
) (*model.MessagePayload, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, err
	}
	if (input.CurrentPassword == nil) == (input.Code == nil) {
		var bad fault.Fields
		bad.Add("input", "must have exactly one of currentPassword and code")
		return nil, bad.Err()
	}
	return &model.MessagePayload{Message: "The account is closed."},
		m.r.Accounts.CloseAccount(ctx, caller, input.CurrentPassword, input.Code)
}

// EraseCustomer erases what a shop holds on one of its customers.
func (m mutationResolver) EraseCustomer(
	ctx context.Context, businessID, customerID uuid.UUID,
) (*model.ErasurePayload, error) {
	erased, err := personal.At(ctx, m.r.Store, businessID, customerID)
	return &model.ErasurePayload{
		Message: "The customer is erased.",
		Orders:  erased.Orders, Opinions: erased.Opinions, Listings: erased.Listings, Messages: erased.Messages,
	}, err
}
