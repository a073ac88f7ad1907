package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/platform/httpcall"
)

// stripe is Stripe's hosted page, Checkout. A session has one line of the whole total, so that Stripe computes nothing.
type stripe struct{ host }

// stripeVersion is the version of the API whose answers are read here, whatever the account's own is.
const stripeVersion = "2026-03-25.dahlia"

var (
	stripeKey    = regexp.MustCompile(`^[sr]k_(test|live)_[0-9A-Za-z]{8,250}$`)
	stripeSecret = regexp.MustCompile(`^whsec_[0-9A-Za-z+/=_-]{8,250}$`)
	stripeID     = regexp.MustCompile(`^[a-z]{2,8}_[0-9A-Za-z_]{1,200}$`)
)

func (s stripe) About() About {
	return About{
		Name: "stripe", Title: s.title,
		Fields: []Field{
			{Name: "secret_key", Title: fault.Say("the secret key in Stripe's dashboard; sk_test_… for test money"),
				Pattern: stripeKey},
			{Name: "webhook_secret", Title: fault.Say("the signing secret of the webhook, whsec_…"),
				Pattern: stripeSecret},
			{Name: "webhook_secret_2", Title: fault.Say("a second one, while it is replaced"),
				Pattern: stripeSecret, Optional: true},
		},
		Payable: 31 * time.Minute, Watched: 72 * time.Hour, // Stripe takes no less than 30 minutes
	}
}

func (stripe) Live(account Account) bool {
	return !strings.Contains(account.Secrets["secret_key"], "_test_")
}

// stripeDecimals returns how many decimals amounts of a currency have at Stripe. Most have two; ISK and UGX, too.
func stripeDecimals(currency string) int {
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0
	case "BHD", "JOD", "KWD", "OMR", "TND":
		return 3
	}
	return 2
}

// Bounds refuses the currencies that Stripe counts in other units than ours, and those of which it rounds the last
// decimal, so that amounts are the same on both sides. The least is Stripe's for most currencies.
func (s stripe) Bounds(currency string) (least, most int64, refused fault.Text) {
	decimals, ok := money.Exponent(currency)
	switch {
	case !ok || currency == "IRR" || currency == "IRT":
		return 0, 0, fault.Say("%s does not take %s", s.title, currency)
	case decimals > 2 || decimals != stripeDecimals(currency):
		return 0, 0, fault.Say("%s takes %s with other decimals than a shop has, so it is not offered", s.title, currency)
	}
	return 50, 99_999_999, refused
}

func (s stripe) Hosts(Account) []string { return []string{s.pages} }

type stripeSession struct {
	ID                text            `json:"id"`
	URL               text            `json:"url"`
	Status            text            `json:"status"`
	PaymentStatus     text            `json:"payment_status"`
	AmountTotal       int64           `json:"amount_total"`
	Currency          string          `json:"currency"`
	ClientReferenceID text            `json:"client_reference_id"`
	Livemode          bool            `json:"livemode"`
	PaymentIntent     json.RawMessage `json:"payment_intent"`
}

type stripeIntent struct {
	ID           text            `json:"id"`
	Status       text            `json:"status"`
	LatestCharge json.RawMessage `json:"latest_charge"`
}

type stripeCharge struct {
	AmountRefunded       int64 `json:"amount_refunded"`
	PaymentMethodDetails struct {
		Card struct {
			Last4 text `json:"last4"`
		} `json:"card"`
	} `json:"payment_method_details"`
}

// stripeCall is a request, made of the attempt's row alone.
type stripeCall struct {
	method, path string
	key          string // its Idempotency-Key; empty: it needs none
	form         url.Values
}

// stripeRefusal is an answer without what was asked for.
type stripeRefusal struct {
	status int
	kind   text
	code   string
}

// call decodes an answer of success; another is a *stripeRefusal.
func (s stripe) call(ctx context.Context, account Account, c stripeCall, answer any) error {
	contentType := ""
	if c.method == http.MethodPost {
		contentType = "application/x-www-form-urlencoded"
	}
	request, err := httpcall.NewRequest(c.method, s.api+c.path, contentType, []byte(c.form.Encode()))
	if err != nil {
		return &failure{cause: errNoRequest}
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
		return &failure{true, errNoState}
	}
	return &stripeRefusal{status, refused.Error.Type, firstCode(refused.Error.Code, refused.Error.Type)}
}

func firstCode(codes ...text) string {
	for _, one := range codes {
		if code := one.code(); code != "" {
			return code
		}
	}
	return ""
}

func (r *stripeRefusal) Error() string { return "Stripe refuses with " + r.code }

// blame returns who can do something about a refusal; of other requests that is invalid. It returns false if the same
// request may have been accepted before, or may be accepted later.
func (r *stripeRefusal) blame(invalid blame) (blame, bool) {
	switch {
	case r.kind == "idempotency_error":
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
	case r.status == http.StatusBadRequest || r.status == http.StatusPaymentRequired:
		return invalid, true
	}
	return 0, false
}

func (s stripe) Begin(ctx context.Context, a Attempt) (Begun, error) {
	if _, _, refused := s.Bounds(a.Amount.Currency); refused.String() != "" {
		return Begun{}, &Refused{Reason: refused}
	}
	var got stripeSession
	err := s.call(ctx, a.Account, stripeCall{http.MethodPost, "/v1/checkout/sessions", "begin-" + a.Reference,
		url.Values{
			"mode": {"payment"}, "payment_method_types[0]": {"card"},
			"line_items[0][quantity]":                       {"1"},
			"line_items[0][adjustable_quantity][enabled]":   {"false"},
			"line_items[0][price_data][currency]":           {strings.ToLower(a.Amount.Currency)},
			"line_items[0][price_data][unit_amount]":        {a.Amount.MinorText()},
			"line_items[0][price_data][product_data][name]": {"Order " + a.Order},
			"automatic_tax[enabled]":                        {"false"},
			"allow_promotion_codes":                         {"false"},
			"adaptive_pricing[enabled]":                     {"false"},
			"client_reference_id":                           {a.Reference},
			"metadata[order]":                               {a.Order},
			"payment_intent_data[metadata][reference]":      {a.Reference},
			"payment_intent_data[metadata][order]":          {a.Order},
			"success_url":                                   {a.Callback},
			"cancel_url":                                    {a.Callback},
			"expires_at":                                    {strconv.FormatInt(a.PayableUntil.Unix(), 10)},
		}}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok {
		if b, final := refused.blame(blameCode); final {
			return Begun{}, &Refused{s.reason(b, refused.code), refused.code}
		}
		return Begun{}, err
	}
	id := matching(stripeID, string(got.ID))
	switch {
	case err != nil:
		return Begun{}, s.unbegun(err)
	case id == "" || string(got.ClientReferenceID) != a.Reference:
		return Begun{}, errNoState
	}
	redirect, err := s.page(got)
	if err != nil {
		return Begun{}, &Refused{Reason: fault.Say("%s sends customers to a page that is not at %s; switch the domain "+
			"of your own off in its dashboard", s.title, s.pages)}
	}
	return Begun{id, redirect}, nil
}

// page returns the page of a session, the only one that cannot be built from its id.
func (s stripe) page(got stripeSession) (string, error) {
	u, err := url.Parse(string(got.URL))
	if err != nil || u.User != nil || u.Scheme+"://"+u.Host != s.pages || len(got.URL) > 4096 {
		return "", errors.New("the session has no page of Stripe's")
	}
	return u.String(), nil
}

func (s stripe) Resume(ctx context.Context, a Attempt) (string, error) {
	got, err := s.session(ctx, a)
	if err != nil {
		return "", err
	}
	return s.page(got)
}

func (s stripe) session(ctx context.Context, a Attempt) (got stripeSession, err error) {
	return got, s.call(ctx, a.Account, stripeCall{method: http.MethodGet, path: "/v1/checkout/sessions/" +
		url.PathEscape(a.Theirs) + "?expand[]=payment_intent&expand[]=payment_intent.latest_charge"}, &got)
}

// Read finds nothing, as Attempt.Callback is all that a customer comes back with.
func (stripe) Read(*http.Request) Callback { return Callback{} }

// Verify is Lookup, as Stripe's payments need no second step.
func (s stripe) Verify(ctx context.Context, a Attempt) Outcome { return s.Lookup(ctx, a) }

func (s stripe) Lookup(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	got, err := s.session(ctx, a)
	if err != nil {
		return s.unseen(err)
	}
	return s.outcome(a, got)
}

func (s stripe) unseen(err error) Outcome {
	if refused, ok := errors.AsType[*stripeRefusal](err); ok && refused.status != http.StatusBadRequest {
		if b, final := refused.blame(blameCode); final {
			return Outcome{Kind: Config, Reason: s.reason(b, refused.code)}
		}
	}
	return unknown(err)
}

func (s stripe) outcome(a Attempt, got stripeSession) Outcome {
	var intent stripeIntent
	if json.Unmarshal(got.PaymentIntent, &intent.ID) != nil || intent.ID == "" { // an id, unless it is expanded
		if err := json.Unmarshal(got.PaymentIntent, &intent); err != nil {
			intent = stripeIntent{}
		}
	}
	o := Outcome{Kind: Paid, Amount: money.Amount{Minor: got.AmountTotal, Currency: strings.ToUpper(got.Currency)}}
	switch {
	case string(got.ID) != a.Theirs || got.PaymentStatus == "":
		return unknown(errNoState)
	case string(got.ClientReferenceID) != a.Reference || got.Livemode != s.Live(a.Account):
		return s.mismatch(Outcome{})
	case got.PaymentStatus != "unpaid" && (got.PaymentStatus != "paid" || o.Amount != a.Amount):
		return s.mismatch(o)
	case got.PaymentStatus == "paid" && matching(stripeID, string(intent.ID)) == "":
		return unknown(errNoState)
	case got.PaymentStatus == "paid":
		var charge stripeCharge
		if json.Unmarshal(intent.LatestCharge, &charge) == nil {
			o.Card, o.Back = lastFour(string(charge.PaymentMethodDetails.Card.Last4)), charge.AmountRefunded
		}
		o.Code = string(intent.ID)
		return o
	case got.Status == "open":
		return Outcome{Kind: Payable}
	case got.Status == "expired":
		return Outcome{Kind: Dead}
	case got.Status == "complete" && slices.Contains([]text{"requires_payment_method", "canceled"}, intent.Status):
		return Outcome{Kind: Dead}
	case got.Status == "complete":
		return Outcome{Kind: Pending}
	}
	return unknown(errNoState)
}

// End looks up what can be expired no more.
func (s stripe) End(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	var got stripeSession
	err := s.call(ctx, a.Account, stripeCall{
		method: http.MethodPost, path: "/v1/checkout/sessions/" + url.PathEscape(a.Theirs) + "/expire",
	}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok && refused.status == http.StatusBadRequest {
		return s.Lookup(ctx, a)
	} else if err != nil {
		return s.unseen(err)
	}
	return s.outcome(a, got)
}

func (s stripe) Check(ctx context.Context, account Account) (wrong fault.Text) {
	var got struct{ Data *[]json.RawMessage }
	err := s.call(ctx, account, stripeCall{method: http.MethodGet, path: "/v1/checkout/sessions?limit=1"}, &got)
	refused, ok := errors.AsType[*stripeRefusal](err)
	switch {
	case ok:
		b, _ := refused.blame(blameCode)
		return s.reason(b, refused.code)
	case err != nil || got.Data == nil:
		return s.silent()
	}
	return wrong
}
