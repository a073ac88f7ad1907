package cart_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestOrderOfSeveralPayments gives orders payments that failed beside the one that counts. Lists, reports, sheets and
// changes are as with one payment.
func TestOrderOfSeveralPayments(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		manager := c.Staff(t, c.Tools, record.Manager)
		c.StockedUp(t, "D-13", 11)
		s := c.REST().Shopper(t, 1)
		in := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		buy := func(others ...record.PaymentState) string {
			o := s.Bought(t, "D-13", 1)
			id := uuid.MustParse(o.ID)
			counting := c.Store.Client.Order.GetX(in, id).QueryPayments().OnlyX(in)
			for _, state := range others {
				c.Store.Client.Payment.Create().SetOrderID(id).SetType(record.PayAtGateway).SetStatus(state).
					SetCounts(false).SetAmount(counting.Amount).ExecX(in)
			}
			return o.ID
		}
		paid, cancelled := buy(record.StateFailed, record.StateExpired), buy(record.StateSuperseded)
		waiting := buy(record.StateGivenBack)

		mark := func(id, status string) map[string]any {
			return map[string]any{"shop": c.Tools, "id": id, "in": map[string]any{"status": status}}
		}
		manager.Do(t, shoptest.MarkPayment, mark(paid, "paid"), nil)
		if got := s.Cancel(t, cancelled); got.Code != "" {
			t.Fatalf("got %s", got.Body)
		}
		for id, want := range map[string]string{paid: "paid", cancelled: "cancelled", waiting: "pending"} {
			if got := s.Right(t, "Order", "", "orderId="+id).Order(t).Payment.Status; got != want {
				t.Errorf("got a payment that is %s, want %s", got, want)
			}
			var found struct {
				ShopOrdersConnection struct {
					Nodes []struct{ Order struct{ ID string } }
				}
			}
			manager.Do(t, `query($shop: ID!, $is: PaymentStatus) {
				shopOrdersConnection(businessId: $shop, paymentStatus: $is) { nodes { order { id } } } }`,
				map[string]any{"shop": c.Tools, "is": want}, &found)
			if nodes := found.ShopOrdersConnection.Nodes; len(nodes) != 1 || nodes[0].Order.ID != id {
				t.Errorf("got the %s orders %v, want %s", want, nodes, id)
			}
		}
		owner := c.Staff(t, c.Tools, record.Owner)
		var sold struct {
			ShopReport struct {
				Total struct{ Orders, CancelledOrders, Units int }
			}
		}
		now := c.Clock.Now()
		owner.Do(t, `query($shop: ID!, $from: Time!, $until: Time!) {
			shopReport(businessId: $shop, from: $from, until: $until) { total { orders cancelledOrders units } } }`,
			map[string]any{"shop": c.Tools, "from": now.Add(-time.Hour), "until": now.Add(time.Hour)}, &sold)
		if got := sold.ShopReport.Total; got.Orders != 2 || got.CancelledOrders != 1 || got.Units != 2 {
			t.Errorf("got the figures %+v, want two orders of a unit, and a cancelled one", got)
		}
		manager.Do(t, shoptest.MarkPayment, mark(paid, "refunded"), nil)
		var shown struct {
			ShopOrder struct {
				Order struct {
					Payment struct{ Amount, RefundedAmount float64 }
				}
			}
		}
		manager.Do(t, `query($shop: ID!, $id: ID!) { shopOrder(businessId: $shop, orderId: $id) {
			order { payment { amount refundedAmount } } } }`, map[string]any{"shop": c.Tools, "id": paid}, &shown)
		if p := shown.ShopOrder.Order.Payment; p.Amount == 0 || p.RefundedAmount != p.Amount {
			t.Errorf("got %+v, want a payment that is refunded wholly", p)
		}
		c.Balances(t, nil)
	})
}
