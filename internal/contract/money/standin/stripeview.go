package standin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// view returns a Checkout Session. A form may expand payment_intent and its latest_charge.
func (v stripe) view(s *Session, form url.Values) object {
	status, paymentStatus, amount := "open", "unpaid", s.Amount
	switch {
	case s.Paid > 0:
		status, paymentStatus, amount = "complete", "paid", s.Paid
	case s.Ended:
		status = "expired"
	}
	var intent any
	if s.Card != "" { // null until the buyer has tried
		intent = s.intent()
		if expanded := expanded(form); slices.Contains(expanded, "payment_intent") {
			intent = v.viewIntent(s, slices.Contains(expanded, "payment_intent.latest_charge"))
		}
	}
	return object{"id": s.ID, "object": "checkout.session", "url": nil, "status": status, "mode": "payment",
		"payment_status": paymentStatus, "amount_total": amount, "currency": s.Currency, "payment_intent": intent,
		"client_reference_id": s.Reference, "metadata": s.Metadata, "expires_at": s.Ends.Unix(),
		"created": s.Began.Unix(), "livemode": s.live()}
}

// expanded returns what a form asks to expand, as expand[] or expand[0]; what is in an object expands the object.
func expanded(form url.Values) (all []string) {
	for name, values := range form {
		if !strings.HasPrefix(name, "expand[") {
			continue
		}
		for _, path := range values {
			outer, _, _ := strings.Cut(path, ".")
			all = append(all, path, outer)
		}
	}
	return all
}

func (v stripe) viewIntent(s *Session, expanded bool) object {
	var failed, charge any
	status := "requires_payment_method"
	switch {
	case s.Paid > 0:
		status, charge = "succeeded", s.charge()
		if expanded {
			charge = v.viewCharge(s)
		}
	case s.State == badCard, s.State == poor:
		failed = object{"code": "card_declined", "decline_code": "insufficient_funds",
			"message": "Your card has insufficient funds."}
	case s.Ended:
		status = "canceled"
	}
	return object{"id": s.intent(), "object": "payment_intent", "status": status, "amount": s.Amount,
		"amount_received": s.Paid, "currency": s.Currency, "latest_charge": charge, "last_payment_error": failed,
		"metadata": s.IntentMetadata, "livemode": s.live()}
}

func (stripe) viewCharge(s *Session) object {
	var back int64
	for _, r := range s.Refunds {
		if r.Status != "failed" {
			back += r.Amount
		}
	}
	return object{"id": s.charge(), "object": "charge", "amount": s.Paid, "amount_refunded": back,
		"refunded": back == s.Paid, "disputed": s.State == disputed, "payment_intent": s.intent(),
		"currency": s.Currency, "metadata": s.IntentMetadata, "livemode": s.live(),
		"payment_method_details": object{"type": "card", "card": object{"brand": "visa",
			"last4": s.Card[max(0, len(s.Card)-4):]}}}
}

func (stripe) viewRefund(s *Session, r Refund) object {
	view := object{"id": r.ID, "object": "refund", "amount": r.Amount, "currency": s.Currency, "status": r.Status,
		"payment_intent": s.intent(), "charge": s.charge(), "reason": nil, "metadata": r.Metadata,
		"created": r.At.Unix()}
	if r.Reason != "" {
		view["reason"] = r.Reason
	}
	if r.Status == "failed" {
		view["failure_reason"] = "expired_or_canceled_card"
	}
	return view
}

func (stripe) back(s *Session, id string) string {
	if s.Paid == 0 {
		return s.Cancel
	}
	return strings.ReplaceAll(s.Callback, "{CHECKOUT_SESSION_ID}", id)
}

type event struct {
	kind   string
	object object
}

// sent is an event as it was sent, which repeat sends again.
type sent struct {
	session string
	hook    Hook
	body    []byte
}

// events returns what an effect makes Stripe tell.
func (v stripe) events(s *Session, operation, refund string) (all []event) {
	add := func(object object, kinds ...string) {
		for _, kind := range kinds {
			all = append(all, event{kind, object})
		}
	}
	switch operation {
	case "verify":
		add(v.viewIntent(s, false), "payment_intent.succeeded")
		add(v.view(s, nil), "checkout.session.completed")
	case "fail":
		add(v.viewIntent(s, false), "payment_intent.payment_failed")
	case "expire":
		add(v.view(s, nil), "checkout.session.expired")
	case "refund":
		add(v.viewCharge(s), "charge.refunded")
	case "dispute":
		add(v.viewDispute(s), "charge.dispute.created")
	case "dispute_won", "dispute_lost":
		add(v.viewDispute(s), "charge.dispute.closed")
	}
	for _, r := range s.Refunds {
		switch {
		case r.ID != refund:
		case operation == "refund_failed":
			add(v.viewRefund(s, r), "refund.updated", "refund.failed")
		default:
			add(v.viewRefund(s, r), "refund.updated")
		}
	}
	return all
}

func (stripe) viewDispute(s *Session) object {
	return object{"id": "dp_" + s.ID[len(s.ID)-24:], "object": "dispute", "amount": s.Paid, "currency": s.Currency,
		"charge": s.charge(), "payment_intent": s.intent(), "status": s.Dispute, "livemode": s.live()}
}

// emit sends an event to the account's hooks. Its version is an older one than any client pins, as that of an account
// often is.
func (g *Gateway) emit(s *Session, e event) {
	body, err := json.Marshal(object{"id": "evt_" + g.id(24), "object": "event", "type": e.kind,
		"api_version": "2024-06-20", "created": g.options.Now().Unix(), "livemode": s.live(),
		"data": object{"object": e.object}})
	if err != nil {
		panic(err)
	}
	f := g.draw("event", e.kind+" "+s.content())
	for _, hook := range g.accounts[s.Account].Hooks {
		if hook.Test == s.live() {
			continue
		}
		g.sent = append(g.sent, sent{s.ID, hook, body})
		deliver := func() { g.deliver(hook, body, 0) }
		switch f.Kind {
		case "lost":
			continue
		case "late":
			g.after(f.Delay, deliver)
			continue
		case "twice":
			g.after(0, deliver)
		case "eight":
			for range 7 {
				g.after(0, deliver)
			}
		case "forged":
			g.after(0, func() { g.post(hook.URL, body, signature([]string{"whsec_guessed"}, body, g.options.Now())) })
		case "stale":
			old := g.options.Now().Add(-301 * time.Second)
			g.after(0, func() { g.post(hook.URL, body, signature(hook.Secrets, body, old)) })
		}
		g.after(0, deliver)
	}
}

// deliver sends an event until it is taken, for 3 days: after a minute, two, four and so on.
func (g *Gateway) deliver(hook Hook, body []byte, attempt int) {
	if g.post(hook.URL, body, signature(hook.Secrets, body, g.options.Now())) || attempt > 11 {
		return
	}
	time.AfterFunc(g.scaled(time.Minute<<attempt), func() {
		select {
		case <-g.closed:
		default:
			g.deliver(hook, body, attempt+1)
		}
	})
}

// signature signs a body with each of the secrets, beside parts that a receiver does not know.
func signature(secrets []string, body []byte, at time.Time) string {
	parts := fmt.Sprintf("t=%d,v0=%064x", at.Unix(), 1)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = fmt.Fprintf(mac, "%d.%s", at.Unix(), body)
		parts += ",v1=" + hex.EncodeToString(mac.Sum(nil))
	}
	return parts
}

func (g *Gateway) post(address string, body []byte, signed string) (taken bool) {
	r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(string(body)))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("Stripe-Signature", signed)
	answered, err := g.client.Do(r)
	if err != nil {
		return false
	}
	_ = answered.Body.Close()
	return answered.StatusCode/100 == 2
}

// repeat sends all events of a session again, the last first.
func (g *Gateway) repeat(id string) error {
	count := 0
	for _, e := range slices.Backward(g.sent) {
		if e.session == id {
			g.after(0, func() { g.deliver(e.hook, e.body, 0) })
			count++
		}
	}
	if count == 0 {
		return fmt.Errorf("no events of session %s were sent", id)
	}
	return nil
}

// foreign sends an account's hooks the events of sessions that its keys do not find.
func (g *Gateway) foreign(account string) error {
	if g.accounts[account] == nil {
		return fmt.Errorf("no account %s", account)
	}
	for _, mode := range []string{"live", "test"} {
		s := &Session{ID: "cs_" + mode + "_" + g.id(58), Account: account, Reference: "foreign", Currency: "usd",
			Amount: 1000, Paid: 1000, Card: "4242424242424242", State: verified, Ended: true}
		g.emit(s, event{"checkout.session.completed", stripe{}.view(s, nil)})
	}
	return nil
}
