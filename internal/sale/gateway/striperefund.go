package gateway

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/internal/locale/money"
)

type stripeRefund struct {
	ID            text   `json:"id"`
	Amount        int64  `json:"amount"`
	Currency      string `json:"currency"`
	PaymentIntent text   `json:"payment_intent"`
	Status        text   `json:"status"`
	FailureReason text   `json:"failure_reason"`
	Metadata      struct {
		Refund text `json:"refund"`
	} `json:"metadata"`
}

// Refund has the part's id as its key, so that Stripe gives it back once.
func (s stripe) Refund(ctx context.Context, a Attempt, part Part) Refund {
	var got stripeRefund
	err := s.call(ctx, a.Account, stripeCall{http.MethodPost, "/v1/refunds", "refund-" + part.ID.String(), url.Values{
		"payment_intent":   {a.Settled},
		"amount":           {part.Amount.MinorText()},
		"reason":           {"requested_by_customer"},
		"metadata[refund]": {part.ID.String()},
	}}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok {
		if b, final := refused.blame(blameRefund); final {
			return Refund{Part: part.ID, Amount: part.Amount, State: RefundFailed, Reason: s.reason(b, refused.code)}
		}
	}
	back := s.refund(got)
	if err == nil && (back.Part != part.ID || back.Amount != part.Amount || string(got.PaymentIntent) != a.Settled) {
		err = errNoState
	}
	if err != nil {
		return Refund{Part: part.ID, Amount: part.Amount, State: RefundUnknown, Err: err}
	}
	return back
}

// Refunds reads one page, more than a payment ever has.
func (s stripe) Refunds(ctx context.Context, a Attempt) (all []Refund, err error) {
	var got struct {
		Data    *[]stripeRefund
		HasMore bool `json:"has_more"`
	}
	if err := s.call(ctx, a.Account, stripeList("/v1/refunds", a), &got); err != nil {
		return nil, err
	}
	if got.Data == nil || got.HasMore {
		return nil, errNoState
	}
	for _, one := range *got.Data {
		all = append(all, s.refund(one))
	}
	return all, nil
}

func stripeList(path string, a Attempt) stripeCall {
	return stripeCall{method: http.MethodGet,
		path: path + "?limit=100&payment_intent=" + url.QueryEscape(a.Settled)}
}

func (s stripe) refund(got stripeRefund) Refund {
	back := Refund{
		Theirs: matching(stripeID, string(got.ID)), State: RefundUnknown,
		Amount: money.Amount{Minor: got.Amount, Currency: strings.ToUpper(got.Currency)},
	}
	if id, err := uuid.Parse(string(got.Metadata.Refund)); err == nil {
		back.Part = id
	}
	switch got.Status {
	case "succeeded":
		back.State = RefundDone
	case "pending", "requires_action":
		back.State = RefundPending
	case "failed", "canceled":
		back.State, back.Reason = RefundFailed, s.reason(blameRefund, firstCode(got.FailureReason, got.Status))
	default:
		back.Err = errNoState
	}
	return back
}

func (s stripe) Disputes(ctx context.Context, a Attempt) (all []Dispute, err error) {
	var got struct {
		Data *[]struct {
			ID              text
			Amount          int64
			Currency        string
			Status          text
			EvidenceDetails struct {
				DueBy int64 `json:"due_by"`
			} `json:"evidence_details"`
		}
	}
	if err := s.call(ctx, a.Account, stripeList("/v1/disputes", a), &got); err != nil {
		return nil, err
	}
	if got.Data == nil {
		return nil, errNoState
	}
	for _, one := range *got.Data {
		d := Dispute{Theirs: matching(stripeID, string(one.ID)), State: DisputeOpen,
			Amount: money.Amount{Minor: one.Amount, Currency: strings.ToUpper(one.Currency)}}
		switch one.Status {
		case "won", "warning_closed":
			d.State = DisputeWon
		case "lost":
			d.State = DisputeLost
		case "needs_response", "warning_needs_response":
			d.AnswerBy = time.Unix(one.EvidenceDetails.DueBy, 0).UTC()
		}
		all = append(all, d)
	}
	return all, nil
}
