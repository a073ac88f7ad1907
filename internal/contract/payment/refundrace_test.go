package payment_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
	"storefront/internal/database"
)

// holds has a stand-in hold its next answer to a call of a path until the returned function is called.
func (b *bank) holds(path string) (reached chan bool, release func()) {
	reached, let := make(chan bool), make(chan bool)
	var was atomic.Bool
	b.answering = func(r *http.Request) {
		if strings.HasPrefix(r.URL.Path, path) && was.CompareAndSwap(false, true) {
			reached <- true
			<-let
		}
	}
	return reached, func() { close(let) }
}

// TestRefundBookedLater has the database refuse what Watch books of a refund of the panel: it is booked later.
func TestRefundBookedLater(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		run := func(sql string) {
			t.Helper()
			_, err := database.Statement(sql).Exec(d.in(t), d.Store.Client.Raw(), database.Values{})
			if err != nil {
				t.Fatal(err)
			}
		}
		s := d.sold(t, d.stripe)
		d.stripe.fails(t, "refunds", "cut", "before", "")
		d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: 5})
		d.stripe.Wait()
		d.stripe.recovers(t)
		run(`ALTER TABLE refunds RENAME TO refunds_away`)
		d.pass(t, 11*time.Minute)
		run(`ALTER TABLE refunds_away RENAME TO refunds`)
		d.pass(t, 2*time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "5 done")
	})
}

// TestDisputeDuringLook has the customer contest a payment while the service reads that it is paid.
func TestDisputeDuringLook(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		o := d.buys(t)
		page := d.begin(t, o, d.stripe)
		d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "event", Kind: "lost", Match: "checkout.session.completed"}}})
		pays(t, page, "pay")
		d.stripe.Wait()
		reached, release := d.stripe.holds("/v1/checkout/sessions/")
		d.Clock.Pass(3 * time.Minute)
		var wait sync.WaitGroup
		wait.Go(func() { d.Service.WatchPayments(t.Context()) })
		<-reached
		d.stripe.do(t, standin.Command{Do: "dispute", ID: page[strings.LastIndex(page, "/")+1:]})
		d.stripe.Wait()
		release()
		wait.Wait()
		d.pass(t, 12*time.Minute)
		if got := d.refunds(t, d.row(t, o.id).Edges.Payments[1].ID); !strings.HasSuffix(got, "disputed") {
			t.Errorf("got the refunds %q", got)
		}
	})
}

// TestRefundSentThenInPanel gives all of a payment back in the panel after a part was sent and not made.
func TestRefundSentThenInPanel(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		d.stripe.fails(t, "refund", "cut", "before", "")
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [paid]", "300 unknown")
		d.stripe.recovers(t)
		d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: s.minor})
		d.stripe.Wait()
		d.pass(t, time.Minute)
		d.wantRefunds(t, s, "cancelled [refunded]", fmt.Sprintf("300 failed, %d done", s.minor))
		d.wantProblem(t, s, false)
	})
}

// TestOldListIsNotWritten lets the claim of a look expire before its list of refunds arrives, and another look run: the
// older list is not written.
func TestOldListIsNotWritten(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		s := d.sold(t, d.stripe)
		listens := d.Listens(t, "tools", "payment_refunded")
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		theirs := *d.Store.Client.Refund.Query().OnlyX(d.in(t)).Reference
		d.stripe.Wait()
		d.Clock.Pass(time.Minute)
		reached, release := d.stripe.holds("/v1/disputes")
		d.stripe.do(t, standin.Command{Do: "refund", ID: s.session, Amount: 5})
		<-reached // the event's look has read the refunds
		d.stripe.fails(t, "event", "lost", "after", "")
		d.stripe.do(t, standin.Command{Do: "refundFailed", ID: theirs})
		d.Clock.Pass(61 * time.Second)
		d.Service.WatchPayments(t.Context()) // or a call of Stripe's that was late is the other look
		release()
		d.stripe.Wait()
		d.wantRefunds(t, s, "cancelled [paid]", "300 failed, 5 done")
		if n := len(d.Deliveries(t, listens)); n != 3 {
			t.Errorf("got %d events, want one of each change", n)
		}
	})
}
