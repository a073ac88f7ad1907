package payment_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/payment"
	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// wantProblem compares whether the payment of a sale has a problem for staff.
func (d *desk) wantProblem(t *testing.T, s sale, want bool) {
	t.Helper()
	p := d.Store.Client.Payment.Query().Where(payment.ID(s.payment)).OnlyX(d.in(t))
	if got := p.Problem != nil; got != want {
		t.Errorf("the payment has the problem %v", p.Problem)
	}
}

// fails has an operation of a stand-in fail, as often as it is called.
func (b *bank) fails(t *testing.T, operation, kind, moment, code string) {
	t.Helper()
	b.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
		{Operation: operation, Kind: kind, Moment: moment, Code: code, Times: -1}}})
}

// recovers has a stand-in answer again.
func (b *bank) recovers(t *testing.T) { b.do(t, standin.Command{Do: "clear"}) }

// TestRefundListMissing has Stripe call about a refund of its panel while it answers nothing else: it is found later.
func TestRefundListMissing(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		d.stripe.fails(t, "refunds", "cut", "before", "")
		d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: 5})
		d.stripe.Wait()
		d.pass(t, 3*time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "")
		d.stripe.recovers(t)
		d.pass(t, 11*time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "5 done")
	})
}

// TestRefundListRefused asks for a refund with a key that may not read refunds: staff see the reason, and the money is
// due again.
func TestRefundListRefused(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		d.stripe.fails(t, "refunds", "refuse", "before", "403")
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 failed")
		d.wantProblem(t, s, true)
		d.stripe.recovers(t)
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 failed, 300 done")
		d.wantProblem(t, s, false)
	})
}

// TestRefundInPanelFirst gives money back in the panel before the service sends the refunds of staff: these fail.
func TestRefundInPanelFirst(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		rest := fmt.Sprintf("%d.%02d", (s.minor-300)/100, (s.minor-300)%100)
		s.manager.Do(t, refundPayment, d.part(s, rest), nil)
		d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: s.minor})
		d.stripe.Wait()
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [refunded]", fmt.Sprintf("300 failed, %d failed, %d done", s.minor-300, s.minor))
		d.wantProblem(t, s, false)
	})
}

// TestRefundAfterDispute reads in one list that a dispute was won and that all was given back after it.
func TestRefundAfterDispute(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		d.stripe.do(t, standin.Command{Do: "dispute", ID: s.session})
		d.stripe.Wait()
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", fmt.Sprintf("%d disputed", s.minor))
		s.manager.Refused(t, "CONFLICT", shoptest.MarkPayment, map[string]any{"shop": d.Tools, "id": s.id,
			"in": map[string]any{"status": "refunded"}})
		d.stripe.fails(t, "event", "lost", "after", "")
		d.stripe.do(t, standin.Command{Do: "won", ID: s.session})
		d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: s.minor})
		d.pass(t, 62*time.Minute)
		d.wantRefunds(t, s, "cancelled [refunded]", fmt.Sprintf("%d failed, %d done", s.minor, s.minor))
	})
}

// TestRefundAccountForgotten forgets the credentials of an account by force while the state of a refund is unknown:
// the refund fails, and staff record what the gateway shows.
func TestRefundAccountForgotten(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		d.stripe.fails(t, "refund", "cut", "before", "")
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 unknown")
		row := shoptest.Must(d.Store.Client.GatewayAccount.Get(d.in(t), d.stripe.account))(t)
		shoptest.Must(d.Store.Client.GatewayAccount.UpdateOne(row).ClearSecrets().SetActive(false).Save(d.in(t)))(t)
		d.pass(t, 5*time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 failed")
		d.wantProblem(t, s, true)
		if row := d.Store.Client.Refund.Query().OnlyX(d.in(t)); row.Problem == nil {
			t.Error("the refund has no problem")
		}
		s.manager.Do(t, recordRefund, d.part(s, "3"), nil)
		d.wantRefunds(t, s, "cancelled [paid]", "300 failed, 300 done")
	})
}

// TestRefundDoneAfterAll has a gateway make a refund that it had said to have failed, after staff gave the money back
// otherwise: what is booked stays, with a problem for staff.
func TestRefundDoneAfterAll(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		s.manager.Do(t, refundPayment, d.part(s, s.all()), nil)
		d.pass(t, time.Minute)
		row := d.Store.Client.Refund.Query().OnlyX(d.in(t)).ID
		shoptest.Must(d.Store.Client.Refund.UpdateOneID(row).SetStatus(record.RefundFailed).Save(d.in(t)))(t)
		shoptest.Must(d.Store.Client.Payment.UpdateOneID(s.payment).AddRefunded(-s.minor).SetStatus(record.StatePaid).
			Save(d.in(t)))(t)
		s.manager.Do(t, recordRefund, d.part(s, s.all()), nil)
		d.stripe.do(t, standin.Command{Do: "repeat", ID: s.session})
		d.stripe.Wait()
		d.pass(t, time.Minute)
		if got, want := d.refunds(t, s.payment), fmt.Sprintf("%d failed, %d done", s.minor, s.minor); got != want {
			t.Errorf("got %s", got)
		}
		d.wantProblem(t, s, true)
	})
}

// TestDisputeOfRefunded contests a payment that staff gave back by a transfer, and one whose success the service has
// not read yet.
func TestDisputeOfRefunded(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		s.manager.Do(t, recordRefund, d.part(s, s.all()), nil)
		d.stripe.do(t, standin.Command{Do: "dispute", ID: s.session})
		d.stripe.Wait()
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [refunded]", fmt.Sprintf("%d done", s.minor))
		d.wantProblem(t, s, true)

		o := d.buys(t)
		page := d.begin(t, o, d.stripe)
		d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "event", Kind: "lost", Match: "checkout.session.completed"}}})
		pays(t, page, "pay")
		d.stripe.Wait()
		d.wantStates(t, o, "[pending] sent")
		d.stripe.do(t, standin.Command{Do: "dispute", ID: page[strings.LastIndex(page, "/")+1:]})
		d.stripe.Wait()
		d.pass(t, 10*time.Minute)
		if got := d.refunds(t, d.row(t, o.id).Edges.Payments[1].ID); !strings.HasSuffix(got, "disputed") {
			t.Errorf("got the refunds %q", got)
		}
	})
}

// TestPanelOfZibal gives back and undoes, in the panel, payments of which staff recorded a part.
func TestPanelOfZibal(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		back, undone := d.sold(t, d.zibal), d.sold(t, d.zibal)
		for _, s := range []sale{back, undone} {
			part := d.part(s, "1")
			part["in"].(map[string]any)["reference"] = s.session
			s.manager.Do(t, recordRefund, part, nil)
		}
		d.zibal.do(t, standin.Command{Do: "refund", ID: back.session, Amount: back.minor * 10})
		d.zibal.do(t, standin.Command{Do: "reverse", ID: undone.session})
		d.pass(t, 12*time.Minute)
		for _, s := range []sale{back, undone} {
			d.wantStates(t, s.order, "cancelled [paid]")
			d.wantProblem(t, s, true)
		}
	})
}

// TestRefundsInFigures asks for the figures of a day, which are stored, before and after refunds of its orders: also of
// a second payment, whose event names that payment.
func TestRefundsInFigures(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		from := d.Clock.Now().Truncate(24 * time.Hour)
		s := d.sold(t, d.stripe)
		d.Clock.Pass(48 * time.Hour)
		s.manager = d.Staff(t, d.Tools, record.Manager) // signed in now
		refunds := func() string {
			t.Helper()
			var seen struct {
				ShopReport struct {
					Total struct {
						Money []struct{ Refunds struct{ Amount string } }
					}
				}
			}
			s.manager.Do(t, `query($shop: ID!, $from: Time!, $until: Time!) {
				shopReport(businessId: $shop, from: $from, until: $until) { total { money { refunds { amount } } } } }`,
				map[string]any{"shop": d.Tools, "from": from, "until": from.Add(48 * time.Hour)}, &seen)
			if len(seen.ShopReport.Total.Money) != 1 {
				t.Fatalf("got %+v", seen)
			}
			return seen.ShopReport.Total.Money[0].Refunds.Amount
		}
		if got := refunds(); got != "0.00" {
			t.Errorf("got %s before", got)
		}
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		if got := refunds(); got != "3.00" {
			t.Errorf("got %s once it is asked", got)
		}
		d.pass(t, time.Minute)
		second := shoptest.Must(d.Store.Client.Payment.Create().SetOrderID(uuid.MustParse(s.id)).
			SetType(record.PayAtGateway).SetStatus(record.StateReview).SetCounts(false).SetAmount(s.minor).
			Save(d.in(t)))(t)
		listens := d.Listens(t, "tools", record.MoneyRefunded)
		s.payment = second.ID
		s.manager.Do(t, recordRefund, d.part(s, s.all()), nil)
		if got, want := refunds(), fmt.Sprintf("%d.%02d", (s.minor+300)/100, s.minor%100); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		var event struct {
			Data struct {
				Payment struct {
					Status         string
					RefundedAmount json.Number
				}
			}
		}
		rows := d.Deliveries(t, listens)
		if err := json.Unmarshal([]byte(rows[0].Payload), &event); err != nil || len(rows) != 1 ||
			event.Data.Payment.Status != "refunded" || event.Data.Payment.RefundedAmount.String() != s.all() {
			t.Errorf("got %d events, %+v (%v)", len(rows), event, err)
		}
	})
}
