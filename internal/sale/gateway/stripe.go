package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// stripe is Stripe's hosted page, Checkout. A session has one line of the whole total, so that Stripe computes nothing.
type stripe struct{ host }

const stripeSessions = "/v1/checkout/sessions"

func (s stripe) About() About {
	secret := regexp.MustCompile(`^whsec_[0-9A-Za-z+/=_-]{8,250}$`)
	return About{
		Name: "stripe", Title: s.title, Repeats: true,
		Payable: 31 * time.Minute, Watched: 72 * time.Hour, // Stripe takes no less than 30 minutes
		Fields: []Field{
			{Name: "secret_key", Title: fault.Say("the secret key in Stripe's dashboard; sk_test_… for test money"),
				Pattern: regexp.MustCompile(`^[sr]k_(test|live)_[0-9A-Za-z]{8,250}$`)},
			{Name: "webhook_secret", Title: fault.Say("the signing secret of the webhook, whsec_…"), Pattern: secret},
			{Name: "webhook_secret_2", Title: fault.Say("a second one, while it is replaced"), Pattern: secret,
				Optional: true},
		},
	}
}

func (stripe) Live(account Account) bool {
	return !strings.Contains(account.Secrets["secret_key"], "_test_")
}

// stripeDecimals returns how many decimals amounts of a currency have at Stripe: of ISK and UGX two as well.
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
		return 0, 0, fault.Say("%s takes %s with other decimals than a shop has, so it is not offered", s.title,
			currency)
	}
	return 50, 99_999_999, refused
}

func (s stripe) Hosts(Account) []string { return []string{s.pages} }

func (s stripe) Begin(ctx context.Context, a Attempt) (Begun, error) {
	if _, _, refused := s.Bounds(a.Amount.Currency); refused.String() != "" {
		return Begun{}, &Refused{refused, a.Amount.Currency}
	}
	const line = "line_items[0]"
	var got stripeObject
	err := s.call(ctx, a.Account, stripeCall{http.MethodPost, stripeSessions, "begin-" + a.Reference, url.Values{
		"mode": {"payment"}, "payment_method_types[0]": {"card"},
		line + "[quantity]": {"1"}, line + "[adjustable_quantity][enabled]": {"false"},
		line + "[price_data][currency]":           {strings.ToLower(a.Amount.Currency)},
		line + "[price_data][unit_amount]":        {a.Amount.MinorText()},
		line + "[price_data][product_data][name]": {"Order " + a.Order},
		"automatic_tax[enabled]":                  {"false"}, "allow_promotion_codes": {"false"},
		"adaptive_pricing[enabled]": {"false"},
		"client_reference_id":       {a.Reference}, "payment_intent_data[metadata][reference]": {a.Reference},
		"metadata[order]": {a.Order}, "payment_intent_data[metadata][order]": {a.Order},
		"success_url": {a.Callback}, "cancel_url": {a.Callback},
		"expires_at": {strconv.FormatInt(a.PayableUntil.Unix(), 10)},
	}}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok {
		if b, final := refused.blame(blameCode); final {
			return Begun{}, &Refused{s.reason(b, refused.code), refused.code}
		}
	}
	begun := Begun{Theirs: got.id()}
	if string(got.ClientReferenceID) != a.Reference {
		begun.Theirs = ""
	}
	page, elsewhere := s.page(got)
	if begun.Redirect = page; begun.Theirs != "" && elsewhere != nil {
		return Begun{}, &Refused{fault.Say("%s sends customers to a page that is not at %s; switch the domain "+
			"of your own off in its dashboard", s.title, s.pages), "custom_domain"}
	}
	return s.begun(begun, err, "", "", nil)
}

// page returns the page of a session, the only one that cannot be built from its id.
func (s stripe) page(session stripeObject) (string, error) {
	u, err := url.Parse(string(session.URL))
	if err != nil || u.User != nil || u.Scheme+"://"+u.Host != s.pages || len(session.URL) > 4096 {
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

// Read finds nothing, as Attempt.Callback is all that a customer comes back with.
func (stripe) Read(*http.Request) Callback { return Callback{} }

// Verify is Lookup, as Stripe's payments need no second step.
func (s stripe) Verify(ctx context.Context, a Attempt) Outcome { return s.Lookup(ctx, a) }

func (s stripe) Lookup(ctx context.Context, a Attempt) Outcome {
	got, err := s.session(ctx, a)
	return s.outcome(a, got, err)
}

func (s stripe) session(ctx context.Context, a Attempt) (got stripeObject, err error) {
	if a.Theirs == "" {
		return got, errNotBegun
	}
	err = s.call(ctx, a.Account, stripeCall{method: http.MethodGet, path: stripeSessions + "/" + a.Theirs +
		"?expand[]=payment_intent&expand[]=payment_intent.latest_charge"}, &got)
	return got, err
}

// End looks up a session that cannot be ended, as it is over or paid.
func (s stripe) End(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	var got stripeObject
	err := s.call(ctx, a.Account,
		stripeCall{method: http.MethodPost, path: stripeSessions + "/" + a.Theirs + "/expire"}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok && refused.status == http.StatusBadRequest {
		return s.Lookup(ctx, a)
	}
	return s.outcome(a, got, err)
}

func (s stripe) outcome(a Attempt, got stripeObject, err error) Outcome {
	if refused, ok := errors.AsType[*stripeRefusal](err); ok && refused.status != http.StatusBadRequest {
		if b, final := refused.blame(blameCode); final {
			return Outcome{Kind: Config, Reason: s.reason(b, refused.code)}
		}
	}
	if err == nil && (string(got.ID) != a.Theirs || got.PaymentStatus == "") {
		err = errNoState
	}
	intent, paid := got.PaymentIntent, got.PaymentStatus == "paid"
	o := Outcome{Kind: Paid, Amount: got.money(got.AmountTotal), Code: intent.id()}
	switch {
	case err != nil:
		return s.failed(a, err, "", nil)
	case string(got.ClientReferenceID) != a.Reference || got.Livemode != s.Live(a.Account):
		return s.mismatch(Outcome{})
	case got.PaymentStatus != "unpaid" && (!paid || o.Amount != a.Amount):
		return s.mismatch(Outcome{Amount: o.Amount})
	case paid && o.Code != "":
		if charge := intent.LatestCharge; charge != nil {
			o.Card, o.WentBack = lastFour(charge.Method.Card.Last4), charge.AmountRefunded > 0 || charge.Disputed
		}
		return o
	case paid:
		return unknown(errNoState)
	case got.Status == "open":
		return Outcome{Kind: Payable}
	case got.Status == "expired",
		got.Status == "complete" && intent != nil && intent.Status == "canceled",
		got.Status == "complete" && intent != nil && intent.Status == "requires_payment_method":
		return Outcome{Kind: Dead}
	case got.Status == "complete":
		return Outcome{Kind: Pending}
	}
	return unknown(errNoState)
}

func (s stripe) Check(ctx context.Context, account Account) (wrong fault.Text) {
	var got struct{ Data *[]json.RawMessage }
	err := s.call(ctx, account, stripeCall{method: http.MethodGet, path: stripeSessions + "?limit=1"}, &got)
	if refused, ok := errors.AsType[*stripeRefusal](err); ok {
		b, _ := refused.blame(blameCode)
		return s.reason(b, refused.code)
	}
	if err != nil || got.Data == nil {
		return s.silent()
	}
	return wrong
}
