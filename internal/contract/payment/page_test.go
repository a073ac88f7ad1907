package payment_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"storefront/ent/refund"
	"storefront/internal/app"
	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestPageOfNothing opens links that were not copied whole: people get a page.
func TestPageOfNothing(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for _, path := range []string{"pay/" + strings.Repeat("Z", 20), "pay/Z", "pay/Z/Z"} {
			for accept, want := range map[string]string{"text/html,*/*;q=0.8": "text/html", "*/*": "application/json"} {
				got := d.Fetch(t, "GET", "/"+path, nil, "Accept", accept)
				if got.Status != http.StatusNotFound || !strings.HasPrefix(got.Header.Get("Content-Type"), want) ||
					!strings.Contains(string(got.Body), "copied whole") {
					t.Errorf("%s: got %d, %s", path, got.Status, got.Body)
				}
			}
		}
	})
}

// TestPageOfOwed opens the page of an order that was paid and then cancelled: it does not ask for money.
func TestPageOfOwed(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		s := d.sold(t, d.zibal)
		s.manager.Do(t, `mutation($shop: ID!, $id: ID!) {
			moveOrder(businessId: $shop, orderId: $id, status: cancelled) { message } }`,
			map[string]any{"shop": d.Tools, "id": s.id}, nil)
		got := browse(t, "GET", d.URL+"/pay/"+s.code, nil).body
		if !strings.Contains(got, "باید پول") || strings.Contains(got, "پرداخت نشده") {
			t.Errorf("got %s", got)
		}
	})
}

// TestTriesRunOut begins a payment ten times: the eleventh is refused, without a time to wait.
func TestTriesRunOut(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		banks := []*bank{d.zibal, d.zarinpal}
		for i := range 10 {
			d.begin(t, o, banks[i%2])
		}
		got := browse(t, "POST", d.URL+"/pay/"+o.code, url.Values{"with": {d.zibal.account.String()}})
		if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "" {
			t.Errorf("got %d, Retry-After: %q", got.status, got.header.Get("Retry-After"))
		}
	})
}

// TestBeginAgain loses Stripe's answer to the beginning of a payment: it is begun again, as the same.
func TestBeginAgain(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		o := d.buys(t)
		d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "create", Kind: "cut", Moment: "after"}}})
		form := url.Values{"with": {d.stripe.account.String()}}
		got := browse(t, "POST", d.URL+"/pay/"+o.code, form)
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "30" {
			t.Errorf("got %d, Retry-After: %q", got.status, got.header.Get("Retry-After"))
		}
		d.Clock.Pass(30 * time.Second)
		d.back(t, pays(t, d.begin(t, o, d.stripe), "pay"))
		d.stripe.Wait()
		d.pass(t, time.Minute)
		d.wantStates(t, o, "cancelled [paid]")
		if all := shoptest.Must(d.stripe.Do(standin.Command{Do: "sessions"}))(t).([]standin.Session); len(all) != 1 {
			t.Errorf("Stripe has %d sessions", len(all))
		}
		if paid := d.row(t, o.id); paid.Status != record.OrderPending {
			t.Errorf("the order is %s", paid.Status)
		}
	})
}

// TestGatewayUnreachable begins a payment at a gateway that cannot be reached: the customer may try again.
func TestGatewayUnreachable(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		cut := d.Instance(t, func(o *app.Options) {
			d.settings(o)
			o.GatewayURLs["zibal"] = "http://127.0.0.1:1"
		})
		got := browse(t, "POST", cut.URL+"/pay/"+o.code, url.Values{"with": {d.zibal.account.String()}})
		if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "30" {
			t.Errorf("got %d, Retry-After: %q", got.status, got.header.Get("Retry-After"))
		}
		d.wantStates(t, o, "[pending] failed")
		noBase := d.Instance(t, func(o *app.Options) {
			d.settings(o)
			o.PublicURL = ""
		})
		page := browse(t, "GET", noBase.URL+"/pay/"+o.code, nil).body
		if !strings.Contains(page, "نمی‌تواند پرداخت اینترنتی بپذیرد") {
			t.Errorf("got %s", page)
		}
	})
}

// TestTransferRefunded marks a transfer as paid and then as refunded: each keeps its own reference. A list that is read
// again changes nothing of a refund that has not changed.
func TestTransferRefunded(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		manager := d.Staff(t, d.Tools, record.Manager)
		o := d.Pays(t, "D-13", record.PayByTransfer)
		for _, mark := range []string{"paid", "refunded"} {
			manager.Do(t, shoptest.MarkPayment, map[string]any{"shop": d.Tools, "id": o.ID,
				"in": map[string]any{"status": mark, "reference": "R-" + mark}}, nil)
		}
		p := d.row(t, o.ID).Edges.Payments[0]
		row := d.Store.Client.Refund.Query().OnlyX(d.in(t))
		if *p.Reference != "R-paid" || *row.Reference != "R-refunded" {
			t.Errorf("the payment has %s, its refund %s", *p.Reference, *row.Reference)
		}

		s := d.sold(t, d.stripe)
		s.manager.Do(t, refundPayment, d.part(s, "3"), nil)
		d.pass(t, time.Minute)
		first := d.Store.Client.Refund.Query().Where(refund.PaymentID(s.payment)).OnlyX(d.in(t))
		s.manager.Do(t, refundPayment, d.part(s, "2"), nil)
		d.pass(t, time.Minute)
		for _, again := range d.Store.Client.Refund.Query().Where(refund.PaymentID(s.payment)).AllX(d.in(t)) {
			if again.ID == first.ID && !again.UpdatedAt.Equal(first.UpdatedAt) {
				t.Errorf("the refund of %s was changed at %s", first.UpdatedAt, again.UpdatedAt)
			}
		}
	})
}
