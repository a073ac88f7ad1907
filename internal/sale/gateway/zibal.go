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

const zibalTest = "zibal" // the merchant whose payments are not real

var (
	zibalMerchant = regexp.MustCompile(`^[0-9A-Za-z_-]{4,64}$`)
	zibalTrack    = regexp.MustCompile(`^[1-9][0-9]{0,19}$`)
)

func (z zibal) About() About {
	return About{
		Name: "zibal", Title: z.title,
		Fields: []Field{{
			Name: "merchant", Title: fault.Say("the merchant of the gateway in Zibal's panel; zibal for test money"),
			Pattern: zibalMerchant,
		}},
		Payable: 30 * time.Minute, Watched: 24 * time.Hour,
	}
}

func (zibal) Live(account Account) bool { return account.Secrets["merchant"] != zibalTest }

func (z zibal) Bounds(currency string) (least, most int64, refused fault.Text) {
	return z.ofIran(currency, 1001, 1e15) // above 1,000 rials; the account has a most that only Zibal knows
}

func (z zibal) Hosts(Account) []string { return []string{z.pages, banksOfIran} }

type zibalRequest struct {
	Merchant    string      `json:"merchant"`
	Amount      int64       `json:"amount,omitempty"` // rials
	CallbackURL string      `json:"callbackUrl,omitempty"`
	OrderID     string      `json:"orderId,omitempty"`
	Description string      `json:"description,omitempty"`
	TrackID     json.Number `json:"trackId,omitempty"`
}

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
	err := z.post(ctx, "/v1/request", zibalRequest{
		Merchant: a.Account.Secrets["merchant"], Amount: rials.Minor, CallbackURL: a.Callback, OrderID: a.Reference,
		Description: a.inFarsi(),
	}, &got)
	track, code := matching(zibalTrack, string(got.TrackID)), got.Result.code()
	switch {
	case err != nil:
		return Begun{}, z.unbegun(err)
	case code == "100" && track != "":
		return Begun{track, z.page(track)}, nil
	case code == "" || code == "100":
		return Begun{}, errNoState
	}
	return Begun{}, &Refused{z.reason(zibalBlame[code], code), code}
}

func (z zibal) page(track string) string { return z.pages + "/start/" + track }

func (z zibal) Resume(_ context.Context, a Attempt) (string, error) { return z.page(a.Theirs), nil }

func (zibal) Read(r *http.Request) Callback {
	query := r.URL.Query()
	return Callback{
		Reference: matching(shortCode, query.Get("orderId")), Theirs: matching(zibalTrack, query.Get("trackId")),
	}
}

func (z zibal) Verify(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	got, err := z.ask(ctx, "/v1/verify", a)
	switch code := got.Result.code(); {
	case err != nil:
		return unknown(err)
	case code == "201" && got.Amount == "": // verified before, without the members that say what
		return z.Lookup(ctx, a)
	case code == "100" || code == "201":
		got.Status = cmp.Or(got.Status, "1")
		return z.outcome(a, got)
	case code == "202":
		return a.unpaid()
	default:
		return z.failed(code)
	}
}

func (z zibal) Lookup(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	got, err := z.ask(ctx, "/v1/inquiry", a)
	switch code := got.Result.code(); {
	case err != nil:
		return unknown(err)
	case code == "100":
		return z.outcome(a, got)
	default:
		return z.failed(code)
	}
}

func (z zibal) End(ctx context.Context, a Attempt) Outcome { return z.Lookup(ctx, a) }

func (z zibal) ask(ctx context.Context, path string, a Attempt) (got zibalAnswer, err error) {
	err = z.post(ctx, path,
		zibalRequest{Merchant: a.Account.Secrets["merchant"], TrackID: json.Number(a.Theirs)}, &got)
	return got, err
}

// outcome reads the state of an attempt. Codes from 3 to 12 are of one try of a customer, who may try again.
func (z zibal) outcome(a Attempt, got zibalAnswer) Outcome {
	switch got.Status {
	case "-1", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "21":
		return a.unpaid()
	case "15", "16", "18":
		return Outcome{Kind: GivenBack}
	case "1", "2":
	default:
		return unknown(errNoState)
	}
	rials, err := strconv.ParseInt(string(got.Amount), 10, 64)
	if err != nil {
		return unknown(errNoState)
	}
	said := money.Amount{Minor: rials, Currency: "IRR"}
	amount, ok := said.In(a.Amount.Currency)
	if !ok {
		amount = said
	}
	o := Outcome{Kind: Verifying, Amount: amount}
	if amount != a.Amount || string(got.OrderID) != a.Reference {
		return z.mismatch(o)
	}
	if got.Status == "1" {
		o.Kind, o.Card = Paid, lastFour(string(got.CardNumber))
		o.Code = cmp.Or(got.RefNumber.code(), a.Theirs)
	}
	return o
}

func (z zibal) failed(code string) Outcome {
	if b, ok := zibalBlame[code]; ok {
		return z.config(b, code)
	}
	return unknown(errNoState)
}

func (z zibal) Check(ctx context.Context, account Account) (wrong fault.Text) {
	got, err := z.ask(ctx, "/v1/inquiry", Attempt{Account: account, Theirs: "1"})
	switch code := got.Result.code(); {
	case err != nil:
		return z.silent()
	case code == "100" || code == "203": // the account was accepted, and the payment is not its own
		return wrong
	default:
		return z.reason(zibalBlame[code], code)
	}
}

var zibalBlame = map[string]blame{
	"102": blameAccount, "103": blameAccount, "104": blameAccount, "115": blameServer,
	"106": blameCallback, "140": blameCallback, "105": blameAmount, "113": blameAmount, "203": blameAttempt,
}
