package payment_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"storefront/ent/auditentry"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const shopPayments = `query($shop: ID!, $first: Int, $after: String, $gateway: String, $account: ID, $from: String,
	$to: String) { shopPaymentsConnection(businessId: $shop, first: $first, after: $after, gateway: $gateway,
	accountId: $account, firstDay: $from, lastDay: $to) { totalCount pageInfo { endCursor }
	nodes { orderId orderNumber type state account { gateway last4 } day amount refundedAmount reference theirs card
		isTest } } }`

// received is the answer of shopPayments.
type received struct {
	List struct {
		TotalCount int
		PageInfo   struct{ EndCursor string }
		Nodes      []struct {
			OrderID, OrderNumber, Type, State, Day string
			Account                                *struct{ Gateway, Last4 string }
			Amount, RefundedAmount                 int64
			Reference, Theirs, Card                *string
			IsTest                                 bool
		}
	} `json:"shopPaymentsConnection"`
}

// ids returns the orders of the payments, in their order.
func (r received) ids() string {
	var ids []string
	for _, p := range r.List.Nodes {
		ids = append(ids, p.OrderID)
	}
	return strings.Join(ids, " ")
}

// TestReceivedPayments lists what the shop was paid over two days that begin in Tehran, at two gateways and by a
// transfer, as staff see it and as a sheet. What is not paid is in neither.
func TestReceivedPayments(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		zibal := d.sold(t, d.zibal)
		zibal.manager.Do(t, recordRefund, d.part(zibal, "3"), nil)
		d.Clock.Pass(8*time.Hour + 29*time.Minute) // it is 23:59
		d.Shopper = d.REST().Shopper(t, 2)         // the first one's session is over
		zarinpal := d.sold(t, d.zarinpal)
		d.begin(t, d.buys(t), d.zibal)
		transfer := d.Pays(t, "D-13", record.PayByTransfer)
		d.Clock.Pass(time.Minute)
		manager := zarinpal.manager
		manager.Do(t, `mutation($shop: ID!, $id: ID!) { markPayment(businessId: $shop, orderId: $id,
			input: {status: paid, reference: "0077"}) { message } }`,
			map[string]any{"shop": d.Tools, "id": transfer.ID}, nil)

		all := strings.Join([]string{transfer.ID, zarinpal.id, zibal.id}, " ")
		for _, by := range []struct {
			filter map[string]any
			want   string
		}{
			{nil, all},
			{map[string]any{"gateway": "zibal"}, zibal.id},
			{map[string]any{"account": d.zarinpal.account}, zarinpal.id},
			{map[string]any{"from": "2026-11-16"}, transfer.ID},
			{map[string]any{"to": "2026-11-15"}, zarinpal.id + " " + zibal.id},
			{map[string]any{"from": "2026-11-15", "to": "2026-11-16", "gateway": "zarinpal"}, zarinpal.id},
			{map[string]any{"from": "2026-11-17"}, ""},
		} {
			got, variables := received{}, map[string]any{"shop": d.Tools}
			for name, value := range by.filter {
				variables[name] = value
			}
			manager.Do(t, shopPayments, variables, &got)
			if got.ids() != by.want || got.List.TotalCount != len(got.List.Nodes) {
				t.Errorf("%v: got %d, %s, want %s", by.filter, got.List.TotalCount, got.ids(), by.want)
			}
		}
		var first, rest received
		manager.Do(t, shopPayments, map[string]any{"shop": d.Tools, "first": 1}, &first)
		manager.Do(t, shopPayments, map[string]any{"shop": d.Tools, "after": first.List.PageInfo.EndCursor}, &rest)
		if joined := first.ids() + " " + rest.ids(); joined != all {
			t.Errorf("got %s, want %s", joined, all)
		}
		p := d.row(t, zibal.id).Edges.Payments[1]
		got := rest.List.Nodes[1]
		if got.Type != "e_payment_gate" || got.State != "paid" || got.Account.Gateway != "zibal" ||
			got.Account.Last4 != "1234" || got.Day != "2026-11-15" || got.Amount != p.Amount ||
			got.RefundedAmount != 3 || *got.Reference != *p.Reference || *got.Theirs != *p.Theirs ||
			*got.Card != card[12:] || got.IsTest {
			t.Errorf("got %+v", got)
		}
		declared := first.List.Nodes[0]
		if declared.Account != nil || declared.Day != "2026-11-16" || *declared.Reference != "0077" {
			t.Errorf("got %+v", declared)
		}

		variables := map[string]any{"shop": d.Tools, "from": "1405-09-31"}
		manager.Refused(t, "VALIDATION_FAILED", shopPayments, variables)
		delete(variables, "from")
		d.Staff(t, d.Tools, record.Editor).Refused(t, "FORBIDDEN", shopPayments, variables)
		other := d.Staff(t, d.Mugs, record.Manager)
		other.Refused(t, "FORBIDDEN", shopPayments, variables)
		var none received
		other.Do(t, shopPayments, map[string]any{"shop": d.Mugs, "account": d.zibal.account}, &none)
		if none.List.TotalCount != 0 {
			t.Errorf("another shop has %d payments", none.List.TotalCount)
		}

		var made struct{ CreatePaymentExport struct{ URL string } }
		manager.Do(t, `mutation($shop: ID!) { createPaymentExport(businessId: $shop) { url } }`, variables, &made)
		sheet := string(d.Fetch(t, http.MethodGet, "/"+made.CreatePaymentExport.URL, nil).Body)
		number := func(id string) string {
			text := d.row(t, id).OrderNumber
			if kept := `"=""` + text + `"""`; strings.Contains(sheet, kept) { // some look like a number
				return kept
			}
			return text
		}
		for _, row := range []string{
			"day,receivedAt,orderNumber,type,status,gateway,account,reference,theirs,transferRefNumber,card,amount," +
				"refunded,currency,isTest,markedAt\r\n",
			fmt.Sprintf("\r\n2026-11-15,2026-11-15T12:00:00Z,%s,e_payment_gate,paid,zibal,", number(zibal.id)),
			fmt.Sprintf(`,"=""%s""",%d,3,IRT,false,`, card[12:], p.Amount),
			number(zarinpal.id) + ",e_payment_gate,paid,zarinpal,",
			fmt.Sprintf("\r\n2026-11-16,2026-11-15T20:30:00Z,%s,transfer,paid,,,", number(transfer.ID)),
		} {
			if !strings.Contains(sheet, row) {
				t.Errorf("there is no %q in\n%s", row, sheet)
			}
		}
		if rows := strings.Count(sheet, "\r\n"); rows != 4 {
			t.Errorf("got %d rows:\n%s", rows, sheet)
		}
		entry := d.Store.Client.AuditEntry.Query().Where(auditentry.Action("exportSheet")).OnlyX(d.in(t))
		if entry.Kind != "payment" || !strings.Contains(string(entry.After), "3") {
			t.Errorf("the audit log has %s, %s", entry.Kind, entry.After)
		}
	})
}

// TestNothingGoesBack reads the refunds and tries of payments without any: staff get empty lists, which others do not.
func TestNothingGoesBack(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		type refunds *[]struct{ Status string }
		type payment struct {
			Refunds  refunds
			Attempts *[]struct{ Refunds refunds }
		}
		const shown = `query($shop: ID!, $id: ID!) { shopOrder(businessId: $shop, orderId: $id) { order { payment {
			refunds { status } attempts { refunds { status } } } } } }`
		sold, cash := d.sold(t, d.zibal), d.Pays(t, "D-13", record.PayInCash)
		for id, tries := range map[string]int{sold.id: 1, cash.ID: 0} {
			var staff struct {
				ShopOrder struct{ Order struct{ Payment payment } }
			}
			sold.manager.Do(t, shown, map[string]any{"shop": d.Tools, "id": id}, &staff)
			p := staff.ShopOrder.Order.Payment
			if p.Refunds == nil || p.Attempts == nil || len(*p.Attempts) != tries {
				t.Fatalf("got the refunds %v and the tries %v, want lists", p.Refunds, p.Attempts)
			}
			for _, one := range *p.Attempts {
				if one.Refunds == nil {
					t.Error("got null for the refunds of a try")
				}
			}
		}
		var me struct {
			Me struct{ Order struct{ Payment payment } }
		}
		customer := shoptest.Worker{API: d.Crew.GraphQL().With(d.Access)}
		customer.Do(t, `query($shop: ID!, $id: ID!) { me { order(businessId: $shop, orderId: $id) {
			payment { refunds { status } attempts { state } } } } }`,
			map[string]any{"shop": d.Tools, "id": sold.id}, &me)
		if p := me.Me.Order.Payment; p.Refunds != nil || p.Attempts != nil {
			t.Errorf("a customer sees %v and %v", p.Refunds, p.Attempts)
		}
	})
}
