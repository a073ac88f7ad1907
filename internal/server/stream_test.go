package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// deadlines is a writer that records the deadlines of its connection.
type deadlines struct {
	http.ResponseWriter
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.read = at
	return nil
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.write = at
	return nil
}

// TestStreamsGoAtTheirClientsPace reads a body and writes a response slowly: each part has its time, all of
// them together have theirs, and waiting does not count as work.
func TestStreamsGoAtTheirClientsPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := &deadlines{}
		r := httptest.NewRequest(http.MethodPut, "/sheets/products", strings.NewReader("a body"))
		ctx, body, pace, end := timed(conn, r)
		defer end()
		left := func(at time.Time) time.Duration { return time.Until(at) }
		if !conn.read.IsZero() {
			t.Errorf("before the body is read: got %v to read", left(conn.read))
		}
		pace.awaits()
		if got := left(conn.read); got != readTime {
			t.Errorf("of a part of the body: got %v, want %v", got, readTime)
		}
		pace.rests()
		if n, err := body.Read(make([]byte, 3)); n != 3 || err != nil || !conn.read.IsZero() {
			t.Errorf("got %d, %v and %v to read afterwards", n, err, left(conn.read))
		}
		for range 4 { // more than the work may take
			done := pace.sends()
			if got := left(conn.write); got != writeTime {
				t.Errorf("of a part of the answer: got %v, want %v", got, writeTime)
			}
			time.Sleep(2 * time.Minute)
			done()
		}
		if ctx.Err() != nil {
			t.Error("waiting for the client is counted as work")
		}
		time.Sleep(streamTime - 4*2*time.Minute - time.Second)
		if done := pace.sends(); left(conn.write) != time.Second {
			t.Errorf("a second before its end: got %v", left(conn.write))
		} else {
			done()
		}
	})
}

// TestSmallBodiesArriveInTime reads the body of a subscription, and of a search engine's question, in two parts: both
// must arrive within the time of any body.
func TestSmallBodiesArriveInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, path := range []string{liveStreamPath, liveStreamPath + "/", "/shops/a.example/torob_api/v3/products"} {
			conn := &deadlines{}
			_, _, pace, end := timed(conn, httptest.NewRequest(http.MethodPost, path, strings.NewReader("a body")))
			time.Sleep(readTime - time.Second)
			pace.awaits()
			if got := time.Until(conn.read); got != time.Second {
				t.Errorf("%s: got %v to read, want a second", path, got)
			}
			end()
		}
	})
}

// TestALateAnswerHasItsTime answers after the client has used up the time for its body and the work took
// long, too.
func TestALateAnswerHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := &deadlines{ResponseWriter: httptest.NewRecorder()}
		r := httptest.NewRequest(http.MethodPut, "/sheets/products", strings.NewReader("a body"))
		_, body, pace, end := timed(conn, r)
		defer end()
		time.Sleep(streamTime + time.Minute)
		a := &answer{ResponseWriter: conn, body: body, pace: pace, stopping: func() bool { return false }}
		_, _ = a.Write([]byte("the answer"))
		if got := time.Until(conn.write); got != writeTime {
			t.Errorf("got %v to write, want %v", got, writeTime)
		}
	})
}

// TestStreamsWorkLonger checks how long the work of a stream, and that of other requests, may take.
func TestStreamsWorkLonger(t *testing.T) {
	for path, want := range map[string]time.Duration{
		"/sheets/products": streamWork, "/media/uploads": streamWork, "/sheets": requestTime,
		"/graphql": requestTime, "/api/v1/sheets/": requestTime,
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, _, _, end := timed(&deadlines{}, httptest.NewRequest(http.MethodGet, path, nil))
			defer end()
			began := time.Now()
			<-ctx.Done()
			if got := time.Since(began); got != want {
				t.Errorf("%s: got %v, want %v", path, got, want)
			}
		})
	}
}
