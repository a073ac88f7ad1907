package standin_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
)

const (
	merchant = "11111111-2222-3333-4444-555555555555"
	other    = "99999999-2222-3333-4444-555555555555"
)

func TestZarinpalRequest(t *testing.T) {
	d := openDesk(t, standin.Zarinpal, "")
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: merchant, Domain: "shop.example", Test: true}})
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: other, Closed: true}})
	for name, step := range map[string]struct {
		member string
		value  any
		status int
		code   string
	}{
		"right":                  {"", nil, 200, ""},
		"a merchant of no form":  {"merchant_id", "x", 422, "-9"},
		"an unknown merchant":    {"merchant_id", strings.Replace(merchant, "1", "2", 1), 422, "-10"},
		"a closed merchant":      {"merchant_id", other, 422, "-11"},
		"too small":              {"amount", 99, 422, "-9"},
		"a text":                 {"amount", "2000", 422, "-9"},
		"too big":                {"amount", 100_000_001, 422, "-41"},
		"an unknown currency":    {"currency", "USD", 422, "-9"},
		"without a description":  {"description", "", 422, "-9"},
		"a long description":     {"description", strings.Repeat("ی", 501), 422, "-9"},
		"not an address":         {"callback_url", "back", 422, "-9"},
		"an address of another":  {"callback_url", "https://x.example/", 422, "-14"},
		"the longest that it is": {"description", strings.Repeat("ی", 500), 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := object{"merchant_id": merchant, "amount": 2000, "currency": "IRT", "description": "Order",
				"callback_url": "https://shop.example/back"}
			if step.member != "" {
				in[step.member] = step.value
			}
			status, out := d.call("POST", "/pg/v4/payment/request.json", in)
			d.expect(status, out, step.status, "errors.code", step.code)
			isTheirs := regexp.MustCompile(`^S[0-9a-zA-Z]{35}$`).MatchString(at(out, "data.authority"))
			if isTheirs != (step.code == "") {
				t.Errorf("got %v", out)
			}
		})
	}
	for code, want := range map[string]int{"-9": 422, "-14": 422, "-41": 200} {
		f := standin.Fault{Operation: "request", Kind: "refuse", Code: code}
		if want == 200 {
			f.Status = 200
		}
		d.inject(f)
		status, in := d.call("POST", "/pg/v4/payment/request.json", object{"merchant_id": merchant})
		d.expect(status, in, want, "errors.code", code, "data", "[]")
	}
	d.inject(standin.Fault{Operation: "request", Kind: "redirect"})
	if _, theirs := vendors[1].begin(d); !strings.Contains(theirs, "elsewhere.example") {
		t.Errorf("got %s", theirs)
	}
}

func TestZarinpalLife(t *testing.T) {
	d := openDesk(t, standin.Zarinpal, "")
	begin := func() string { _, theirs := vendors[1].begin(d); return theirs }
	call := func(name, theirs string, amount int, want ...string) {
		t.Helper()
		status, in := d.call("POST", "/pg/v4/payment/"+name+".json",
			object{"merchant_id": merchant, "authority": theirs, "amount": amount})
		d.expect(status, in, http.StatusOK, want...)
	}
	theirs := begin()
	call("inquiry", theirs, 0, "data.status", "IN_BANK")
	call("verify", theirs, 2000, "errors.code", "-51", "data", "[]")
	if to := d.buy("/pg/StartPay/"+theirs, "cancel", "", 303); to.Query().Get("Status") != "NOK" {
		t.Errorf("sent to %s", to)
	}
	call("inquiry", theirs, 0, "data.status", "FAILED")
	to := d.buy("/pg/StartPay/"+theirs, "pay", rich, 303)
	if to.Query().Get("Status") != "OK" || to.Query().Get("Authority") != theirs {
		t.Errorf("sent to %s", to)
	}
	call("inquiry", theirs, 0, "data.status", "PAID")
	_, in := d.call("POST", "/pg/v4/payment/unVerified.json", object{"merchant_id": merchant})
	list, _ := in["data"].(object)["authorities"].([]any)
	if len(list) != 1 || at(list[0], "authority") != theirs || at(list[0], "date") != "2026-11-28 15:30:00" ||
		at(in, "data.code") != "100" {
		t.Errorf("got %v", in)
	}
	call("verify", theirs, 2001, "errors.code", "-50")
	call("verify", "A1", 2000, "errors.code", "-54")
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: other}})
	_, in = d.call("POST", "/pg/v4/payment/verify.json",
		object{"merchant_id": other, "authority": theirs, "amount": 2000})
	d.expect(200, in, 200, "errors.code", "-53")
	call("verify", theirs, 2000, "data.code", "100", "data.ref_id", "10000000001", "data.card_pan", "621986******5678")
	call("verify", theirs, 2000, "data.code", "101", "data.ref_id", "10000000001")
	call("inquiry", theirs, 0, "data.status", "VERIFIED")

	auto := begin()
	d.buy("/pg/StartPay/"+auto, "pay", rich, 303)
	d.inject(standin.Fault{Operation: "verify", Kind: "verified", Match: auto})
	call("verify", auto, 2000, "data.code", "101")
	call("reverse", auto, 0, "data.code", "100")
	call("reverse", auto, 0, "errors.code", "-61")
	call("inquiry", auto, 0, "data.status", "REVERSED")

	odd := begin()
	d.inject(standin.Fault{Operation: "pay", Kind: "amount"})
	d.buy("/pg/StartPay/"+odd, "pay", rich, 303)
	call("verify", odd, 2000, "errors.code", "-50")

	texts := begin()
	d.buy("/pg/StartPay/"+texts, "pay", rich, 303)
	d.inject(standin.Fault{Operation: "verify", Kind: "numbers"})
	_, in = d.call("POST", "/pg/v4/payment/verify.json",
		object{"merchant_id": merchant, "authority": texts, "amount": 2000})
	if data := in["data"].(object); data["code"] != "100" || data["ref_id"] != "10000000004" {
		t.Errorf("got %v", in)
	}

	unclaimed := begin()
	d.buy("/pg/StartPay/"+unclaimed, "pay", rich, 303)
	d.pass(31 * time.Minute)
	call("verify", unclaimed, 2000, "errors.code", "-51")
	call("inquiry", unclaimed, 0, "data.status", "REVERSED")
	call("reverse", theirs, 0, "errors.code", "-63")
	if back := d.lines("given_back"); len(back) != 2 || back[1].Amount != 2000 {
		t.Errorf("got %+v", back)
	}
}

// TestZarinpalVerifiesItself pays with automatic validation, by the panel and by the request, and in toman.
func TestZarinpalVerifiesItself(t *testing.T) {
	for name, step := range map[string]struct {
		panel    bool
		metadata object
		code     string
	}{
		"the panel":                 {true, object{}, "101"},
		"the request":               {false, object{"auto_verify": true}, "101"},
		"the request against it":    {true, object{"auto_verify": false}, "100"},
		"neither panel nor request": {false, object{}, "100"},
	} {
		t.Run(name, func(t *testing.T) {
			d := openDesk(t, standin.Zarinpal, "")
			d.do(standin.Command{Do: "account", Account: &standin.Account{ID: merchant, AutoVerify: step.panel}})
			_, in := d.call("POST", "/pg/v4/payment/request.json", object{"merchant_id": merchant, "amount": 2000,
				"currency": "IRT", "description": "Order", "callback_url": d.shop, "metadata": step.metadata})
			theirs := at(in, "data.authority")
			d.buy("/pg/StartPay/"+theirs, "pay", rich, 303)
			if got := *d.lines("pay")[0].Balance; got != 999_980_000 {
				t.Errorf("2,000 toman leave %d rial", got)
			}
			_, in = d.call("POST", "/pg/v4/payment/verify.json",
				object{"merchant_id": merchant, "authority": theirs, "amount": json.Number("2000")})
			d.expect(200, in, 200, "data.code", step.code)
		})
	}
}
