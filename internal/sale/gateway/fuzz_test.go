package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/sale/gateway"
)

// everywhere answers each request with one body.
type everywhere struct{ body string }

func (e *everywhere) ServeHTTP(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, e.body) }

var theirs = map[string]*regexp.Regexp{
	"zibal": regexp.MustCompile(`^[0-9]{1,20}$`), "zarinpal": regexp.MustCompile(`^[AS][0-9A-Za-z]{35}$`),
	"stripe": regexp.MustCompile(`^[0-9A-Za-z_]{1,250}$`),
}

// FuzzAnswers checks that whatever a gateway answers, customers are sent to its own pages alone, and only our amount
// and our reference are taken for paid.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		zibalSays(`"result":100,"status":1,"refNumber":4711,"trackId":1`), `{"result":100,"trackId":15966442233311}`,
		`{"data":{"code":101,"ref_id":201,"status":"VERIFIED","authority":"` + zarinpalAuthority + `"},"errors":[]}`,
		zarinpalRefuses("-51")[0], stripePaid(nil), stripeSays(map[string]string{"url": `"https://evil.example"`}),
		`{"data":[{"id":"re_1","status":"succeeded","metadata":{"refund":"x"}}]}`, "[]", "null", `{"data":[[]]}`,
	} {
		f.Add(body)
	}
	answer := &everywhere{}
	s := newServer(f, answer)
	all := gateways(s)
	f.Fuzz(func(t *testing.T, body string) {
		answer.body = body
		for name, g := range all {
			a := attempt(name, currencies[name])
			begun, err := g.Begin(t.Context(), a)
			if err == nil && (!theirs[name].MatchString(begun.Theirs) || !strings.HasPrefix(begun.Redirect, s+"/")) {
				t.Errorf("%s: got %+v", name, begun)
			}
			for _, call := range []func(context.Context, gateway.Attempt) gateway.Outcome{g.Verify, g.Lookup, g.End} {
				o := call(t.Context(), a)
				if o.Kind == gateway.Paid && (o.Amount != a.Amount || o.Code == "" || len(o.Card) > 4 ||
					name != "zarinpal" && !strings.Contains(body, reference)) {
					t.Errorf("%s: got %+v", name, o)
				}
				checkWords(t, o)
			}
			if r, ok := g.(gateway.Refunder); ok {
				part := gateway.Part{ID: uuid.New(), Amount: a.Amount}
				if back := r.Refund(t.Context(), a, part); back.State != gateway.RefundUnknown {
					t.Errorf("%s: got %+v", name, back)
				}
			}
			if page, err := g.Resume(t.Context(), a); err == nil && !strings.HasPrefix(page, s+"/") {
				t.Errorf("%s: goes on at %s", name, page)
			}
		}
	})
}

// FuzzSignature checks that no header is a signature that was not made with a secret.
func FuzzSignature(f *testing.F) {
	n := gateways("")["stripe"].(gateway.Notifier)
	account := attempt("stripe", "USD").Account
	body := event("refund.updated", `{}`)
	valid := signature("whsec_firstHidden", noon.Unix(), body)
	f.Add(fmt.Sprintf("t=%d,v1=%s", noon.Unix(), valid))
	f.Add(fmt.Sprintf("t=%d,v1=%s,v1=%s", noon.Unix(), strings.Repeat("0", 64), strings.Repeat("f", 64)))
	f.Add("t=,v1=,=,,v1")
	f.Fuzz(func(t *testing.T, header string) {
		_, err := n.Event(account, http.Header{"Stripe-Signature": {header}}, []byte(body), noon)
		if err == nil && !strings.Contains(strings.ToLower(header), valid) {
			t.Errorf("%q is taken", header)
		}
	})
}
