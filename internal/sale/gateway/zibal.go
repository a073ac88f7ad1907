package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// zibal is Zibal's IPG: amounts in rials, and no refunds but in its panel.
type zibal struct{ host }

var zibalTrack = regexp.MustCompile(`^[1-9][0-9]{0,19}$`)

var zibalCodes = blames{
	"102": blameAccount, "103": blameAccount, "104": blameAccount, "115": blameServer,
	"106": blameCallback, "140": blameCallback, "105": blameAmount, "113": blameAmount, "203": blameAttempt,
}

func (z zibal) About() About {
	return About{
		Name: "zibal", Title: z.title, Payable: 30 * time.Minute, Watched: 24 * time.Hour,
		Fields: []Field{{
			Name: "merchant", Title: fault.Say("the merchant of the gateway in Zibal's panel; zibal for test money"),
			Pattern: regexp.MustCompile(`^[0-9A-Za-z_-]{4,64}$`),
		}},
	}
}

func (zibal) Live(account Account) bool { return account.Secrets["merchant"] != "zibal" }

func (z zibal) Bounds(currency string) (least, most int64, refused fault.Text) {
	return z.ofIran(currency, 1001, 1e15) // above 1,000 rials; the account has a most that only Zibal knows
}

func (z zibal) Hosts(Account) []string { return []string{z.pages, banksOfIran} }

type zibalAnswer struct {
	Result     text `json:"result"`
	TrackID    text `json:"trackId"`
	Status     text `json:"status"`
	Amount     text `json:"amount"` // rials
	RefNumber  text `json:"refNumber"`
	CardNumber text `json:"cardNumber"`
	OrderID    text `json:"orderId"`
}

func (z zibal) Begin(ctx context.Context, a Attempt) (Begun, error) {
	rials, ok := a.Amount.In("IRR")
	if !ok {
		return Begun{}, &Refused{z.reason(blameAmount, a.Amount.Currency), a.Amount.Currency}
	}
	var got zibalAnswer
	err := z.post(ctx, "/v1/request", map[string]any{
		"merchant": a.Account.Secrets["merchant"], "amount": rials.Minor, "orderId": a.Reference,
		"callbackUrl": a.Callback, "description": a.inFarsi(),
	}, &got)
	track := matching(zibalTrack, got.TrackID)
	return z.begun(Begun{track, z.page(track)}, err, got.Result.code(), "100", zibalCodes)
}

func (z zibal) page(track string) string { return z.pages + "/start/" + track }

func (z zibal) Resume(_ context.Context, a Attempt) (string, error) { return z.page(a.Theirs), nil }

func (zibal) Read(r *http.Request) Callback {
	query := r.URL.Query()
	return Callback{text(query.Get("orderId")).code(), matching(zibalTrack, text(query.Get("trackId")))}
}

// Verify asks once more if the payment was verified before, as that answer may lack the amount.
func (z zibal) Verify(ctx context.Context, a Attempt) Outcome {
	got, err := z.ask(ctx, "/v1/verify", a)
	switch code := got.Result.code(); {
	case code == "201" && got.Amount == "":
		return z.Lookup(ctx, a)
	case code == "100" || code == "201":
		got.Status = cmp.Or(got.Status, "1")
		return z.outcome(a, got)
	case code == "202":
		return a.unpaid()
	default:
		return z.failed(a, err, code, zibalCodes)
	}
}

func (z zibal) Lookup(ctx context.Context, a Attempt) Outcome {
	got, err := z.ask(ctx, "/v1/inquiry", a)
	if got.Result == "100" {
		return z.outcome(a, got)
	}
	return z.failed(a, err, got.Result.code(), zibalCodes)
}

func (z zibal) End(ctx context.Context, a Attempt) Outcome { return z.Lookup(ctx, a) }

// Refunds reports that the whole payment was refunded, which is done in Zibal's panel.
func (z zibal) Refunds(ctx context.Context, a Attempt) ([]Refund, error) {
	got, err := z.ask(ctx, "/v1/inquiry", a)
	state, isBack := zibalBack[got.Status]
	switch {
	case err != nil:
		return nil, err
	case got.Result != "100":
		return nil, errNoState
	case isBack:
		return []Refund{{Theirs: a.Theirs, Amount: a.Amount, State: state}}, nil
	}
	return nil, nil
}

// zibalBack are the states of a refunded payment.
var zibalBack = map[text]RefundState{"15": RefundDone, "16": RefundPending, "18": RefundReversed}

func (z zibal) Check(ctx context.Context, account Account) fault.Text {
	got, err := z.ask(ctx, "/v1/inquiry", Attempt{Account: account, Theirs: "1"}) // which is nobody's, or another's
	return z.checked(err, got.Result.code(), zibalCodes, "100", "203")
}

func (z zibal) ask(ctx context.Context, path string, a Attempt) (got zibalAnswer, err error) {
	if a.Theirs == "" {
		return got, errNotBegun
	}
	err = z.post(ctx, path,
		map[string]any{"merchant": a.Account.Secrets["merchant"], "trackId": json.Number(a.Theirs)}, &got)
	return got, err
}

// outcome reads the state of an attempt. Those from 3 to 12 are of one try of a customer, who may try again.
func (z zibal) outcome(a Attempt, got zibalAnswer) Outcome {
	switch got.Status {
	case "-1", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "21":
		return a.unpaid()
	case "18":
		return Outcome{Kind: GivenBack}
	case "1", "2", "15", "16":
	default:
		return unknown(errNoState)
	}
	rials, err := strconv.ParseInt(string(got.Amount), 10, 64)
	if err != nil {
		return unknown(errNoState)
	}
	o := Outcome{Kind: Verifying, Amount: money.Amount{Minor: rials, Currency: "IRR"}}
	if amount, ok := o.Amount.In(a.Amount.Currency); ok {
		o.Amount = amount
	}
	if o.Amount != a.Amount || string(got.OrderID) != a.Reference {
		return z.mismatch(o)
	}
	if got.Status != "2" {
		o.Kind, o.Card, o.Code = Paid, lastFour(got.CardNumber), cmp.Or(got.RefNumber.code(), a.Theirs)
		o.WentBack = got.Status != "1"
	}
	return o
}
