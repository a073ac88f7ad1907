package standin_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
)

func (d *desk) openStripe() {
	hook := standin.Hook{URL: d.shop + "/hook", Secrets: []string{"whsec_old", "whsec_new"}}
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: "acct_1",
		Keys: []string{"sk_live_1", "sk_test_1"}, Hooks: []standin.Hook{hook}}})
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: "acct_2", Keys: []string{"sk_live_2"}}})
}

func (d *desk) stripe(method, path string, form url.Values, header ...string) (int, object) {
	header = append(header, "Authorization", "Bearer sk_live_1")
	if method == http.MethodGet {
		return d.call(method, path+"?"+form.Encode(), nil, header...)
	}
	return d.call(method, path, form, header...)
}

func (d *desk) session() url.Values {
	const line = "line_items[0]"
	return url.Values{"mode": {"payment"}, line + "[quantity]": {"1"}, line + "[price_data][currency]": {"usd"},
		line + "[price_data][unit_amount]": {"2000"}, line + "[price_data][product_data][name]": {"Order 4F7K"},
		"success_url": {d.shop + "/back?session={CHECKOUT_SESSION_ID}"}, "cancel_url": {d.shop + "/cancelled"},
		"client_reference_id": {"r-1"}, "metadata[order]": {"4F7K"}, "payment_intent_data[metadata][order]": {"4F7K"},
		"payment_method_types[0]": {"card"}, "expires_at": {d.ahead(31 * time.Minute)}}
}

func (d *desk) ahead(long time.Duration) string {
	return strconv.FormatInt(d.clock().Add(long).Unix(), 10)
}

func TestStripeCreate(t *testing.T) {
	d := openDesk(t, standin.Stripe, "")
	d.openStripe()
	const unit = "line_items[0][price_data][unit_amount]"
	for name, step := range map[string]struct {
		member, value string
		status        int
		path, want    string
	}{
		"right":              {"locale", "auto", 200, "status", "open"},
		"another mode":       {"mode", "setup", 400, "error.param", "mode"},
		"not an integer":     {unit, "17.99", 400, "error.param", "line_items[0]"},
		"a large currency":   {"line_items[0][price_data][currency]", "USD", 400, "error.param", "currency"},
		"rial":               {"line_items[0][price_data][currency]", "irr", 400, "error.param", "currency"},
		"too small":          {unit, "49", 400, "error.code", "amount_too_small"},
		"too large":          {unit, "100000000", 400, "error.code", "amount_too_large"},
		"an address":         {"success_url", "back", 400, "error.param", "success_url"},
		"ends in 29 minutes": {"expires_at", d.ahead(29 * time.Minute), 400, "error.param", "expires_at"},
		"ends in 25 hours":   {"expires_at", d.ahead(25 * time.Hour), 400, "error.param", "expires_at"},
	} {
		t.Run(name, func(t *testing.T) {
			form := d.session()
			form.Set(step.member, step.value)
			status, in := d.stripe("POST", "/v1/checkout/sessions", form)
			d.expect(status, in, step.status, step.path, step.want)
		})
	}
	status, in := d.call("POST", "/v1/checkout/sessions", d.session(), "Authorization", "Bearer sk_live_3")
	d.expect(status, in, 401, "error.type", "invalid_request_error")
	for code, want := range map[string]int{"400": 400, "401": 401, "402": 402, "409": 409} {
		d.inject(standin.Fault{Operation: "create", Kind: "refuse", Code: code})
		status, in := d.stripe("POST", "/v1/checkout/sessions", d.session())
		d.expect(status, in, want)
	}
}

// TestStripeKeys repeats a call with its Idempotency-Key.
func TestStripeKeys(t *testing.T) {
	d := openDesk(t, standin.Stripe, "")
	d.openStripe()
	form := d.session()
	key := func(name string, form url.Values) (int, object) {
		return d.stripe("POST", "/v1/checkout/sessions", form, "Idempotency-Key", name)
	}
	d.inject(standin.Fault{Operation: "create", Kind: "cut", Moment: "after"})
	status, in := key("k", form)
	d.expect(status, in, 0)
	status, in = key("k", form)
	d.expect(status, in, 200, "Idempotent-Replayed", "true", "status", "open")
	if begun := d.lines("request"); len(begun) != 1 || begun[0].Theirs != at(in, "id") {
		t.Errorf("got %v", begun)
	}
	changed := maps.Clone(form)
	changed.Set("client_reference_id", "r-2")
	status, in = key("k", changed)
	d.expect(status, in, 400, "error.type", "idempotency_error")

	d.inject(standin.Fault{Operation: "create", Kind: "status", Moment: "before"})
	status, in = key("edge", form)
	d.expect(status, in, 503)
	status, in = key("edge", form)
	d.expect(status, in, 200, "Idempotent-Replayed", "")

	d.inject(standin.Fault{Operation: "create", Kind: "refuse", Code: "402"})
	status, in = key("card", form)
	d.expect(status, in, 402)
	status, in = key("card", form)
	d.expect(status, in, 402, "Idempotent-Replayed", "true")

	bad := maps.Clone(form)
	bad.Set("mode", "setup")
	status, in = key("bad", bad)
	d.expect(status, in, 400)
	status, in = key("bad", form)
	d.expect(status, in, 200, "Idempotent-Replayed", "")

	d.inject(standin.Fault{Operation: "create", Kind: "slow", Moment: "before", Delay: time.Minute})
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", d.url+"/v1/checkout/sessions", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer sk_live_1"}, "Idempotency-Key": {"slow"},
		"Content-Type": {"application/x-www-form-urlencoded"}}
	gone := make(chan error)
	go func() {
		_, err := http.DefaultClient.Do(r)
		gone <- err
	}()
	for len(d.lines("fault")) < 4 {
		d.g.Wait() // until the slow call has come
	}
	status, in = key("slow", form)
	d.expect(status, in, 409, "error.type", "idempotency_error")
	leave()
	if err := <-gone; err == nil {
		t.Error("the slow call was answered")
	}
	for status == http.StatusConflict { // until the gateway has noticed
		status, in = key("slow", form)
	}
	d.expect(status, in, 200, "Idempotent-Replayed", "true")

	d.pass(25 * time.Hour)
	form.Set("expires_at", d.ahead(31*time.Minute))
	status, in = key("k", form)
	d.expect(status, in, 200, "Idempotent-Replayed", "")
}

func TestStripeLife(t *testing.T) {
	d := openDesk(t, standin.Stripe, "")
	begin := func() string { _, theirs := vendors[2].begin(d); return theirs }
	get := func(theirs string, want ...string) object {
		t.Helper()
		expand := url.Values{"expand[]": {"payment_intent.latest_charge"}}
		status, in := d.stripe("GET", "/v1/checkout/sessions/"+theirs, expand)
		d.expect(status, in, 200, want...)
		return in
	}
	theirs := begin()
	get(theirs, "status", "open", "payment_status", "unpaid", "payment_intent", "", "amount_total", "2000",
		"livemode", "true", "client_reference_id", "r-1", "metadata.order", "4F7K")
	if to := d.buy("/c/pay/"+theirs, "cancel", "", 303); to.Path != "/cancelled" {
		t.Errorf("sent to %s", to)
	}
	d.buy("/c/pay/"+theirs, "pay", pauper, 402)
	get(theirs, "status", "open", "payment_intent.status", "requires_payment_method",
		"payment_intent.last_payment_error.decline_code", "insufficient_funds")
	if to := d.buy("/c/pay/"+theirs, "pay", rich, 303); to.Query().Get("session") != theirs {
		t.Errorf("sent to %s", to)
	}
	get(theirs, "status", "complete", "payment_status", "paid", "payment_intent.amount_received", "2000",
		"payment_intent.latest_charge.payment_method_details.card.last4", "5678",
		"payment_intent.metadata.order", "4F7K")
	for _, key := range []string{"sk_live_2", "sk_test_1"} { // another account, another mode
		status, in := d.call("GET", "/v1/checkout/sessions/"+theirs, nil, "Authorization", "Bearer "+key)
		d.expect(status, in, 404, "error.code", "resource_missing")
	}
	status, in := d.stripe("POST", "/v1/checkout/sessions/"+theirs+"/expire", nil)
	d.expect(status, in, 400)

	open := begin()
	status, in = d.stripe("POST", "/v1/checkout/sessions/"+open+"/expire", url.Values{})
	d.expect(status, in, 200, "status", "expired")
	d.buy("/c/pay/"+open, "pay", rich, http.StatusGone)

	late := begin()
	d.pass(32 * time.Minute)
	get(late, "status", "expired", "payment_status", "unpaid")

	odd := begin()
	d.inject(standin.Fault{Operation: "pay", Kind: "amount"})
	d.buy("/c/pay/"+odd, "pay", rich, 303)
	get(odd, "payment_status", "paid", "amount_total", "1800")

}

func TestStripeRefunds(t *testing.T) {
	d := openDesk(t, standin.Stripe, "")
	_, theirs := vendors[2].begin(d)
	d.buy("/c/pay/"+theirs, "pay", rich, 303)
	intent := "pi_" + theirs[len(theirs)-24:]
	refund := func(amount, ours string) (int, object) {
		return d.stripe("POST", "/v1/refunds", url.Values{"payment_intent": {intent}, "amount": {amount},
			"reason": {"requested_by_customer"}, "metadata[refund]": {ours}}, "Idempotency-Key", ours)
	}
	status, in := refund("500", "r1")
	d.expect(status, in, 200, "status", "succeeded", "metadata.refund", "r1")
	status, in = refund("1501", "r2")
	d.expect(status, in, 400, "error.code", "")
	d.inject(standin.Fault{Operation: "refund", Kind: "pending"})
	status, pending := refund("1500", "r3")
	d.expect(status, pending, 200, "status", "pending")
	status, in = refund("1", "r4")
	d.expect(status, in, 400, "error.code", "charge_already_refunded")
	d.do(standin.Command{Do: "refundDone", ID: at(pending, "id")})
	status, in = d.stripe("GET", "/v1/refunds/"+at(pending, "id"), nil)
	d.expect(status, in, 200, "status", "succeeded")
	d.do(standin.Command{Do: "refundFailed", ID: at(pending, "id")})
	for _, again := range []string{"refundFailed", "refundDone"} {
		if _, err := d.g.Do(standin.Command{Do: again, ID: at(pending, "id")}); err == nil {
			t.Errorf("%s of a refund that has failed", again)
		}
	}
	status, in = d.stripe("GET", "/v1/refunds", url.Values{"payment_intent": {intent}, "limit": {"1"}})
	d.expect(status, in, 200, "has_more", "true")
	first := in["data"].([]any)[0]
	if at(first, "id") != at(pending, "id") || at(first, "status") != "failed" {
		t.Errorf("got %v", in)
	}
	status, in = d.stripe("GET", "/v1/refunds", url.Values{"starting_after": {at(first, "id")}})
	d.expect(status, in, 200, "has_more", "false")
	if data := in["data"].([]any); len(data) != 1 || at(data[0], "metadata.refund") != "r1" {
		t.Errorf("got %v", in)
	}
	if _, err := d.g.Do(standin.Command{Do: "refund", ID: theirs, Amount: 1501}); err == nil {
		t.Error("the panel refunds more than the rest")
	}
	d.do(standin.Command{Do: "dispute", ID: theirs})
	status, in = refund("1", "r5")
	d.expect(status, in, 400, "error.code", "charge_disputed")
	d.do(standin.Command{Do: "won", ID: theirs})
	lines := d.do(standin.Command{Do: "lines"}).([]standin.Line)
	var balances []int64
	for _, l := range lines {
		if l.Theirs == theirs && l.Balance != nil {
			balances = append(balances, 1_000_000_000-*l.Balance)
		}
	}
	// pay, verify, refund, pending, done, failed, dispute, won: what the card has spent after each
	if want := []int64{2000, 2000, 1500, 1500, 0, 1500, -500, 1500}; !slices.Equal(balances, want) {
		t.Errorf("got %v, want %v", balances, want)
	}
}

// TestStripeEvents checks what is sent, and that its signature is right but for forged and old ones.
func TestStripeEvents(t *testing.T) {
	for kind, want := range map[string]struct{ right, wrong int }{
		"": {2, 0}, "lost": {0, 0}, "twice": {4, 0}, "eight": {16, 0}, "late": {2, 0}, "forged": {2, 2},
		"stale": {2, 2},
	} {
		t.Run(kind, func(t *testing.T) {
			d := openDesk(t, standin.Stripe, "")
			_, theirs := vendors[2].begin(d)
			if kind != "" {
				d.inject(standin.Fault{Operation: "event", Kind: kind, Match: theirs, Times: -1})
			}
			d.buy("/c/pay/"+theirs, "pay", rich, 303)
			d.g.Wait()
			right, wrong := 0, 0
			types := map[string]bool{}
			for i, r := range d.got {
				if d.isSigned(r.Header.Get("Stripe-Signature"), d.bodies[i]) {
					right++
				} else {
					wrong++
				}
				in := object{}
				if err := json.Unmarshal([]byte(d.bodies[i]), &in); err != nil {
					t.Fatal(err)
				}
				types[at(in, "type")] = true
			}
			if right != want.right || wrong != want.wrong {
				t.Errorf("got %d right and %d wrong, want %v", right, wrong, want)
			}
			if kind != "lost" && (!types["checkout.session.completed"] || !types["payment_intent.succeeded"]) {
				t.Errorf("got %v", types)
			}
		})
	}
}

// isSigned reports whether a body has both signatures of secrets that are rolled, made within 300 s.
func (d *desk) isSigned(header, body string) bool {
	var at string
	var v1 []string
	for part := range strings.SplitSeq(header, ",") {
		if name, value, _ := strings.Cut(part, "="); name == "t" {
			at = value
		} else if name == "v1" {
			v1 = append(v1, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || d.clock().Sub(time.Unix(seconds, 0)) > 300*time.Second || len(v1) != 2 {
		return false
	}
	for i, secret := range []string{"whsec_old", "whsec_new"} {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = fmt.Fprintf(mac, "%s.%s", at, body)
		if v1[i] != hex.EncodeToString(mac.Sum(nil)) {
			return false
		}
	}
	return true
}

// TestStripeTells has each effect told by its events, which are sent until they are taken, and again on demand.
func TestStripeTells(t *testing.T) {
	d := openDesk(t, standin.Stripe, "")
	told := func() (types []string) {
		d.g.Wait()
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, body := range d.bodies {
			in := object{}
			if err := json.Unmarshal([]byte(body), &in); err != nil {
				t.Fatal(err)
			}
			types = append(types, at(in, "type"))
		}
		d.bodies = nil
		slices.Sort(types)
		return types
	}
	_, theirs := vendors[2].begin(d)
	_, open := vendors[2].begin(d)
	var refund standin.Refund
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"poor", func() { d.buy("/c/pay/"+theirs, "pay", pauper, 402) }, []string{"payment_intent.payment_failed"}},
		{"paid", func() { d.buy("/c/pay/"+theirs, "pay", rich, 303) },
			[]string{"checkout.session.completed", "payment_intent.succeeded"}},
		{"refunded", func() {
			refund = d.do(standin.Command{Do: "refund", ID: theirs, Amount: 1}).(standin.Refund)
		}, []string{"charge.refunded", "refund.updated"}},
		{"failed", func() { d.do(standin.Command{Do: "refundFailed", ID: refund.ID}) },
			[]string{"refund.failed", "refund.updated"}},
		{"disputed", func() { d.do(standin.Command{Do: "dispute", ID: theirs}) },
			[]string{"charge.dispute.created"}},
		{"lost", func() { d.do(standin.Command{Do: "lost", ID: theirs}) }, []string{"charge.dispute.closed"}},
		{"expired", func() { d.do(standin.Command{Do: "expire", ID: open}) },
			[]string{"checkout.session.expired"}},
		{"repeated", func() { d.do(standin.Command{Do: "repeat", ID: open}) },
			[]string{"checkout.session.expired"}},
		{"foreign", func() { d.do(standin.Command{Do: "foreign", ID: "acct_1"}) },
			[]string{"checkout.session.completed"}},
	} {
		step.do()
		if got := told(); !slices.Equal(got, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, got, step.want)
		}
	}
}

// TestStripeRetries refuses an event once: it comes again after a minute, which is scaled.
func TestStripeRetries(t *testing.T) {
	d := openDesk(t, func(o standin.Options) (*standin.Gateway, error) {
		o.Scale = 1_000_000
		return standin.Stripe(o)
	}, "")
	d.openStripe()
	d.refuse = true
	d.do(standin.Command{Do: "foreign", ID: "acct_1"})
	d.g.Wait()
	d.mu.Lock()
	d.refuse = false
	d.mu.Unlock()
	for count := 1; count < 2; {
		d.mu.Lock()
		count = len(d.bodies)
		d.mu.Unlock()
	}
	if d.bodies[0] != d.bodies[1] {
		t.Errorf("got %v", d.bodies)
	}
}
