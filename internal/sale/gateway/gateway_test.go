package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/sale/gateway"
)

// said is one answer of a stub.
type said struct {
	status int // 0: 200
	body   string
	header http.Header
}

// stub answers by path, and keeps what it was asked.
type stub struct {
	URL     string
	t       *testing.T
	mu      sync.Mutex
	answers map[string]said
	asked   []string // method, path, body
	headers []http.Header
}

func newStub(t *testing.T) *stub {
	s := &stub{t: t}
	s.URL = newServer(t, s)
	return s
}

func newServer(t testing.TB, handler http.Handler) (url string) {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
	s.headers = append(s.headers, r.Header)
	answer, ok := s.answers[r.URL.Path]
	if !ok {
		s.t.Errorf("nothing is said at %s", r.URL.Path)
	}
	maps.Copy(w.Header(), answer.header)
	if answer.status != 0 {
		w.WriteHeader(answer.status)
	}
	fmt.Fprint(w, answer.body)
}

// set says what the stub answers, and forgets what it was asked.
func (s *stub) set(answers map[string]said) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers, s.asked, s.headers = answers, nil, nil
}

// gateways are all of them, called at a base, with an account that has an unmistakable secret and an attempt.
func gateways(base string) map[string]gateway.Gateway {
	all := map[string]gateway.Gateway{}
	for _, g := range gateway.All(map[string]string{
		"zarinpal": base, "zarinpal-sandbox": base, "zibal": base, "stripe": base,
	}) {
		all[g.About().Name] = g
	}
	return all
}

var (
	noon     = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	accounts = map[string]gateway.Secrets{
		"zibal":    {"merchant": "5f8d0c1b2a3e4f5a6b7c8d9e"},
		"zarinpal": {"merchant_id": "1344b5d4-0048-11e8-94db-005056a205be", "mode": "live"},
		"stripe": {"secret_key": "sk_live_51KxHidden", "webhook_secret": "whsec_firstHidden",
			"webhook_secret_2": "whsec_secondHidden"},
	}
	references = map[string]string{
		"zibal": "15966442233311", "zarinpal": "A00000000000000000000000000217885159", "stripe": "cs_live_a1B2c3",
	}
)

const reference = "QK7M2W9XTR4HVB6CPN3D"

// attempt is one at a gateway, five minutes old.
func attempt(name, currency string) gateway.Attempt {
	return gateway.Attempt{
		Account:   gateway.Account{ID: uuid.New(), Secrets: accounts[name]},
		Reference: reference, Theirs: references[name], Order: "4F7K",
		Amount:   money.Amount{Minor: 125_000, Currency: currency},
		Callback: "https://shop.example/pay/back/" + reference, PayableUntil: noon.Add(25 * time.Minute), Now: noon,
		Settled: "pi_3Nx",
	}
}

// currencies has one for each gateway.
var currencies = map[string]string{"zibal": "IRT", "zarinpal": "IRT", "stripe": "USD"}

type outcome struct {
	kind       gateway.Kind
	amount     string
	code, card string
	wentBack   bool
}

func outcomeOf(o gateway.Outcome) outcome {
	got := outcome{kind: o.Kind, code: o.Code, card: o.Card, wentBack: o.WentBack}
	if o.Amount != (money.Amount{}) {
		got.amount = o.Amount.MinorText() + " " + o.Amount.Currency
	}
	return got
}

// checkWords checks that an outcome says why, where somebody must know.
func checkWords(t *testing.T, o gateway.Outcome) {
	t.Helper()
	wanted := o.Kind == gateway.Config || o.Kind == gateway.Mismatch
	if wanted != (o.Reason.String() != "") || (o.Kind == gateway.Unknown) != (o.Err != nil) {
		t.Errorf("%s because of %q, %v", o.Kind, o.Reason, o.Err)
	}
}

// step is a call of Verify, Lookup or End, and what it makes of one answer.
type step struct {
	name    string
	answers map[string]said
	want    outcome
	late    bool // after PayableUntil
}

// try makes the calls of a table, each with one method.
func try(t *testing.T, g gateway.Gateway, s *stub, a gateway.Attempt, method string, steps []step) {
	t.Helper()
	for _, c := range steps {
		s.set(c.answers)
		a := a
		if c.late {
			a.Now = a.PayableUntil.Add(time.Second)
		}
		call := map[string]func(context.Context, gateway.Attempt) gateway.Outcome{
			"verify": g.Verify, "lookup": g.Lookup, "end": g.End,
		}[method]
		o := call(t.Context(), a)
		if got := outcomeOf(o); got != c.want {
			t.Errorf("%s, %s: got %+v, want %+v (%v)", method, c.name, got, c.want, o.Err)
		}
		checkWords(t, o)
	}
}

// checkAsked compares what a stub was asked.
func checkAsked(t *testing.T, s *stub, want ...string) {
	t.Helper()
	if !slices.Equal(s.asked, want) {
		t.Errorf("got the requests\n%s\nwant\n%s", strings.Join(s.asked, "\n"), strings.Join(want, "\n"))
	}
}

// TestNothingIsFinalWithoutAnAnswer has each method of each gateway meet every way in which an answer can fail.
func TestNothingIsFinalWithoutAnAnswer(t *testing.T) {
	long := `{"result": 100, "data": {"code": 100}, "pad": "` + strings.Repeat("x", 2<<20) + `"}`
	answer := `{"result": 202, "data": {"code": 100, "status": "REVERSED"}, "errors": {"code": -51}}`
	handlers := map[string]http.HandlerFunc{
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			fmt.Fprint(w, `{"result": 100, "status": 1`)
		},
		"closed":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"2 MiB":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, long) },
		"HTML":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>the bank is closed</html>") },
		"nothing":  func(http.ResponseWriter, *http.Request) {},
		"a list":   func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "[]") },
		"null":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "null") },
		"no state": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
	}
	for _, status := range []int{302, 500, 502, 503, 504} {
		handlers[fmt.Sprint(status)] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			fmt.Fprint(w, answer)
		}
	}
	for fails, handler := range handlers {
		server := httptest.NewServer(handler)
		for name, g := range gateways(server.URL) {
			checkUnknown(t, fails, name, g, false)
		}
		server.Close()
		for name, g := range gateways(server.URL) { // nobody listens any more
			checkUnknown(t, fails+", away", name, g, true)
		}
	}
}

func checkUnknown(t *testing.T, fails, name string, g gateway.Gateway, away bool) {
	t.Helper()
	a := attempt(name, currencies[name])
	_, err := g.Begin(t.Context(), a)
	if _, refused := errors.AsType[*gateway.Refused](err); err == nil || refused != away {
		t.Errorf("%s, %s begins: %v", name, fails, err)
	}
	outcomes := []gateway.Outcome{g.Verify(t.Context(), a), g.Lookup(t.Context(), a), g.End(t.Context(), a)}
	for i, o := range outcomes {
		if o.Kind != gateway.Unknown || o.Err == nil {
			t.Errorf("%s, %s, method %d: got %s, %v", name, fails, i, o.Kind, o.Err)
		}
		checkQuiet(t, a.Account, o.Err)
	}
	if wrong := g.Check(t.Context(), a.Account); wrong.String() == "" {
		t.Errorf("%s, %s: the account is right", name, fails)
	}
	if r, ok := g.(gateway.Refunder); ok {
		part := gateway.Part{ID: uuid.New(), Amount: a.Amount}
		back := r.Refund(t.Context(), a, part)
		if back.State != gateway.RefundUnknown || back.Err == nil || back.Part != part.ID {
			t.Errorf("%s, %s: got %+v", name, fails, back)
		}
		checkQuiet(t, a.Account, back)
	}
	all, err := g.Refunds(t.Context(), a)
	if err == nil {
		t.Errorf("%s, %s: got %v", name, fails, all)
	}
	checkQuiet(t, a.Account, err)
	if redirect, err := g.Resume(t.Context(), a); (err == nil) != (name != "stripe") {
		t.Errorf("%s, %s: got %q, %v", name, fails, redirect, err)
	}
	checkQuiet(t, a.Account, err, a, g)
}

// checkQuiet checks that values, however they are printed, have no secret of an account.
func checkQuiet(t *testing.T, account gateway.Account, values ...any) {
	t.Helper()
	for _, value := range values {
		encoded, err := json.Marshal(value)
		if err != nil {
			encoded = nil // what cannot be encoded shows nothing
		}
		for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
			for name, secret := range account.Secrets {
				if name == "mode" {
					continue
				}
				if text := fmt.Sprintf(form, value) + string(encoded); strings.Contains(text, secret) {
					t.Errorf("a secret shows: %s", text)
				}
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	for pair, allowed := range map[[2]string]bool{
		{"zibal", "https://relay.example"}: true, {"zibal", "https://relay.example:8443/"}: true,
		{"stripe", "http://127.0.0.1:8081"}: true, {"stripe", "http://localhost:8081"}: true,
		{"zarinpal-sandbox", "http://[::1]:8081"}: true,
		{"zibal", "http://relay.example"}:         false, {"zibal", "https://relay.example/x"}: false,
		{"zibal", "https://a@relay.example"}: false, {"zibal", "https://relay.example?x"}: false,
		{"zibal", "https://"}: false, {"zibal", "relay.example"}: false, {"zibal", ""}: false,
		{"zibal", "ftp://127.0.0.1"}: false, {"zibal", "http://127.0.0.1.example"}: false,
		{"paypal", "https://relay.example"}: false,
	} {
		if err := gateway.CheckAddress(pair[0], pair[1]); (err == nil) != allowed {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

// TestARelayShowsNoPages checks that customers are sent to a relay only if it is of this machine.
func TestARelayShowsNoPages(t *testing.T) {
	for base, want := range map[string]string{
		"": "https://gateway.zibal.ir/start/7", "https://relay.example": "https://gateway.zibal.ir/start/7",
		"http://127.0.0.1:8081/": "http://127.0.0.1:8081/start/7",
	} {
		g := gateways(base)["zibal"]
		if got, err := g.Resume(t.Context(), gateway.Attempt{Theirs: "7"}); got != want || err != nil {
			t.Errorf("%s: got %s, %v", base, got, err)
		}
	}
}

// TestAccounts checks what makes an account, and a test account.
func TestAccounts(t *testing.T) {
	stripe := func(key, webhook string) gateway.Secrets {
		return gateway.Secrets{"secret_key": key, "webhook_secret": webhook}
	}
	zarinpal := func(merchant, mode string) gateway.Secrets {
		return gateway.Secrets{"merchant_id": merchant, "mode": mode}
	}
	const merchant = "1344b5d4-0048-11e8-94db-005056a205be"
	for _, c := range []struct {
		name    string
		secrets gateway.Secrets
		taken   bool
		live    bool
	}{
		{"zibal", gateway.Secrets{"merchant": "zibal"}, true, false},
		{"zibal", accounts["zibal"], true, true},
		{"zibal", gateway.Secrets{"merchant": "a b"}, false, true},
		{"zibal", gateway.Secrets{}, false, true},
		{"stripe", accounts["stripe"], true, true},
		{"stripe", stripe("rk_test_51KxHidden", "whsec_firstHidden"), true, false},
		{"stripe", stripe("pk_live_51KxHidden", "whsec_firstHidden"), false, true},
		{"stripe", stripe("sk_live_51KxHidden\r\nX: y", "whsec_firstHidden"), false, true},
		{"zarinpal", accounts["zarinpal"], true, true},
		{"zarinpal", zarinpal(merchant, "sandbox"), true, false},
		{"zarinpal", zarinpal(merchant, ""), false, true},
		{"zarinpal", zarinpal(strings.ToUpper(merchant), "live"), false, true},
	} {
		g, taken := gateways("")[c.name], true
		for _, field := range g.About().Fields {
			taken = taken && field.Takes(c.secrets[field.Name])
		}
		live := g.Live(gateway.Account{Secrets: c.secrets})
		if taken != c.taken || live != c.live {
			t.Errorf("%s with %d secrets: got taken %t, live %t", c.name, len(c.secrets), taken, live)
		}
	}
}

// checkRefused checks that Begin failed for a reason, and for good.
func checkRefused(t *testing.T, name string, err error, code string) {
	t.Helper()
	refused, ok := errors.AsType[*gateway.Refused](err)
	if !ok || refused.Code != code || refused.Reason.String() == "" || refused.Error() == "" {
		t.Errorf("%s: got %v, want a refusal with the code %q", name, err, code)
	}
}

func checkReason(t *testing.T, name string, got fault.Text, want bool) {
	t.Helper()
	if (got.String() != "") != want {
		t.Errorf("%s: got %q", name, got)
	}
}
