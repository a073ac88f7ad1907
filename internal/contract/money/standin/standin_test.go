package standin_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/money/standin"
)

// vendor is what the tests of all gateways need to know of one.
type vendor struct {
	name  string
	open  opener
	begin func(d *desk) (status int, theirs string) // 2,000 units
	page  string                                    // of the buyer, before theirs
	ask   func(d *desk, theirs string) (status int, state string)
	paid  string // the state that ask answers when it is paid
	call  string // the operation that begin calls
}

var vendors = []vendor{
	{"zibal", standin.Zibal, func(d *desk) (int, string) {
		status, in := d.call("POST", "/v1/request", object{"merchant": "zibal", "amount": 2000,
			"callbackUrl": d.shop + "/back", "orderId": "r-1"})
		return status, at(in, "trackId")
	}, "/start/", func(d *desk, theirs string) (int, string) {
		status, in := d.call("POST", "/v1/inquiry", object{"merchant": "zibal", "trackId": json.Number(theirs)})
		return status, at(in, "status")
	}, "2", "request"},
	{"zarinpal", standin.Zarinpal, func(d *desk) (int, string) {
		d.do(standin.Command{Do: "account", Account: &standin.Account{ID: merchant}})
		status, in := d.call("POST", "/pg/v4/payment/request.json", object{"merchant_id": merchant, "amount": 2000,
			"currency": "IRR", "description": "Order 4F7K", "callback_url": d.shop + "/back"})
		return status, at(in, "data.authority")
	}, "/pg/StartPay/", func(d *desk, theirs string) (int, string) {
		status, in := d.call("POST", "/pg/v4/payment/inquiry.json",
			object{"merchant_id": merchant, "authority": theirs})
		return status, at(in, "data.status")
	}, "PAID", "request"},
	{"stripe", standin.Stripe, func(d *desk) (int, string) {
		d.openStripe()
		status, in := d.stripe("POST", "/v1/checkout/sessions", d.session())
		return status, at(in, "id")
	}, "/c/pay/", func(d *desk, theirs string) (int, string) {
		status, in := d.stripe("GET", "/v1/checkout/sessions/"+theirs, nil)
		return status, at(in, "payment_status")
	}, "paid", "create"},
}

// TestFaults applies every fault of answers to the beginning of a payment: what is answered, and whether it began.
func TestFaults(t *testing.T) {
	for _, v := range vendors {
		for _, moment := range []string{"before", "in", "after"} {
			for kind, want := range map[string]int{"cut": 0, "status": 503, "html": 200, "huge": 200} {
				t.Run(v.name+" "+kind+" "+moment, func(t *testing.T) {
					d := openDesk(t, v.open, "")
					d.inject(standin.Fault{Operation: v.call, Kind: kind, Moment: moment})
					if status, theirs := v.begin(d); status != want || theirs != "" {
						t.Errorf("got %d %q, want %d", status, theirs, want)
					}
					d.g.Wait()
					if got := len(d.lines("request")); got != map[string]int{"in": 1, "after": 1}[moment] {
						t.Errorf("%d payments have begun", got)
					}
					if got := d.lines("fault"); len(got) != 1 || got[0].Note != v.call+" "+kind+" "+moment {
						t.Errorf("got faults %v", got)
					}
					if status, theirs := v.begin(d); status != http.StatusOK || theirs == "" {
						t.Errorf("the next call: got %d %q", status, theirs)
					}
				})
			}
			t.Run(v.name+" slow "+moment, func(t *testing.T) {
				d := openDesk(t, v.open, "")
				d.inject(standin.Fault{Operation: v.call, Kind: "slow", Moment: moment, Delay: time.Millisecond})
				if status, theirs := v.begin(d); status != http.StatusOK || theirs == "" {
					t.Errorf("got %d %q", status, theirs)
				}
			})
		}
		t.Run(v.name+" that it does not have", func(t *testing.T) {
			d := openDesk(t, v.open, "")
			none := standin.Command{Do: "inject", Faults: []standin.Fault{{Operation: "x"}}}
			if _, err := d.g.Do(none); err == nil {
				t.Error("it is injected")
			}
		})
	}
}

// TestCallbacks sends buyers back in each way, on every gateway.
func TestCallbacks(t *testing.T) {
	for _, v := range vendors {
		for kind, want := range map[string]struct{ redirected, calls int }{
			"": {1, 0}, "lost": {0, 0}, "late": {0, 1}, "twice": {1, 1}, "eight": {1, 8}, "forged": {1, 0},
		} {
			t.Run(v.name+" "+kind, func(t *testing.T) {
				d := openDesk(t, v.open, "")
				_, theirs := v.begin(d)
				if kind != "" {
					d.inject(standin.Fault{Operation: "callback", Kind: kind, Match: theirs})
				}
				status := http.StatusSeeOther
				if want.redirected == 0 {
					status = http.StatusOK
				}
				to := d.buy(v.page+theirs, "pay", rich, status)
				if names := strings.Contains(to.RawQuery, theirs); names != (status == 303 && kind != "forged") {
					t.Errorf("sent to %s", to)
				}
				d.g.Wait()
				calls := 0
				for _, r := range d.got {
					if r.Method == http.MethodGet && strings.Contains(r.URL.RawQuery, theirs) {
						calls++
					}
				}
				if calls != want.calls {
					t.Errorf("got %d calls, want %d", calls, want.calls)
				}
				if status, state := v.ask(d, theirs); status != http.StatusOK || state != v.paid {
					t.Errorf("got %d %s", status, state)
				}
			})
		}
	}
}

// TestBuyers has buyers who cancel and then pay, are too poor, have no card, or come when the payment has ended.
func TestBuyers(t *testing.T) {
	for _, v := range vendors {
		t.Run(v.name, func(t *testing.T) {
			d := openDesk(t, v.open, "")
			_, theirs := v.begin(d)
			failed := http.StatusSeeOther
			if v.name == "stripe" {
				failed = http.StatusPaymentRequired // the buyer stays
			}
			d.buy(v.page+theirs, "cancel", "", http.StatusSeeOther)
			d.buy(v.page+theirs, "pay", pauper, failed)
			d.buy(v.page+theirs, "pay", elsewhere, failed)
			d.buy(v.page+theirs, "look", "", http.StatusBadRequest)
			if status, in := d.call("GET", v.page+theirs, nil, "Referer", "https://shop.example/"); status != 200 {
				t.Errorf("the page: got %d %v", status, in)
			}
			d.buy(v.page+theirs, "pay", rich, http.StatusSeeOther)
			if status, state := v.ask(d, theirs); status != http.StatusOK || state != v.paid {
				t.Errorf("got %d %s", status, state)
			}
			d.buy(v.page+theirs, "pay", rich, http.StatusGone)
			d.buy(v.page+"1", "pay", rich, http.StatusNotFound)
			if pays := d.lines("pay"); len(pays) != 1 || pays[0].Amount != 2000 || *pays[0].Balance != 999_998_000 ||
				pays[0].Theirs != theirs || pays[0].Card != rich {
				t.Errorf("got %+v", pays)
			}
			_, late := v.begin(d)
			d.pass(25 * time.Hour)
			d.buy(v.page+late, "pay", rich, http.StatusGone)
		})
	}
}

// TestResume kills a gateway: what goes on with its ledger knows payments, cards and accounts, and not the line that
// was cut.
func TestResume(t *testing.T) {
	for _, v := range vendors {
		t.Run(v.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "ledger")
			before := openDesk(t, v.open, path)
			_, theirs := v.begin(before)
			before.buy(v.page+theirs, "pay", rich, http.StatusSeeOther)
			want := before.do(standin.Command{Do: "sessions"}).([]standin.Session)
			cutLine(t, path)
			after := openDesk(t, v.open, path)
			got := after.do(standin.Command{Do: "sessions"}).([]standin.Session)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if status, state := v.ask(after, theirs); status != http.StatusOK || state != v.paid {
				t.Errorf("got %d %s", status, state)
			}
			cards := after.lines("card") // two of each desk
			if last := cards[len(cards)-2]; *last.Balance != 1_999_998_000 {
				t.Errorf("got %d on the card", *last.Balance)
			}
			for i, l := range after.do(standin.Command{Do: "lines"}).([]standin.Line) {
				if l.Seq != int64(i+1) || l.Gateway != v.name {
					t.Errorf("line %d: got %+v", i+1, l)
				}
			}
		})
	}
}

// TestControl does over HTTP what tests do in Go.
func TestControl(t *testing.T) {
	d := openDesk(t, standin.Zibal, "")
	verified := object{"operation": "verify", "kind": "verified"}
	late := object{"operation": "pay", "kind": "amount", "moment": "in"}
	for _, step := range []struct {
		command object
		status  int
	}{
		{object{"do": "card", "id": "1", "amount": 5}, 200},
		{object{"do": "inject", "faults": []object{verified}}, 200},
		{object{"do": "inject", "faults": []object{verified, late}}, 409},
		{object{"do": "clear"}, 200},
		{object{"do": "dispute", "id": "1"}, 409},
		{object{"do": "refundDone", "id": "re_1"}, 409},
		{object{"do": "dance"}, 409},
	} {
		if status, in := d.call("POST", "/control", step.command); status != step.status {
			t.Errorf("%v: got %d %v", step.command, status, in)
		}
	}
	if cards := d.lines("card"); cards[len(cards)-1].Card != "1" {
		t.Errorf("got %v", cards)
	}
}

// TestImports checks that the stand-ins share no code with the service.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(out)); len(got) != 1 {
		t.Errorf("it imports %v", got)
	}
}
