package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// site is a Server behind a real listener, with its log.
type site struct {
	*Server
	url string
	log *lines
	web *httptest.Server
}

// New returns a complete server. It panics on a page whose path is taken or malformed, as http.ServeMux does.
func New(o Options) *Server {
	s := Starting(o)
	s.Open(o.Handlers)
	return s
}

// open starts a server with the handlers of a test; change sets further options.
func open(t testing.TB, change func(*Options)) *site {
	t.Helper()
	log := &lines{}
	o := Options{
		Log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Handlers: Handlers{OwnsHost: func(_ context.Context, host string) bool {
			return host == "shop.ir" || strings.HasSuffix(host, ".shop.ir")
		}},
	}
	change(&o)
	s := New(o)
	web := httptest.NewUnstartedServer(nil)
	web.Config = s.httpServer(s)
	web.Start()
	t.Cleanup(web.Close)
	return &site{Server: s, url: web.URL, log: log, web: web}
}

// do sends a request with headers given as name, value, name, value and reads the whole answer. It neither
// follows redirects nor unpacks gzip.
func (s *site) do(t testing.TB, method, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return send(t, r)
}

func send(t testing.TB, r *http.Request) (*http.Response, string) {
	t.Helper()
	answer, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// wantFault checks that an answer is a complete error of the contract.
func wantFault(t testing.TB, answer *http.Response, body string, status int, code string) {
	t.Helper()
	var e struct {
		StatusCode               int
		Code, Message, RequestID string
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil && answer.Request.Method != http.MethodHead {
		t.Errorf("body %q: %v", body, err)
		return
	}
	if answer.StatusCode != status || answer.Header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d of type %q, want %d of application/json", answer.StatusCode,
			answer.Header.Get("Content-Type"), status)
	}
	if answer.Request.Method == http.MethodHead {
		return
	}
	if e.StatusCode != status || e.Code != code || e.Message == "" ||
		e.RequestID != answer.Header.Get("X-Request-Id") ||
		e.RequestID == "" {
		t.Errorf("body %s, want %d %s with the request id %q", body, status, code, answer.Header.Get("X-Request-Id"))
	}
}

// text answers every request with a few words.
func text(words string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, words) })
}

// lines collects log lines written as JSON.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(b)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// named returns the lines with this message.
func (l *lines) named(t testing.TB, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(l.text()), "\n") {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("log line %q: %v", line, err)
		}
		if record["msg"] == message {
			found = append(found, record)
		}
	}
	return found
}
