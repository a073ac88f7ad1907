package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"storefront/internal/sale/gateway"
)

const (
	zarinpalRequest    = "/pg/v4/payment/request.json"
	zarinpalVerify     = "/pg/v4/payment/verify.json"
	zarinpalInquiry    = "/pg/v4/payment/inquiry.json"
	zarinpalUnverified = "/pg/v4/payment/unVerified.json"
	zarinpalAuthority  = "A00000000000000000000000000217885159"
	zarinpalMerchant   = "1344b5d4-0048-11e8-94db-005056a205be"
)

// zarinpalRefuses are the forms in which a code arrives that is no success.
func zarinpalRefuses(code string) []string {
	return []string{
		`{"data":[],"errors":{"code":` + code + `,"message":"…","validations":[{"amount":"…"}]}}`,
		`{"data":{},"errors":{"code":"` + code + `","message":"…","validations":[]}}`,
		`{"data":{"code":` + code + `,"message":"…"},"errors":[]}`,
	}
}

func TestZarinpalBegins(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zarinpal"]
	for _, currency := range []string{"IRT", "IRR"} {
		for _, code := range []string{"100", `"100"`} {
			s.set(at(zarinpalRequest, `{"data":{"code":`+code+`,"message":"Success","authority":"`+zarinpalAuthority+
				`","fee_type":"Merchant","fee":100},"errors":[]}`))
			begun, err := g.Begin(t.Context(), attempt("zarinpal", currency))
			want := gateway.Begun{Theirs: zarinpalAuthority, Redirect: s.URL + "/pg/StartPay/" + zarinpalAuthority}
			if begun != want || err != nil {
				t.Errorf("got %+v, %v", begun, err)
			}
			checkAsked(t, s, `POST `+zarinpalRequest+` {"amount":125000,"callback_url":"https://shop.example/pay/back/`+
				reference+`","currency":"`+currency+`","description":"سفارش 4F7K","merchant_id":"`+zarinpalMerchant+
				`","metadata":{"auto_verify":false,"order_id":"4F7K"}}`)
		}
	}
	for _, code := range []string{"-9", "-10", "-11", "-12", "-14", "-15", "-16", "-41", "-77"} {
		for _, body := range zarinpalRefuses(code) {
			for _, status := range []int{200, 400, 401, 422} {
				s.set(map[string]said{zarinpalRequest: {status: status, body: body}})
				_, err := g.Begin(t.Context(), attempt("zarinpal", "IRT"))
				checkRefused(t, body, err, code)
			}
		}
	}
	for _, body := range []string{
		`{"data":{"code":100,"authority":"A0/../evil"},"errors":[]}`, `{"data":{"code":100},"errors":[]}`,
		`{"data":[],"errors":[]}`, `{"data":null}`, zarinpalRefuses("-52")[0],
	} {
		s.set(at(zarinpalRequest, body))
		if begun, err := g.Begin(t.Context(), attempt("zarinpal", "IRT")); err == nil {
			t.Errorf("%s: got %+v", body, begun)
		}
	}
	_, err := g.Begin(t.Context(), attempt("zarinpal", "EUR"))
	checkRefused(t, "euros", err, "EUR")
}

func TestZarinpalSandbox(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zarinpal"]
	a := attempt("zarinpal", "IRT")
	a.Account.Secrets = gateway.Secrets{"merchant_id": "x", "mode": "sandbox"}
	for _, one := range gateway.All(map[string]string{"zarinpal-sandbox": s.URL}) {
		if one.About().Name == "zarinpal" {
			g = one
		}
	}
	authority := "S" + zarinpalAuthority[1:]
	s.set(at(zarinpalRequest, `{"data":{"code":100,"authority":"`+authority+`"},"errors":[]}`))
	begun, err := g.Begin(t.Context(), a)
	if begun.Redirect != s.URL+"/pg/StartPay/"+authority || err != nil {
		t.Errorf("got %+v, %v", begun, err)
	}
	if hosts := g.Hosts(a.Account); hosts[0] != s.URL {
		t.Errorf("got %v", hosts)
	}
	if hosts := g.Hosts(attempt("zarinpal", "IRT").Account); hosts[0] != "https://payment.zarinpal.com" {
		t.Errorf("got %v", hosts)
	}
}

func TestZarinpalVerifies(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zarinpal"]
	success := func(code, ref string) map[string]said {
		return at(zarinpalVerify, `{"data":{"code":`+code+`,"message":"Verified","card_hash":"1EBE3EBEBE35C7EC",`+
			`"card_pan":"502229******5995","ref_id":`+ref+`,"fee_type":"Merchant","fee":0},"errors":[]}`)
	}
	for _, currency := range []string{"IRT", "IRR"} {
		paid := outcome{gateway.Paid, "125000 " + currency, "201", "5995", false}
		long := paid
		long.code = "98765432109876"
		bare := outcome{gateway.Paid, "125000 " + currency, zarinpalAuthority, "", false}
		steps := []step{
			{"paid", success("100", "201"), paid, false},
			{"paid, late", success("100", "201"), paid, true},
			{"the first answer is before", success("101", "201"), paid, false},
			{"a whole card number", at(zarinpalVerify,
				`{"data":{"code":100,"ref_id":201,"card_pan":"5022291234565995"},"errors":[]}`), paid, false},
			{"codes as text", success(`"101"`, `"201"`), paid, false},
			{"a long number", success("100", "98765432109876"), long, false},
			{"no number", at(zarinpalVerify, `{"data":{"code":100,"ref_id":null,"card_pan":null},"errors":{}}`),
				bare, false},
			{"no state", at(zarinpalVerify, `{"data":[],"errors":[]}`), outcome{kind: gateway.Unknown}, false},
			{"success as an error", at(zarinpalVerify, `{"data":{"code":100},"errors":{"code":-52}}`),
				outcome{kind: gateway.Unknown}, false},
			{"throttled", map[string]said{zarinpalVerify: {status: 429, body: `{"message":"Too Many Attempts."}`}},
				outcome{kind: gateway.Unknown}, false},
		}
		for code, kind := range map[string]gateway.Kind{
			"-50": gateway.Mismatch, "-51": gateway.Payable, "-12": gateway.Unknown, "-52": gateway.Unknown,
			"-77": gateway.Unknown, "-9": gateway.Config, "-10": gateway.Config, "-11": gateway.Config,
			"-14": gateway.Config, "-15": gateway.Config, "-53": gateway.Config, "-54": gateway.Config,
			"-55": gateway.Config,
		} {
			late := kind
			if kind == gateway.Payable {
				late = gateway.Dead
			}
			for _, body := range zarinpalRefuses(code) {
				steps = append(steps, step{body, at(zarinpalVerify, body), outcome{kind: kind}, false},
					step{body + " late", map[string]said{zarinpalVerify: {status: 400, body: body}},
						outcome{kind: late}, true})
			}
		}
		try(t, g, s, attempt("zarinpal", currency), "verify", steps)
	}
	checkAsked(t, s, `POST `+zarinpalVerify+` {"amount":125000,"authority":"`+zarinpalAuthority+`","merchant_id":"`+
		zarinpalMerchant+`"}`)
}

func TestZarinpalLooksUp(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zarinpal"]
	state := func(word string) said {
		return said{body: `{"data":{"code":100,"message":"Success","status":"` + word + `"},"errors":[]}`}
	}
	verified := func(code string) map[string]said {
		return map[string]said{zarinpalInquiry: state("VERIFIED"), zarinpalVerify: {
			body: `{"data":{"code":` + code + `,"ref_id":201,"card_pan":"502229******5995"},"errors":[]}`,
		}}
	}
	one := func(word string) map[string]said { return map[string]said{zarinpalInquiry: state(word)} }
	steps := []step{
		{"verified", verified("101"), outcome{gateway.Paid, "125000 IRT", "201", "5995", false}, true},
		{"verified, of another amount", verified("-50"), outcome{kind: gateway.Mismatch}, true},
		{"verified, then silence", map[string]said{zarinpalInquiry: state("VERIFIED"), zarinpalVerify: {status: 502}},
			outcome{kind: gateway.Unknown}, true},
		{"paid", one("PAID"), outcome{kind: gateway.Verifying}, false},
		{"paid, late", one("PAID"), outcome{kind: gateway.Verifying}, true},
		{"at the bank", one("IN_BANK"), outcome{kind: gateway.Payable}, false},
		{"at the bank, late", one("IN_BANK"), outcome{kind: gateway.Dead}, true},
		{"failed", one("FAILED"), outcome{kind: gateway.Payable}, false},
		{"failed, late", one("FAILED"), outcome{kind: gateway.Dead}, true},
		{"reversed", one("REVERSED"), outcome{kind: gateway.GivenBack}, false},
		{"another word", one("NEW"), outcome{kind: gateway.Unknown}, true},
	}
	for code, kind := range map[string]gateway.Kind{
		"-54": gateway.Config, "-53": gateway.Config, "-11": gateway.Config, "-52": gateway.Unknown,
	} {
		for _, body := range zarinpalRefuses(code) {
			steps = append(steps, step{body, at(zarinpalInquiry, body), outcome{kind: kind}, true})
		}
	}
	try(t, g, s, attempt("zarinpal", "IRT"), "lookup", steps)
	checkAsked(t, s, `POST `+zarinpalInquiry+` {"authority":"`+zarinpalAuthority+`","merchant_id":"`+
		zarinpalMerchant+`"}`)
	try(t, g, s, attempt("zarinpal", "IRT"), "end", steps)

	a := attempt("zarinpal", "IRT")
	a.Theirs = ""
	for _, method := range []string{"verify", "lookup", "end"} {
		try(t, g, s, a, method, []step{
			{"never begun", nil, outcome{kind: gateway.Payable}, false},
			{"never begun, late", nil, outcome{kind: gateway.Dead}, true},
		})
	}
}

func TestZarinpalAccounts(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zarinpal"]
	account := attempt("zarinpal", "IRT").Account
	s.set(at(zarinpalUnverified, `{"data":{"code":"100","authorities":[{"authority":"A","amount":1}]},"errors":[]}`))
	checkReason(t, "right", g.Check(t.Context(), account), false)
	checkAsked(t, s, `POST `+zarinpalUnverified+` {"merchant_id":"`+zarinpalMerchant+`"}`)
	sentences := map[string]bool{}
	for _, code := range []string{"-9", "-10", "-11", "-14", "-16", "-77"} {
		for _, body := range zarinpalRefuses(code) {
			s.set(at(zarinpalUnverified, body))
			wrong := g.Check(t.Context(), account)
			checkReason(t, body, wrong, true)
			if !strings.Contains(wrong.String(), code) {
				t.Errorf("%s: got %q", code, wrong)
			}
			sentences[strings.ReplaceAll(wrong.String(), code, "")] = true
		}
	}
	if len(sentences) != 4 { // other, account, callback, rights
		t.Errorf("got %v", sentences)
	}
	for currency, want := range map[string][2]int64{"IRR": {1000, 1_000_000_000}, "IRT": {100, 100_000_000}} {
		if least, most, refused := g.Bounds(currency); [2]int64{least, most} != want || refused.String() != "" {
			t.Errorf("%s: from %d to %d, %q", currency, least, most, refused)
		}
	}
	_, _, refused := g.Bounds("USD")
	checkReason(t, "dollars", refused, true)
	if hosts := g.Hosts(account); !slices.Contains(hosts, s.URL) || !slices.Contains(hosts, "https://*.shaparak.ir") {
		t.Errorf("got %v", hosts)
	}
}

func TestZarinpalReads(t *testing.T) {
	g := gateways("")["zarinpal"]
	for query, want := range map[string]gateway.Callback{
		"?Authority=" + zarinpalAuthority + "&Status=OK":  {Theirs: zarinpalAuthority},
		"?Authority=" + zarinpalAuthority + "&Status=NOK": {Theirs: zarinpalAuthority},
		"?Authority=A1&Status=OK":                         {},
		"?Authority=" + zarinpalAuthority + "x":           {},
		"?authority=" + zarinpalAuthority:                 {},
		"":                                                {},
	} {
		if got := g.Read(httptest.NewRequest(http.MethodGet, fmt.Sprint("/pay/back", query), nil)); got != want {
			t.Errorf("%s: got %+v", query, got)
		}
	}
}
