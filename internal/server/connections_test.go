package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serve starts a server on a real listener. stop begins its shutdown, and ended receives the result of
// Serve.
func serve(t *testing.T, change func(*Options)) (front *site, stop context.CancelFunc, ended <-chan error) {
	t.Helper()
	s := open(t, change)
	public, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- s.Serve(ctx, public, nil) }()
	t.Cleanup(stop)
	return &site{Server: s.Server, url: URL(public), log: s.log}, stop, result
}

// client is a keep-alive connection.
type client struct {
	net.Conn
	in *bufio.Reader
}

func (s *site) connect(t testing.TB) *client {
	t.Helper()
	conn := s.dial(t)
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	return &client{conn, bufio.NewReader(conn)}
}

func (c *client) send(t testing.TB, path string) {
	t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

// receive reads an answer, and returns its status and whether the connection closes after it.
func (c *client) receive() (status int, closes bool, err error) {
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0, false, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Close, err
}

func (c *client) get(t testing.TB, path string) {
	t.Helper()
	c.send(t, path)
	if status, _, err := c.receive(); status != 200 || err != nil {
		t.Fatalf("%s: %d, %v", path, status, err)
	}
}

// TestIdleConnectionsGiveWay uses up the limit with idle connections, some of which never sent a request:
// new clients replace the longest idle ones, and a running request is not affected.
func TestIdleConnectionsGiveWay(t *testing.T) {
	running, finish := make(chan struct{}), make(chan struct{})
	front, stop, ended := serve(t, func(o *Options) {
		o.MaxConnections = 8
		o.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/slow") {
				close(running)
				<-finish
			}
			_, _ = io.WriteString(w, "done")
		})
	})
	slow := front.connect(t)
	slow.send(t, "/api/v1/slow")
	<-running
	var idle []*client
	for i := range 7 {
		c := front.connect(t)
		if i%2 == 0 {
			c.get(t, "/api/v1/x")
		}
		idle = append(idle, c)
	}
	used := idle[6]
	used.get(t, "/api/v1/x") // idle for the shortest time now
	for range 3 {
		front.connect(t).get(t, "/api/v1/x")
	}
	closed := 0
	for _, c := range idle[:6] {
		_ = c.SetReadDeadline(time.Now().Add(5 * lastCall))
		if _, err := c.in.ReadByte(); err == io.EOF {
			closed++
		}
	}
	if closed < 3 {
		t.Errorf("%d of the idle connections were closed, want 3 at least", closed)
	}
	used.get(t, "/api/v1/x")
	close(finish)
	if status, _, err := slow.receive(); status != 200 || err != nil {
		t.Errorf("the request that ran got %d, %v", status, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestStopAnswersWhatWasSent has 151 keep-alive connections send a request each, and stops the server at the
// same time: each must get a response that closes its connection.
func TestStopAnswersWhatWasSent(t *testing.T) {
	front, stop, ended := serve(t, func(o *Options) { o.API = text("done") })
	clients := make([]*client, 151)
	for i := range clients {
		clients[i] = front.connect(t)
		if i > 0 { // the first has not sent anything before
			clients[i].get(t, "/api/v1/x")
		}
	}
	for _, c := range clients {
		c.send(t, "/api/v1/x")
	}
	stop()
	for i, c := range clients {
		if status, _, err := c.receive(); status != 200 || err != nil {
			t.Errorf("connection %d: %d, %v", i, status, err)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestDrainTime checks that a stopping server reports that at /readyz for the drain time, and still answers
// everything else, even on new connections.
func TestDrainTime(t *testing.T) {
	front, stop, ended := serve(t, func(o *Options) {
		o.API = text("done")
		o.DrainTime = time.Second
	})
	old := front.connect(t)
	old.get(t, "/readyz")
	stop()
	for ready := true; ready; {
		answer, _ := front.do(t, "GET", "/readyz")
		ready = answer.StatusCode == 200
	}
	for range 5 {
		if answer, body := front.do(t, "GET", "/api/v1/x"); answer.StatusCode != 200 || body != "done" {
			t.Errorf("while it drains: %d %s", answer.StatusCode, body)
		}
	}
	old.send(t, "/api/v1/x")
	if status, closes, err := old.receive(); status != 200 || !closes || err != nil {
		t.Errorf("an open connection while it drains: %d, closes %t, %v", status, closes, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(front.url, "http://")); err == nil {
		conn.Close()
		t.Error("it still accepts connections")
	}
}
