package payment_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/internal/app"
	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestPay pays an order at a gateway, and comes back twice.
func TestPay(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		events := d.Listens(t, "tools", record.PaymentMarked)
		o := d.buys(t)
		page := browse(t, "GET", d.URL+"/pay/"+o.code, nil)
		for _, want := range []string{`lang="fa"`, d.row(t, o.id).OrderNumber, d.zibal.account.String(),
			d.zarinpal.account.String(), `dir="rtl"`} {
			if !strings.Contains(page.body, want) {
				t.Errorf("the page lacks %s: %s", want, page.body)
			}
		}
		for name, want := range map[string]string{"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow",
			"Referrer-Policy": "origin"} {
			if got := page.header.Get(name); got != want {
				t.Errorf("got %s: %s, want %s", name, got, want)
			}
		}
		if policy := page.header.Get("Content-Security-Policy"); strings.Contains(policy, "script-src") ||
			!strings.Contains(policy, "form-action 'self' ") || !strings.Contains(policy, d.zibal.url) {
			t.Errorf("got the policy %s", policy)
		}
		for range 20 {
			browse(t, "GET", d.URL+"/pay/"+o.code, nil)
		}
		if d.wantStates(t, o, "[pending]"); d.zibal.booked(t, "request") != 0 {
			t.Error("a GET called the gateway")
		}
		home := pays(t, d.begin(t, o, d.zibal), "pay")
		d.wantStates(t, o, "[pending] sent")
		for range 2 {
			if got := d.back(t, home); got != "/pay/"+o.code {
				t.Errorf("got back to %s", got)
			}
			d.wantStates(t, o, "cancelled [paid]")
		}
		if n := d.zibal.booked(t, "verify"); n != 1 {
			t.Errorf("verified %d times", n)
		}
		d.pass(t, 20*time.Minute)
		if n := d.zibal.booked(t, "verify"); n != 1 {
			t.Errorf("verified %d times", n)
		}
		paid := d.row(t, o.id)
		if p := paid.Edges.Payments[1]; paid.Status != record.OrderPending || p.Reference == nil || *p.Card != "5678" ||
			p.HoldsUntil != nil {
			t.Errorf("got the order %s and %+v", paid.Status, p)
		}
		if n := len(d.Deliveries(t, events)); n != 1 {
			t.Errorf("got %d events of the payment, want 1", n)
		}
		if page := browse(t, "GET", d.URL+"/pay/"+o.code, nil); strings.Contains(page.body, "<button") {
			t.Error("an order that is paid can be paid again")
		}
		d.Balances(t, nil)
	})
}

// TestCancelledThenPaid comes back from the gateway without having paid, goes on with the same try, and pays.
func TestCancelledThenPaid(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		for _, at := range []*bank{d.zibal, d.zarinpal} {
			o := d.buys(t)
			first := d.begin(t, o, at)
			d.back(t, pays(t, first, "cancel"))
			d.wantStates(t, o, "[pending] sent")
			d.Clock.Pass(10 * time.Second)
			if again := d.begin(t, o, at); again != first {
				t.Errorf("got %s, want the same try: %s", again, first)
			}
			d.back(t, pays(t, first, "pay"))
			d.wantStates(t, o, "cancelled [paid]")
		}
	})
}

// TestTwoTabs pays one order at two gateways. One payment is its own; the other is never verified, so that the gateway
// gives it back.
func TestTwoTabs(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		first, second := d.begin(t, o, d.zibal), d.begin(t, o, d.zarinpal)
		d.wantStates(t, o, "[pending] superseded sent")
		homes := []string{pays(t, first, "pay"), pays(t, second, "pay")}
		d.back(t, homes[0])
		d.wantStates(t, o, "cancelled [paid] sent")
		d.back(t, homes[1])
		d.pass(t, 45*time.Minute)
		d.wantStates(t, o, "cancelled [paid] given_back")
		if n := d.zarinpal.booked(t, "given_back"); n != 1 {
			t.Errorf("the second payment was given back %d times", n)
		}
		d.Balances(t, nil)
	})
}

// TestCallbackLost pays without coming back: the service finds it.
func TestCallbackLost(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		d.zibal.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{{Operation: "callback", Kind: "lost"}}})
		pays(t, d.begin(t, o, d.zibal), "pay")
		d.wantStates(t, o, "[pending] sent")
		d.pass(t, 3*time.Minute)
		d.wantStates(t, o, "cancelled [paid]")
	})
}

// TestPaidAfterCancellation cancels an order whose customer is at the gateway. What was not verified goes back; what
// may have been is verified, and is owed.
func TestPaidAfterCancellation(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		page := d.begin(t, o, d.zibal)
		if got := d.Cancel(t, o.id); got.Code != "" {
			t.Fatal(got.Body)
		}
		d.back(t, pays(t, page, "pay"))
		d.pass(t, 45*time.Minute)
		if d.wantStates(t, o, "[cancelled] given_back"); d.zibal.booked(t, "verify") != 0 {
			t.Error("a payment of a cancelled order was verified")
		}

		d.Shopper = d.REST().Shopper(t, 2)
		o = d.buys(t)
		page = d.begin(t, o, d.zibal)
		d.zibal.do(t, standin.Command{Do: "inject",
			Faults: []standin.Fault{{Operation: "verify", Kind: "cut", Moment: "after"}}})
		d.back(t, pays(t, page, "pay"))
		d.wantStates(t, o, "[pending] verifying")
		form := url.Values{"with": {d.zarinpal.account.String()}}
		if got := browse(t, "POST", d.URL+"/pay/"+o.code, form); got.status != http.StatusConflict {
			t.Errorf("got %d while a payment is being confirmed", got.status)
		}
		if got := d.Cancel(t, o.id); got.Code != "" {
			t.Fatal(got.Body)
		}
		d.pass(t, 3*time.Minute)
		d.wantStates(t, o, "cancelled [review]")
		if o := d.row(t, o.id); o.Status != record.OrderCancelled || o.QueryEvents().CountX(d.in(t)) != 3 {
			t.Errorf("got the order %s", o.Status)
		}
		shown := browse(t, "GET", d.URL+"/pay/"+o.code, nil)
		if !strings.Contains(shown.body, "فروشگاه باید پول") {
			t.Errorf("the page does not say that the shop owes the money: %s", shown.body)
		}
		d.Balances(t, nil)
	})
}

// TestUnitsGoBack leaves the customer at the gateway. The order keeps its units as long as the gateway takes the money,
// and two minutes and a look more.
func TestUnitsGoBack(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		before := d.Stock(t, "D-13")
		o := d.buys(t)
		d.Due(t, 30*time.Minute)
		d.pass(t, 29*time.Minute)
		d.begin(t, o, d.zarinpal)
		d.pass(t, 31*time.Minute)
		if got := d.Stock(t, "D-13"); got != before-1 {
			t.Fatalf("%d are in stock while the gateway takes the money, want %d", got, before-1)
		}
		d.pass(t, 3*time.Minute) // 63 minutes after the order
		if got := d.Stock(t, "D-13"); got != before {
			t.Errorf("%d are in stock, want %d", got, before)
		}
		d.wantStates(t, o, "[cancelled] expired")
		d.Balances(t, nil)
	})
}

// TestSilentGateway begins at a gateway that does not answer, and again.
func TestSilentGateway(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		form := url.Values{"with": {d.zibal.account.String()}}
		d.zibal.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "request", Kind: "cut", Moment: "after"},
			{Operation: "request", Kind: "refuse", Code: "105"},
		}})
		if got := browse(t, "POST", d.URL+"/pay/"+o.code, form); got.status != http.StatusServiceUnavailable {
			t.Errorf("got %d", got.status)
		}
		if got := browse(t, "POST", d.URL+"/pay/"+o.code, form); got.status != http.StatusConflict ||
			got.header.Get("Retry-After") == "" {
			t.Errorf("got %d, want to wait for the first try", got.status)
		}
		d.Clock.Pass(31 * time.Second)
		if got := browse(t, "POST", d.URL+"/pay/"+o.code, form); got.status != http.StatusServiceUnavailable {
			t.Errorf("got %d", got.status)
		}
		d.wantStates(t, o, "[pending] superseded failed")
		d.back(t, pays(t, d.begin(t, o, d.zibal), "pay"))
		d.wantStates(t, o, "cancelled superseded failed [paid]")
		d.pass(t, 45*time.Minute)
		d.wantStates(t, o, "cancelled superseded failed [paid]")
	})
}

// TestWrongAmount pays less than the order costs: it is not paid, and staff see why.
func TestWrongAmount(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		d.zibal.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{{Operation: "pay", Kind: "amount"}}})
		d.back(t, pays(t, d.begin(t, o, d.zibal), "pay"))
		d.wantStates(t, o, "[pending] failed")
		if p := d.row(t, o.id).Edges.Payments[1]; p.Problem == nil {
			t.Error("staff do not see what is wrong")
		}
	})
}

// TestEightCallbacks comes back eight times at once, at two servers.
func TestEightCallbacks(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		other := d.Instance(t, d.settings)
		o := d.buys(t)
		home := pays(t, d.begin(t, o, d.zarinpal), "pay")
		var all sync.WaitGroup
		for i := range 8 {
			at := []string{d.URL, other.URL}[i%2]
			all.Go(func() { browse(t, "GET", at+home, nil) })
		}
		all.Wait()
		d.wantStates(t, o, "cancelled [paid]")
		if n := d.zarinpal.booked(t, "verify"); n != 1 {
			t.Errorf("verified %d times", n)
		}
		d.Balances(t, nil)
	})
}

// TestForgedCallback comes back with the references of another payment.
func TestForgedCallback(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o, paid := d.buys(t), d.buys(t)
		home := pays(t, d.begin(t, paid, d.zibal), "pay")
		d.begin(t, o, d.zibal)
		ours := *d.row(t, o.id).Edges.Payments[1].Ours
		query := home[strings.Index(home, "?"):]
		d.back(t, "/pay/"+o.code+"/"+ours+query) // with the reference of a payment that is paid
		d.wantStates(t, o, "[pending] sent")
		for _, path := range []string{
			"/pay/" + o.code + "/" + strings.Repeat("2", 20), "/pay/" + paid.code + "/" + ours,
			"/pay/AAAAAAAAAAAAAAAAAAAA", "/pay/x",
		} {
			if got := browse(t, "GET", d.URL+path, nil); got.status != http.StatusNotFound {
				t.Errorf("%s: got %d", path, got.status)
			}
		}
	})
}

// TestOwedIsRefundedFirst marks a refund of an order that was paid twice: it is of the payment that the shop owes. Once
// the other is refunded as well, the order takes no more money.
func TestOwedIsRefundedFirst(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		manager := d.Staff(t, d.Tools, record.Manager)
		o := d.buys(t)
		first, second := d.begin(t, o, d.zibal), d.begin(t, o, d.zarinpal)
		d.back(t, pays(t, first, "pay"))
		home := pays(t, second, "pay")
		twice := d.row(t, o.id).Edges.Payments[2].ID
		d.Store.Client.Payment.Update().Where(payment.ID(twice)).SetVerifySent(true).ExecX(d.in(t)) // by another server
		d.back(t, home)
		d.wantStates(t, o, "cancelled [paid] review")
		refunded := map[string]any{"shop": d.Tools, "id": o.id, "in": map[string]any{"status": "refunded",
			"reference": "TR-1"}}
		manager.Do(t, shoptest.MarkPayment, refunded, nil)
		d.wantStates(t, o, "cancelled [paid] refunded")
		manager.Do(t, shoptest.MarkPayment, refunded, nil)
		d.wantStates(t, o, "cancelled [refunded] refunded")
		for _, p := range d.row(t, o.id).Edges.Payments[1:] {
			if *p.Reference == "TR-1" {
				t.Error("the gateway's code was replaced")
			}
		}
		d.Balances(t, nil)
	})
}

// TestEndedTryIsLeftAlone comes back to a try that staff have ended, as they do when a shop moves: it is not verified.
func TestEndedTryIsLeftAlone(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		home := pays(t, d.begin(t, o, d.zibal), "pay")
		d.Store.Client.Payment.Update().Where(payment.LookAtNotNil()).ClearLookAt().ExecX(d.in(t))
		d.back(t, home)
		d.pass(t, 3*time.Minute)
		if d.zibal.booked(t, "verify") != 0 {
			t.Error("a try that was ended was verified")
		}
	})
}

// TestPace has a service with windows that are 600 times shorter: an order that nobody pays gives its units back after
// seconds, and its try is watched for some more.
func TestPace(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		before := d.Stock(t, "D-13")
		d.Crew = &shoptest.Crew{Accounts: d.Instance(t, func(o *app.Options) {
			d.settings(o)
			o.GatewayTime = 600
		}), Tools: d.Tools, Mugs: d.Mugs}
		d.Shopper = d.REST().Shopper(t, 2)
		o := d.buys(t)
		now := d.Clock.Now()
		if due := d.row(t, o.id).Edges.Payments[0].DueAt; due == nil || !due.Equal(now.Add(3*time.Second)) {
			t.Errorf("the order is due at %v", due)
		}
		d.begin(t, o, d.zibal)
		try := d.row(t, o.id).Edges.Payments[1]
		if !try.PayableUntil.Equal(now.Add(3*time.Second)) || !try.HoldsUntil.Equal(now.Add(147*time.Second)) {
			t.Errorf("it can be paid until %v, and holds units until %v", try.PayableUntil, try.HoldsUntil)
		}
		d.pass(t, 2900*time.Millisecond)
		if got := d.Stock(t, "D-13"); got != before-1 {
			t.Errorf("%d are in stock while it can be paid, want %d", got, before-1)
		}
		d.pass(t, 200*time.Millisecond) // the look after its end
		d.pass(t, 200*time.Millisecond)
		if got := d.Stock(t, "D-13"); got != before {
			t.Errorf("%d are in stock, want %d", got, before)
		}
		d.wantStates(t, o, "[cancelled] expired")
		for range 24 {
			d.pass(t, time.Second)
		}
		if try := d.row(t, o.id).Edges.Payments[1]; try.LookAt != nil {
			t.Errorf("it is looked at again at %v", try.LookAt)
		}
	})
}

// TestNothingToPay places an order that costs nothing: it is paid, and no gateway is called.
func TestNothingToPay(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPrice(0).ClearCompareAtPrice() })
		o := d.buys(t)
		d.wantStates(t, o, "[paid]")
		if due := d.row(t, o.id).Edges.Payments[0].DueAt; due != nil {
			t.Errorf("it is due at %s", due)
		}
		got := browse(t, "POST", d.URL+"/pay/"+o.code, url.Values{"with": {d.zibal.account.String()}})
		if got.status != http.StatusConflict {
			t.Errorf("got %d", got.status)
		}
		d.Balances(t, nil)
	})
}

// TestAddressInOneRequest sets where a customer comes back to, and cancels the order, in one request.
func TestAddressInOneRequest(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		o := d.buys(t)
		at := `(businessId: "` + d.Tools + `", orderId: "` + o.id + `") `
		got := d.Graph(t, `mutation { begun: beginPayment`+at+`{ ...o } cancelled: cancelOrder`+at+`{ ...o } }
			fragment o on OrderPayload { order { payment { payUrl payUrlReason } } }`)
		want := `{"data":{"begun":{"order":{"payment":{"payUrl":"` + public + `/pay/` + o.code +
			`","payUrlReason":null}}},"cancelled":{"order":{"payment":{"payUrl":null,` +
			`"payUrlReason":"the order is cancelled"}}}}}`
		if got := strings.TrimSpace(string(got.Body)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
