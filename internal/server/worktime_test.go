package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// TestWorkTimeStandsStill checks that a context ends after its time of work, not counting pauses, and that
// contexts below it end, too.
func TestWorkTimeStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, end := newWorkTime(t.Context(), 8*time.Second)
		defer end()
		below, cancel := context.WithCancel(request.With(w, func(*request.Request) {}))
		defer cancel()
		for range 3 {
			time.Sleep(2 * time.Second)
			w.pause()
			w.pause() // once is enough
			time.Sleep(time.Hour)
			if until, _ := w.Deadline(); w.Err() != nil || time.Until(until) > 6*time.Second {
				t.Fatalf("%v, %v left", w.Err(), time.Until(until))
			}
			w.start()
			w.start()
		}
		if until, _ := w.Deadline(); time.Until(until) != 2*time.Second {
			t.Errorf("%v left, want 2s", time.Until(until))
		}
		began := time.Now()
		<-below.Done()
		if !errors.Is(below.Err(), context.DeadlineExceeded) || w.Err() != below.Err() ||
			time.Since(began) != 2*time.Second {
			t.Errorf("%v and %v after %v", w.Err(), below.Err(), time.Since(began))
		}
		w.start() // changes nothing
	})
}

// TestWorkTimeEndsWithItsParent checks that a client who leaves ends the work, even while the clock is
// paused.
func TestWorkTimeEndsWithItsParent(t *testing.T) {
	for _, stands := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			parent, leave := context.WithCancel(t.Context())
			w, end := newWorkTime(parent, 8*time.Second)
			defer end()
			if stands {
				w.pause()
			}
			below, cancel := context.WithTimeout(w, time.Hour)
			defer cancel()
			leave()
			<-below.Done()
			if below.Err() != context.Canceled || w.Err() != context.Canceled {
				t.Errorf("got %v and %v", w.Err(), below.Err())
			}
		})
	}
}

// TestSlowUploads sends bodies that need nearly all the time that a body has, and one that needs more: the
// first is processed as usual, the second is 408.
func TestSlowUploads(t *testing.T) {
	for _, c := range []struct {
		upload, work time.Duration
		status       string
	}{
		{14 * time.Second, time.Second, "HTTP/1.1 200 "},
		{14 * time.Second, 9 * time.Second, "HTTP/1.1 503 "},
		{16 * time.Second, 0, "HTTP/1.1 408 "},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := New(Options{Log: slog.New(slog.DiscardHandler),
				Handlers: Handlers{API: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					ctx := r.Context() // taken before the body is read, as the handlers do
					if _, err := wire.ReadObject(w, r); err != nil {
						wire.WriteError(w, r, err)
						return
					}
					select {
					case <-time.After(c.work):
					case <-ctx.Done():
						w.WriteHeader(http.StatusServiceUnavailable)
					}
				})}})
			web, listener := s.httpServer(s), make(pipes, 1)
			served := make(chan error)
			go func() { served <- web.Serve(listener) }()
			client, server := net.Pipe()
			listener <- server
			_, _ = io.WriteString(client, "POST /api/v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n{ ")
			var uploading sync.WaitGroup
			uploading.Go(func() {
				time.Sleep(c.upload)
				_, _ = io.WriteString(client, " }")
			})
			answer := make([]byte, 4096)
			n, err := client.Read(answer)
			if err != nil || !strings.HasPrefix(string(answer[:n]), c.status) {
				t.Errorf("%v of upload and %v of work: %v, %s", c.upload, c.work, err, answer[:n])
			}
			_ = client.Close()
			uploading.Wait()
			_ = web.Close()
			<-served
		})
	}
}

// pipes is a listener of connections that a test makes.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error { close(p); return nil }
func (pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
