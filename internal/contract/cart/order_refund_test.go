package cart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const dueOrders = `query($shop: ID!, $due: Boolean) {
	shopOrdersConnection(businessId: $shop, refundDue: $due) {
		totalCount nodes { order { id status payment { status refundDue } history { status note } } } } }`

type refunds struct {
	ShopOrdersConnection struct {
		TotalCount int
		Nodes      []struct {
			Order struct {
				ID, Status string
				Payment    struct {
					Status    string
					RefundDue bool
				}
				History []struct{ Status, Note string }
			}
		}
	}
}

// TestPaidAfterCancellation marks a cancelled order as paid, because the money came too late. The shop must
// see that a refund is due until it marks it as refunded.
func TestPaidAfterCancellation(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		manager, all := c.Staff(t, c.Tools, record.Manager), c.Listens(t, "tools", record.OrderMoved,
			record.PaymentMarked)
		c.StockedUp(t, "D-13", 11)
		s := c.REST().Shopper(t, 1)
		late, early, kept := s.Bought(t, "D-13", 1).ID, s.Bought(t, "D-13", 1).ID, s.Bought(t, "D-13", 1).ID
		mark := func(id, status string) map[string]any {
			return map[string]any{"shop": c.Tools, "id": id, "in": map[string]any{"status": status}}
		}
		move := func(id, to string) map[string]any { return map[string]any{"shop": c.Tools, "id": id, "to": to} }
		due := func(want bool) (ids []string) {
			t.Helper()
			var found refunds
			manager.Do(t, dueOrders, map[string]any{"shop": c.Tools, "due": want}, &found)
			for _, item := range found.ShopOrdersConnection.Nodes {
				if ids = append(ids, item.Order.ID); item.Order.Payment.RefundDue != want {
					t.Errorf("refundDue of %+v", item.Order)
				}
			}
			if len(ids) != found.ShopOrdersConnection.TotalCount {
				t.Errorf("got %d orders, want the total of %d", len(ids), found.ShopOrdersConnection.TotalCount)
			}
			slices.Sort(ids)
			return ids
		}
		if got := s.Cancel(t, late); got.Code != "" {
			t.Fatalf("got %s", got.Body)
		}
		manager.Do(t, shoptest.MarkPayment, mark(late, "paid"), nil)
		manager.Refused(t, "CONFLICT", shoptest.MarkPayment, mark(late, "paid"))
		manager.Do(t, shoptest.MarkPayment, mark(early, "paid"), nil)
		manager.Do(t, shoptest.MoveOrder, move(early, "cancelled"), nil)
		want := []string{late, early}
		if slices.Sort(want); !slices.Equal(due(true), want) || !slices.Equal(due(false), []string{kept}) {
			t.Errorf("got %v due and %v not, want %v and %v", due(true), due(false), want, []string{kept})
		}
		in := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		steps := c.Store.Client.Order.GetX(in, uuid.MustParse(late)).QueryEvents().AllX(in)
		if last := steps[len(steps)-1]; last.Status != record.OrderCancelled || last.Note == nil ||
			!strings.Contains(*last.Note, "بازگردانده شود") {
			t.Errorf("the history ends with %+v", last)
		}
		if is := s.Stock(t, "D-13"); is != 10 {
			t.Errorf("%d are in stock", is)
		}
		var events []string
		for _, row := range c.Deliveries(t, all) {
			text := string(row.Type)
			if strings.Contains(row.Payload, `"refundDue":true`) {
				text += " due"
			}
			events = append(events, text)
		}
		moved := "[order_moved payment_marked due payment_marked order_moved due]"
		if got := fmt.Sprint(events); got != moved {
			t.Errorf("got the events %s, want %s", got, moved)
		}
		manager.Do(t, shoptest.MarkPayment, mark(late, "refunded"), nil)
		if is := due(true); !slices.Equal(is, []string{early}) {
			t.Errorf("due are %v after a refund", is)
		}
	})
}

// TestPaidAfterTheGatewayWasTooSlow marks an order as paid after the service has cancelled it for a late
// gateway payment. The payment must be recorded, and a refund is due.
func TestPaidAfterTheGatewayWasTooSlow(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		manager := c.Staff(t, c.Tools, record.Manager)
		c.StockedUp(t, "D-13", 11)
		s := c.REST().Shopper(t, 1)
		pay := func(body string) string {
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			return s.Right(t, "Checkout", body).Order(t).ID
		}
		late := pay(strings.Replace(shoptest.ToHome, `"cash"`, `"e_payment_gate"`, 1))
		pay(shoptest.ToHome) // orders paid in cash are not cancelled
		c.Due(t, 10*time.Minute)
		c.Clock.Pass(10 * time.Minute)
		cancelling, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { c.Service.CancelLoop(cancelling) })
		for until := time.Now().Add(30 * time.Second); s.WithStatus(t, "cancelled") == 0 &&
			time.Now().Before(until); {
		}
		stop()
		running.Wait()
		if n, is := s.WithStatus(t, "cancelled"), s.Stock(t, "D-13"); n != 1 || is != 10 {
			t.Fatalf("%d orders are cancelled, want 1; %d are in stock, want 10", n, is)
		}
		manager.Do(t, shoptest.MarkPayment, map[string]any{"shop": c.Tools, "id": late,
			"in": map[string]any{"status": "paid", "reference": "GW-1"}}, nil)
		var found refunds
		manager.Do(t, dueOrders, map[string]any{"shop": c.Tools, "due": true}, &found)
		if found.ShopOrdersConnection.TotalCount != 1 {
			t.Fatalf("%d orders are to be refunded, want 1", found.ShopOrdersConnection.TotalCount)
		}
		o := found.ShopOrdersConnection.Nodes[0].Order
		var steps []string
		for _, step := range o.History {
			steps = append(steps, step.Status)
		}
		if o.ID != late || o.Status != "cancelled" || o.Payment.Status != "paid" || !o.Payment.RefundDue ||
			strings.Join(steps, " ") != "pending cancelled cancelled" || s.Stock(t, "D-13") != 10 {
			t.Errorf("the order is %+v", o)
		}
		for _, step := range o.History[1:] { // the shop, and so its customers, read Persian
			if !strings.Contains(step.Note, "پرداخت") {
				t.Errorf("got the note %q, want it in Persian", step.Note)
			}
		}
		c.Balances(t, nil)
	})
}
