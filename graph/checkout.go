package graph

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/internal/api"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/delivery"
	orders "storefront/internal/sale/order"
	"storefront/internal/sale/price"
)

func (m mutationResolver) Checkout(
	ctx context.Context, businessID uuid.UUID, input api.CheckoutInput,
) (*api.CheckoutPayload, error) {
	if input.AddressID == nil && input.ShippingAddress == nil { // by variables in a written input
		return nil, fault.Invalid("input.addressId", "is required, if none is given of: %s", "shippingAddress")
	}
	customer, err := m.r.customerOf(ctx, businessID)
	if err != nil {
		return nil, err
	}
	payment := orders.Payment{
		Type:              input.Payment.Type,
		PosType:           search.Trimmed(input.Payment.PosType),
		TransferAccount:   search.Trimmed(input.Payment.TransferAccount),
		TransferRefNumber: search.Trimmed(input.Payment.TransferRefNumber),
		GatewayType:       search.Trimmed(input.Payment.GatewayType),
		Notes:             search.Trimmed(input.Payment.Notes),
	}
	wanted := orders.Request{
		Arrived: request.Of(ctx).Arrival.Own, CustomerNotes: search.Trimmed(input.CustomerNotes), Payment: payment,
		Delivery: input.DeliveryMethodID, ExpectedTotal: (*string)(input.ExpectedTotal),
	}
	if wanted.ShippingAddress, err = m.r.destination(ctx, customer, input); err != nil {
		return nil, err
	}
	made, err := m.r.Orders.Checkout(ctx, customer, wanted)
	if err != nil {
		return nil, err
	}
	return &api.CheckoutPayload{Message: placed(ctx, made), Order: made}, nil
}

// placed says what a new order costs besides its lines, for clients that read no charges.
func placed(ctx context.Context, o *ent.Order) api.Message {
	taxes := money.Amount{Currency: o.PriceCurrency}
	for _, c := range o.Edges.Charges {
		if c.Kind == record.ChargeTax && !c.Included {
			taxes.Minor += c.Amount
		}
	}
	delivery := o.DeliveryAmount()
	switch {
	case delivery != nil && taxes.Minor > 0:
		return api.Said(ctx, fault.New("", "Thank you. Your order is placed. Delivery costs %s. Taxes are %s.",
			money.Words(*delivery), money.Words(taxes)))
	case delivery != nil:
		return api.Said(ctx, fault.New("", "Thank you. Your order is placed. Delivery costs %s.",
			money.Words(*delivery)))
	case taxes.Minor > 0:
		return api.Said(ctx, fault.New("", "Thank you. Your order is placed. Taxes are %s.", money.Words(taxes)))
	}
	return "Thank you. Your order is placed."
}

// destination returns the shipping address: a saved address of the customer, else the one in the input.
func (r *Resolver) destination(
	ctx context.Context, customer cart.Owner, in api.CheckoutInput,
) (record.ShippingAddress, error) {
	if in.AddressID != nil {
		return r.savedAddress(ctx, customer, *in.AddressID, "input.addressId")
	}
	sent := in.ShippingAddress
	return record.ShippingAddress{
		Province:   strings.TrimSpace(sent.Province),
		City:       strings.TrimSpace(sent.City),
		Address:    strings.TrimSpace(sent.Address),
		PostalCode: search.Trimmed(sent.PostalCode),
		Landline:   search.Trimmed(sent.Landline),
		LocationID: sent.LocationID,
	}, r.checkLocation(ctx, sent.LocationID, "input.shippingAddress.locationId")
}

// savedAddress returns an address of a customer, which the request names in a member.
func (r *Resolver) savedAddress(
	ctx context.Context, customer cart.Owner, id uuid.UUID, member string,
) (to record.ShippingAddress, err error) {
	saved, err := r.Store.Address.Query().Where(address.ID(id), address.UserID(customer.User)).Only(ctx)
	if ent.IsNotFound(err) {
		if err := r.reachBusiness(ctx, customer.Business); err != nil {
			return to, err
		}
		return to, fault.New(fault.NotFound, "there is no such address").Of(member)
	}
	if err != nil {
		return to, err
	}
	return record.ShippingAddress{
		Province: saved.Province, City: saved.City, Address: saved.Address,
		PostalCode: saved.PostalCode, Landline: saved.Landline, LocationID: saved.LocationID,
	}, nil
}

// DeliveryOptions resolves the delivery methods for a cart. Guests have no saved addresses.
func (r cartResolver) DeliveryOptions(
	ctx context.Context, c *cart.Cart, addressID *uuid.UUID, to *api.DeliveryPlaceInput,
) ([]*delivery.Option, error) {
	at, err := r.place(ctx, c, addressID, to)
	if err != nil {
		return nil, err
	}
	return r.r.Orders.DeliveryOptions(ctx, c, at)
}

func (r cartResolver) Bill(
	ctx context.Context, c *cart.Cart, deliveryMethodID, addressID *uuid.UUID, to *api.DeliveryPlaceInput,
) (*price.Bill, error) {
	at, err := r.place(ctx, c, addressID, to)
	if err != nil {
		return nil, err
	}
	return r.r.Orders.Bill(ctx, c, deliveryMethodID, at)
}

// place returns where a cart may be delivered: at a saved address of the customer, or at a place; nil: neither is
// given.
func (r cartResolver) place(
	ctx context.Context, c *cart.Cart, addressID *uuid.UUID, to *api.DeliveryPlaceInput,
) (*record.ShippingAddress, error) {
	switch {
	case addressID != nil:
		customer, err := r.r.customerOf(ctx, c.BusinessID)
		if err != nil {
			return nil, err
		}
		saved, err := r.r.savedAddress(ctx, customer, *addressID, "addressId")
		return &saved, err
	case to != nil:
		return &record.ShippingAddress{LocationID: to.LocationID, Province: record.TextOf(to.Province),
			City: record.TextOf(to.City)}, r.r.checkLocation(ctx, to.LocationID, "to.locationId")
	}
	return nil, nil
}

func (m mutationResolver) CancelOrder(
	ctx context.Context, businessID, orderID uuid.UUID,
) (*api.OrderPayload, error) {
	customer, err := m.r.buyerAt(ctx, businessID)
	if err != nil {
		return nil, err
	}
	cancelled, err := m.r.Orders.Cancel(ctx, customer, orderID)
	return &api.OrderPayload{Message: "The order is cancelled.", Order: cancelled}, err
}
