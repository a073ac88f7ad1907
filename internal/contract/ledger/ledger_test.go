package ledger_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/tenant"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/ledger"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

// bought checks a shop whose customer has two orders, one of them cancelled, and a cart.
var bought = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	if _, err := bundle.Import(ctx, s, bundle.File("../shoptest/testdata/tools.bundle.json"), nil); err != nil {
		return err
	}
	shop, err := s.Client.Tenant.Query().Where(tenant.Slug("tools")).OnlyID(ctx)
	if err != nil {
		return err
	}
	own := tenancy.In(ctx, shop)
	drill, err := s.Client.Variant.Query().Where(variant.Sku("D-13")).OnlyID(own)
	if err != nil {
		return err
	}
	user, err := s.Client.User.Create().SetCellNumber("+989120000001").Save(ctx)
	if err != nil {
		return err
	}
	of := cart.Owner{Business: shop, User: user.ID}
	carts := cart.New(s.Client, time.Now)
	orders := order.New(s.Client, carts, time.Now)
	var last uuid.UUID
	for range 2 {
		if _, err := carts.Add(ctx, of, cart.Added{Variant: drill, Quantity: 2}); err != nil {
			return err
		}
		made, err := orders.Checkout(ctx, of, order.Request{Arrived: time.Now(),
			Payment: order.Payment{Type: record.PayInCash}})
		if err != nil {
			return err
		}
		last = made.ID
	}
	if _, err := orders.Cancel(ctx, of, last); err != nil {
		return err
	}
	_, err = carts.Add(ctx, of, cart.Added{Variant: drill, Quantity: 1})
	return err
})

// TestCheckFinds breaks correct books in one way at a time: each fault is found.
func TestCheckFinds(t *testing.T) {
	bought.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		initial, err := ledger.Units(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := ledger.Check(t.Context(), s, initial); err != nil {
			t.Fatalf("right books: %v", err)
		}
		const pending = ` WHERE status = 'pending'`
		const live = ` WHERE order_id IN (SELECT id FROM orders WHERE status = 'pending')`
		for change, says := range map[string]string{
			"UPDATE variants SET stock = stock - 1 WHERE sku = 'D-13'":                "units of the variant",
			"UPDATE order_items SET quantity = 3, line_total = 3 * unit_price" + live: "their sums",
			"UPDATE orders SET subtotal = subtotal + 1, total = total + 1" + pending:  "their sums",
			"UPDATE orders SET subtotal = 0, total = 0 WHERE status = 'pending'":      "their sums",
			"UPDATE orders SET charge_total = 1, total = total + 1" + pending:         "charges add up",
			"UPDATE orders SET total_quantity = 1 WHERE status = 'pending'":           "their sums",
			"UPDATE payments SET amount = 1" + live:                                   "one payment",
			"DELETE FROM payments" + live:                                             "one payment",
			"UPDATE payments SET counts = false" + live:                               "one payment",
			"UPDATE payments SET status = 'pending'":                                  "one payment",
			"UPDATE payments SET refunded = 1":                                        "the sum of its refunds",
			"UPDATE payments SET status = 'refunded'" + live:                          "the sum of its refunds",
			`INSERT INTO payments (id, created_at, updated_at, tenant_id, order_id, type, status, counts, amount)
				SELECT order_id, created_at, updated_at, tenant_id, order_id, type, 'paid', false, amount
				FROM payments` + live: "that counts is the paid one",
			`INSERT INTO order_charges (id, created_at, updated_at, tenant_id, order_id, kind, name, amount)
				SELECT order_id, created_at, updated_at, tenant_id, order_id, 'delivery', 'Post', 5
				FROM payments` + live: "charges add up",
			"DELETE FROM order_items" + live:                                          "has lines",
			"DELETE FROM order_events" + live:                                         "its history ends",
			"UPDATE order_events SET status = 'confirmed'" + live:                     `from "" to "confirmed"`,
			"UPDATE orders SET status = 'shipped' WHERE status = 'pending'":           "its history ends",
			"UPDATE cart_items SET quantity = 10000":                                  "1 to 9,999 units",
			"UPDATE carts SET checkouts = 0":                                          "last order",
			"DELETE FROM memberships":                                                 "member of its shop",
			"UPDATE orders SET status = 'cancelled' WHERE status = 'pending'":         "units of the variant",
			"UPDATE order_events SET status = 'delivered' WHERE status = 'cancelled'": `from "pending" to "delivered"`,
		} {
			tx, err := s.Client.Tx(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.ExecContext(t.Context(), change); err != nil {
				t.Fatalf("%s: %v", change, err)
			}
			inside := *s
			inside.Client = tx.Client()
			if err := ledger.Check(t.Context(), &inside, initial); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q", change, err, says)
			}
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
