package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/server/origin"
)

func openShop(t testing.TB) *site {
	admin, err := origin.Parse("https://admin.example:8443")
	if err != nil {
		t.Fatal(err)
	}
	api := http.NewServeMux()
	api.HandleFunc("GET /api/v1/x", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") })
	api.HandleFunc("POST "+smsPath, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "sent") })
	return open(t, func(o *Options) {
		o.API, o.Origins, o.Headers = api, []origin.Origin{admin}, []string{"X-Datadog-Origin"}
	})
}

func TestOrigins(t *testing.T) {
	s := openShop(t)
	for from, allowed := range map[string]bool{
		"https://shop.ir": true, "https://www.shop.ir": true, "https://a.b.shop.ir": true,
		"https://admin.example:8443": true, "http://localhost": true, "http://localhost:3000": true,
		"https://localhost:5173": true, "http://127.0.0.1:8080": true,
		"https://127.8.8.8": true, "http://[::1]:3000": true,
		"": false, "null": false, "*": false, "http://shop.ir": false, "https://shop.ir:8443": false,
		"https://other.ir": false, "https://evilshop.ir": false, "https://shop.ir.evil.ir": false,
		"https://admin.example": false, "http://admin.example:8443": false,
		"https://shop.ir/": false, "https://shop.ir@evil.ir": false, "https://evil.ir#.shop.ir": false,
		"https://shop.ir, https://evil.ir": false,
		"http://localhost.evil.ir":         false, "http://10.0.0.1": false, "http://0.0.0.0": false, "file://": false,
		"chrome-extension://abc": false, "https://shop.ir.": false,
	} {
		want := ""
		if allowed {
			want = from
		}
		answer, body := s.do(t, "GET", "/api/v1/x", "Origin", from)
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want ||
			answer.StatusCode != 200 || body != "x" {
			t.Errorf("from %q: %d %q, allowed %q, want %q", from, answer.StatusCode, body, got, want)
		}
		wantExposed := ""
		if allowed {
			wantExposed = "Etag, Retry-After, X-Request-Id, Idempotent-Replayed, Age, Warning"
		}
		if got := answer.Header.Get("Access-Control-Expose-Headers"); got != wantExposed {
			t.Errorf("from %q: exposed %q", from, got)
		}
		wantNoCredentials(t, answer)
		wantVary(t, answer, "Origin")

		answer, body = s.do(t, "OPTIONS", "/api/v1/x", "Origin", from, "Access-Control-Request-Method", "GET")
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want ||
			answer.StatusCode != 204 || body != "" {
			t.Errorf("preflight from %q: %d %q, allowed %q, want %q", from, answer.StatusCode, body, got, want)
		}
		if !allowed {
			wantNoCORS(t, answer)
		}
		wantNoCredentials(t, answer)
		wantVary(t, answer, "Origin")
	}
	answer, _ := s.do(t, "GET", "/api/v1/x")
	wantNoCORS(t, answer)
	wantVary(t, answer, "Origin")
	answer, _ = s.do(t, "GET", "/nothing", "Origin", "https://shop.ir")
	if answer.StatusCode != 404 || answer.Header.Get("Access-Control-Allow-Origin") != "https://shop.ir" {
		t.Errorf("an unknown path: %d %v", answer.StatusCode, answer.Header)
	}
	answer, _ = s.do(t, "GET", "/api/v1/x", "Origin", "https://shop.ir", "Origin", "https://evil.ir")
	wantNoCORS(t, answer)
}

func TestPreflight(t *testing.T) {
	s := openShop(t)
	for _, method := range []string{"GET", "HEAD", "POST", "PATCH", "DELETE"} {
		answer, _ := s.do(t, "OPTIONS", "/api/v1/x", "Origin", "https://shop.ir",
			"Access-Control-Request-Method", method)
		if answer.StatusCode != 204 || answer.Header.Get("Access-Control-Allow-Methods") != method {
			t.Errorf("%s: got %d %v, want 204 that allows it", method, answer.StatusCode, answer.Header)
		}
	}
	for _, method := range []string{"TRACE", "CONNECT", "patch", "x"} {
		answer, _ := s.do(t, "OPTIONS", "/api/v1/x", "Origin", "https://shop.ir",
			"Access-Control-Request-Method", method)
		if answer.StatusCode != 204 {
			t.Errorf("%s: %d", method, answer.StatusCode)
		}
		wantNoCORS(t, answer)
	}
	for names, want := range map[string]string{
		"authorization":                   "authorization",
		"Content-Type, Authorization":     "authorization,content-type",
		"idempotency-key,,if-none-match ": "idempotency-key,if-none-match",
		"content-type,content-type":       "content-type",
		"traceparent,tracestate,baggage":  "baggage,traceparent,tracestate",
		"sentry-trace,X-Request-Id":       "sentry-trace,x-request-id",
		"x-datadog-origin":                "x-datadog-origin",
		"X-Requested-With":                "x-requested-with",
		"Cache-Control,Accept-Language":   "accept-language,cache-control",
		"If-None-Match, authorization":    "authorization,if-none-match",
	} {
		answer, _ := s.do(t, "OPTIONS", "/api/v1/x", "Origin", "https://shop.ir",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", names)
		if got := answer.Header.Get("Access-Control-Allow-Headers"); got != want ||
			answer.Header.Get("Access-Control-Max-Age") != "600" {
			t.Errorf("headers %q: allowed %q, want %q; %v", names, got, want, answer.Header)
		}
	}
	for _, names := range []string{"x-api-key", "authorization,x-api-key", "cookie", "*"} {
		answer, _ := s.do(t, "OPTIONS", "/api/v1/x", "Origin", "https://shop.ir",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", names)
		wantNoCORS(t, answer)
	}
}

// TestRefusedPreflightIsLogged checks that the operator sees why a page cannot call, in one line.
func TestRefusedPreflightIsLogged(t *testing.T) {
	long := "https://" + strings.Repeat("a", 300) + ".ir"
	for _, c := range []struct{ from, method, headers, want string }{
		{"https://other.ir", "GET", "", "the origin is no shop's, and not in CORS_ORIGINS"},
		{"null", "GET", "", "the origin is no shop's, and not in CORS_ORIGINS"},
		{long, "GET", "", "the origin is no shop's, and not in CORS_ORIGINS"},
		{"https://shop.ir", "TRACE", "", "pages may not use the method TRACE"},
		{"https://shop.ir", "GET", "X-Tracing, Authorization,x-more", "not in CORS_HEADERS: x-more,x-tracing"},
		{"https://shop.ir", "GET", "authorization", ""},
	} {
		s := openShop(t)
		headers := []string{"Origin", c.from, "Access-Control-Request-Method", c.method}
		if c.headers != "" {
			headers = append(headers, "Access-Control-Request-Headers", c.headers)
		}
		s.do(t, "OPTIONS", "/api/v1/x", headers...)
		lines := s.log.named(t, "preflight refused")
		if c.want == "" {
			if len(lines) > 0 {
				t.Errorf("%+v: logged %v", c, lines)
			}
			continue
		}
		if len(lines) != 1 || lines[0]["reason"] != c.want {
			t.Fatalf("%+v: logged %v", c, lines)
		}
		from, _ := lines[0]["origin"].(string)
		if len(from) > 210 || !strings.HasPrefix(c.from, strings.TrimSuffix(from, "…")) {
			t.Errorf("%+v: logged the origin as %q", c, from)
		}
	}
}

func TestPlainOptionsReachesTheRoutes(t *testing.T) {
	s := openShop(t)
	answer, _ := s.do(t, "OPTIONS", "/api/v1/x", "Origin", "https://shop.ir")
	if answer.StatusCode != 405 || answer.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("%d %v", answer.StatusCode, answer.Header)
	}
}

func TestSMSHasNoCORS(t *testing.T) {
	s := openShop(t)
	for _, path := range []string{smsPath, smsPath + "/", "/api/v1/public/sms/%73end"} {
		answer, _ := s.do(t, "OPTIONS", path, "Origin", "https://shop.ir", "Access-Control-Request-Method", "POST")
		if answer.StatusCode == 204 {
			t.Errorf("%s: the preflight was answered", path)
		}
		wantNoCORS(t, answer)
		answer, _ = s.do(t, "POST", path, "Origin", "http://localhost:3000")
		wantNoCORS(t, answer)
	}
	if answer, body := s.do(t, "POST", smsPath); answer.StatusCode != 200 || body != "sent" {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
}

// FuzzOrigin checks that an answer names no origin but the one that asked, and names it only when that is
// allowed.
func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{
		"https://shop.ir", "null", "https://shop.ir@evil.ir", "http://[::1]", "https://ev\til",
	} {
		f.Add(seed)
	}
	s := New(Options{
		Log: slog.New(slog.DiscardHandler),
		Handlers: Handlers{
			API: text(""), OwnsHost: func(_ context.Context, host string) bool { return host == "shop.ir" },
		},
	})
	f.Fuzz(func(t *testing.T, from string) {
		r := httptest.NewRequest("GET", "/api/v1/x", nil)
		r.Header["Origin"] = []string{from}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		named := w.Header().Get("Access-Control-Allow-Origin")
		if named == "" {
			return
		}
		o, err := origin.Parse(from)
		if named != from || err != nil || !o.Loopback() && strings.ToLower(from) != "https://shop.ir" {
			t.Errorf("got the origin %q allowed, want %q", named, from)
		}
	})
}

func wantNoCORS(t testing.TB, answer *http.Response) {
	t.Helper()
	for name := range answer.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("answer to %s %s has %s", answer.Request.Method, answer.Request.URL.Path, name)
		}
	}
}

func wantNoCredentials(t testing.TB, answer *http.Response) {
	t.Helper()
	if answer.Header.Get("Access-Control-Allow-Credentials") != "" ||
		answer.Header.Get("Access-Control-Allow-Origin") == "*" {
		t.Errorf("credentials are allowed: %v", answer.Header)
	}
}

func wantVary(t testing.TB, answer *http.Response, name string) {
	t.Helper()
	for _, listed := range strings.Split(strings.Join(answer.Header["Vary"], ","), ",") {
		if strings.TrimSpace(listed) == name {
			return
		}
	}
	t.Errorf("Vary %q lacks %s", answer.Header["Vary"], name)
}
