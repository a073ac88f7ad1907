package standin_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
)

// cutLine adds the beginning of a line to a ledger, as a writer leaves it that is killed.
func cutLine(t *testing.T, path string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"seq":99,"operation":"pa`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestZibalRequest(t *testing.T) {
	d := openDesk(t, standin.Zibal, "")
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: "own", Domain: "shop.example", Most: 5000}})
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: "shut", Closed: true}})
	const back = "https://shop.example/back"
	for name, step := range map[string]struct {
		in   object
		want string
	}{
		"right":          {object{"merchant": "own", "amount": 5000, "callbackUrl": back}, "100"},
		"unknown":        {object{"merchant": "x", "amount": 5000, "callbackUrl": back}, "102"},
		"closed":         {object{"merchant": "shut", "amount": 5000, "callbackUrl": back}, "103"},
		"too small":      {object{"merchant": "own", "amount": 1000, "callbackUrl": back}, "105"},
		"a text":         {object{"merchant": "own", "amount": "5000", "callbackUrl": back}, "105"},
		"a fraction":     {object{"merchant": "own", "amount": 5000.5, "callbackUrl": back}, "105"},
		"too big":        {object{"merchant": "own", "amount": 5001, "callbackUrl": back}, "113"},
		"no address":     {object{"merchant": "own", "amount": 5000}, "140"},
		"another domain": {object{"merchant": "own", "amount": 5000, "callbackUrl": "https://x.example/"}, "106"},
		"not an address": {object{"merchant": "zibal", "amount": 5000, "callbackUrl": "back"}, "106"},
	} {
		t.Run(name, func(t *testing.T) {
			status, in := d.call("POST", "/v1/request", step.in)
			d.expect(status, in, http.StatusOK, "result", step.want)
		})
	}
	for _, code := range []string{"102", "105", "115"} {
		d.inject(standin.Fault{Operation: "request", Kind: "refuse", Code: code})
		status, in := d.call("POST", "/v1/request", object{"merchant": "zibal"})
		d.expect(status, in, http.StatusOK, "result", code)
	}
	d.inject(standin.Fault{Operation: "request", Kind: "redirect"})
	if status, theirs := vendors[0].begin(d); status != 200 || !strings.Contains(theirs, "elsewhere.example") {
		t.Errorf("got %d %s", status, theirs)
	}
}

func TestZibalLife(t *testing.T) {
	d := openDesk(t, standin.Zibal, "")
	d.do(standin.Command{Do: "account", Account: &standin.Account{ID: "other"}})
	begin := func() string { _, theirs := vendors[0].begin(d); return theirs }
	call := func(path, merchant, theirs string, want ...string) {
		t.Helper()
		status, in := d.call("POST", path, object{"merchant": merchant, "trackId": json.Number(theirs)})
		d.expect(status, in, http.StatusOK, want...)
	}
	theirs := begin()
	if status, _ := d.call("GET", "/start/"+theirs, nil); status != http.StatusForbidden {
		t.Errorf("without a Referer: got %d", status)
	}
	call("/v1/inquiry", "zibal", theirs, "status", "-1")
	call("/v1/verify", "zibal", theirs, "result", "202")
	to := d.buy("/start/"+theirs, "cancel", "", 303)
	if q := to.Query(); q.Get("success") != "0" || q.Get("status") != "3" || q.Get("orderId") != "r-1" {
		t.Errorf("sent to %s", to)
	}
	to = d.buy("/start/"+theirs+"/direct", "pay", pauper, 303)
	if to.Query().Get("status") != "5" {
		t.Errorf("sent to %s", to)
	}
	to = d.buy("/start/"+theirs, "pay", rich, 303)
	if q := to.Query(); q.Get("success") != "1" || q.Get("status") != "2" || q.Get("trackId") != theirs {
		t.Errorf("sent to %s", to)
	}
	call("/v1/inquiry", "zibal", theirs, "status", "2", "amount", "2000", "verifiedAt", "")
	call("/v1/verify", "other", theirs, "result", "203")
	call("/v1/verify", "zibal", "1", "result", "203")
	call("/v1/verify", "zibal", theirs, "result", "100", "status", "1", "amount", "2000", "orderId", "r-1",
		"paidAt", "2026-11-28T15:30:00.000000", "refNumber", "9876543211", "cardNumber", "62198*******5678")
	call("/v1/verify", "zibal", theirs, "result", "201", "amount", "")
	call("/v1/inquiry", "zibal", theirs, "result", "100", "status", "1", "amount", "2000")

	first := begin()
	d.buy("/start/"+first, "pay", rich, 303)
	d.inject(standin.Fault{Operation: "verify", Kind: "verified"})
	call("/v1/verify", "zibal", first, "result", "201", "amount", "")

	odd := begin()
	d.inject(standin.Fault{Operation: "pay", Kind: "amount", Match: odd})
	d.buy("/start/"+odd, "pay", rich, 303)
	d.inject(standin.Fault{Operation: "verify", Kind: "reference"})
	call("/v1/verify", "zibal", odd, "amount", "1800", "orderId", "of-another-order")

	unclaimed := begin()
	d.buy("/start/"+unclaimed, "pay", rich, 303)
	d.pass(31 * time.Minute)
	call("/v1/verify", "zibal", unclaimed, "result", "202")
	call("/v1/inquiry", "zibal", unclaimed, "status", "18")
	if back := d.lines("given_back"); len(back) != 1 || back[0].Amount != 2000 || *back[0].Balance != 999_994_200 {
		t.Errorf("got %+v", back)
	}

	refund := d.do(standin.Command{Do: "refund", ID: theirs, Amount: 2000}).(standin.Refund)
	call("/v1/inquiry", "zibal", theirs, "status", "16")
	d.do(standin.Command{Do: "refundFailed", ID: refund.ID})
	call("/v1/inquiry", "zibal", theirs, "status", "1")
	refund = d.do(standin.Command{Do: "refund", ID: theirs, Amount: 2000}).(standin.Refund)
	d.do(standin.Command{Do: "refundDone", ID: refund.ID})
	call("/v1/inquiry", "zibal", theirs, "status", "15")
	d.do(standin.Command{Do: "reverse", ID: first})
	call("/v1/inquiry", "zibal", first, "status", "18")
}
