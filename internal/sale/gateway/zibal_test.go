package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"storefront/internal/sale/gateway"
)

// zibalSays is an answer of Zibal about a payment of 125,000 tomans.
func zibalSays(members string) string {
	return `{"message":"success","amount":1250000,"orderId":"` + reference + `",` + members + `}`
}

func at(path, body string) map[string]said { return map[string]said{path: {body: body}} }

func TestZibalBegins(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zibal"]
	for currency, rials := range map[string]string{"IRT": "1250000", "IRR": "125000"} {
		for _, track := range []string{"15966442233311", `"15966442233311"`} {
			s.set(at("/v1/request", `{"result":100,"trackId":`+track+`,"message":"success"}`))
			begun, err := g.Begin(t.Context(), attempt("zibal", currency))
			want := gateway.Begun{Theirs: "15966442233311", Redirect: s.URL + "/start/15966442233311"}
			if begun != want || err != nil {
				t.Errorf("got %+v, %v", begun, err)
			}
			checkAsked(t, s, `POST /v1/request {"amount":`+rials+`,"callbackUrl":"https://shop.example/pay/back/`+
				reference+`","description":"سفارش 4F7K","merchant":"5f8d0c1b2a3e4f5a6b7c8d9e","orderId":"`+
				reference+`"}`)
		}
	}
	for _, code := range []string{"102", "103", "104", "105", "106", "113", "114", "115", "140", "999"} {
		for _, form := range []string{`{"result":%s}`, `{"result":"%s","trackId":null}`} {
			s.set(at("/v1/request", fmt.Sprintf(form, code)))
			_, err := g.Begin(t.Context(), attempt("zibal", "IRT"))
			checkRefused(t, form, err, code)
		}
	}
	s.set(at("/v1/request", `{"result":100,"trackId":"../../evil"}`))
	if begun, err := g.Begin(t.Context(), attempt("zibal", "IRT")); err == nil {
		t.Errorf("got %+v", begun)
	}
	_, err := g.Begin(t.Context(), attempt("zibal", "USD"))
	checkRefused(t, "dollars", err, "USD")
}

func TestZibalVerifies(t *testing.T) {
	s := newStub(t)
	const verify, inquiry = "/v1/verify", "/v1/inquiry"
	paid := outcome{gateway.Paid, "125000 IRT", "4711", "9812", false}
	numbered := outcome{gateway.Paid, "125000 IRT", "15966442233311", "44", false}
	full := zibalSays(`"result":100,"status":1,"refNumber":4711,"cardNumber":"502229******9812"`)
	try(t, gateways(s.URL)["zibal"], s, attempt("zibal", "IRT"), "verify", []step{
		{"paid", at(verify, full), paid, false},
		{"paid, late", at(verify, full), paid, true},
		{"a reference as text", at(verify,
			zibalSays(`"result":"100","status":"1","refNumber":"4711","cardNumber":"502229******9812"`)), paid, false},
		{"no reference", at(verify,
			zibalSays(`"result":100,"status":1,"refNumber":null,"cardNumber":"62741****44"`)), numbered, false},
		{"before", at(verify, zibalSays(`"result":201,"refNumber":4711,"cardNumber":"502229******9812"`)), paid, false},
		{"before, without an amount", map[string]said{
			verify: {body: `{"result":201,"message":"previously verified"}`}, inquiry: {body: full},
		}, paid, false},
		{"before, the rest cut", map[string]said{
			verify: {body: `{"result":201}`}, inquiry: {status: 502},
		}, outcome{kind: gateway.Unknown}, false},
		{"another amount", at(verify, `{"result":100,"status":1,"amount":1000,"orderId":"`+reference+`"}`),
			outcome{kind: gateway.Mismatch, amount: "100 IRT"}, false},
		{"a tenth of a toman", at(verify, `{"result":100,"status":1,"amount":1001,"orderId":"`+reference+`"}`),
			outcome{kind: gateway.Mismatch, amount: "1001 IRR"}, false},
		{"another order", at(verify, `{"result":100,"status":1,"amount":1250000,"orderId":"OTHER"}`),
			outcome{kind: gateway.Mismatch, amount: "125000 IRT"}, false},
		{"no order", at(verify, `{"result":100,"status":1,"amount":1250000}`),
			outcome{kind: gateway.Mismatch, amount: "125000 IRT"}, false},
		{"no amount", at(verify, `{"result":100,"status":1}`), outcome{kind: gateway.Unknown}, false},
		{"not paid", at(verify, `{"result":202}`), outcome{kind: gateway.Payable}, false},
		{"not paid, late", at(verify, `{"result":202}`), outcome{kind: gateway.Dead}, true},
		{"reversed", at(verify, zibalSays(`"result":100,"status":18`)), outcome{kind: gateway.GivenBack}, false},
		{"another merchant's", at(verify, `{"result":203}`), outcome{kind: gateway.Config}, false},
		{"no such merchant", at(verify, `{"result":102}`), outcome{kind: gateway.Config}, false},
		{"not a code of ours", at(verify, `{"result":777}`), outcome{kind: gateway.Unknown}, false},
		{"throttled", map[string]said{verify: {status: 429, body: `{"error":"slow down"}`}},
			outcome{kind: gateway.Unknown}, false},
	})
	try(t, gateways(s.URL)["zibal"], s, attempt("zibal", "IRR"), "verify", []step{
		{"rials", at(verify, `{"result":100,"status":1,"amount":125000,"orderId":"`+reference+`","refNumber":1}`),
			outcome{gateway.Paid, "125000 IRR", "1", "", false}, false},
		{"tomans", at(verify, full), outcome{kind: gateway.Mismatch, amount: "1250000 IRR"}, false},
	})
	checkAsked(t, s, `POST /v1/verify {"merchant":"5f8d0c1b2a3e4f5a6b7c8d9e","trackId":15966442233311}`)
}

func TestZibalLooksUp(t *testing.T) {
	s := newStub(t)
	var steps []step
	add := func(kind, late gateway.Kind, codes ...int) {
		for _, code := range codes {
			body := zibalSays(fmt.Sprintf(`"result":100,"status":%d,"refNumber":null`, code))
			amount, number := "", ""
			if kind == gateway.Paid || kind == gateway.Verifying {
				amount = "125000 IRT"
			}
			if kind == gateway.Paid {
				number = "15966442233311"
			}
			back := kind == gateway.Paid && code != 1
			steps = append(steps,
				step{fmt.Sprint(code), at("/v1/inquiry", body), outcome{kind, amount, number, "", back}, false},
				step{fmt.Sprint(code, " late"), at("/v1/inquiry", body), outcome{late, amount, number, "", back}, true})
		}
	}
	add(gateway.Paid, gateway.Paid, 1, 15, 16)
	add(gateway.Verifying, gateway.Verifying, 2)
	add(gateway.Payable, gateway.Dead, -1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 21)
	add(gateway.GivenBack, gateway.GivenBack, 18)
	add(gateway.Unknown, gateway.Unknown, -2, 0, 99)
	for _, code := range []string{"102", "115", "203"} {
		steps = append(steps,
			step{code, at("/v1/inquiry", `{"result":`+code+`}`), outcome{kind: gateway.Config}, true})
	}
	for _, method := range []string{"lookup", "end"} {
		try(t, gateways(s.URL)["zibal"], s, attempt("zibal", "IRT"), method, steps)
	}
	a := attempt("zibal", "IRT")
	a.Theirs = ""
	try(t, gateways(s.URL)["zibal"], s, a, "lookup", []step{
		{"never begun", nil, outcome{kind: gateway.Payable}, false},
		{"never begun, late", nil, outcome{kind: gateway.Dead}, true},
	})
}

func TestZibalRefunds(t *testing.T) {
	s := newStub(t)
	a := attempt("zibal", "IRT")
	for code, want := range map[int]gateway.RefundState{
		1: "", 15: gateway.RefundDone, 16: gateway.RefundPending, 18: gateway.RefundReversed,
	} {
		s.set(at("/v1/inquiry", fmt.Sprintf(`{"result":100,"status":%d}`, code)))
		got, err := gateways(s.URL)["zibal"].Refunds(t.Context(), a)
		switch {
		case err != nil || (len(got) == 1) != (want != ""):
			t.Errorf("%d: got %v, %v", code, got, err)
		case want != "" && (got[0].State != want || got[0].Amount != a.Amount || got[0].Theirs != a.Theirs):
			t.Errorf("%d: got %+v", code, got)
		}
	}
}

func TestZibalAccounts(t *testing.T) {
	s := newStub(t)
	g := gateways(s.URL)["zibal"]
	for code, right := range map[string]bool{
		"100": true, "203": true, "102": false, "103": false, "104": false, "115": false, "777": false,
	} {
		s.set(at("/v1/inquiry", `{"result":`+code+`}`))
		checkReason(t, code, g.Check(t.Context(), attempt("zibal", "IRT").Account), !right)
	}
	for currency, want := range map[string][2]int64{"IRR": {1001, 1e15}, "IRT": {101, 1e14}} {
		if least, most, refused := g.Bounds(currency); [2]int64{least, most} != want || refused.String() != "" {
			t.Errorf("%s: from %d to %d, %q", currency, least, most, refused)
		}
	}
	if _, _, refused := g.Bounds("USD"); refused.String() == "" {
		t.Error("dollars are taken")
	}
}

func TestZibalReads(t *testing.T) {
	g := gateways("")["zibal"]
	for query, want := range map[string]gateway.Callback{
		"?trackId=15966442233311&success=1&status=2&orderId=" + reference: {
			Reference: reference, Theirs: "15966442233311"},
		"?trackId=x&success=0&orderId=%3Cb%3E":        {},
		"?trackId=0&trackId=15966442233311&orderId=A": {Reference: "A"},
		"": {},
	} {
		if got := g.Read(httptest.NewRequest(http.MethodGet, "/pay/back"+query, nil)); got != want {
			t.Errorf("%s: got %+v", query, got)
		}
	}
}
