package server

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"storefront/internal/request"
)

func TestRequestID(t *testing.T) {
	var inside, onAnswer string
	s := open(t, func(o *Options) {
		o.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inside, onAnswer = request.Of(r.Context()).ID, w.Header().Get("X-Request-Id")
		})
	})
	for _, kept := range []string{"a", "0", "A-b_c.9", strings.Repeat("x", 64),
		"019ab123-9127-7890-9121-234567890123", "9e107d9d372bb6826bd81d3542a419d6", "1700000000123-7",
		"20261124T031700.912123456", "1-5759e988-bd862e3fe1be46a994272793", "1764000000.123"} {
		if answer, _ := s.do(t, "GET", "/api/v1/x", "X-Request-Id", kept); answer.Header.Get("X-Request-Id") != kept ||
			inside != kept ||
			onAnswer != kept {
			t.Errorf("got the request ids %q, inside %q and %q; want %q", answer.Header.Get("X-Request-Id"),
				inside, onAnswer, kept)
		}
	}
	seen := map[string]bool{}
	for _, replaced := range []string{"", " ", "a b", "a\tb", "شناسه", "a/b", `a"b`, "<x>",
		strings.Repeat("x", 65), "09121234567", "9121234567", "989121234567", "00989121234567",
		"req-09121234567", "cell09121234567.1",
		"0912-123-4567", "cell_0912.123.45_67"} {
		answer, _ := s.do(t, "GET", "/api/v1/x", "X-Request-Id", replaced)
		id := answer.Header.Get("X-Request-Id")
		if id == replaced || !validRequestID(id) || seen[id] || inside != id {
			t.Errorf("%q: got the new request id %q, and %q inside; want the same", replaced, id, inside)
		}
		seen[id] = true
	}
	answer, _ := s.do(t, "GET", "/api/v1/x", "X-Request-Id", "one", "X-Request-Id", "two")
	if answer.Header.Get("X-Request-Id") == "one" {
		t.Error("one of two ids was taken")
	}
}

// FuzzRequestID checks that the id of the answer always has the allowed form, and is the one sent if that has
// it.
func FuzzRequestID(f *testing.F) {
	for _, seed := range []string{"", "abc", "a b", "\r\nSet-Cookie: x", strings.Repeat("z", 65)} {
		f.Add(seed)
	}
	s := New(Options{Handlers: Handlers{API: text("")}, Log: slog.New(slog.DiscardHandler)})
	f.Fuzz(func(t *testing.T, sent string) {
		r := httptest.NewRequest("GET", "/api/v1/x", nil)
		r.Header["X-Request-Id"] = []string{sent}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		id := w.Header().Get("X-Request-Id")
		if !validRequestID(id) || validRequestID(sent) && id != sent {
			t.Errorf("got the request id %q for %q, want it kept where it is valid", id, sent)
		}
	})
}

func TestRequestsHaveADeadline(t *testing.T) {
	var left time.Duration
	s := open(t, func(o *Options) {
		o.API = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			until, _ := r.Context().Deadline()
			left = time.Until(until)
		})
	})
	s.do(t, "GET", "/api/v1/x")
	if left <= 0 || left > requestTime {
		t.Errorf("%v left, want at most %v", left, requestTime)
	}
}

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct {
		peer string
		sent []string
		want string
	}{
		{"203.0.113.9:4000", nil, "203.0.113.9:4000"},
		{"203.0.113.9:4000", []string{"198.51.100.1"}, "203.0.113.9:4000"}, // the peer is not trusted
		{"10.0.0.1:4000", nil, "10.0.0.1:4000"},
		{"10.0.0.1:4000", []string{"198.51.100.1"}, "198.51.100.1:0"},
		{"10.0.0.1:4000", []string{"1.2.3.4, 198.51.100.1"}, "198.51.100.1:0"}, // the client made 1.2.3.4 up
		{"10.0.0.1:4000", []string{"1.2.3.4", "198.51.100.1, 10.9.9.9"}, "198.51.100.1:0"},
		{"10.0.0.1:4000", []string{"10.0.0.7,10.0.0.8"}, "10.0.0.7:0"},
		{"10.0.0.1:4000", []string{"unknown, 10.0.0.8"}, "10.0.0.8:0"},
		{"10.0.0.1:4000", []string{"<script>"}, "10.0.0.1:4000"},
		{"10.0.0.1:4000", []string{"198.51.100.1:5555"}, "198.51.100.1:0"},
		{"10.0.0.1:4000", []string{"::ffff:198.51.100.1"}, "198.51.100.1:0"},
		{"[::ffff:10.0.0.1]:4000", []string{"2001:db8::1"}, "[2001:db8::1]:0"},
		{"[fd00::1]:4000", []string{"[2001:db8::1]:80"}, "[2001:db8::1]:0"},
		{"@", []string{"198.51.100.1"}, "@"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": c.sent}}
		if got := clientAddr(r, trusted); got != c.want {
			t.Errorf("%s for %q is %s, want %s", c.peer, c.sent, got, c.want)
		}
	}
}

func TestHandlersSeeTheClientsAddress(t *testing.T) {
	var seen string
	s := open(t, func(o *Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		o.API = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.RemoteAddr })
	})
	s.do(t, "GET", "/api/v1/x", "X-Forwarded-For", "198.51.100.7")
	if seen != "198.51.100.7:0" {
		t.Errorf("the handler saw %s", seen)
	}
	if logged := s.log.named(t, "request"); logged[0]["client"] != "198.51.100.7" {
		t.Errorf("logged %v", logged)
	}
}

func TestWithRequestID(t *testing.T) {
	out := &lines{}
	log := slog.New(WithRequestID(WithRequestID(slog.NewJSONHandler(out, nil)))).With("a", 1)
	log.InfoContext(request.With(t.Context(), func(r *request.Request) { r.ID = "abc" }), "inside")
	log.InfoContext(t.Context(), "outside")
	if strings.Count(out.text(), "request_id") != 1 || out.named(t, "inside")[0]["request_id"] != "abc" {
		t.Errorf("logged %s", out.text())
	}
}
