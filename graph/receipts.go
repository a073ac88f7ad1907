package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/receipt"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/convert"
	"storefront/internal/request"
)

func (r paymentResolver) Receipts(ctx context.Context, payments []*ent.Payment) ([][]*ent.Receipt, error) {
	ids := convert.All(payments, func(p *ent.Payment) uuid.UUID { return p.OrderID })
	found, err := r.r.Store.Receipt.Query().Where(receipt.OrderIDIn(ids...)).
		Order(receipt.ByCreatedAt(), receipt.ByID()).
		Collect(selection.Of(ctx).And("order_id")).All(tenancy.In(ctx, payments[0].TenantID))
	return list.Group(ids, found, func(one *ent.Receipt) uuid.UUID { return one.OrderID }), err
}

// URL returns an address at which the caller can see the receipt. Callers are its customer, or staff who
// manage orders.
func (r receiptResolver) URL(ctx context.Context, of *ent.Receipt) (*string, error) {
	if caller, err := request.CallerOf(ctx); err == nil && caller.User == of.UserID {
		return new(r.r.Media.OwnReceiptURL(caller, of)), nil
	}
	member, err := r.r.staffOnce(ctx, of.TenantID)
	if err != nil {
		return nil, err
	}
	url, err := r.r.Media.ReceiptURL(request.WithStaff(ctx, member), of)
	switch {
	case fault.Is(err, fault.Forbidden):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &url, nil
}

func (m mutationResolver) CreateReceiptUpload(
	ctx context.Context, businessID, orderID uuid.UUID,
) (*api.MediaUploadPayload, error) {
	customer, err := m.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	url, expires, err := m.r.Media.NewReceiptLink(ctx, customer, orderID)
	return &api.MediaUploadPayload{URL: url, ExpiresAt: expires, MaxBytes: imagefile.MostBytes}, err
}

func (m mutationResolver) RemoveReceipt(
	ctx context.Context, businessID, orderID, receiptID uuid.UUID,
) (*api.OrderPayload, error) {
	customer, err := m.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	left, err := m.r.Media.RemoveReceipt(ctx, customer, orderID, receiptID)
	return &api.OrderPayload{Message: "The receipt is removed.", Order: left}, err
}

func (m mutationResolver) DeleteReceipt(
	ctx context.Context, businessID, orderID, receiptID uuid.UUID,
) (*api.OrderPayload, error) {
	left, err := m.r.Media.DeleteReceipt(ctx, businessID, orderID, receiptID)
	return &api.OrderPayload{Message: "The receipt is deleted.", Order: left}, err
}
