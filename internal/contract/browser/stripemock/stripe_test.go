// Package stripemock checks what is sent to Stripe by Stripe's own server for tests, which refuses members that its
// API does not have, and those of another type. It keeps nothing, so its answers are not ours.
package stripemock

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"

	"storefront/internal/locale/money"
	"storefront/internal/sale/gateway"
)

// TestStripeAcceptsOurRequests makes each request that is made of Stripe.
func TestStripeAcceptsOurRequests(t *testing.T) {
	var answered []string
	handle := newServer(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		handle(recorder, r)
		answered = append(answered, fmt.Sprint(recorder.Code, " ", r.Method, " ", r.URL.Path))
		w.WriteHeader(recorder.Code)
		if _, err := w.Write(recorder.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}))
	defer s.Close()
	all := gateway.All(map[string]string{"stripe": s.URL})
	i := slices.IndexFunc(all, func(g gateway.Gateway) bool { return g.About().Name == "stripe" })
	stripe := all[i].(interface {
		gateway.Gateway
		gateway.Refunder
		gateway.Notifier
	})
	dollars := func(cents int64) money.Amount { return money.Amount{Minor: cents, Currency: "USD"} }
	a := gateway.Attempt{
		Account:   gateway.Account{Secrets: gateway.Secrets{"secret_key": "sk_test_123"}},
		Reference: "QK7M2W9XTR4HVB6CPN3D", Theirs: "cs_test_1", Order: "4F7K", Amount: dollars(1799),
		Callback: "https://shop.example/pay/back?x=y", PayableUntil: time.Now().Add(31 * time.Minute), Settled: "pi_1",
	}
	// The answers are not about our attempt, so what is made of them does not matter here.
	_, _ = stripe.Begin(t.Context(), a)
	_ = stripe.Refund(t.Context(), a, gateway.Part{ID: uuid.New(), Amount: dollars(500)})
	_, _ = stripe.Refunds(t.Context(), a)
	_, _ = stripe.Lookup(t.Context(), a), stripe.End(t.Context(), a)
	_ = stripe.Check(t.Context(), a.Account)
	want := []string{
		"200 POST /v1/checkout/sessions", "200 POST /v1/refunds", "200 GET /v1/refunds", "200 GET /v1/disputes",
		"200 GET /v1/checkout/sessions/cs_test_1", "200 POST /v1/checkout/sessions/cs_test_1/expire",
		"200 GET /v1/checkout/sessions",
	}
	if !slices.Equal(answered, want) {
		t.Errorf("got %q, want %q", answered, want)
	}
}

// TestItRefusesWrongRequests checks that the server would have refused them.
func TestItRefusesWrongRequests(t *testing.T) {
	handle := newServer(t)
	for form, want := range map[string]int{
		"mode=payment": http.StatusOK, "mode=payments": http.StatusBadRequest, "modes=payment": http.StatusBadRequest,
		"mode=payment&line_items[0][quantity]=one": http.StatusBadRequest,
		"mode=payment&expires_at=soon":             http.StatusBadRequest,
	} {
		r := httptest.NewRequest(http.MethodPost, "/v1/checkout/sessions", strings.NewReader(form))
		r.Header.Set("Authorization", "Bearer sk_test_123")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		recorder := httptest.NewRecorder()
		if handle(recorder, r); recorder.Code != want {
			t.Errorf("%s: got %d: %s", form, recorder.Code, recorder.Body)
		}
	}
}

func newServer(t *testing.T) http.HandlerFunc {
	t.Helper()
	spec, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		t.Fatal(err)
	}
	stub, err := server.NewStubServer(fixtures, spec, false, false)
	if err != nil {
		t.Fatal(err)
	}
	return stub.HandleRequest
}
