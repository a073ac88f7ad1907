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

var (
	zarinpalMerchant  = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	zarinpalAuthority = regexp.MustCompile(`^[AS][0-9a-zA-Z]{35}$`)
)

func (z zarinpal) About() About {
	return About{
		Name: "zarinpal", Title: z.live.title,
		Fields: []Field{
			{Name: "merchant_id", Title: fault.Say("the merchant id of the gateway in Zarinpal's panel, 36 characters"),
				Pattern: zarinpalMerchant},
			{Name: "mode", Title: fault.Say("live for real money, sandbox for test money"),
				Choices: []string{"live", "sandbox"}},
		},
		Payable: 30 * time.Minute, Watched: 24 * time.Hour,
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

type zarinpalRequest struct {
	MerchantID  string            `json:"merchant_id"`
	Amount      int64             `json:"amount,omitempty"`
	Currency    string            `json:"currency,omitempty"`
	Description string            `json:"description,omitempty"`
	CallbackURL string            `json:"callback_url,omitempty"`
	Metadata    *zarinpalMetadata `json:"metadata,omitempty"`
	Authority   string            `json:"authority,omitempty"`
}

type zarinpalMetadata struct {
	OrderID    string `json:"order_id"`
	AutoVerify bool   `json:"auto_verify"` // false: what is not verified goes back to the customer
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
	var got zarinpalAnswer
	err := h.post(ctx, "/pg/v4/payment/request.json", zarinpalRequest{
		MerchantID: a.Account.Secrets["merchant_id"], Amount: a.Amount.Minor, Currency: a.Amount.Currency,
		Description: a.inFarsi(), CallbackURL: a.Callback, Metadata: &zarinpalMetadata{OrderID: a.Order},
	}, &got)
	authority, code := matching(zarinpalAuthority, string(got.Authority)), got.Code.code()
	switch {
	case err != nil:
		return Begun{}, h.unbegun(err)
	case code == "100" && authority != "":
		return Begun{authority, h.payPage(authority)}, nil
	case code == "" || code == "100" || code == "-52":
		return Begun{}, errNoState
	}
	return Begun{}, &Refused{h.reason(zarinpalBlame[code], code), code}
}

// payPage returns the page of an authority of Zarinpal.
func (h host) payPage(authority string) string { return h.pages + "/pg/StartPay/" + authority }

func (z zarinpal) Resume(_ context.Context, a Attempt) (string, error) {
	return z.at(a.Account).payPage(a.Theirs), nil
}

func (zarinpal) Read(r *http.Request) Callback {
	return Callback{Theirs: matching(zarinpalAuthority, r.URL.Query().Get("Authority"))}
}

// Verify sends our amount, and Zarinpal compares it. 101 is success as well: verified before, by us or, where the
// merchant's panel says so, by Zarinpal itself.
func (z zarinpal) Verify(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	h := z.at(a.Account)
	got, err := h.ask(ctx, "verify", zarinpalRequest{
		MerchantID: a.Account.Secrets["merchant_id"], Amount: a.Amount.Minor, Authority: a.Theirs,
	})
	switch code := got.Code.code(); {
	case err != nil:
		return unknown(err)
	case code == "100" || code == "101":
		return Outcome{Kind: Paid, Amount: a.Amount, Code: cmp.Or(got.RefID.code(), a.Theirs),
			Card: lastFour(string(got.CardPAN))}
	case code == "-51":
		return a.unpaid()
	case code == "-50":
		return h.mismatch(Outcome{})
	default:
		return h.failed(zarinpalBlame, code)
	}
}

// Lookup verifies once more what is verified, as only that compares the amount.
func (z zarinpal) Lookup(ctx context.Context, a Attempt) Outcome {
	if a.Theirs == "" {
		return a.unpaid()
	}
	h := z.at(a.Account)
	got, err := h.ask(ctx, "inquiry", zarinpalRequest{
		MerchantID: a.Account.Secrets["merchant_id"], Authority: a.Theirs,
	})
	if err != nil {
		return unknown(err)
	}
	if code := got.Code.code(); code != "100" {
		return h.failed(zarinpalBlame, code)
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

func (z zarinpal) Check(ctx context.Context, account Account) (wrong fault.Text) {
	h := z.at(account)
	got, err := h.ask(ctx, "unVerified", zarinpalRequest{MerchantID: account.Secrets["merchant_id"]})
	switch code := got.Code.code(); {
	case err != nil || code == "":
		return h.silent()
	case code == "100":
		return wrong
	default:
		return h.reason(zarinpalBlame[code], code)
	}
}

func (h host) ask(ctx context.Context, call string, body zarinpalRequest) (got zarinpalAnswer, err error) {
	err = h.post(ctx, "/pg/v4/payment/"+call+".json", body, &got)
	return got, err
}

// zarinpalBlame has the codes after which asking again does not help; -12 and -52 are not among them.
var zarinpalBlame = map[string]blame{
	"-9": blameCode, "-10": blameAccount, "-11": blameAccount, "-13": blameRights, "-14": blameCallback,
	"-15": blameAccount, "-16": blameRights, "-17": blameRights, "-18": blameRights, "-19": blameRights,
	"-41": blameAmount, "-53": blameAttempt, "-54": blameAttempt, "-55": blameAttempt,
}
