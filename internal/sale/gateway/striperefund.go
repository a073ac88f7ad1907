package gateway

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
)

// Refund has the part's id as its key, so that Stripe gives it back once.
func (s stripe) Refund(ctx context.Context, a Attempt, part Part) Refund {
	var got stripeObject
	err := s.call(ctx, a.Account, stripeCall{http.MethodPost, "/v1/refunds", "refund-" + part.ID.String(), url.Values{
		"payment_intent": {a.Settled}, "amount": {part.Amount.MinorText()}, "reason": {"requested_by_customer"},
		"metadata[refund]": {part.ID.String()},
	}}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok {
		if b, final := refused.blame(blameRefund); final {
			return Refund{Part: part.ID, Amount: part.Amount, State: RefundFailed, Reason: s.reason(b, refused.code)}
		}
	}
	back := s.refund(got)
	if err == nil && (back.Part != part.ID || back.Amount != part.Amount || got.PaymentIntent.id() != a.Settled) {
		err = errNoState
	}
	if err != nil {
		return Refund{Part: part.ID, Amount: part.Amount, State: RefundUnknown, Err: err}
	}
	return back
}

// Refunds counts a lost dispute as a refund, and one that was won as a refund that failed.
func (s stripe) Refunds(ctx context.Context, a Attempt) (all []Refund, err error) {
	refunds, err := s.list(ctx, "/v1/refunds", a)
	if err != nil {
		return nil, err
	}
	for _, one := range refunds {
		all = append(all, s.refund(one))
	}
	disputes, err := s.list(ctx, "/v1/disputes", a)
	for _, one := range disputes {
		back := Refund{Theirs: one.id(), Amount: one.money(one.Amount), State: RefundDisputed, Reason: fault.Say(
			"the customer contests this payment at the bank; answer in the dashboard of %s", s.title)}
		switch one.Status {
		case "won", "warning_closed", "prevented":
			back.State, back.Reason = RefundFailed, fault.Say("the bank has left the money to the shop")
		case "lost":
			back.State, back.Reason = RefundDone, fault.Words("")
		case "warning_under_review":
			back.State = RefundInquiry
		case "needs_response", "warning_needs_response":
			if one.Status == "warning_needs_response" {
				back.State = RefundInquiry
			}
			back.Reason = fault.Say("the customer contests this payment at the bank; answer in the dashboard of %s "+
				"until %s", s.title, time.Unix(one.Evidence.DueBy, 0).UTC().Format("2006-01-02 15:04 UTC"))
		}
		all = append(all, back)
	}
	return all, err
}

func (s stripe) refund(got stripeObject) Refund {
	back := Refund{Theirs: got.id(), Amount: got.money(got.Amount), State: RefundUnknown}
	if id, err := uuid.Parse(string(got.Metadata.Refund)); err == nil {
		back.Part = id
	}
	switch got.Status {
	case "succeeded":
		back.State = RefundDone
	case "pending", "requires_action":
		back.State = RefundPending
	case "failed", "canceled":
		back.State = RefundFailed
		back.Reason = s.reason(blameRefund, cmp.Or(got.FailureReason.code(), got.Status.code()))
	default:
		back.Err = errNoState
	}
	return back
}
