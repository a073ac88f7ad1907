package orders_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/orderevent"
	"storefront/ent/tenant"
	"storefront/internal/bundle"
	"storefront/internal/contract/ledger"
	"storefront/internal/demo"
	"storefront/internal/demo/chance"
	"storefront/internal/demo/customers"
	"storefront/internal/demo/orders"
	"storefront/internal/store"
	"storefront/internal/store/storetest"
	"storefront/internal/tenancy"
)

// before is a template database of the demo shops and their customers, without orders.
var before = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	for _, d := range demo.Bundles() {
		if _, err := bundle.Import(ctx, s, bundle.Bytes(d.Data), nil); err != nil {
			return err
		}
	}
	_, err := customers.Load(ctx, s.Client)
	return err
})

// shop is a demo shop, read with full access.
type shop struct {
	*ent.Client
	ctx context.Context
}

func shopOf(t *testing.T, client *ent.Client, domain string) shop {
	t.Helper()
	id := client.Tenant.Query().Where(tenant.Domain(domain)).OnlyIDX(t.Context())
	return shop{client, tenancy.In(t.Context(), id)}
}

// stocks returns the stock of each variant, by SKU.
func (s shop) stocks() map[string]int {
	all := map[string]int{}
	for _, v := range s.Variant.Query().AllX(s.ctx) {
		all[v.Sku] = v.Stock
	}
	return all
}

// all returns the orders, the oldest first.
func (s shop) all() []*ent.Order {
	return s.Order.Query().Order(order.ByCreatedAt()).WithPayments().WithItems().
		WithEvents(func(q *ent.OrderEventQuery) { q.Order(orderevent.ByAt()) }).AllX(s.ctx)
}

// counts returns the numbers of orders by status, payment type and payment status, of those with one line
// and with fifty, and of the other records.
func (s shop) counts() map[string]int {
	n := map[string]int{"carts": s.Cart.Query().CountX(s.ctx), "cart lines": s.CartItem.Query().CountX(s.ctx),
		"favorites": s.Favorite.Query().CountX(s.ctx)}
	for _, o := range s.all() {
		n["orders"]++
		n["lines"] += len(o.Edges.Items)
		n[string(o.Status)]++
		n["by "+string(o.Edges.Payments[0].Type)]++
		n["payment "+string(o.Edges.Payments[0].Status)]++
		if k := len(o.Edges.Items); k == 1 || k == 50 {
			n[fmt.Sprintf("of %d", k)]++
		}
	}
	return n
}

// counted are the numbers that must never change, on either database.
var counted = map[string]map[string]int{
	"sanat-mashin.example": {
		"orders": 150, "lines": 304, "of 1": 90, "of 50": 1,
		"pending": 3, "confirmed": 4, "processing": 5, "shipped": 6, "delivered": 117, "cancelled": 15,
		"by pos": 31, "by cash": 44, "by transfer": 31, "by e_payment_gate": 44,
		"payment pending": 10, "payment paid": 125, "payment failed": 1, "payment cancelled": 9,
		"payment refunded": 5,
		"carts":            20, "cart lines": 42, "favorites": 85,
	},
	"paperlane.example": {
		"orders": 500, "lines": 947, "of 1": 305, "of 50": 1,
		"pending": 12, "confirmed": 13, "processing": 16, "shipped": 21, "delivered": 389, "cancelled": 49,
		"by pos": 107, "by cash": 117, "by transfer": 137, "by e_payment_gate": 139,
		"payment pending": 36, "payment paid": 415, "payment failed": 5, "payment cancelled": 27,
		"payment refunded": 17,
		"carts":            40, "cart lines": 74, "favorites": 198,
	},
	"memar-novin.example": {},
}

func TestOrders(t *testing.T) {
	t.Parallel()
	before.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		units, err := ledger.Units(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		was := map[string]map[string]int{}
		for domain := range counted {
			was[domain] = shopOf(t, s.Client, domain).stocks()
		}
		if err := orders.Load(t.Context(), s.Client); err != nil {
			t.Fatal(err)
		}
		for domain, want := range counted {
			shop := shopOf(t, s.Client, domain)
			got := shop.counts()
			maps.DeleteFunc(got, func(_ string, n int) bool { return n == 0 })
			if !maps.Equal(got, want) {
				t.Errorf("%s has %v, want %v", domain, got, want)
			}
			if now := shop.stocks(); !maps.Equal(publicStocks(now), publicStocks(was[domain])) {
				t.Errorf("%s shows other stocks than before", domain)
			}
			shop.snapshot(t)
		}
		if err := ledger.Check(t.Context(), s, units); err != nil {
			t.Error(err)
		}
	})
}

// publicStocks returns the stock that the public sees of a shop's variants, by SKU: the number up to ten,
// else that it is above.
func publicStocks(stocks map[string]int) map[string]int {
	seen := maps.Clone(stocks)
	for sku, stock := range seen {
		seen[sku] = min(stock, 11)
	}
	return seen
}

// snapshot checks that lines have the prices of their variants, and that histories begin with the placing of
// the order and end before chance.Now.
func (s shop) snapshot(t *testing.T) {
	t.Helper()
	prices := map[string]int64{}
	for _, v := range s.Variant.Query().AllX(s.ctx) {
		if v.Price != nil {
			prices[v.Sku+v.PriceCurrency] = *v.Price
		}
	}
	for _, o := range s.all() {
		for _, item := range o.Edges.Items {
			if price, ok := prices[item.Sku+o.PriceCurrency]; !ok || item.UnitPrice != price {
				t.Errorf("%s: %s at %d, want %d", o.OrderNumber, item.Sku, item.UnitPrice, price)
			}
		}
		first, last := o.Edges.Events[0], o.Edges.Events[len(o.Edges.Events)-1]
		if !first.At.Equal(o.CreatedAt) || !last.At.Equal(o.UpdatedAt) || last.At.After(chance.Now) {
			t.Errorf("%s: made %v, changed %v, from %v to %v", o.OrderNumber, o.CreatedAt, o.UpdatedAt, first, last)
		}
	}
}
