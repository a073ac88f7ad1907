package payment_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/money/standin"
	"storefront/internal/contract/shoptest"
)

// hook is where Stripe calls the shop, which notes the answers.
type hook struct {
	mu       sync.Mutex
	statuses []int
}

// want compares the answers since the last time, the best first.
func (h *hook) want(t *testing.T, d *desk, statuses ...int) {
	t.Helper()
	d.stripe.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(h.statuses)
	if !slices.Equal(h.statuses, statuses) {
		t.Errorf("the events got %v, want %v", h.statuses, statuses)
	}
	h.statuses = nil
}

// known returns how many events the shop knows.
func (d *desk) known(t *testing.T) int {
	t.Helper()
	return shoptest.Must(d.Store.Client.GatewayEvent.Query().Count(d.in(t)))(t)
}

func eachStripe(t *testing.T, f func(t *testing.T, d *desk, h *hook)) {
	eachDesk(t, func(t *testing.T, d *desk) {
		const key, secret = "sk_live_12345678", "whsec_0123456789abcdef0123456789abcdef"
		d.stripe.account = d.account(t, "stripe", map[string]string{"secret_key": key, "webhook_secret": secret})
		h := &hook{}
		proxy := httputil.NewSingleHostReverseProxy(shoptest.Must(url.Parse(d.URL))(t))
		proxy.ModifyResponse = func(answered *http.Response) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.statuses = append(h.statuses, answered.StatusCode)
			return nil
		}
		server := httptest.NewServer(proxy)
		t.Cleanup(server.Close)
		d.stripe.do(t, standin.Command{Do: "account", Account: &standin.Account{ID: "acct_1", Keys: []string{key},
			Hooks: []standin.Hook{{URL: server.URL + "/pay/stripe/" + d.stripe.account.String(),
				Secrets: []string{secret}}}}})
		d.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPriceCurrency("USD") })
		f(t, d, h)
	})
}

// TestStripeCalls pays without coming back: the payment is found by Stripe's event, which is followed once.
func TestStripeCalls(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, h *hook) {
		o := d.buys(t)
		page := d.begin(t, o, d.stripe)
		d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "event", Kind: "forged", Match: "checkout.session.completed"}}})
		pays(t, page, "pay") // also payment_intent.succeeded, which says nothing more
		h.want(t, d, 200, 200, 400)
		d.wantStates(t, o, "cancelled [paid]")
		d.stripe.do(t, standin.Command{Do: "repeat", ID: page[strings.LastIndex(page, "/")+1:]})
		h.want(t, d, 200, 200)
		if n := d.known(t); n != 1 {
			t.Errorf("%d events are known, want 1", n)
		}
		d.stripe.do(t, standin.Command{Do: "foreign", ID: "acct_1"})
		if h.want(t, d, 200); d.known(t) != 1 {
			t.Error("an event of another application is kept")
		}
		d.Clock.Pass(31 * 24 * time.Hour)
		if d.Service.Sweep(t.Context()); d.known(t) != 0 {
			t.Error("an old event is not deleted")
		}
		d.Balances(t, nil)
	})
}

// TestStripeCallsDuringLook has Stripe call eight times at once, while it answers about a customer who came back too
// early: the event is not lost.
func TestStripeCallsDuringLook(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, h *hook) {
		o := d.buys(t)
		page := d.begin(t, o, d.stripe)
		d.stripe.do(t, standin.Command{Do: "inject", Faults: []standin.Fault{
			{Operation: "event", Kind: "eight", Match: "checkout.session.completed"}}})
		var once sync.Once
		d.stripe.answering = func(r *http.Request) {
			if r.Method == http.MethodGet {
				once.Do(func() {
					pays(t, page, "pay")
					d.stripe.Wait()
				})
			}
		}
		d.back(t, "/pay/"+o.code+"/"+*d.row(t, o.id).Edges.Payments[1].Ours)
		h.want(t, d, 200, 200, 200, 200, 200, 200, 200, 200, 200)
		d.wantStates(t, o, "[pending] sent")
		d.pass(t, time.Minute)
		d.wantStates(t, o, "cancelled [paid]")
	})
}

// TestStripeCallsRefused calls about accounts that are not there, are another gateway's, or cannot be read.
func TestStripeCallsRefused(t *testing.T) {
	eachStripe(t, func(t *testing.T, d *desk, _ *hook) {
		call := func(path, body string) string {
			answered, err := http.Post(d.URL+"/pay/"+path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			_ = answered.Body.Close()
			return fmt.Sprint(answered.StatusCode)
		}
		at := d.stripe.account.String()
		for path, want := range map[string]string{"stripe/" + at: "400", "stripe/" + uuid.NewString(): "404",
			"zibal/" + at: "404", "zibal/" + d.zibal.account.String(): "404"} {
			if got := call(path, "{}"); got != want {
				t.Errorf("%s: got %s, want %s", path, got, want)
			}
		}
		if got := call("stripe/"+at, strings.Repeat(" ", 256<<10+1)); got != "413" {
			t.Errorf("got %s for a long body", got)
		}
		row := shoptest.Must(d.Store.Client.GatewayAccount.Get(d.in(t), d.stripe.account))(t)
		shoptest.Must(d.Store.Client.GatewayAccount.UpdateOne(row).ClearSecrets().SetActive(false).Save(d.in(t)))(t)
		if got := call("stripe/"+at, "{}"); got != "503" {
			t.Errorf("got %s while the credentials are forgotten", got)
		}
	})
}
