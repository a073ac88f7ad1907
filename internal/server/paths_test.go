package server

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func openWithPages(t testing.TB) *site {
	api := http.NewServeMux()
	api.Handle("/api/v1/", text("rest"))
	return open(t, func(o *Options) {
		o.API, o.GraphQL = api, text("graphql")
		o.Pages = map[string]http.Handler{"/docs": text("docs"), "/playground/": text("playground")}
	})
}

func TestPaths(t *testing.T) {
	s := openWithPages(t)
	for path, want := range map[string]string{
		"/api/v1/tenants/shop.ir": "rest", "/api/v1/": "rest", "/api/v1/a%20b/": "rest",
		"/graphql": "graphql", "/graphql/": "graphql", "/graphql?query=%7Bme%7D": "graphql",
		"/docs": "docs", "/docs/": "docs", "/playground": "playground", "/playground/app.js": "playground",
		"/healthz": `{"status":"ok"}`, "/healthz/": `{"status":"ok"}`,
		"/readyz": `{"status":"ready","reads":"ready","writes":"ready"}`,
	} {
		if answer, body := s.do(t, "GET", path); answer.StatusCode != 200 || body != want {
			t.Errorf("%s: %d %q, want %q", path, answer.StatusCode, body, want)
		}
	}
	for _, path := range []string{
		"/", "/api", "/api/v2/tenants", "/api/v11", "/docs/x", "/graphql/x", "/metrics", "/favicon.ico", "/API/V1/",
		"//", "//api/v1/", "/api//v1/", "/api/v1//tenants", "/api/v1/tenants//", "/api/v1/./tenants", "/api/v1/../v1/",
		"/api/v1/..", "/api/v1/.", "/./graphql", "/graphql/../graphql", "/docs//", "/api%2Fv1/",
		"//evil.ir/%2e%2e", "/%5Cevil.ir", "/api/v1/tenants/%2F", "/api/v1/tenants/%2f/", "/graphql/%2F",
		"/docs/%2F", "/%2F", "/api/v1/a%2Fb", "/playground%2fapp.js",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "BREW"} {
			answer, body := s.do(t, method, path)
			wantFault(t, answer, body, 404, "NOT_FOUND")
			if t.Failed() {
				t.Fatalf("at %s %s", method, path)
			}
		}
	}
}

func TestHealthAnswersGetAndHeadAlone(t *testing.T) {
	s := openWithPages(t)
	for _, path := range []string{"/healthz", "/readyz", "/readyz/"} {
		if answer, body := s.do(t, "HEAD", path); answer.StatusCode != 200 || body != "" ||
			answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("HEAD %s: %d %q %v", path, answer.StatusCode, body, answer.Header)
		}
		for _, method := range []string{"POST", "OPTIONS", "DELETE"} {
			answer, body := s.do(t, method, path)
			wantFault(t, answer, body, 405, "METHOD_NOT_ALLOWED")
			if allow := answer.Header.Get("Allow"); allow != "GET, HEAD" {
				t.Errorf("%s %s: Allow %q", method, path, allow)
			}
		}
	}
}

// TestOddRequests sends requests that no HTTP client would.
func TestOddRequests(t *testing.T) {
	s := openWithPages(t)
	for _, odd := range []struct {
		request string
		status  int
		code    string // empty: the answer is not an error
	}{
		{"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
		{"GET * HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
		{"CONNECT shop.ir:443 HTTP/1.1\r\nHost: shop.ir:443\r\n\r\n", 404, "NOT_FOUND"},
		{"CONNECT /docs//x HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
		{"CONNECT /playground/../docs HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
		{"GET http://shop.ir/graphql HTTP/1.1\r\nHost: x\r\n\r\n", 200, ""},
		{"GET http://shop.ir HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
		{"GET http://shop.ir//graphql HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
		{"GET /graphql HTTP/1.0\r\n\r\n", 200, ""},
		{"GET /graphql?a;b=%zz HTTP/1.1\r\nHost: x\r\n\r\n", 200, ""},
		{"X-ODD! /graphqlx HTTP/1.1\r\nHost: x\r\n\r\n", 404, "NOT_FOUND"},
	} {
		answer, body := s.raw(t, odd.request)
		if odd.code != "" {
			wantFault(t, answer, body, odd.status, odd.code)
		} else if answer.StatusCode != odd.status {
			t.Errorf("status %d, want %d", answer.StatusCode, odd.status)
		}
		if t.Failed() {
			t.Fatalf("at %q", odd.request)
		}
	}
}

func TestHeadersAreBounded(t *testing.T) {
	s := openWithPages(t)
	answer, _ := s.raw(t, "GET /graphql HTTP/1.1\r\nHost: x\r\nX-Long: "+strings.Repeat("a", 64<<10)+"\r\n\r\n")
	if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d, want 431", answer.StatusCode)
	}
}

// raw writes a request as it stands and reads one answer.
func (s *site) raw(t testing.TB, request string) (*http.Response, string) {
	t.Helper()
	conn := s.dial(t)
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	if method == http.MethodConnect {
		method = "GET" // as ReadResponse reads no body of CONNECT
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		t.Fatal(err)
	}
	return answer, string(body)
}

func (s *site) dial(t testing.TB) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
