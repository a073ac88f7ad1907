package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"time"

	"storefront/internal/fault"
)

// zarinpal is version 4 of Zarinpal's API: amounts in the currency that is sent with them. Its refunds are another API,
// which asks for two more secrets; staff give money back in its panel.
type zarinpal struct{ live, sandbox host }

var zarinpalAuthority = regexp.MustCompile(`^[AS][0-9a-zA-Z]{35}$`)

// zarinpalCodes lacks -12 and -52, which pass.
var zarinpalCodes = blames{
	"-9": blameCode, "-10": blameAccount, "-11": blameAccount, "-13": blameRights, "-14": blameCallback,
	"-15": blameAccount, "-16": blameRights, "-17": blameRights, "-18": blameRights, "-19": blameRights,
	"-41": blameAmount, "-53": blameAttempt, "-54": blameAttempt, "-55": blameAttempt,
}

func (z zarinpal) About() About {
	return About{
		Name: "zarinpal", Title: z.live.title, Payable: 30 * time.Minute, Watched: 24 * time.Hour,
		Fields: []Field{
			{Name: "merchant_id", Title: fault.Say("the merchant id of the gateway in Zarinpal's panel, 36 characters"),
				Pattern: regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)},
			{Name: "mode", Title: fault.Say("live for real money, sandbox for test money"),
				Choices: []string{"live", "sandbox"}},
		},
	}
}

func (zarinpal) Live(account Account) bool { return account.Secrets["mode"] != "sandbox" }

func (z zarinpal) at(account Account) host {
	if z.Live(account) {
		return z.live
	}
	return z.sandbox
}

func (z zarinpal) Bounds(currency string) (least, most int64, refused fault.Text) {
	return z.live.ofIran(currency, 1000, 1e9)
}

func (z zarinpal) Hosts(account Account) []string {
	return []string{z.at(account).pages, "https://*.zarinpal.com", banksOfIran}
}

// zarinpalAnswer has what is within "data" or, after a refusal, within "errors".
type zarinpalAnswer struct {
	Code      text `json:"code"`
	Authority text `json:"authority"`
	RefID     text `json:"ref_id"`
	CardPAN   text `json:"card_pan"`
	Status    text `json:"status"`
}

// UnmarshalJSON reads both members; the one that does not apply is an empty list, an empty object or null.
func (z *zarinpalAnswer) UnmarshalJSON(b []byte) error {
	var members struct{ Data, Errors json.RawMessage }
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	type answer zarinpalAnswer // without this method
	var data, refusal answer
	if err := json.Unmarshal(members.Errors, &refusal); err == nil && refusal.Code != "" {
		*z = zarinpalAnswer(refusal)
	} else if err := json.Unmarshal(members.Data, &data); err == nil {
		*z = zarinpalAnswer(data)
	}
	return nil
}

func (z zarinpal) Begin(ctx context.Context, a Attempt) (Begun, error) {
	h := z.at(a.Account)
	if _, ok := a.Amount.In("IRR"); !ok {
		return Begun{}, &Refused{h.reason(blameAmount, a.Amount.Currency), a.Amount.Currency}
	}
	got, err := z.ask(ctx, "request", a.Account, map[string]any{
		"amount": a.Amount.Minor, "currency": a.Amount.Currency, "callback_url": a.Callback, "description": a.inFarsi(),
		"metadata": map[string]any{"order_id": a.Order, "auto_verify": false}, // what is not verified goes back
	})
	if got.Code == "-52" {
		err = errNoState
	}
	authority := matching(zarinpalAuthority, got.Authority)
	return h.begun(Begun{authority, h.zarinpalPage(authority)}, err, got.Code.code(), "100", zarinpalCodes)
}

func (h host) zarinpalPage(authority string) string { return h.pages + "/pg/StartPay/" + authority }

func (z zarinpal) Resume(_ context.Context, a Attempt) (string, error) {
	return z.at(a.Account).zarinpalPage(a.Theirs), nil
}

func (zarinpal) Read(r *http.Request) Callback {
	return Callback{Theirs: matching(zarinpalAuthority, text(r.URL.Query().Get("Authority")))}
}

// Verify sends our amount, and Zarinpal compares it. 101 is success as well: verified before, by us or, where the
// merchant's panel says so, by Zarinpal itself.
func (z zarinpal) Verify(ctx context.Context, a Attempt) Outcome {
	got, err := z.askAbout(ctx, "verify", a, map[string]any{"amount": a.Amount.Minor})
	switch code := got.Code.code(); code {
	case "100", "101":
		return Outcome{Kind: Paid, Amount: a.Amount, Card: lastFour(got.CardPAN),
			Code: cmp.Or(got.RefID.code(), a.Theirs)}
	case "-51":
		return a.unpaid()
	case "-50":
		return z.live.mismatch(Outcome{})
	default:
		return z.live.failed(a, err, code, zarinpalCodes)
	}
}

// Lookup verifies once more what is verified, as only that compares the amount.
func (z zarinpal) Lookup(ctx context.Context, a Attempt) Outcome {
	got, err := z.askAbout(ctx, "inquiry", a, map[string]any{})
	if code := got.Code.code(); code != "100" {
		return z.live.failed(a, err, code, zarinpalCodes)
	}
	switch got.Status {
	case "VERIFIED":
		return z.Verify(ctx, a)
	case "PAID":
		return Outcome{Kind: Verifying}
	case "IN_BANK", "FAILED":
		return a.unpaid()
	case "REVERSED":
		return Outcome{Kind: GivenBack}
	}
	return unknown(errNoState)
}

func (z zarinpal) End(ctx context.Context, a Attempt) Outcome { return z.Lookup(ctx, a) }

// Refunds reports whether the payment was reversed. These credentials do not read refunds of Zarinpal's panel.
func (z zarinpal) Refunds(ctx context.Context, a Attempt) ([]Refund, error) {
	got, err := z.askAbout(ctx, "inquiry", a, map[string]any{})
	switch {
	case err != nil:
		return nil, err
	case got.Code != "100":
		return nil, errNoState
	case got.Status == "REVERSED":
		return []Refund{{Theirs: a.Theirs, Amount: a.Amount, State: RefundReversed}}, nil
	}
	return nil, nil
}

func (z zarinpal) Check(ctx context.Context, account Account) fault.Text {
	got, err := z.ask(ctx, "unVerified", account, map[string]any{})
	return z.live.checked(err, got.Code.code(), zarinpalCodes, "100")
}

func (z zarinpal) ask(ctx context.Context, call string, account Account, body map[string]any) (got zarinpalAnswer,
	err error) {
	body["merchant_id"] = account.Secrets["merchant_id"]
	err = z.at(account).post(ctx, "/pg/v4/payment/"+call+".json", body, &got)
	return got, err
}

func (z zarinpal) askAbout(ctx context.Context, call string, a Attempt, body map[string]any) (zarinpalAnswer, error) {
	if a.Theirs == "" {
		return zarinpalAnswer{}, errNotBegun
	}
	body["authority"] = a.Theirs
	return z.ask(ctx, call, a.Account, body)
}
