package crash

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
)

const graphQL = "/graphql"

// writes are the kinds of writes that clients hang up in: of each room one that would show if it was done
// twice or half.
var writes = []write{
	{
		name: "checkout", path: "/api/v1/businesses/<shop>/cart/checkout", prepare: (*hanger).fill,
		body: func(_ *hanger, key string) any { return customer.CheckoutBody(key) },
		look: func(ctx context.Context, h *hanger, key string) { h.has(ctx, key, "pending", 1) },
	},
	{
		name: "addCartItem", path: "/api/v1/businesses/<shop>/cart/items",
		prepare: func(h *hanger, ctx context.Context) { must.Do(h.Empty(ctx).Read(nil)) },
		body: func(h *hanger, _ string) any {
			return map[string]any{"storeItemVariantId": h.Any().ID, "quantity": 2}
		},
		look: func(ctx context.Context, h *hanger, _ string) {
			var is struct{ Cart struct{ TotalQuantity int } }
			must.Do(h.REST(ctx, http.MethodGet, h.Shop("/cart"), nil).Read(&is))
			must.Hold(is.Cart.TotalQuantity == 2, "the cart holds %d units, want 2", is.Cart.TotalQuantity)
		},
	},
	{
		name: "cancelOrder three times", path: graphQL,
		prepare: func(h *hanger, ctx context.Context) { h.buy(ctx, 3) },
		body: func(h *hanger, _ string) any {
			var fields strings.Builder
			for n, o := range h.orders {
				fmt.Fprintf(&fields, "o%d: cancelOrder(businessId: %q, orderId: %q) { order { status } } ",
					n, h.Business, o.ID)
			}
			return document(fields.String())
		},
		look: func(ctx context.Context, h *hanger, _ string) {
			for _, o := range h.orders {
				h.has(ctx, o.CustomerNotes, "cancelled", 2)
			}
		},
	},
	{
		name: "createAddress", path: "/api/v1/auth/addresses",
		body: func(_ *hanger, key string) any { return address(key) },
		look: func(ctx context.Context, h *hanger, key string) {
			ids := h.addresses(ctx, key)
			must.Hold(len(ids) == 1, "%d addresses, want 1", len(ids))
			must.Do(h.REST(ctx, http.MethodDelete, "/auth/addresses/"+ids[0], nil).Read(nil))
		},
	},
	{
		name: "deleteAddress", path: graphQL,
		prepare: func(h *hanger, ctx context.Context) {
			var made struct{ Address struct{ ID string } }
			must.Do(h.REST(ctx, http.MethodPost, "/auth/addresses", address("to go")).Read(&made))
			h.id = made.Address.ID
		},
		body: func(h *hanger, _ string) any {
			return document(fmt.Sprintf("deleteAddress(addressId: %q) { message }", h.id))
		},
		look: func(ctx context.Context, h *hanger, _ string) {
			ids := h.addresses(ctx, "to go")
			must.Hold(len(ids) == 0, "%d addresses, want 0", len(ids))
		},
	},
	{
		name: "a checkout beside what is refused", path: graphQL, refused: "NOT_FOUND", prepare: (*hanger).fill,
		body: func(h *hanger, key string) any {
			return document(fmt.Sprintf(`checkout(businessId: %q, input: {customerNotes: %q, payment: {type: pos},
				shippingAddress: {province: "a", city: "b", address: "c"}}) { order { id } }
				deleteAddress(addressId: "none") { message }`, h.Business, key))
		},
		look: func(ctx context.Context, h *hanger, key string) { h.has(ctx, key, "", 0) },
	},
	{
		name: "moveOrder", path: graphQL, byStaff: true,
		prepare: func(h *hanger, ctx context.Context) { h.buy(ctx, 1) },
		body: func(h *hanger, _ string) any {
			return document(fmt.Sprintf("moveOrder(businessId: %q, orderId: %q, status: confirmed) { order { id } }",
				h.Business, h.orders[0].ID))
		},
		look: func(ctx context.Context, h *hanger, _ string) {
			h.has(ctx, h.orders[0].CustomerNotes, "confirmed", 2)
		},
	},
	{
		name: "adjustStock", path: graphQL, byStaff: true,
		body: func(h *hanger, _ string) any {
			v := h.Any()
			h.id = v.ID
			return document(fmt.Sprintf(`adjustStock(businessId: %q,
				input: {reason: "found", items: [{sku: %q, by: 1}]}) {
				items { stock } }`, h.Business, v.Sku))
		},
		look: func(_ context.Context, h *hanger, _ string) { h.added[uuid.MustParse(h.id)]++ }, // for the ledger
	},
}

// document is the body of a mutation.
func document(fields string) any { return map[string]any{"query": "mutation { " + fields + "}"} }

func address(text string) any { return map[string]any{"province": "a", "city": "b", "address": text} }

// fill puts a unit into an empty cart.
func (h *hanger) fill(ctx context.Context) {
	must.Do(h.Empty(ctx).Read(nil))
	must.Do(h.Add(ctx, h.Any(), 1).Read(nil))
}

// buy makes orders.
func (h *hanger) buy(ctx context.Context, times int) {
	h.orders = nil
	for range times {
		h.fill(ctx)
		var made struct{ Order *customer.Order }
		must.Do(h.Buy(ctx, h.NewKey()).Read(&made))
		h.orders = append(h.orders, made.Order)
	}
}

// has holds that there is one order with these notes, of a status and with so many steps; none, where the
// status is empty.
func (h *hanger) has(ctx context.Context, notes, status string, steps int) {
	var listed struct {
		Items []struct{ ID, Status, CustomerNotes, CreatedAt string }
	}
	must.Do(h.REST(ctx, http.MethodGet, h.Shop("/orders?pageSize=12"), nil).Read(&listed))
	found := 0
	for _, o := range listed.Items {
		if o.CustomerNotes != notes {
			continue
		}
		var one struct {
			Order struct{ History []struct{ Status string } }
		}
		must.Do(h.REST(ctx, http.MethodGet, h.Shop("/orders/"+o.ID), nil).Read(&one))
		found++
		must.Hold(o.Status == status && len(one.Order.History) == steps, "the order %s is %s after %v", o.ID,
			o.Status, one.Order.History)
	}
	must.Hold(found == min(1, len(status)), "%d orders with the notes %s and status %q; the newest are %v", found,
		notes, status, listed.Items)
}

// addresses are the ids of the customer's addresses with a text.
func (h *hanger) addresses(ctx context.Context, text string) (ids []string) {
	var listed struct {
		Items []struct{ ID, Address string }
	}
	must.Do(h.REST(ctx, http.MethodGet, "/auth/addresses", nil).Read(&listed))
	for _, a := range listed.Items {
		if a.Address == text {
			ids = append(ids, a.ID)
		}
	}
	return ids
}
