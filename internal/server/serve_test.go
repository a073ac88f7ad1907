package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/request"
)

// serveMetrics opens the metrics address of a site and returns its URL.
func serveMetrics(t testing.TB, s *site) string {
	back := httptest.NewServer(s.metricsHandler())
	t.Cleanup(back.Close)
	return back.URL
}

func TestListenSaysWhatToDo(t *testing.T) {
	taken, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{
		taken.Addr().String(): "LISTEN_ADDR: " + taken.Addr().String() + " is in use by another program",
		"192.0.2.1:8080":      "LISTEN_ADDR: 192.0.2.1:8080 is no address of this machine",
		"127.0.0.1:99999":     "LISTEN_ADDR: cannot listen on 127.0.0.1:99999",
	} {
		l, err := Listen("LISTEN_ADDR", addr)
		if err == nil {
			_ = l.Close()
			t.Errorf("%s could be opened", addr)
		} else if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", addr, err, want)
		}
	}
}

func TestURL(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://localhost:80",
		"[::]:80": "http://localhost:80", "[::1]:80": "http://[::1]:80",
	} {
		if got := URL(at{addr: addr}); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

// TestServeEndsSubscriptions stops the server during a subscription, which must end at once.
func TestServeEndsSubscriptions(t *testing.T) {
	s := open(t, func(o *Options) {
		o.Live = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "first")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-request.Of(r.Context()).Stopping:
				_, _ = io.WriteString(w, " last")
			case <-r.Context().Done():
			}
		})
	})
	public, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, public, nil) }()
	for _, encoding := range []string{"identity", "gzip"} { // a compressor would delay events
		request, err := http.NewRequestWithContext(t.Context(), "GET", URL(public)+"/graphql/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", encoding)
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		first := make([]byte, 5)
		if _, err := io.ReadFull(answer.Body, first); err != nil || string(first) != "first" {
			t.Errorf("got %q %v", first, err)
		}
		if encoding == "gzip" {
			stop()
			if rest, err := io.ReadAll(answer.Body); err != nil || string(rest) != " last" {
				t.Errorf("got %q %v", rest, err)
			}
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestServeFinishesWhatRuns stops the server during a request: it reports that it is not ready, finishes the
// request and returns.
func TestServeFinishesWhatRuns(t *testing.T) {
	running, finish := make(chan struct{}), make(chan struct{})
	s := open(t, func(o *Options) {
		o.API = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(running)
			<-finish
			_, _ = io.WriteString(w, "finished")
		})
	})
	public, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := Listen("METRICS_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	front, closed := &site{url: URL(public)}, make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, &notifyingListener{Listener: public, closed: closed}, metrics) }()

	if answer, _ := front.do(t, "GET", "/readyz"); answer.StatusCode != 200 {
		t.Errorf("readyz %d", answer.StatusCode)
	}
	if answer, numbers := (&site{url: URL(metrics)}).do(t, "GET", "/metrics"); answer.StatusCode != 200 ||
		!strings.Contains(numbers, "http_requests_in_flight") {
		t.Errorf("metrics %d %s", answer.StatusCode, numbers)
	}
	got := make(chan string)
	go func() {
		answer, err := http.Get(front.url + "/api/v1/x")
		if err != nil {
			got <- err.Error()
			return
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		got <- string(body)
	}()
	<-running
	stop()
	<-closed
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
	if w.Code != 503 {
		t.Errorf("readyz while stopping: %d", w.Code)
	}
	w = httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
	if w.Code != 200 {
		t.Errorf("healthz while stopping: %d", w.Code)
	}
	close(finish)
	if body := <-got; body != "finished" {
		t.Errorf("the request that ran got %q", body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if log := s.log.text(); !strings.Contains(log, `"url":"`+front.url+`"`) {
		t.Errorf("the address was not logged: %s", log)
	}
}

func TestServeTellsOfABrokenListener(t *testing.T) {
	s := open(t, func(*Options) {})
	public, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = public.Close()
	if err := s.Serve(t.Context(), public, nil); !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// TestTheStartIsLoggedBeforeTheStop stops a server before its handlers are added.
func TestTheStartIsLoggedBeforeTheStop(t *testing.T) {
	var log lines
	s := Starting(Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	public, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Serve(ctx, public, nil); err != nil {
		t.Error(err)
	}
	starting, stopping := strings.Index(log.text(), "starting"), strings.Index(log.text(), "stopping")
	if starting < 0 || stopping < starting {
		t.Errorf("got %s, want starting and then stopping", log.text())
	}
}

func TestReady(t *testing.T) {
	var missing, refused error
	s := open(t, func(o *Options) {
		o.Ready = func(context.Context) Readiness {
			return Readiness{Reads: missing, Writes: errors.Join(missing, refused), Cause: "gone"}
		}
	})
	if answer, body := s.do(t, "GET", "/readyz"); answer.StatusCode != 200 ||
		body != `{"status":"ready","reads":"ready","writes":"ready"}` ||
		answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	missing = errors.New("no database at 10.1.1.1")
	answer, body := s.do(t, "GET", "/readyz")
	wantFault(t, answer, body, 503, "UNAVAILABLE")
	if strings.Contains(body, "10.1.1.1") || len(s.log.named(t, "not ready")) != 1 {
		t.Errorf("the cause belongs in the log alone: %s", body)
	}
	if answer, _ := s.do(t, "GET", "/healthz"); answer.StatusCode != 200 {
		t.Errorf("healthz %d", answer.StatusCode)
	}
	missing, refused = nil, errors.New("no room")
	if answer, body := s.do(t, "GET", "/readyz"); answer.StatusCode != 200 ||
		body != `{"status":"ready","reads":"ready","writes":"unavailable","cause":"gone"}` {
		t.Errorf("a server that can read: %d %s", answer.StatusCode, body)
	}
	answer, body = s.do(t, "GET", "/readyz?for=writes")
	wantFault(t, answer, body, 503, "UNAVAILABLE")
	if answer.Header.Get("Retry-After") != "1" || !strings.Contains(body, "not ready (gone)") {
		t.Errorf("for writes: %v %s", answer.Header, body)
	}
	refused = nil
	if answer, _ := s.do(t, "GET", "/readyz?for=writes"); answer.StatusCode != 200 {
		t.Errorf("once it is back: %d", answer.StatusCode)
	}
}

// TestSlowClientsAreBounded checks that every phase of a connection is bounded; net/http enforces it.
func TestSlowClientsAreBounded(t *testing.T) {
	h := open(t, func(*Options) {}).httpServer(nil)
	if h.ReadHeaderTimeout <= 0 || h.ReadTimeout < h.ReadHeaderTimeout || h.WriteTimeout <= requestTime ||
		h.IdleTimeout <= 0 ||
		h.MaxHeaderBytes <= 0 {
		t.Errorf("got %+v", h)
	}
}

func TestOneClientsShareOfConnections(t *testing.T) {
	queue := make(chan net.Conn, 20)
	l := newConnections(&queued{queue: queue}, 100, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, time.Now)
	l.share = 2
	accept := func() net.Conn {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	var conns []*fakeConn
	arrive := func(from string) {
		c := &fakeConn{from: at{addr: from}}
		conns = append(conns, c)
		queue <- c
	}
	arrive("198.51.100.1:1")
	arrive("198.51.100.1:2")
	arrive("198.51.100.1:3") // one too many
	arrive("198.51.100.2:1")
	first, second, other := accept(), accept(), accept()
	if first.RemoteAddr().String() != "198.51.100.1:1" || other.RemoteAddr().String() != "198.51.100.2:1" ||
		!conns[2].closed {
		t.Error("the third of one client was not hung up on")
	}
	_ = second.Close()
	_ = second.Close() // closing twice frees one connection
	arrive("198.51.100.1:4")
	arrive("198.51.100.1:5")
	arrive("[2001:db8::1]:1")
	arrive("[2001:db8::2]:1")
	arrive("[2001:db8::3]:1") // in the same network
	for range 3 {
		arrive("10.0.0.1:1")
		arrive("127.0.0.1:1")
		arrive("[::1]:1")
	}
	for range 12 {
		accept()
	}
	for i, c := range conns {
		hungUp := i == 1 || i == 2 || i == 5 || i == 8
		if c.closed != hungUp {
			t.Errorf("connection %d from %s: closed %t", i, c.from.addr, c.closed)
		}
	}
}

// at is an address, and a listener at that address.
type at struct {
	net.Listener
	addr string
}

func (a at) Addr() net.Addr { return a }

func (at) Network() string { return "tcp" }

func (a at) String() string { return a.addr }

// queued is a listener that returns connections from a queue.
type queued struct {
	net.Listener
	queue chan net.Conn
}

func (q *queued) Accept() (net.Conn, error) { return <-q.queue, nil }

type fakeConn struct {
	net.Conn
	from   at
	closed bool
}

func (c *fakeConn) RemoteAddr() net.Addr { return c.from }

func (c *fakeConn) Close() error { c.closed = true; return nil }

// notifyingListener is a listener that sends on a channel when it is closed.
type notifyingListener struct {
	net.Listener
	once   sync.Once
	closed chan struct{}
}

func (l *notifyingListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
