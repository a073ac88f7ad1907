package gateway_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"storefront/internal/sale/gateway"
)

func signature(secret string, at int64, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s", at, body)
	return hex.EncodeToString(mac.Sum(nil))
}

func event(kind, object string) string {
	return `{"id":"evt_1","object":"event","api_version":"2020-08-27","livemode":true,"type":"` + kind +
		`","data":{"object":` + object + `}}`
}

func TestStripeSignatures(t *testing.T) {
	n := gateways("")["stripe"].(gateway.Notifier)
	account := attempt("stripe", "USD").Account
	alone := account
	alone.Secrets = gateway.Secrets{"secret_key": "sk_live_51KxHidden", "webhook_secret": "whsec_firstHidden"}
	now := noon.Unix()
	body := event("checkout.session.completed", `{"id":"cs_live_a1B2c3","client_reference_id":"`+reference+`"}`)
	first, second := signature("whsec_firstHidden", now, body), signature("whsec_secondHidden", now, body)
	wrong := strings.Repeat("ab", 32)
	at := func(moment int64) string {
		return fmt.Sprintf("t=%d,v1=%s", moment, signature("whsec_firstHidden", moment, body))
	}
	for name, c := range map[string]struct {
		header  string
		account gateway.Account
		body    string
		taken   bool
	}{
		"the first secret":  {fmt.Sprintf("t=%d,v1=%s", now, first), account, body, true},
		"the second secret": {fmt.Sprintf("t=%d,v1=%s", now, second), account, body, true},
		"no second secret":  {fmt.Sprintf("t=%d,v1=%s", now, second), alone, body, false},
		"an empty secret":   {fmt.Sprintf("t=%d,v1=%s", now, signature("", now, body)), alone, body, false},
		"no secrets":        {fmt.Sprintf("t=%d,v1=%s", now, signature("", now, body)), gateway.Account{}, body, false},
		"two signatures":    {fmt.Sprintf("t=%d,v1=%s,v1=%s,v0=%s", now, wrong, first, wrong), account, body, true},
		"unknown members":   {fmt.Sprintf("v0=x,t=%d,y,=,v2=1,v1=zz,v1=%s", now, first), account, body, true},
		"upper case":        {fmt.Sprintf("t=%d,v1=%s", now, strings.ToUpper(first)), account, body, true},
		"300 seconds old":   {at(now - 300), account, body, true},
		"301 seconds old":   {at(now - 301), account, body, false},
		"300 seconds ahead": {at(now + 300), account, body, true},
		"301 seconds ahead": {at(now + 301), account, body, false},
		"another moment":    {fmt.Sprintf("t=%d,v1=%s", now-1, first), account, body, false},
		"another body":      {fmt.Sprintf("t=%d,v1=%s", now, first), account, body + " ", false},
		"another secret":    {fmt.Sprintf("t=%d,v1=%s", now, wrong), account, body, false},
		"v0 alone":          {fmt.Sprintf("t=%d,v0=%s", now, first), account, body, false},
		"no time":           {"v1=" + first, account, body, false},
		"the first of time": {fmt.Sprintf("t=-9223372036854775808,v1=%s", first), account, body, false},
		"a part":            {fmt.Sprintf("t=%d,v1=%s", now, first[:32]), account, body, false},
		"nothing":           {"", account, body, false},
	} {
		got, err := n.Event(c.account, http.Header{"Stripe-Signature": {c.header}}, []byte(c.body), noon)
		if (err == nil) != c.taken || c.taken != (got.ID == "evt_1") {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		checkQuiet(t, account, err)
	}
}

func TestStripeEvents(t *testing.T) {
	n := gateways("")["stripe"].(gateway.Notifier)
	account := attempt("stripe", "USD").Account
	session := `{"id":"cs_live_a1B2c3","object":"checkout.session","client_reference_id":"` + reference +
		`","payment_intent":"pi_3Nx","payment_status":"paid"}`
	of := func(about gateway.Subject) gateway.Event {
		return gateway.Event{ID: "evt_1", About: about, Reference: reference, Theirs: "cs_live_a1B2c3",
			Settled: "pi_3Nx"}
	}
	money := gateway.Event{ID: "evt_1", Settled: "pi_3Nx"}
	about := func(about gateway.Subject, reference string) gateway.Event {
		e := money
		e.About, e.Reference = about, reference
		return e
	}
	for body, want := range map[string]gateway.Event{
		event("checkout.session.completed", session):               of(gateway.AboutPayment),
		event("checkout.session.async_payment_succeeded", session): of(gateway.AboutPayment),
		event("checkout.session.async_payment_failed", session):    of(gateway.AboutPayment),
		event("checkout.session.expired", session):                 of(gateway.AboutPayment),
		event("checkout.session.completed", `{"id":"cs_live_b","client_reference_id":null,"payment_intent":null}`): {
			ID: "evt_1", About: gateway.AboutPayment, Theirs: "cs_live_b"},
		event("checkout.session.expired", `{"id":"x y","client_reference_id":"<b>","payment_intent":{}}`): {
			ID: "evt_1", About: gateway.AboutPayment},
		event("charge.refunded", `{"payment_intent":"pi_3Nx","metadata":{"reference":"`+reference+`"}}`): about(
			gateway.AboutRefund, reference),
		event("charge.refund.updated", `{"id":"re_1","payment_intent":"pi_3Nx"}`): about(gateway.AboutRefund, ""),
		event("refund.updated", `{"id":"re_1","payment_intent":"pi_3Nx","metadata":{}}`): about(
			gateway.AboutRefund, ""),
		event("refund.failed", `{"id":"re_1","payment_intent":"pi_3Nx","metadata":null}`): about(
			gateway.AboutRefund, ""),
		event("charge.dispute.created", `{"id":"du_1","payment_intent":"pi_3Nx","charge":"ch_1"}`): about(
			gateway.AboutRefund, ""),
		event("charge.dispute.closed", `{"id":"du_1","payment_intent":"pi_3Nx"}`): about(gateway.AboutRefund, ""),
		event("payment_intent.succeeded", `{"id":"pi_3Nx","amount":"x"}`):         {ID: "evt_1"},
		event("customer.created", `[]`):                                           {ID: "evt_1"},
	} {
		header := http.Header{"Stripe-Signature": {
			fmt.Sprintf("t=%d,v1=%s", noon.Unix(), signature("whsec_firstHidden", noon.Unix(), body)),
		}}
		got, err := n.Event(account, header, []byte(body), noon)
		if got != want || err != nil {
			t.Errorf("%s: got %+v, %v", body, got, err)
		}
	}
	for _, body := range []string{
		strings.Replace(event("checkout.session.completed", session), `"livemode":true`, `"livemode":false`, 1),
		strings.Replace(event("checkout.session.completed", session), `evt_1`, ``, 1),
		"", "null", "[]", "<html>", event("refund.updated", `[]`),
		event("refund.updated", `{"pad":"`+strings.Repeat("x", gateway.MaxEvent)+`"}`),
	} {
		header := http.Header{"Stripe-Signature": {
			fmt.Sprintf("t=%d,v1=%s", noon.Unix(), signature("whsec_firstHidden", noon.Unix(), body)),
		}}
		if got, err := n.Event(account, header, []byte(body), noon); err == nil {
			t.Errorf("%.80s: got %+v", body, got)
		}
	}
}
