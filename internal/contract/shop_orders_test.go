package contract_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

const (
	shopOrders = `query($shop: ID!, $number: String, $cell: String, $status: OrderStatus, $payment: PaymentStatus, $from: Time) {
		shopOrders(businessId: $shop, orderNumber: $number, cellNumber: $cell, status: $status, paymentStatus: $payment, from: $from) {
			total items { order { id status payment { status reference } items { sku } history { status note } }
				customer { cellNumber } } } }`
	moveOrder = `mutation($shop: ID!, $id: ID!, $to: OrderStatus!, $note: String) {
		moveOrder(businessId: $shop, orderId: $id, status: $to, note: $note) { order { status } } }`
	markPayment = `mutation($shop: ID!, $id: ID!, $in: PaymentMarkInput!) {
		markPayment(businessId: $shop, orderId: $id, input: $in) { order { payment { status reference markedAt } } } }`
	adjustStock = `mutation($shop: ID!, $in: StockAdjustmentInput!) {
		adjustStock(businessId: $shop, input: $in) { items { sku before stock } } }`
)

type foundOrders struct {
	ShopOrders struct {
		Total int
		Items []struct {
			Order struct {
				ID, Status string
				Payment    struct{ Status, Reference string }
			}
			Customer struct{ CellNumber string }
		}
	}
}

func TestShopOrders(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		support, manager := c.staff(t, c.tools, record.Support), c.staff(t, c.tools, record.Manager)
		other := c.staff(t, c.mugs, record.Owner)
		c.stockedUp(t, "D-13", 11)
		s := c.rest().shopper(t, 1)
		made := s.bought(t, "D-13", 2)
		s.bought(t, "D-13", 1)
		for _, q := range []struct {
			total  int
			filter map[string]any
		}{
			{2, map[string]any{}},
			{1, map[string]any{"number": made.OrderNumber}},
			{0, map[string]any{"number": "NONE2345"}},
			{2, map[string]any{"cell": s.customer.cell, "status": "pending", "payment": "pending", "from": "2026-11-15T12:00:00Z"}},
			{0, map[string]any{"cell": support.customer.cell}},
			{0, map[string]any{"status": "shipped"}},
			{0, map[string]any{"payment": "paid"}},
			{0, map[string]any{"from": "2026-11-16T12:00:00Z"}},
		} {
			var found foundOrders
			q.filter["shop"] = c.tools
			support.do(t, shopOrders, q.filter, &found)
			if f := found.ShopOrders; f.Total != q.total || len(f.Items) != q.total ||
				q.total > 0 && f.Items[0].Customer.CellNumber != s.customer.cell {
				t.Errorf("%v: %+v", q.filter, found)
			}
		}
		other.refused(t, "FORBIDDEN", shopOrders, map[string]any{"shop": c.tools})
		support.refused(t, "GRAPHQL_VALIDATION_FAILED",
			`query($shop: ID!) { shopOrders(businessId: $shop, until: "") { total } }`, map[string]any{"shop": c.tools})
		for _, moment := range []string{"yesterday", "0000-01-01T00:00:00Z"} {
			support.refused(t, "VALIDATION_FAILED", shopOrders, map[string]any{"shop": c.tools, "from": moment})
		}
		own := func(more map[string]any) map[string]any {
			more["shop"], more["id"] = c.tools, made.ID
			return more
		}
		other.refused(t, "NOT_FOUND", moveOrder, map[string]any{"shop": c.mugs, "id": made.ID, "to": "confirmed"})
		support.do(t, moveOrder, own(map[string]any{"to": "confirmed", "note": "called"}), nil)
		support.refused(t, "CONFLICT", moveOrder, own(map[string]any{"to": "delivered"}))

		mark := func(status string) map[string]any {
			return own(map[string]any{"in": map[string]any{"status": status, "reference": "TR-77"}})
		}
		support.refused(t, "FORBIDDEN", markPayment, mark("paid"))
		other.refused(t, "NOT_FOUND", markPayment, map[string]any{"shop": c.mugs, "id": made.ID, "in": map[string]any{"status": "paid"}})
		manager.refused(t, "VALIDATION_FAILED", markPayment, mark("pending"))
		manager.refused(t, "CONFLICT", markPayment, mark("refunded"))
		manager.do(t, markPayment, mark("failed"), nil)
		manager.do(t, markPayment, mark("paid"), nil)
		manager.refused(t, "CONFLICT", markPayment, mark("paid"))
		var found foundOrders
		support.do(t, shopOrders, map[string]any{"shop": c.tools, "payment": "paid"}, &found)
		if f := found.ShopOrders; f.Total != 1 || f.Items[0].Order.Payment.Reference != "TR-77" || f.Items[0].Order.Status != "confirmed" {
			t.Errorf("%+v", found)
		}
		log := c.store.Client.AuditEntry.Query().AllX(t.Context())
		if len(log) != 3 {
			t.Errorf("%d entries in the audit log: %v", len(log), log)
		}
		for _, e := range log {
			if e.Action == "moveOrder" &&
				(!strings.Contains(string(e.Before), "pending") || !strings.Contains(string(e.After), "confirmed")) {
				t.Errorf("moved from %s to %s", e.Before, e.After)
			}
		}
	})
}

func TestAdjustStock(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		editor, all := c.staff(t, c.tools, record.Editor), c.listens(t, "tools", record.StockLow)
		c.stockedUp(t, "D-13", 11)
		c.stockedUp(t, "D-10", 3)
		in := func(items ...map[string]any) map[string]any {
			return map[string]any{"shop": c.tools, "in": map[string]any{"reason": "count", "items": items}}
		}
		bad := editor.refused(t, "VALIDATION_FAILED", adjustStock, in(
			map[string]any{"sku": "D-13", "by": 5}, map[string]any{"sku": "D-10", "by": -4}, map[string]any{"sku": "TEA-1", "to": 4}))
		if e := bad.Errors[0].Extensions.Errors; len(e) != 2 || e[0].Field != "in.items.1.by" || e[1].Field != "in.items.2.sku" {
			t.Errorf("%+v", e)
		}
		editor.refused(t, "VALIDATION_FAILED", adjustStock, in(map[string]any{"sku": "D-13", "by": 5, "to": 3}))
		editor.refused(t, "VALIDATION_FAILED", adjustStock,
			in(map[string]any{"sku": "D-13", "by": 5}, map[string]any{"sku": "D-13", "to": 3}))
		s := c.rest().nobody(t)
		const most = 1_000_000_000 // as a bundle takes
		editor.refused(t, "VALIDATION_FAILED", adjustStock, in(map[string]any{"sku": "D-13", "by": most}))
		editor.refused(t, "VALIDATION_FAILED", adjustStock, in(map[string]any{"sku": "D-13", "to": most + 1}))
		editor.do(t, adjustStock, in(map[string]any{"sku": "D-13", "to": most}), nil)
		editor.refused(t, "VALIDATION_FAILED", adjustStock, in(map[string]any{"sku": "D-13", "by": 1}))
		editor.do(t, adjustStock, in(map[string]any{"sku": "D-13", "by": 11 - most}), nil)
		if s.stock(t, "D-13") != 11 || s.stock(t, "D-10") != 3 {
			t.Error("a refused adjustment changed the stock")
		}
		editor.do(t, adjustStock, in(map[string]any{"sku": "D-13", "by": -6}, map[string]any{"sku": "D-10", "to": 8}), nil)
		if s.stock(t, "D-13") != 5 || s.stock(t, "D-10") != 8 || types(c.told(t, all)) != "stock_low" {
			t.Errorf("%d, %d, %s", s.stock(t, "D-13"), s.stock(t, "D-10"), types(c.told(t, all)))
		}
		var log struct {
			AuditLog struct {
				Items []struct {
					After struct {
						Reason string
						Items  []map[string]any
					}
				}
			}
		}
		c.staff(t, c.tools, record.Manager).do(t, `query($shop: ID!) {
			auditLog(businessId: $shop, action: "adjustStock") { items { after } } }`, map[string]any{"shop": c.tools}, &log)
		if text := fmt.Sprint(log); !strings.Contains(text, "before:11 sku:D-13 stock:5") ||
			!strings.Contains(text, "before:3 sku:D-10 stock:8") || !strings.Contains(text, "{count [") {
			t.Errorf("the audit log has %s", text)
		}
	})
}

// TestAdjustStockRaced has customers buy while staff takes units away: none is lost or sold twice.
func TestAdjustStockRaced(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		editor := c.staff(t, c.tools, record.Editor)
		c.stockedUp(t, "D-13", 40)
		var working sync.WaitGroup
		for i := range 4 {
			s := c.rest().shopper(t, i+1)
			working.Go(func() {
				for range 4 {
					s.bought(t, "D-13", 1)
				}
			})
		}
		working.Go(func() {
			for range 8 {
				editor.do(t, adjustStock, map[string]any{"shop": c.tools, "in": map[string]any{"reason": "broken",
					"items": []map[string]any{{"sku": "D-13", "by": -2}}}}, nil)
			}
		})
		working.Wait()
		if left := c.rest().nobody(t).stock(t, "D-13"); left != 40-16-16 {
			t.Errorf("%d are left", left)
		}
	})
}

// TestUnpaidOrders lets orders wait for a gateway's payment, some of which is marked at the same time as they are to be
// cancelled: each is paid, and either cancelled or not.
func TestUnpaidOrders(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		manager := c.staff(t, c.tools, record.Manager)
		c.stockedUp(t, "D-13", 11)
		s := c.rest().shopper(t, 1)
		var ids []string
		for range 8 {
			ids = append(ids, s.bought(t, "D-13", 1).ID)
		}
		in := tenancy.In(t.Context(), uuid.MustParse(c.tools))
		gateway := func(id string) *ent.Payment {
			o := c.store.Client.Order.GetX(in, uuid.MustParse(id))
			return o.QueryPayments().OnlyX(in)
		}
		if _, err := c.store.Client.ExecContext(t.Context(), `UPDATE payments SET type = 'e_payment_gate'`); err != nil {
			t.Fatal(err)
		}
		if n, err := c.moves().CancelUnpaid(t.Context(), 10*time.Minute); n != 0 || err != nil {
			t.Fatalf("%d were cancelled too early, %v", n, err)
		}
		c.clock.pass(10 * time.Minute)
		var working sync.WaitGroup
		for range 2 {
			working.Go(func() {
				if _, err := c.moves().CancelUnpaid(t.Context(), 10*time.Minute); err != nil {
					t.Error(err)
				}
			})
		}
		codes := make([]string, len(ids))
		for i, id := range ids {
			working.Go(func() {
				paid := map[string]any{"shop": c.tools, "id": id, "in": map[string]any{"status": "paid"}}
				codes[i] = manager.ask(t, markPayment, paid).code()
			})
		}
		working.Wait()
		cancelled := 0
		for i, id := range ids {
			o := c.store.Client.Order.GetX(in, uuid.MustParse(id))
			switch got := fmt.Sprint(codes[i], " ", o.Status, " ", gateway(id).Status); got {
			case " pending paid":
			case " cancelled paid": // the money came after that, and is to be refunded
				cancelled++
			default:
				t.Error(got)
			}
		}
		if left := s.stock(t, "D-13"); left != 3+cancelled {
			t.Errorf("%d are left after %d were cancelled", left, cancelled)
		}
	})
}
