package payment_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/ent/refund"
	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const (
	refundPayment = `mutation($shop: ID!, $payment: ID!, $in: RefundInput!) {
		refundPayment(businessId: $shop, paymentId: $payment, input: $in) { message } }`
	recordRefund = `mutation($shop: ID!, $payment: ID!, $in: RecordedRefundInput!) {
		recordRefund(businessId: $shop, paymentId: $payment, input: $in) { order { payment { refundedAmount } } } }`
)

// sale is an order that is paid at a gateway.
type sale struct {
	order
	manager shoptest.Worker
	session string    // the gateway's
	payment uuid.UUID // ours
	minor   int64
}

// all returns the amount in dollars.
func (s sale) all() string { return fmt.Sprintf("%d.%02d", s.minor/100, s.minor%100) }

// sold has a customer buy and pay.
func (d *desk) sold(t *testing.T, at *bank) sale {
	t.Helper()
	o := d.buys(t)
	page := d.begin(t, o, at)
	d.back(t, pays(t, page, "pay"))
	d.stripe.Wait()
	p := d.row(t, o.id).Edges.Payments[1]
	if p.Status != record.StatePaid {
		t.Fatalf("the payment is %s", p.Status)
	}
	return sale{o, d.Staff(t, d.Tools, record.Manager), page[strings.LastIndex(page, "/")+1:], p.ID, p.Amount}
}

// refunds returns the refunds of a payment, oldest first, as 3.00 done.
func (d *desk) refunds(t *testing.T, id uuid.UUID) string {
	t.Helper()
	var all []string
	for _, r := range d.Store.Client.Refund.Query().Where(refund.PaymentID(id)).Order(refund.ByID()).AllX(d.in(t)) {
		all = append(all, fmt.Sprint(r.Amount, " ", r.Status))
	}
	return strings.Join(all, ", ")
}

func (d *desk) wantRefunds(t *testing.T, s sale, states, refunds string) {
	t.Helper()
	d.wantStates(t, s.order, states)
	if got := d.refunds(t, s.payment); got != refunds {
		t.Errorf("got the refunds %q, want %q", got, refunds)
	}
	d.Balances(t, nil)
}

func (d *desk) part(s sale, amount string) map[string]any {
	return map[string]any{"shop": d.Tools, "payment": s.payment, "in": map[string]any{
		"amount": json.Number(amount), "reason": "late"}}
}

// TestRefund has Stripe give back parts of a payment, and all of it after the order was cancelled; more than is left is
// refused. Webhooks get an event of each refund.
func TestRefund(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, h *hook) {
		s := d.sold(t, d.stripe)
		listens := d.Listens(t, "tools")
		for _, wrong := range []string{"0", "-1", "0.001", "99999999"} {
			code := "VALIDATION_FAILED"
			if wrong == "99999999" {
				code = "CONFLICT"
			}
			s.manager.Refused(t, code, refundPayment, d.part(s, wrong))
		}
		d.Staff(t, d.Mugs, record.Manager).Refused(t, "FORBIDDEN", refundPayment, d.part(s, "1"))
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.wantRefunds(t, s, "cancelled [paid]", "300 asked")
		entry := d.Store.Client.AuditEntry.Query().Where(auditentry.Action("refundPayment")).OnlyX(d.in(t))
		before, after := strings.Fields(string(entry.Before)), strings.Fields(string(entry.After))
		if !strings.Contains(strings.Join(before, ""), `"refunded":0.00`) ||
			!strings.Contains(strings.Join(after, ""), `"refunded":3.00`) {
			t.Errorf("the audit log has %s, %s", entry.Before, entry.After)
		}
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 done")

		s.manager.Do(t, `mutation($shop: ID!, $id: ID!) {
			moveOrder(businessId: $shop, orderId: $id, status: cancelled) { message } }`,
			map[string]any{"shop": d.Tools, "id": s.id}, nil)
		left := s.minor - 300
		var seen struct {
			ShopOrder struct {
				Order struct {
					Payment struct {
						ID             uuid.UUID
						RefundDue      bool
						RefundDueMoney struct{ Amount string } `json:"refundDueAmountMoney"`
						Refunds        []struct{ Status string }
						Attempts       []struct{ CanRefund bool }
					}
				}
			}
		}
		const shown = `query($shop: ID!, $id: ID!) { shopOrder(businessId: $shop, orderId: $id) { order { payment {
			id refundDue refundDueAmountMoney { amount } refunds { status } attempts { canRefund } } } } }`
		s.manager.Do(t, shown, map[string]any{"shop": d.Tools, "id": s.id}, &seen)
		p := seen.ShopOrder.Order.Payment
		if p.ID != s.payment || !p.RefundDue || p.RefundDueMoney.Amount != fmt.Sprintf("%d.%02d", left/100, left%100) ||
			len(p.Refunds) != 1 || len(p.Attempts) != 1 || !p.Attempts[0].CanRefund {
			t.Errorf("got %+v", p)
		}
		s.manager.Do(t, refundPayment, d.part(s, p.RefundDueMoney.Amount), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [refunded]", fmt.Sprintf("300 done, %d done", left))
		if n := d.stripe.booked(t, "refund"); n != 2 {
			t.Errorf("Stripe made %d refunds", n)
		}
		h.want(t, d, slices.Repeat([]int{200}, 6)...)
		d.pass(t, time.Minute)
		want := "payment_refunded order_moved payment_refunded"
		if got := shoptest.EventTypes(d.Deliveries(t, listens)); got != want {
			t.Errorf("got the events %s", got)
		}
	})
}

// TestRefundsAtOnce asks eight times at once for a third of a payment: three are made.
func TestRefundsAtOnce(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, h *hook) {
		s := d.sold(t, d.stripe)
		third := s.minor / 3
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				s.manager.Ask(t, refundPayment, d.part(s, fmt.Sprintf("%d.%02d", third/100, third%100)))
			})
		}
		wait.Wait()
		d.pass(t, 3*time.Minute)
		if n := d.stripe.booked(t, "refund"); n != 3 {
			t.Errorf("Stripe made %d refunds: %s", n, d.refunds(t, s.payment))
		}
		d.Balances(t, nil)
	})
}

// TestRefundWithoutAnswer loses the answers of Stripe, before and after it has given the money back: it is given back
// once, also days later, when Stripe has forgotten the key.
func TestRefundWithoutAnswer(t *testing.T) {
	for _, moment := range []string{"before", "after"} {
		t.Run(moment, func(t *testing.T) {
			eachStripe(t, func(t *testing.T, d *desk, h *hook) {
				s := d.sold(t, d.stripe)
				d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
					{Operation: "refund", Kind: "cut", Moment: moment},
					{Operation: "event", Kind: "lost", Times: -1}}})
				s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
				d.pass(t, time.Minute)
				d.wantRefunds(t, s, "cancelled [paid]", "300 unknown")
				s.manager.Refused(t, "CONFLICT", refundPayment, d.part(s, s.all()))
				d.Clock.Pass(48 * time.Hour)
				d.pass(t, 2*time.Minute)
				d.wantRefunds(t, s, "cancelled [paid]", "300 done")
				if n := d.stripe.booked(t, "refund"); n != 1 {
					t.Errorf("Stripe made %d refunds", n)
				}
			})
		})
	}
}

// TestRefundFails has Stripe refuse a refund, and fail one that was made, days later: the money is due again.
func TestRefundFails(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, h *hook) {
		s := d.sold(t, d.stripe)
		d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "refund", Kind: "refuse", Code: "403", Moment: "before"}}})
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 failed")
		if row := d.Store.Client.Refund.Query().OnlyX(d.in(t)); row.Problem == nil {
			t.Error("staff are not told why")
		}
		s.manager.Do(t, refundPayment, d.part(s, s.all()), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [refunded]", fmt.Sprintf("300 failed, %d done", s.minor))
		d.Clock.Pass(48 * time.Hour)
		d.stripe.do(t, standin.Command{Do: "refundFailed",
			ID: *d.Store.Client.Refund.Query().Where(refund.StatusEQ(record.RefundDone)).OnlyX(d.in(t)).Reference})
		d.stripe.Wait()
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", fmt.Sprintf("300 failed, %d failed", s.minor))
	})
}

// TestRefundInPanel gives money back in Stripe's panel, and then the customer contests the rest: both are booked, and
// nothing is given back twice.
func TestRefundInPanel(t *testing.T) {
	for _, ends := range []string{"won", "lost"} {
		t.Run(ends, func(t *testing.T) {
			eachStripe(t, func(t *testing.T, d *desk, h *hook) {
				s := d.sold(t, d.stripe)
				d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: 1})
				d.stripe.Wait()
				d.pass(t, time.Minute)
				d.wantRefunds(t, s, "cancelled [paid]", "1 done")
				d.stripe.do(t, standin.Command{Do: "dispute", ID: s.session})
				d.stripe.Wait()
				d.pass(t, time.Minute)
				d.wantRefunds(t, s, "cancelled [paid]", fmt.Sprintf("1 done, %d disputed", s.minor-1))
				s.manager.Refused(t, "CONFLICT", refundPayment, d.part(s, "1"))
				var found struct {
					Shown struct{ TotalCount int } `json:"shopOrdersConnection"`
				}
				s.manager.Do(t, `query($shop: ID!) {
					shopOrdersConnection(businessId: $shop, disputed: true) { totalCount } }`,
					map[string]any{"shop": d.Tools}, &found)
				if found.Shown.TotalCount != 1 {
					t.Errorf("%d orders are contested", found.Shown.TotalCount)
				}
				d.stripe.do(t, standin.Command{Do: ends, ID: s.session})
				d.stripe.Wait()
				d.pass(t, time.Minute)
				want := map[string][2]string{
					"won":  {"cancelled [paid]", fmt.Sprintf("1 done, %d failed", s.minor-1)},
					"lost": {"cancelled [refunded]", fmt.Sprintf("1 done, %d done", s.minor-1)}}[ends]
				d.wantRefunds(t, s, want[0], want[1])
			})
		})
	}
}

// TestRefundAtZibal gives money back in the panel of a gateway that does not call, and undoes a payment there.
func TestRefundAtZibal(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		s, undone := d.sold(t, d.zibal), d.sold(t, d.zibal)
		s.manager.Refused(t, "CONFLICT", refundPayment, d.part(s, "1"))
		made := d.zibal.do(t, standin.Command{Do: "refund", ID: s.session,
			Amount: s.minor * 10}).(standin.Refund)
		d.pass(t, 12*time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", fmt.Sprintf("%d sent", s.minor))
		d.zibal.do(t, standin.Command{Do: "refundFailed", ID: made.ID})
		d.pass(t, 61*time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", fmt.Sprintf("%d failed", s.minor))

		d.zibal.do(t, standin.Command{Do: "reverse", ID: undone.session})
		d.pass(t, 12*time.Minute)
		d.wantRefunds(t, undone, "[pending] given_back", "")
		again := d.begin(t, undone.order, d.zibal)
		d.back(t, pays(t, again, "pay"))
		d.wantStates(t, undone.order, "cancelled given_back [paid]")
	})
}

// TestRecordRefund records refunds that staff made, of a gateway that makes none, also at once.
func TestRecordRefund(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		s := d.sold(t, d.zarinpal)
		half := fmt.Sprint(s.minor / 2)
		part := d.part(s, half)
		part["in"].(map[string]any)["reference"] = "TR-9"
		s.manager.Do(t, recordRefund, part, nil)
		d.wantRefunds(t, s, "cancelled [paid]", half+" done")
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() { s.manager.Ask(t, recordRefund, part) })
		}
		wait.Wait()
		d.wantRefunds(t, s, "cancelled [refunded]", half+" done, "+half+" done")
		s.manager.Refused(t, "CONFLICT", recordRefund, part)
	})
}
