package server

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

func TestAccessLog(t *testing.T) {
	api := http.NewServeMux()
	api.HandleFunc("GET /api/v1/cities/{id}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "12345")
	})
	s := open(t, func(o *Options) { o.API = api })
	s.do(t, "GET", "/api/v1/cities/7?secret=hidden", "X-Request-Id", "abc", "Authorization", "Bearer hidden")
	line := s.log.named(t, "request")[0]
	for key, want := range map[string]any{
		"level": "INFO", "method": "GET", "route": "/api/v1/cities/{id}", "status": 418.0, "bytes": 5.0,
		"client": "127.0.0.1", "request_id": "abc",
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
	if took, ok := line["duration_ms"].(float64); !ok || took < 0 {
		t.Errorf("duration_ms is %v", line["duration_ms"])
	}
	if _, both := line["path"]; both {
		t.Error("the path stands beside the route")
	}
	if strings.Contains(s.log.text(), "hidden") {
		t.Errorf("a secret was logged: %s", s.log.text())
	}
}

// TestAccessLogOfHead requests the headers of a list: the body that the handler writes is neither sent nor
// logged as sent.
func TestAccessLogOfHead(t *testing.T) {
	api := http.NewServeMux()
	api.HandleFunc("GET /api/v1/cities", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "12345")
	})
	s := open(t, func(o *Options) { o.API = api })
	for method, want := range map[string]float64{"GET": 5, "HEAD": 0} {
		s.log.all.Reset()
		s.do(t, method, "/api/v1/cities")
		if line := s.log.named(t, "request")[0]; line["bytes"] != want {
			t.Errorf("%s: %v bytes are logged, want %v", method, line["bytes"], want)
		}
	}
}

func TestAccessLogOfUnknownPathsTellsNothing(t *testing.T) {
	s := open(t, func(*Options) {})
	for path, want := range map[string]string{
		"/nothing/here?x=hidden": "/nothing/here",
		"/otp/+989123456789":     "/otp/+…",
		"/otp/%DB%B0%DB%B9%DB%B1%DB%B2%DB%B3%DB%B4%DB%B5%DB%B6": "/otp/…",
		"/t/" + strings.Repeat("a", 43):                         "/t/…",
		"/%FF":                                                  "/?",
		"/otp/0912-123-4567":                                    "/otp/…",
		"/otp/(0912)%20123%2520_4567/x":                         "/otp/(…/x",
		"/p/12345/67890":                                        "/p/12345/67890",
		"/" + strings.Repeat("ab/", 100):                        "/" + strings.Repeat("ab/", 66) + "a",
	} {
		s.log.all.Reset()
		s.do(t, "BREW", path)
		line := s.log.named(t, "request")[0]
		if line["path"] != want || line["method"] != "other" || line["status"] != 404.0 {
			t.Errorf("%s: logged %v, want the path %q", path, line, want)
		}
	}
}

// TestShopsAreLoggedByTheirDomain checks that a domain is logged as tenant, and an id under another name.
func TestShopsAreLoggedByTheirDomain(t *testing.T) {
	const id = "01a20201-9b41-7647-89e6-4df298c2de16"
	s := open(t, func(o *Options) {
		o.GraphQL = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			request.Of(r.Context()).Note.Asks(id)
		})
	})
	s.do(t, "POST", "/graphql")
	if line := s.log.named(t, "request")[0]; line["tenant_id"] != id || line["tenant"] != nil {
		t.Errorf("logged %v, want tenant_id", line)
	}
}

func TestHealthIsLoggedAsDebug(t *testing.T) {
	s := open(t, func(*Options) {})
	s.do(t, "GET", "/healthz")
	s.do(t, "GET", "/readyz/")
	for _, line := range s.log.named(t, "request") {
		if line["level"] != "DEBUG" {
			t.Errorf("logged %v", line)
		}
	}
}

func TestRecover(t *testing.T) {
	s := open(t, func(o *Options) {
		api := http.NewServeMux()
		api.HandleFunc("/api/v1/early", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"x"`)
			w.Header().Set("Content-Length", "3")
			panic("the inside story")
		})
		api.HandleFunc("/api/v1/late", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("part ", 1000))
			panic("the inside story")
		})
		api.HandleFunc("/api/v1/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		o.API = api
	})
	answer, body := s.do(t, "GET", "/api/v1/early", "Origin", "https://shop.ir", "Accept-Encoding", "gzip")
	wantFault(t, answer, body, 500, "INTERNAL")
	if strings.Contains(body, "story") || answer.Header.Get("ETag") != "" {
		t.Errorf("the answer tells too much: %v %s", answer.Header, body)
	}
	if answer.Header.Get("Access-Control-Allow-Origin") != "https://shop.ir" {
		t.Error("the page cannot read the error")
	}
	logged := s.log.named(t, "panic")
	if len(logged) != 1 || logged[0]["cause"] != "the inside story" ||
		!strings.Contains(logged[0]["stack"].(string), "observe_test.go") ||
		logged[0]["request_id"] != answer.Header.Get("X-Request-Id") {
		t.Errorf("logged %v", logged)
	}
	for _, path := range []string{"/api/v1/late", "/api/v1/abort"} {
		for _, coding := range []string{"identity", "gzip"} {
			r, _ := http.NewRequestWithContext(t.Context(), "GET", s.url+path, nil)
			r.Header.Set("Accept-Encoding", coding)
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err == nil {
				_, err = io.ReadAll(answer.Body)
				_ = answer.Body.Close()
			}
			if err == nil {
				t.Errorf("%s with %s looks whole", path, coding)
			}
		}
	}
	if logged := s.log.named(t, "panic"); len(logged) != 3 {
		t.Errorf("%d panics logged, want 3: abort is none", len(logged))
	}
}

func TestMetrics(t *testing.T) {
	api := http.NewServeMux()
	api.HandleFunc("GET /api/v1/cities/{id}", func(http.ResponseWriter, *http.Request) {})
	s := open(t, func(o *Options) {
		o.API = api
		o.GraphQL = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			wire.WriteError(w, r, fault.New(fault.BadRequest, "no"))
		})
	})
	for _, request := range []string{"GET /api/v1/cities/1", "GET /api/v1/cities/2", "GET /api/v1/x", "BREW /y/1",
		"BREW2 /y/2", "POST /graphql", "POST /graphql/"} {
		method, path, _ := strings.Cut(request, " ")
		s.do(t, method, path)
	}
	back := &site{url: serveMetrics(t, s)}
	answer, numbers := back.do(t, "GET", "/metrics")
	if answer.StatusCode != 200 {
		t.Fatalf("status %d", answer.StatusCode)
	}
	for _, want := range []string{
		`http_requests_total{method="GET",route="/api/v1/cities/{id}",status="2xx"} 2`,
		`http_requests_total{method="GET",route="/api/v1/cities/{id}",status="5xx"} 0`,
		`http_requests_total{method="GET",route="other",status="4xx"} 1`,
		`http_requests_total{method="other",route="other",status="4xx"} 2`,
		`http_requests_total{method="POST",route="/graphql",status="4xx"} 2`,
		`http_request_duration_seconds_count{method="GET",route="/api/v1/cities/{id}",status="2xx"} 2`,
		"http_requests_in_flight 0",
		"go_goroutines ",
		"process_start_time_seconds ",
	} {
		if !strings.Contains(numbers, "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
	answer, body := back.do(t, "GET", "/")
	if answer.StatusCode != 404 {
		t.Errorf("/ on the metrics' address: %d %s", answer.StatusCode, body)
	}
	if answer, _ := back.do(t, "POST", "/metrics"); answer.StatusCode != 405 {
		t.Errorf("POST /metrics: %d", answer.StatusCode)
	}
}

// TestFailedOperationsAreSeen checks that an internal error counts although GraphQL answers with 200, and
// that the facts about a request are in its line.
func TestFailedOperationsAreSeen(t *testing.T) {
	s := open(t, func(o *Options) {
		o.GraphQL = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			r.Pattern = "/graphql"
			n := request.Of(r.Context()).Note
			n.Add(func(r *request.Facts) { r.Operation, r.Fields = "Call_09121234567", "tenant.products+" })
			n.For("shop.example")
			if r.URL.RawQuery != "" {
				n.Answers(r.URL.RawQuery, 3)
			}
		})
	})
	for _, code := range []string{"UNAVAILABLE", "NOT_FOUND", ""} {
		s.do(t, "POST", "/graphql?"+code)
	}
	s.do(t, "GET", "/readyz")
	_, numbers := (&site{url: serveMetrics(t, s)}).do(t, "GET", "/metrics")
	if strings.Contains(numbers, "readyz") {
		t.Error("a probe counts as a request")
	}
	for _, want := range []string{
		`http_requests_total{method="POST",route="/graphql",status="2xx"} 2`,
		`http_requests_total{method="POST",route="/graphql",status="5xx"} 1`,
		`operations_total{code="UNAVAILABLE",operation="tenant.products+"} 1`,
		`operations_total{code="NOT_FOUND",operation="tenant.products+"} 1`,
		`operations_total{code="OK",operation="tenant.products+"} 1`,
		`operations_total{code="INTERNAL",operation="tenant.products+"} 0`,
	} {
		if !strings.Contains(numbers, "\n"+want) {
			t.Errorf("no %s", want)
		}
	}
	line := s.log.named(t, "request")[0]
	for key, want := range map[string]any{
		"operation": "Call_…", "tenant": "shop.example", "code": "UNAVAILABLE", "errors": 3.0, "status": 200.0,
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
}

// TestClientThatLeaves checks that a request whose client left is logged and counted as 499, whatever its
// handler answered.
func TestClientThatLeaves(t *testing.T) {
	begun := make(chan struct{})
	api := http.NewServeMux()
	api.HandleFunc("/api/v1/{kind}", func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
		if r.PathValue("kind") == "refused" {
			wire.WriteError(w, r, fault.New(fault.Unavailable, "no"))
		}
	})
	s := open(t, func(o *Options) { o.API = api })
	for _, path := range []string{"/api/v1/refused", "/api/v1/silent"} {
		ctx, leave := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, "GET", s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			<-begun
			leave()
		}()
		if answer, err := http.DefaultTransport.RoundTrip(request); err == nil {
			answer.Body.Close()
			t.Errorf("%s: answered %d", path, answer.StatusCode)
		}
	}
	s.web.Close() // waits for the handlers
	logged := s.log.named(t, "request")
	if len(logged) != 2 || logged[0]["status"] != 499.0 || logged[1]["status"] != 499.0 {
		t.Errorf("logged %v", logged)
	}
	_, numbers := (&site{url: serveMetrics(t, s)}).do(t, "GET", "/metrics")
	if !strings.Contains(numbers, `http_requests_total{method="GET",route="/api/v1/{kind}",status="499"} 2`) {
		t.Error("the metrics have no 499")
	}
}
