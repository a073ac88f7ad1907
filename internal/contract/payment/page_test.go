package payment_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestPageOfNothing opens links that were not copied whole: people get a page.
func TestPageOfNothing(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for _, path := range []string{"/pay/" + strings.Repeat("Z", 20), "/pay/Z", "/pay/Z/Z"} {
			got := browse(t, "GET", d.URL+path, nil)
			if got.status != http.StatusNotFound || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") ||
				!strings.Contains(got.body, "copied whole") {
				t.Errorf("%s: got %d, %s", path, got.status, got.body)
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

// TestTriesRunOut begins a payment ten times: the eleventh is refused for good.
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
