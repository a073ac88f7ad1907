package tracing

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/platform/tracing/tracingtest"
)

func TestNothingIsMadeWithoutATracer(t *testing.T) {
	var none *Tracer
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	ctx := context.WithValue(t.Context(), trustedKey{}, false)
	if made := testing.AllocsPerRun(100, func() {
		none.Request(ctx, r, true)
		if _, operation := BeginOperation(ctx, "query", "tenant.products", "Products"); operation != nil {
			t.Error("a span")
		}
		BeginStatement(ctx, "sqlite", "SELECT 1").End("")
		if ID(ctx) != "" {
			t.Error("an id")
		}
	}); made != 0 {
		t.Errorf("%v allocations, want none", made)
	}
	none.Close(t.Context())
	if made, err := New(t.Context(), Options{}); made != nil || err != nil {
		t.Error(made, err)
	}
}

// TestSampling checks who decides whether a request is traced.
func TestSampling(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	sampled, not := "00-"+id+"-00f067aa0ba902b7-01", "00-"+id+"-00f067aa0ba902b7-00"
	for _, test := range []struct {
		parent        string
		trusted, want bool
	}{
		{"", false, true}, {"", true, true}, {sampled, true, true}, {sampled, false, true}, {not, true, false},
		{not, false, true},
	} {
		collector := tracingtest.New(t)
		tracer, err := New(t.Context(), Options{Endpoint: collector.URL + "/", Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/", nil)
		if test.parent != "" {
			r.Header.Set("Traceparent", test.parent)
		}
		ctx := tracer.Request(t.Context(), r, test.trusted)
		if got := ID(ctx); got == "" || test.parent != "" && got != id {
			t.Errorf("%+v: the trace is %q", test, got)
		}
		BeginStatement(ctx, "sqlite", "SELECT 1").End("")
		EndRequest(ctx, Answered{Method: "GET", Route: "/"})
		tracer.Close(t.Context())
		if spans := collector.Spans(); (len(spans) == 2) != test.want || len(spans) == 1 {
			t.Errorf("%+v: got %d spans, want two or none", test, len(spans))
		}
	}
}

// TestForeignTraceparent checks that an invalid traceparent begins a new trace.
func TestForeignTraceparent(t *testing.T) {
	tracer, err := New(t.Context(), Options{Endpoint: "http://127.0.0.1:1", Log: slog.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer tracer.Close(t.Context())
	const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, sent := range [][]string{
		{"x"}, {""}, {good, good}, {strings.Repeat("0", 55)}, {strings.ToUpper(good)},
		{good + strings.Repeat("-x", 1<<14)}, {"00-00000000000000000000000000000000-00f067aa0ba902b7-01"},
	} {
		r := &http.Request{Header: http.Header{
			"Traceparent": sent, "Tracestate": {"x=09121234567"}, "Baggage": {"x=y"},
		}}
		if id := ID(tracer.Request(t.Context(), r, true)); id == "" || strings.Contains(good, id) {
			t.Errorf("%.80q gave %q", sent, id)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, wrong := range []Options{
		{Headers: "secret"}, {Headers: "a=%0d%0ab"}, {Headers: "a=%zz"}, {Headers: "a=%00"}, {Headers: "a b=1"},
	} {
		wrong.Endpoint, wrong.Log = "http://127.0.0.1:1", slog.Default()
		if _, err := New(t.Context(), wrong); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if got, err := Headers("a=1, b = two%2C "); err != nil || got["a"] != "1" || got["b"] != "two," {
		t.Error(got, err)
	}
}

func TestStatementsShowNoValues(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a\n\tFROM b WHERE c = $1":           "SELECT a FROM b WHERE c = $1",
		"SELECT 'it''s' || '' FROM \"users\"":       "SELECT '?' || '?' FROM \"users\"",
		"UPDATE a SET b = 'never closed":            "UPDATE a SET b = ",
		"SELECT " + strings.Repeat("x", 2*maxText):  "SELECT " + strings.Repeat("x", maxText-7) + "…",
		strings.Repeat("'a' ", 4*maxText) + "'open": strings.Repeat("'?' ", maxText/4) + "…",
	} {
		if got := withoutValues(text); got != want {
			t.Errorf("%.80q became %.80q, want %.80q", text, got, want)
		}
	}
}
