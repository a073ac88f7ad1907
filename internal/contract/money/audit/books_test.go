package audit_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	placed "storefront/ent/order"
	"storefront/ent/tenant"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/money/audit"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

// bought checks a shop whose customer has two orders, one of them cancelled, and a cart.
var bought = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	if _, err := bundle.Import(ctx, s, bundle.File("../../shoptest/testdata/tools.bundle.json"), nil); err != nil {
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

// TestCheckFinds breaks correct books in one way at a time: each fault is found by its rule.
func TestCheckFinds(t *testing.T) {
	bought.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		initial, err := audit.Units(t.Context(), s.Client)
		if err != nil {
			t.Fatal(err)
		}
		if err := audit.Check(t.Context(), s.Client, initial); err != nil {
			t.Fatalf("right books: %v", err)
		}
		const pending = ` WHERE status = 'pending'`
		const live = ` WHERE order_id IN (SELECT id FROM orders WHERE status = 'pending')`
		for change, rule := range map[string]int{
			"UPDATE variants SET stock = stock - 1 WHERE sku = 'D-13'":                6,
			"UPDATE order_items SET quantity = 3, line_total = 3 * unit_price" + live: 1,
			"UPDATE orders SET subtotal = subtotal + 1, total = total + 1" + pending:  1,
			"UPDATE orders SET charge_total = 1, total = total + 1" + pending:         1,
			"UPDATE orders SET total_quantity = 1" + pending:                          1,
			`INSERT INTO order_charges (id, created_at, updated_at, tenant_id, order_id, kind, name, amount)
				SELECT order_id, created_at, updated_at, tenant_id, order_id, 'delivery', 'Post', 5
				FROM payments` + live: 1,
			"DELETE FROM order_items" + live:                 1,
			"UPDATE payments SET amount = 1" + live:          2,
			"DELETE FROM payments" + live:                    2,
			"UPDATE payments SET counts = false" + live:      2,
			"UPDATE payments SET status = 'pending'":         2,
			"UPDATE payments SET refunded = 1":               2,
			"UPDATE payments SET status = 'refunded'" + live: 2,
			`INSERT INTO payments (id, created_at, updated_at, tenant_id, order_id, type, status, counts, amount)
				SELECT order_id, created_at, updated_at, tenant_id, order_id, type, 'paid', false, amount
				FROM payments` + live: 2,
			`INSERT INTO refunds (id, created_at, updated_at, tenant_id, order_id, payment_id, status, amount)
				SELECT id, created_at, updated_at, tenant_id, order_id, id, 'unknown', 1 FROM payments` + live: 2,
			`INSERT INTO refunds (id, created_at, updated_at, tenant_id, order_id, payment_id, status, amount)
				SELECT p.id, p.created_at, p.updated_at, p.tenant_id, o.id, p.id, 'failed', 1
				FROM payments p JOIN orders o ON o.id <> p.order_id AND o.status <> 'cancelled'`: 2,
			"DELETE FROM order_events" + live:                                         8,
			"UPDATE order_events SET status = 'confirmed'" + live:                     8,
			"UPDATE orders SET status = 'shipped' WHERE status = 'pending'":           8,
			"UPDATE order_events SET status = 'delivered' WHERE status = 'cancelled'": 8,
			"UPDATE cart_items SET quantity = 10000":                                  6,
			"UPDATE carts SET checkouts = 0":                                          6,
			"DELETE FROM memberships":                                                 6,
			"UPDATE orders SET status = 'cancelled' WHERE status = 'pending'":         6,
		} {
			tx, err := s.Client.Tx(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.ExecContext(t.Context(), change); err != nil {
				t.Fatalf("%s: %v", change, err)
			}
			err = audit.Check(t.Context(), tx.Client(), initial)
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint("rule ", rule, ":")) {
				t.Errorf("%s: got %v, want rule %d", change, err, rule)
			}
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestDatabaseLeaks looks for a number everywhere: it is in the column of users alone.
func TestDatabaseLeaks(t *testing.T) {
	bought.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		number := audit.Canary{Text: "+989120000001"}
		if err := audit.DatabaseLeaks(t.Context(), s.Client, []audit.Canary{number}); err == nil ||
			!strings.Contains(err.Error(), "users.cell_number contains") {
			t.Errorf("got %v", err)
		}
		number.Homes = []string{"users.cell_number"}
		if err := audit.DatabaseLeaks(t.Context(), s.Client, []audit.Canary{number}); err != nil {
			t.Error(err)
		}
	})
}

// TestGatewaysAreRead begins a payment at a gateway: the auditor reads its account and reference, and how long the
// order may wait.
func TestGatewaysAreRead(t *testing.T) {
	bought.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		tx, err := s.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		shop := tx.Tenant.Query().Where(tenant.Slug("tools")).OnlyIDX(t.Context())
		ctx := tenancy.In(t.Context(), shop)
		due := time.Date(2026, 11, 28, 12, 30, 0, 0, time.UTC)
		waits := tx.Order.Query().Where(placed.StatusEQ(record.OrderPending)).OnlyX(ctx)
		tx.Payment.Update().SetDueAt(due).ExecX(ctx)
		account := tx.GatewayAccount.Create().SetTenantID(shop).SetGateway("zibal").SetIsTest(true).SetLast4("bal").
			SaveX(ctx)
		tx.Payment.Create().SetTenantID(shop).SetOrderID(waits.ID).SetType(record.PayAtGateway).SetCounts(false).
			SetStatus(record.StateSent).SetAmount(waits.Total).SetGatewayAccountID(account.ID).SetTheirs("t1").
			SetPayableUntil(due.Add(time.Minute)).ExecX(ctx)

		var at []string
		err = audit.Orders(ctx, tx.Client(), func(o audit.Order) {
			for _, p := range o.Payments {
				if p.Theirs != "" {
					at = append(at, o.ID, p.Account, p.Theirs)
				}
			}
		})
		if want := []string{waits.ID.String(), account.ID.String(), "t1"}; err != nil || !slices.Equal(at, want) {
			t.Errorf("got %v, %v, want %v", at, err, want)
		}
		unpaid, err := audit.UnpaidOrders(ctx, tx.Client())
		if err != nil || len(unpaid) != 1 || unpaid[0].Order != waits.ID.String() || len(unpaid[0].Until) != 2 {
			t.Fatalf("got %v, %v", unpaid, err)
		}
		if err := audit.Held(unpaid, due.Add(time.Minute), audit.Window{}); err != nil {
			t.Error(err)
		}
		if err := audit.Held(unpaid, due.Add(61*time.Second), audit.Window{}); err == nil {
			t.Error("units that are held too long are not found")
		}
	})
}
