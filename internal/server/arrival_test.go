package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/request"
)

// TestArrivals checks that requests count from when their heads were read from the connection, whatever they
// wait for later: the first of a connection, later ones, and pipelined ones.
func TestArrivals(t *testing.T) {
	var now atomic.Int64 // moves with each look at the clock
	start := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return start.Add(time.Duration(now.Add(1)) * time.Second) }
	arrived := make(chan int, 10) // seconds
	goOn := make(chan bool, 10)
	s := open(t, func(o *Options) {
		o.Clock = clock
		o.API = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			at := request.Of(r.Context()).Arrival.At
			arrived <- int(at.Sub(start) / time.Second)
			<-goOn
			w.WriteHeader(http.StatusNoContent)
		})
	})
	public, err := Listen("LISTEN_ADDR", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, public, nil) }()
	conn, err := net.Dial("tcp", public.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	send := func(text string) {
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
	}
	read := func(status int) {
		t.Helper()
		if got, err := http.ReadResponse(answers, nil); err != nil || got.StatusCode != status {
			t.Fatalf("got %v, %v, want %d", got, err, status)
		}
	}
	answer := func() {
		t.Helper()
		goOn <- true
		read(http.StatusNoContent)
	}
	untilRead := func(text string) { // while a request is answered
		before := now.Load()
		send(text)
		for now.Load() == before {
			runtime.Gosched()
		}
	}
	// After an answer net/http may still read ahead, so that a head comes in two parts.
	want := func(which string, from, to int) {
		t.Helper()
		if got := <-arrived; got < from || got > to {
			t.Errorf("%s arrived at second %d, want %d to %d", which, got, from, to)
		}
	}
	const get = "GET /api/v1/x HTTP/1.1\r\nHost: x\r\n\r\n"

	send(get)
	want("the first request of a connection", 1, 1)
	answer()
	now.Store(100)
	send("POST /api/v1/x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
	read(http.StatusContinue)
	now.Store(200)
	send("{}")
	want("one whose body came later", 101, 102)
	answer()
	now.Store(300)
	send(get + get)
	want("the first of two that were sent at once", 301, 302)
	now.Store(400)
	answer()
	want("the second of them", 301, 302)
	answer()
	now.Store(500)
	send(get)
	want("one", 501, 502)
	now.Store(600)
	untilRead(get)
	now.Store(602)
	answer()
	want("one that was sent before the answer to it", 601, 601)
	answer()
	now.Store(700)
	send(get)
	want("the last but one", 701, 702)
	untilRead("G")
	now.Store(800)
	answer()
	send(get[1:])
	want("one whose head was held back", 801-int(headerTime/time.Second), 802-int(headerTime/time.Second))
	answer()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
