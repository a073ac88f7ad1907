package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/platform/httpcall"
)

// stripeVersion is the version of the API whose answers are read here, whatever the account's own is.
const stripeVersion = "2026-03-25.dahlia"

var stripeID = regexp.MustCompile(`^[a-z]{2,8}_[0-9A-Za-z_]{1,200}$`)

// stripeObject has what is read of a session, a payment intent, a charge, a refund or a dispute.
type stripeObject struct {
	ID, Status, URL   text
	Livemode          bool
	Disputed          bool // a charge
	Amount            int64
	Currency          string
	AmountTotal       int64         `json:"amount_total"`    // of a session
	AmountRefunded    int64         `json:"amount_refunded"` // of a charge
	PaymentStatus     text          `json:"payment_status"`
	ClientReferenceID text          `json:"client_reference_id"`
	FailureReason     text          `json:"failure_reason"`
	PaymentIntent     *stripeObject `json:"payment_intent"`
	LatestCharge      *stripeObject `json:"latest_charge"`
	Metadata          struct{ Reference, Refund text }
	Method            struct{ Card struct{ Last4 text } } `json:"payment_method_details"`
	Evidence          struct {
		DueBy int64 `json:"due_by"` // Unix time
	} `json:"evidence_details"`
}

// UnmarshalJSON also reads an object that is not expanded: its id.
func (o *stripeObject) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &o.ID)
	}
	type expanded stripeObject // without this method
	return json.Unmarshal(b, (*expanded)(o))
}

func (o *stripeObject) id() string {
	if o == nil {
		return ""
	}
	return matching(stripeID, o.ID)
}

// money returns an amount of the object, in a currency that Bounds takes.
func (o *stripeObject) money(minor int64) money.Amount {
	return money.Amount{Minor: minor, Currency: strings.ToUpper(o.Currency)}
}

// stripeCall is a request, made of the attempt's row alone.
type stripeCall struct {
	method, path string
	key          string // its Idempotency-Key; empty: it needs none
	form         url.Values
}

// call decodes an answer of success; another is a *stripeRefusal.
func (s stripe) call(ctx context.Context, account Account, c stripeCall, answer any) error {
	contentType := ""
	if c.method == http.MethodPost {
		contentType = "application/x-www-form-urlencoded"
	}
	request, err := httpcall.NewRequest(c.method, s.api+c.path, contentType, []byte(c.form.Encode()))
	if err != nil {
		return errUnsent
	}
	request.Header.Set("Authorization", "Bearer "+account.Secrets["secret_key"])
	request.Header.Set("Stripe-Version", stripeVersion)
	if c.key != "" {
		request.Header.Set("Idempotency-Key", c.key)
	}
	var body json.RawMessage
	status, err := s.host.call(ctx, request, &body)
	if err != nil {
		return err
	}
	var refused struct {
		Error *struct{ Type, Code text }
	}
	switch {
	case status < 300 && json.Unmarshal(body, answer) == nil:
		return nil
	case status < 300 || json.Unmarshal(body, &refused) != nil || refused.Error == nil:
		return errNoState
	}
	kind := refused.Error.Type.code()
	return &stripeRefusal{status, kind, cmp.Or(refused.Error.Code.code(), kind)}
}

// list reads what was done to the payment of an attempt, on one page of more than there ever is.
func (s stripe) list(ctx context.Context, path string, a Attempt) ([]stripeObject, error) {
	var got struct {
		Data    *[]stripeObject
		HasMore bool `json:"has_more"`
	}
	err := s.call(ctx, a.Account, stripeCall{method: http.MethodGet,
		path: path + "?limit=100&payment_intent=" + url.QueryEscape(a.Settled)}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok {
		if b, final := refused.blame(blameCode); final {
			return nil, &Refused{s.reason(b, refused.code), refused.code}
		}
	}
	if err != nil {
		return nil, err
	}
	if got.HasMore {
		return nil, &Refused{Reason: fault.Say(
			"%s has more than 100 refunds of this payment; give the rest back in its dashboard", s.title)}
	}
	if got.Data == nil {
		return nil, errNoState
	}
	return *got.Data, nil
}

// stripeRefusal is an answer without what was asked for.
type stripeRefusal struct {
	status     int
	kind, code string
}

func (r *stripeRefusal) Error() string { return "Stripe refuses with " + r.code }

// blame returns who can do something about a refusal; invalid is for a request that is wrong. It returns false if the
// same request may have been accepted before, or may be accepted later.
func (r *stripeRefusal) blame(invalid blame) (blame, bool) {
	switch {
	case r.kind == "idempotency_error":
		return invalid, false
	case r.status == http.StatusUnauthorized:
		return blameAccount, true
	case r.status == http.StatusForbidden:
		return blameRights, true
	case r.status == http.StatusNotFound:
		return blameAttempt, true
	case strings.HasPrefix(r.code, "amount_too_"):
		return blameAmount, true
	case r.code == "url_invalid":
		return blameCallback, true
	}
	return invalid, r.status == http.StatusBadRequest || r.status == http.StatusPaymentRequired
}
