package gateway_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/locale/money"
	"storefront/internal/sale/gateway"
)

const (
	stripeSessions = "/v1/checkout/sessions"
	stripeSession  = stripeSessions + "/cs_live_a1B2c3"
	stripeExpire   = stripeSession + "/expire"
	stripeIntent   = `{"id":"pi_3Nx","status":"succeeded","latest_charge":{"id":"ch_1","amount_refunded":0,` +
		`"payment_method_details":{"card":{"last4":"4242"}}}}`
)

// stripeSays is a session of an attempt; members replace those that it has, or null them.
func stripeSays(members map[string]string) string {
	all := map[string]string{
		"id": `"cs_live_a1B2c3"`, "url": `null`, "status": `"open"`, "payment_status": `"unpaid"`,
		"amount_total": "125000", "currency": `"usd"`, "client_reference_id": `"` + reference + `"`,
		"livemode": "true", "payment_intent": "null", "metadata": "{}", "object": `"checkout.session"`,
	}
	maps.Copy(all, members)
	var b strings.Builder
	for name, value := range all {
		fmt.Fprintf(&b, `,%q:%s`, name, value)
	}
	return "{" + b.String()[1:] + "}"
}

func stripeRefuses(status int, kind, code string) said {
	return said{status: status,
		body: `{"error":{"type":"` + kind + `","code":` + code + `,"message":"sk_live_51KxHidden"}}`}
}

// invalid is the refusal of a request that is not accepted.
func invalid(status int, code string) said {
	return stripeRefuses(status, "invalid_request_error", code)
}

func stripePaid(members map[string]string) string {
	all := map[string]string{"status": `"complete"`, "payment_status": `"paid"`, "payment_intent": stripeIntent}
	maps.Copy(all, members)
	return stripeSays(all)
}

// form returns the body of a stub's only request.
func form(t *testing.T, s *stub) url.Values {
	t.Helper()
	values, err := url.ParseQuery(s.asked[0][strings.LastIndex(s.asked[0], " ")+1:])
	if err != nil || len(s.asked) != 1 {
		t.Fatal(s.asked, err)
	}
	return values
}

func TestStripeBegins(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["stripe"]
	for currency, unit := range map[string]string{"USD": "usd", "JPY": "jpy", "EUR": "eur"} {
		s.set(at(stripeSessions, stripeSays(map[string]string{"url": `"` + s.URL + `/c/pay/cs_live_a1B2c3#fid%2F=x"`})))
		begun, err := g.Begin(t.Context(), attempt("stripe", currency))
		want := gateway.Begun{Theirs: "cs_live_a1B2c3", Redirect: s.URL + "/c/pay/cs_live_a1B2c3#fid%2F=x"}
		if begun != want || err != nil {
			t.Errorf("got %+v, %v", begun, err)
		}
		fields := url.Values{
			"mode": {"payment"}, "payment_method_types[0]": {"card"}, "line_items[0][quantity]": {"1"},
			"line_items[0][adjustable_quantity][enabled]": {"false"}, "line_items[0][price_data][currency]": {unit},
			"line_items[0][price_data][unit_amount]":        {"125000"},
			"line_items[0][price_data][product_data][name]": {"Order 4F7K"},
			"automatic_tax[enabled]":                        {"false"}, "allow_promotion_codes": {"false"},
			"adaptive_pricing[enabled]": {"false"}, "client_reference_id": {reference}, "metadata[order]": {"4F7K"},
			"payment_intent_data[metadata][reference]": {reference}, "payment_intent_data[metadata][order]": {"4F7K"},
			"success_url": {"https://shop.example/pay/back/" + reference},
			"cancel_url":  {"https://shop.example/pay/back/" + reference}, "expires_at": {"1796127900"},
		}
		if got := form(t, s); got.Encode() != fields.Encode() {
			t.Errorf("got %v\nwant %v", got, fields)
		}
		for name, want := range map[string]string{
			"Authorization": "Bearer sk_live_51KxHidden", "Idempotency-Key": "begin-" + reference,
			"Stripe-Version": "2026-03-25.dahlia", "Content-Type": "application/x-www-form-urlencoded",
		} {
			if got := s.headers[0].Get(name); got != want {
				t.Errorf("%s: got %q", name, got)
			}
		}
	}
	for _, refused := range []said{
		invalid(400, `"parameter_unknown"`), invalid(401, `null`),
		stripeRefuses(402, "card_error", `"card_declined"`), invalid(403, `"more_permissions"`),
		invalid(400, `"amount_too_small"`),
		invalid(400, `"url_invalid"`),
	} {
		s.set(map[string]said{stripeSessions: refused})
		_, err := g.Begin(t.Context(), attempt("stripe", "USD"))
		_, code, _ := strings.Cut(refused.body, `"code":`)
		code, _, _ = strings.Cut(code, ",")
		checkRefused(t, refused.body, err, strings.Trim(strings.Replace(code, "null", "invalid_request_error", 1), `"`))
		checkQuiet(t, attempt("stripe", "USD").Account, err)
	}
	for _, currency := range []string{"ISK", "UGX", "MGA", "KWD", "BHD", "IRR", "IRT", "XXX"} {
		_, err := g.Begin(t.Context(), attempt("stripe", currency))
		checkRefused(t, currency, err, currency)
	}
}

// TestStripeMayHaveBegun checks what is not a refusal: the first of two equal requests may have been accepted.
func TestStripeMayHaveBegun(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["stripe"]
	for _, answer := range []said{
		stripeRefuses(400, "idempotency_error", `null`),
		stripeRefuses(409, "idempotency_error", `"idempotency_key_in_use"`),
		invalid(429, `"rate_limit"`), stripeRefuses(500, "api_error", `null`),
		{status: 400, body: `{"error":null}`}, {status: 400, body: `<html>`}, {body: `{"id":"cs_live_a1B2c3"}`},
		{body: stripeSays(map[string]string{"client_reference_id": `"OTHER"`})},
		{body: stripeSays(map[string]string{"id": `"../x"`})},
	} {
		s.set(map[string]said{stripeSessions: answer})
		begun, err := g.Begin(t.Context(), attempt("stripe", "USD"))
		if _, refused := err.(*gateway.Refused); refused || err == nil {
			t.Errorf("%s: got %+v, %v", answer.body, begun, err)
		}
		checkQuiet(t, attempt("stripe", "USD").Account, err)
	}
}

func TestStripePages(t *testing.T) {
	s := newStub(t)
	for base, pages := range map[string]map[string]bool{
		s.URL: {
			s.URL + "/c/pay/x#y": true, "https://checkout.stripe.com/c/pay/x": false, "https://evil.example/x": false,
			"javascript:alert(1)": false, "": false, s.URL + "@evil.example/": false, "/c/pay": false,
			strings.Replace(s.URL, "http://", "http://user@", 1): false, s.URL + ".evil.example/": false,
			s.URL + "/" + strings.Repeat("x", 5000): false,
		},
	} {
		for page, allowed := range pages {
			g := gateways(base)["stripe"]
			text := fmt.Sprintf("%q", page)
			s.set(map[string]said{stripeSessions: {body: stripeSays(map[string]string{"url": text})},
				stripeSession: {body: stripeSays(map[string]string{"url": text})}})
			begun, err := g.Begin(t.Context(), attempt("stripe", "USD"))
			if allowed && (err != nil || begun.Redirect != page) {
				t.Errorf("%s: got %+v, %v", page, begun, err)
			} else if !allowed {
				checkRefused(t, page, err, "custom_domain")
			}
			redirect, err := g.Resume(t.Context(), attempt("stripe", "USD"))
			if (err == nil) != allowed || allowed && redirect != page {
				t.Errorf("%s: goes on at %q, %v", page, redirect, err)
			}
		}
	}
	hosts := gateways("")["stripe"].Hosts(gateway.Account{})
	if !slices.Equal(hosts, []string{"https://checkout.stripe.com"}) {
		t.Errorf("got %v", hosts)
	}
}

func TestStripeLooksUp(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["stripe"]
	member := func(name, value string) map[string]string { return map[string]string{name: value} }
	paid := outcome{gateway.Paid, "125000 USD", "pi_3Nx", "4242", false}
	bare := outcome{gateway.Paid, "125000 USD", "pi_3Nx", "", false}
	back := paid
	back.wentBack = true
	intent := func(status, state string) map[string]string {
		return map[string]string{"status": `"` + status + `"`,
			"payment_intent": `{"id":"pi_3Nx","status":"` + state + `"}`}
	}
	var steps []step
	was := func(kind gateway.Kind, amount string) outcome { return outcome{kind: kind, amount: amount} }
	for name, c := range map[string]struct {
		body string
		want outcome
	}{
		"paid":               {stripePaid(nil), paid},
		"paid, not expanded": {stripePaid(member("payment_intent", `"pi_3Nx"`)), bare},
		"paid, charge by id": {stripePaid(member("payment_intent", `{"id":"pi_3Nx","latest_charge":"ch_1"}`)), bare},
		"paid, a part back": {
			stripePaid(member("payment_intent", strings.Replace(stripeIntent, `ed":0`, `ed":5000`, 1))), back},
		"paid, without intent": {stripePaid(member("payment_intent", `null`)), was(gateway.Unknown, "")},
		"paid, a strange id":   {stripePaid(member("payment_intent", `"pi/3"`)), was(gateway.Unknown, "")},
		"another amount":       {stripePaid(member("amount_total", `125001`)), was(gateway.Mismatch, "125001 USD")},
		"another currency":     {stripePaid(member("currency", `"cad"`)), was(gateway.Mismatch, "125000 CAD")},
		"nothing to pay": {
			stripePaid(member("payment_status", `"no_payment_required"`)), was(gateway.Mismatch, "125000 USD")},
		"another attempt":     {stripePaid(member("client_reference_id", `"OTHER"`)), was(gateway.Mismatch, "")},
		"another application": {stripePaid(member("client_reference_id", `null`)), was(gateway.Mismatch, "")},
		"test money":          {stripePaid(member("livemode", `false`)), was(gateway.Mismatch, "")},
		"another session":     {stripePaid(member("id", `"cs_live_other"`)), was(gateway.Unknown, "")},
		"an amount as text":   {stripePaid(member("amount_total", `"125000"`)), was(gateway.Unknown, "")},
		"open":                {stripeSays(nil), was(gateway.Payable, "")},
		"open, tried":         {stripeSays(intent("open", "requires_payment_method")), was(gateway.Payable, "")},
		"expired":             {stripeSays(member("status", `"expired"`)), was(gateway.Dead, "")},
		"a slow bank":         {stripeSays(intent("complete", "processing")), was(gateway.Pending, "")},
		"a bank that refuses": {stripeSays(intent("complete", "canceled")), was(gateway.Dead, "")},
		"another state":       {stripeSays(member("status", `"new"`)), was(gateway.Unknown, "")},
	} {
		steps = append(steps, step{name, at(stripeSession, c.body), c.want, false},
			step{name + ", late", at(stripeSession, c.body), c.want, true}) // Stripe says itself when it is over
	}
	steps = append(steps,
		step{"of another account", map[string]said{stripeSession: invalid(404, `"resource_missing"`)},
			outcome{kind: gateway.Config}, true},
		step{"a wrong key", map[string]said{stripeSession: invalid(401, `null`)},
			outcome{kind: gateway.Config}, true},
		step{"a narrow key", map[string]said{stripeSession: invalid(403, `null`)},
			outcome{kind: gateway.Config}, true},
		step{"throttled", map[string]said{stripeSession: invalid(429, `"rate_limit"`)},
			outcome{kind: gateway.Unknown}, true},
		step{"a bad request", map[string]said{stripeSession: invalid(400, `null`)},
			outcome{kind: gateway.Unknown}, true},
	)
	for _, method := range []string{"lookup", "verify"} {
		try(t, g, s, attempt("stripe", "USD"), method, steps)
		checkAsked(t, s, "GET "+stripeSession+"?expand[]=payment_intent&expand[]=payment_intent.latest_charge")
	}
	notOpen := invalid(400, `null`)
	try(t, g, s, attempt("stripe", "USD"), "end", []step{
		{"ended", at(stripeExpire, stripeSays(member("status", `"expired"`))), outcome{kind: gateway.Dead}, false},
		{"paid meanwhile", map[string]said{stripeExpire: notOpen, stripeSession: {body: stripePaid(nil)}}, paid, false},
		{"over already", map[string]said{
			stripeExpire: notOpen, stripeSession: {body: stripeSays(member("status", `"expired"`))},
		}, outcome{kind: gateway.Dead}, false},
		{"cut", map[string]said{stripeExpire: {status: 502}}, outcome{kind: gateway.Unknown}, false},
		{"not ended", at(stripeExpire, stripeSays(nil)), outcome{kind: gateway.Payable}, false},
		{"of another account", map[string]said{stripeExpire: invalid(404, `"resource_missing"`)},
			outcome{kind: gateway.Config}, false},
	})
	a := attempt("stripe", "USD")
	a.Theirs = ""
	for _, method := range []string{"verify", "lookup", "end"} {
		try(t, g, s, a, method, []step{
			{"never begun", nil, outcome{kind: gateway.Payable}, false},
			{"never begun, late", nil, outcome{kind: gateway.Dead}, true},
		})
	}
}

func TestStripeRefund(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["stripe"].(gateway.Refunder)
	part := gateway.Part{ID: uuid.New(), Amount: money.Amount{Minor: 5000, Currency: "JPY"}}
	says := func(id, status, amount, intent, failure string) string {
		return `{"id":"re_1","object":"refund","amount":` + amount + `,"currency":"jpy","payment_intent":"` + intent +
			`","status":"` + status + `","failure_reason":` + failure + `,"metadata":{"refund":"` + id + `"}}`
	}
	id := part.ID.String()
	for name, c := range map[string]struct {
		answer said
		want   gateway.RefundState
	}{
		"done":              {said{body: says(id, "succeeded", "5000", "pi_3Nx", "null")}, gateway.RefundDone},
		"pending":           {said{body: says(id, "pending", "5000", "pi_3Nx", "null")}, gateway.RefundPending},
		"needs a step":      {said{body: says(id, "requires_action", "5000", "pi_3Nx", "null")}, gateway.RefundPending},
		"failed":            {said{body: says(id, "failed", "5000", "pi_3Nx", `"expired_card"`)}, gateway.RefundFailed},
		"cancelled":         {said{body: says(id, "canceled", "5000", "pi_3Nx", "null")}, gateway.RefundFailed},
		"another word":      {said{body: says(id, "new", "5000", "pi_3Nx", "null")}, gateway.RefundUnknown},
		"another part":      {said{body: says("", "succeeded", "5000", "pi_3Nx", "null")}, gateway.RefundUnknown},
		"another amount":    {said{body: says(id, "succeeded", "4999", "pi_3Nx", "null")}, gateway.RefundUnknown},
		"another payment":   {said{body: says(id, "succeeded", "5000", "pi_4", "null")}, gateway.RefundUnknown},
		"nothing left":      {invalid(400, `"charge_already_refunded"`), gateway.RefundFailed},
		"too much":          {invalid(400, `null`), gateway.RefundFailed},
		"a narrow key":      {invalid(403, `null`), gateway.RefundFailed},
		"no such payment":   {invalid(404, `"resource_missing"`), gateway.RefundFailed},
		"under way already": {stripeRefuses(409, "idempotency_error", `null`), gateway.RefundUnknown},
		"another request":   {stripeRefuses(400, "idempotency_error", `null`), gateway.RefundUnknown},
		"throttled":         {invalid(429, `"rate_limit"`), gateway.RefundUnknown},
		"away":              {stripeRefuses(503, "api_error", `null`), gateway.RefundUnknown},
	} {
		s.set(map[string]said{"/v1/refunds": c.answer})
		got := g.Refund(t.Context(), attempt("stripe", "JPY"), part)
		if got.State != c.want || got.Part != part.ID || got.Amount != part.Amount ||
			(got.State == gateway.RefundFailed) != (got.Reason.String() != "") ||
			(got.State == gateway.RefundUnknown) != (got.Err != nil) {
			t.Errorf("%s: got %+v", name, got)
		}
		want := url.Values{"payment_intent": {"pi_3Nx"}, "amount": {"5000"}, "reason": {"requested_by_customer"},
			"metadata[refund]": {id}}
		if f := form(t, s); f.Encode() != want.Encode() || s.headers[0].Get("Idempotency-Key") != "refund-"+id {
			t.Errorf("got %v, %v", f, s.headers)
		}
	}
}

func TestStripeRefunds(t *testing.T) {
	s := newStub(t)
	g, part := gateways(s.URL)["stripe"], uuid.New()
	none := said{body: `{"data":[],"has_more":false}`}
	refunds := `{"data":[{"id":"re_1","amount":5000,"currency":"jpy","status":"succeeded","metadata":{"refund":"` +
		part.String() + `"}},{"id":"re_2","amount":700,"currency":"jpy","status":"pending","metadata":null}]}`
	s.set(map[string]said{"/v1/refunds": {body: refunds}, "/v1/disputes": none})
	got, err := g.Refunds(t.Context(), attempt("stripe", "JPY"))
	if err != nil || len(got) != 2 || got[0].Part != part || got[0].Amount.Minor != 5000 ||
		got[0].Theirs != "re_1" || got[1].Part != uuid.Nil || got[1].Amount.Minor != 700 ||
		got[1].State != gateway.RefundPending {
		t.Errorf("got %+v, %v", got, err)
	}
	checkAsked(t, s, "GET /v1/refunds?limit=100&payment_intent=pi_3Nx",
		"GET /v1/disputes?limit=100&payment_intent=pi_3Nx")
	for _, body := range []string{`{"data":[],"has_more":true}`, `{}`, `{"data":null}`, `{"data":[1]}`} {
		for _, path := range []string{"/v1/refunds", "/v1/disputes"} {
			answers := map[string]said{"/v1/refunds": none, "/v1/disputes": none}
			answers[path] = said{body: body}
			s.set(answers)
			if got, err := g.Refunds(t.Context(), attempt("stripe", "JPY")); err == nil {
				t.Errorf("%s: got %v", body, got)
			}
		}
	}
	s.set(map[string]said{"/v1/refunds": none, "/v1/disputes": none})
	if got, err := g.Refunds(t.Context(), attempt("stripe", "JPY")); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	for status, want := range map[string]gateway.RefundState{
		"needs_response": gateway.RefundDisputed, "warning_needs_response": gateway.RefundInquiry,
		"under_review": gateway.RefundDisputed, "warning_under_review": gateway.RefundInquiry,
		"new": gateway.RefundDisputed, "won": gateway.RefundFailed, "warning_closed": gateway.RefundFailed,
		"lost": gateway.RefundDone, "prevented": gateway.RefundFailed,
	} {
		s.set(map[string]said{"/v1/refunds": none, "/v1/disputes": {body: `{"data":[{"id":"du_1","amount":125000,` +
			`"currency":"usd","status":"` + status + `","evidence_details":{"due_by":1796127900}}]}`}})
		got, err := g.Refunds(t.Context(), attempt("stripe", "USD"))
		if err != nil || len(got) != 1 || got[0].State != want || got[0].Theirs != "du_1" ||
			got[0].Amount != (money.Amount{Minor: 125000, Currency: "USD"}) || (got[0].Reason.String() == "") !=
			(status == "lost") || strings.Contains(got[0].Reason.String(), "2026-12-01") !=
			strings.HasSuffix(status, "needs_response") {
			t.Errorf("%s: got %+v, %v", status, got, err)
		}
	}
}

func TestStripeAccounts(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["stripe"]
	account := attempt("stripe", "USD").Account
	s.set(at(stripeSessions, `{"object":"list","data":[],"has_more":false}`))
	checkReason(t, "right", g.Check(t.Context(), account), false)
	checkAsked(t, s, "GET "+stripeSessions+"?limit=1")
	for _, refused := range []said{
		invalid(401, `null`), invalid(403, `"x"`),
		invalid(429, `"rate_limit"`), {body: `{}`},
	} {
		s.set(map[string]said{stripeSessions: refused})
		wrong := g.Check(t.Context(), account)
		checkReason(t, refused.body, wrong, true)
		checkQuiet(t, account, wrong)
	}
	for currency, takes := range map[string]bool{
		"USD": true, "EUR": true, "JPY": true, "KRW": true, "HUF": true, "ISK": false, "UGX": false, "MGA": false,
		"BHD": false, "JOD": false, "KWD": false, "OMR": false, "TND": false, "IQD": false, "LYD": false, "UYI": false,
		"IRR": false, "IRT": false, "XXX": false,
	} {
		least, most, refused := g.Bounds(currency)
		checkReason(t, currency, refused, !takes)
		if takes != (least == 50 && most == 99_999_999) {
			t.Errorf("%s: from %d to %d", currency, least, most)
		}
	}
	back := httptest.NewRequest(http.MethodGet, "/pay/back?session_id=cs_1", nil)
	if got := g.Read(back); got != (gateway.Callback{}) {
		t.Errorf("got %+v", got)
	}
}
