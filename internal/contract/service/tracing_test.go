package service_test

import (
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/internal/platform/tracing/tracingtest"
)

// TestSpans sends requests over REST and GraphQL and checks the spans: one for the request, one for the
// operation, and one for each statement, nested, in the trace of the client.
func TestSpans(t *testing.T) {
	t.Parallel()
	shoptest.Shops.Each(t, func(t *testing.T, url string) {
		collector := tracingtest.New(t)
		made := shoptest.TracerTo(t, collector.URL)
		p := shoptest.StartWith(t, storetest.Open(t, url), app.Options{Clock: shoptest.Noon,
			PasswordCost: shoptest.CheapPasswords, Tracer: made.Tracer})
		const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
		parent := "00-" + trace + "-00f067aa0ba902b7-00"
		p.Get(t, "/tenants/mugs.example/products?name=secret-word", "Traceparent", parent, "X-Request-Id", "one")
		if line, _ := logged(t, p); line["trace_id"] != trace || line["request_id"] != "one" ||
			line["level"] != "INFO" ||
			line["tenant"] != "mugs.example" || line["operation"] != "Products" {
			t.Errorf("logged %v", line)
		}
		p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`query Ask09121234567 { cities(level: country) { id }
			tenant(domain: "mugs.example") { product(slug: "no-such-thing") { id } products { items { id } } }
			me { id } }`, ""))
		p.Get(t, "/tenants/nobody.example/products")
		p.Send(t, http.MethodGet, "/nothing/here/+989121234567", "")
		made.Flush(t)

		spans := collector.Spans()
		find := func(name string) tracingtest.Span {
			t.Helper()
			i := slices.IndexFunc(spans, func(s tracingtest.Span) bool { return s.Name == name })
			if i < 0 {
				for _, s := range spans {
					t.Log(s.Name)
				}
				t.Fatalf("no span %q", name)
			}
			return spans[i]
		}
		below := func(s tracingtest.Span) (names []string) {
			for _, one := range spans {
				if string(one.ParentSpanId) == string(s.SpanId) {
					names = append(names, one.Name)
				}
			}
			return names
		}
		request := find("GET /api/v1/tenants/{domain}/products")
		if hex.EncodeToString(request.TraceId) != trace ||
			hex.EncodeToString(request.ParentSpanId) != "00f067aa0ba902b7" ||
			request.Text("storefront.tenant") != "mugs.example" ||
			request.Number("http.response.status_code") != 200 ||
			request.Text("storefront.request_id") != "one" || request.Status.GetMessage() != "" {
			t.Errorf("got %v", request)
		}
		if names := below(request); !slices.Equal(names, []string{"query tenant.products"}) {
			t.Errorf("below the request: %v", names)
		}
		operation := find("query tenant.products")
		statements := 0
		for _, s := range spans {
			if string(s.ParentSpanId) != string(operation.SpanId) || s.Name != "SELECT" {
				continue
			}
			statements++
			if text := s.Text("db.query.text"); !strings.HasPrefix(text, "SELECT ") ||
				s.Text("db.system.name") == "" ||
				strings.Contains(text, "products") && s.Number("db.response.returned_rows") < 0 {
				t.Errorf("got %v", s)
			}
		}
		if statements == 0 {
			t.Error("the operation has no statements")
		}
		asked := find("query cities+")
		if asked.Text("graphql.operation.name") != "Ask…" || asked.Text("graphql.operation.type") != "query" ||
			!slices.Equal(asked.Texts("storefront.error.codes"), []string{"NOT_FOUND", "UNAUTHENTICATED"}) {
			t.Errorf("got %v", asked)
		}
		sent := find("POST /graphql") // the fields are resolved concurrently, so either error may come first
		if code := sent.Text("storefront.error.code"); code != "UNAUTHENTICATED" && code != "NOT_FOUND" ||
			sent.Status.GetMessage() != "" {
			t.Errorf("got %v", sent)
		}
		find("GET other")
		service, headers, raw := collector.Sent()
		if service != "storefront" || headers.Get("Api-Key") != "a b" {
			t.Errorf("got %q, %v", service, headers)
		}
		for _, private := range []string{"secret-word", "9121234567"} {
			if strings.Contains(string(raw), private) {
				t.Errorf("the spans hold %s", private)
			}
		}
	})
}

// TestDeadCollectorHarmsNothing sends spans to an address where nothing listens, to a server that refuses
// them, and to one that never answers. Requests must succeed, and stopping must not be delayed.
func TestDeadCollectorHarmsNothing(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(hangs.Close)
	t.Cleanup(func() { close(over) })
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(400)
	}))
	t.Cleanup(refuses.Close)
	for name, url := range map[string]string{
		"nobody": "http://127.0.0.1:1", "hangs": hangs.URL, "refuses": refuses.URL,
	} {
		t.Run(name, func(t *testing.T) {
			shoptest.Shops.Each(t, func(t *testing.T, database string) {
				made := shoptest.TracerTo(t, url)
				p := shoptest.StartWith(t, storetest.Open(t, database),
					app.Options{Clock: shoptest.Noon, PasswordCost: shoptest.CheapPasswords,
						Tracer: made.Tracer})
				for range 300 { // more than one batch
					if got := p.Get(t, "/tenants/mugs.example/categories"); got.Status != 200 {
						t.Fatal(got.Status)
					}
				}
			})
		})
	}
}
