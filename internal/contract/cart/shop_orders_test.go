package cart_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

const (
	shopOrders = `query($shop: ID!, $number: String, $cell: String, $status: OrderStatus,
		$payment: PaymentStatus, $from: Time) {
		shopOrdersConnection(businessId: $shop, orderNumber: $number, cellNumber: $cell, status: $status,
			paymentStatus: $payment, from: $from) {
			totalCount nodes { order { id status payment { status reference } items { sku } history { status note } }
				customer { cellNumber } } } }`
)

type foundOrders struct {
	ShopOrdersConnection struct {
		TotalCount int
		Nodes      []struct {
			Order struct {
				ID, Status string
				Payment    struct{ Status, Reference string }
			}
			Customer struct{ CellNumber string }
		}
	}
}

func TestShopOrders(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		support, manager := c.Staff(t, c.Tools, record.Support), c.Staff(t, c.Tools, record.Manager)
		other := c.Staff(t, c.Mugs, record.Owner)
		c.StockedUp(t, "D-13", 11)
		s := c.REST().Shopper(t, 1)
		made := s.Bought(t, "D-13", 2)
		s.Bought(t, "D-13", 1)
		persian := strings.NewReplacer("2", "۲", "3", "۳", "4", "۴", "5", "۵", "6", "۶", "7", "۷", "8", "۸", "9", "۹")
		for _, q := range []struct {
			total  int
			filter map[string]any
		}{
			{2, map[string]any{}},
			{1, map[string]any{"number": made.OrderNumber}},
			{1, map[string]any{"number": "\u2068 " + persian.Replace(strings.ToLower(made.OrderNumber)) + "\u2069"}},
			{0, map[string]any{"number": "NONE2345"}},
			{2, map[string]any{"cell": s.Customer.Cell, "status": "pending", "payment": "pending",
				"from": "2026-11-15T12:00:00Z"}},
			{0, map[string]any{"cell": support.Customer.Cell}},
			{0, map[string]any{"status": "shipped"}},
			{0, map[string]any{"payment": "paid"}},
			{0, map[string]any{"from": "2026-11-16T12:00:00Z"}},
		} {
			var found foundOrders
			q.filter["shop"] = c.Tools
			support.Do(t, shopOrders, q.filter, &found)
			if f := found.ShopOrdersConnection; f.TotalCount != q.total || len(f.Nodes) != q.total ||
				q.total > 0 && f.Nodes[0].Customer.CellNumber != s.Customer.Cell {
				t.Errorf("%v: %+v", q.filter, found)
			}
		}
		other.Refused(t, "FORBIDDEN", shopOrders, map[string]any{"shop": c.Tools})
		support.Refused(t, "GRAPHQL_VALIDATION_FAILED",
			`query($shop: ID!) { shopOrdersConnection(businessId: $shop, until: "") { totalCount } }`,
			map[string]any{"shop": c.Tools})
		for _, moment := range []string{"yesterday", "0000-01-01T00:00:00Z"} {
			support.Refused(t, "VALIDATION_FAILED", shopOrders, map[string]any{"shop": c.Tools, "from": moment})
		}
		own := func(more map[string]any) map[string]any {
			more["shop"], more["id"] = c.Tools, made.ID
			return more
		}
		other.Refused(t, "NOT_FOUND", shoptest.MoveOrder, map[string]any{"shop": c.Mugs, "id": made.ID,
			"to": "confirmed"})
		support.Do(t, shoptest.MoveOrder, own(map[string]any{"to": "confirmed", "note": "called"}), nil)
		support.Refused(t, "CONFLICT", shoptest.MoveOrder, own(map[string]any{"to": "delivered"}))

		mark := func(status string) map[string]any {
			return own(map[string]any{"in": map[string]any{"status": status, "reference": "TR-77"}})
		}
		support.Refused(t, "FORBIDDEN", shoptest.MarkPayment, mark("paid"))
		other.Refused(t, "NOT_FOUND", shoptest.MarkPayment, map[string]any{"shop": c.Mugs, "id": made.ID,
			"in": map[string]any{"status": "paid"}})
		manager.Refused(t, "VALIDATION_FAILED", shoptest.MarkPayment, mark("pending"))
		manager.Refused(t, "CONFLICT", shoptest.MarkPayment, mark("refunded"))
		manager.Do(t, shoptest.MarkPayment, mark("failed"), nil)
		manager.Do(t, shoptest.MarkPayment, mark("paid"), nil)
		manager.Refused(t, "CONFLICT", shoptest.MarkPayment, mark("paid"))
		var found foundOrders
		support.Do(t, shopOrders, map[string]any{"shop": c.Tools, "payment": "paid"}, &found)
		if f := found.ShopOrdersConnection; f.TotalCount != 1 || f.Nodes[0].Order.Payment.Reference != "TR-77" ||
			f.Nodes[0].Order.Status != "confirmed" {
			t.Errorf("got %+v", found)
		}
		log := c.Store.Client.AuditEntry.Query().AllX(t.Context())
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
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor, all := c.Staff(t, c.Tools, record.Editor), c.Listens(t, "tools", record.StockLow)
		c.StockedUp(t, "D-13", 11)
		c.StockedUp(t, "D-10", 3)
		in := func(items ...map[string]any) map[string]any {
			return map[string]any{"shop": c.Tools, "in": map[string]any{"reason": "count", "items": items}}
		}
		bad := editor.Refused(t, "VALIDATION_FAILED", shoptest.AdjustStock, in(
			map[string]any{"sku": "D-13", "by": 5}, map[string]any{"sku": "D-10",
				"by": -4}, map[string]any{"sku": "TEA-1", "to": 4}))
		if e := bad.Errors[0].Extensions.Errors; len(e) != 2 || e[0].Field != "in.items.1.by" ||
			e[1].Field != "in.items.2.sku" {
			t.Errorf("got %+v", e)
		}
		editor.Refused(t, "VALIDATION_FAILED", shoptest.AdjustStock,
			in(map[string]any{"sku": "D-13", "by": 5, "to": 3}))
		editor.Refused(t, "VALIDATION_FAILED", shoptest.AdjustStock,
			in(map[string]any{"sku": "D-13", "by": 5}, map[string]any{"sku": "D-13", "to": 3}))
		s := c.REST().Nobody(t)
		const most = 1_000_000_000 // as a bundle takes
		editor.Refused(t, "VALIDATION_FAILED", shoptest.AdjustStock, in(map[string]any{"sku": "D-13", "by": most}))
		editor.Refused(t, "VALIDATION_FAILED", shoptest.AdjustStock,
			in(map[string]any{"sku": "D-13", "to": most + 1}))
		editor.Do(t, shoptest.AdjustStock, in(map[string]any{"sku": "D-13", "to": most}), nil)
		editor.Refused(t, "VALIDATION_FAILED", shoptest.AdjustStock, in(map[string]any{"sku": "D-13", "by": 1}))
		editor.Do(t, shoptest.AdjustStock, in(map[string]any{"sku": "D-13", "by": 11 - most}), nil)
		if s.Stock(t, "D-13") != 11 || s.Stock(t, "D-10") != 3 {
			t.Error("a refused adjustment changed the stock")
		}
		editor.Do(t, shoptest.AdjustStock, in(map[string]any{"sku": "D-13", "by": -6},
			map[string]any{"sku": "D-10", "to": 8}), nil)
		events := shoptest.EventTypes(c.Deliveries(t, all))
		if s.Stock(t, "D-13") != 5 || s.Stock(t, "D-10") != 8 || events != "stock_low" {
			t.Errorf("%d, %d, %s", s.Stock(t, "D-13"), s.Stock(t, "D-10"), events)
		}
		var log struct {
			AuditLogConnection struct {
				Nodes []struct {
					RecordName    string
					Before, After struct {
						Stock  int
						Reason string
					}
				}
			}
		}
		c.Staff(t, c.Tools, record.Manager).Do(t, `query($shop: ID!) {
			auditLogConnection(businessId: $shop, action: "adjustStock") { nodes { recordName before after } }
				}`, map[string]any{"shop": c.Tools}, &log)
		if text := fmt.Sprint(log); !strings.Contains(text, "{D-13 {11 } {5 count}}") ||
			!strings.Contains(text, "{D-10 {3 } {8 count}}") {
			t.Errorf("the audit log has %s", text)
		}
	})
}

// TestAdjustStockRaced has customers buy while staff takes units away: none is lost or sold twice.
func TestAdjustStockRaced(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor := c.Staff(t, c.Tools, record.Editor)
		c.StockedUp(t, "D-13", 40)
		var working sync.WaitGroup
		for i := range 4 {
			s := c.REST().Shopper(t, i+1)
			working.Go(func() {
				for range 4 {
					s.Bought(t, "D-13", 1)
				}
			})
		}
		working.Go(func() {
			for range 8 {
				editor.Do(t, shoptest.AdjustStock, map[string]any{"shop": c.Tools,
					"in": map[string]any{"reason": "broken",
						"items": []map[string]any{{"sku": "D-13", "by": -2}}}}, nil)
			}
		})
		working.Wait()
		if left := c.REST().Nobody(t).Stock(t, "D-13"); left != 40-16-16 {
			t.Errorf("%d are left", left)
		}
	})
}

// TestOverdueOrders lets orders wait for a gateway's payment, some of which is marked at the same time as they are to
// be cancelled: each is paid, and either cancelled or not. One whose transfer has a receipt stays.
func TestOverdueOrders(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		manager := c.Staff(t, c.Tools, record.Manager)
		c.StockedUp(t, "D-13", 11)
		s := c.REST().Shopper(t, 1)
		var ids []string
		for range 8 {
			ids = append(ids, s.Pays(t, "D-13", "e_payment_gate").ID)
		}
		shown := uuid.MustParse(s.Pays(t, "D-13", "transfer").ID)
		c.Due(t, 10*time.Minute)
		in := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		gateway := func(id string) *ent.Payment {
			o := c.Store.Client.Order.GetX(in, uuid.MustParse(id))
			return o.QueryPayments().OnlyX(in)
		}
		receipt, of := uuid.New(), cart.Owner{Business: uuid.MustParse(c.Tools), User: uuid.MustParse(s.ID)}
		inOne(t, c, func(tx *ent.Tx) error {
			_, _, err := c.Moves().AddReceipt(t.Context(), tx, of, shown, order.ReceiptFile{ID: receipt,
				Hash: []byte("a picture"), Size: 1, Width: 1, Height: 1})
			return err
		})
		if n, err := c.Moves().CancelOverdue(t.Context()); n != 0 || err != nil {
			t.Fatalf("%d were cancelled too early, %v", n, err)
		}
		c.Clock.Pass(10 * time.Minute)
		var working sync.WaitGroup
		for range 2 {
			working.Go(func() {
				if _, err := c.Moves().CancelOverdue(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		codes := make([]string, len(ids))
		for i, id := range ids {
			working.Go(func() {
				paid := map[string]any{"shop": c.Tools, "id": id, "in": map[string]any{"status": "paid"}}
				codes[i] = manager.Ask(t, shoptest.MarkPayment, paid).Code()
			})
		}
		working.Wait()
		cancelled := 0
		for i, id := range ids {
			o := c.Store.Client.Order.GetX(in, uuid.MustParse(id))
			switch got := fmt.Sprint(codes[i], " ", o.Status, " ", gateway(id).Status); got {
			case " pending paid":
			case " cancelled paid": // the money came after that, and is to be refunded
				cancelled++
			default:
				t.Error(got)
			}
		}
		if left := s.Stock(t, "D-13"); left != 2+cancelled {
			t.Errorf("got %d in stock, want %d", left, 2+cancelled)
		}
		if is := c.Store.Client.Order.GetX(in, shown).Status; is != record.OrderPending {
			t.Errorf("the order with a receipt is %s", is)
		}
		inOne(t, c, func(tx *ent.Tx) error { // its time begins again
			_, err := c.Moves().RemoveReceipt(t.Context(), tx, of, shown, receipt)
			return err
		})
		for _, want := range []record.OrderStatus{record.OrderPending, record.OrderCancelled} {
			if _, err := c.Moves().CancelOverdue(t.Context()); err != nil {
				t.Error(err)
			}
			if is := c.Store.Client.Order.GetX(in, shown).Status; is != want {
				t.Errorf("the order whose receipt was deleted is %s, want %s", is, want)
			}
			c.Clock.Pass(72 * time.Hour)
		}
	})
}

// inOne runs f in one transaction.
func inOne(t *testing.T, c *shoptest.Crew, f func(tx *ent.Tx) error) {
	t.Helper()
	if err := transaction.Run(t.Context(), c.Store.Client, f); err != nil {
		t.Fatal(err)
	}
}
