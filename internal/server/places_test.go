package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/request"
)

func TestTooManyRequests(t *testing.T) {
	p := places{slots: share.New(1, 1)} // no waiting
	entered, leave := make(chan struct{}), make(chan struct{})
	h := inAnswer(p.limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-leave
	})))
	first := make(chan struct{})
	go func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		close(first)
	}()
	<-entered
	refused := httptest.NewRecorder()
	refused.Header().Set("X-Request-Id", "abc")
	h.ServeHTTP(refused, httptest.NewRequest("GET", "/", nil))
	answer := refused.Result()
	answer.Request = httptest.NewRequest("GET", "/", nil)
	wantFault(t, answer, refused.Body.String(), 503, "UNAVAILABLE")
	if answer.Header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", answer.Header.Get("Retry-After"))
	}
	close(leave)
	<-first
	go func() { <-entered }()
	again := httptest.NewRecorder()
	h.ServeHTTP(again, httptest.NewRequest("GET", "/", nil))
	if again.Code != 200 {
		t.Errorf("after the first left: %d", again.Code)
	}
}

// TestAPlaceIsWaitedFor checks that the requests of a burst wait for places instead of being refused.
func TestAPlaceIsWaitedFor(t *testing.T) {
	s := open(t, func(o *Options) { o.API, o.MaxRunning = text("done"), 1 })
	answers := make(chan int)
	for range 50 {
		go func() {
			answer, err := http.Get(s.url + "/api/v1/x")
			if err != nil {
				answers <- 0
				return
			}
			_ = answer.Body.Close()
			answers <- answer.StatusCode
		}()
	}
	for range 50 {
		if status := <-answers; status != 200 {
			t.Errorf("status %d", status)
		}
	}
}

// TestSlowClientsHoldNoPlace has a single place, a client that stops in the middle of its body and one that
// does not read its response.
func TestSlowClientsHoldNoPlace(t *testing.T) {
	reading, writing := make(chan struct{}), make(chan struct{})
	api := http.NewServeMux()
	api.HandleFunc("POST /api/v1/slow", func(w http.ResponseWriter, r *http.Request) {
		first := make([]byte, 1)
		_, _ = io.ReadFull(r.Body, first)
		close(reading)
		body, err := io.ReadAll(r.Body)
		if err == nil {
			_, _ = w.Write(append(first, body...))
		}
	})
	api.HandleFunc("GET /api/v1/endless", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "begun")
		close(writing)
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	})
	api.Handle("GET /api/v1/quick", text("quick"))
	s := open(t, func(o *Options) { o.API, o.MaxRunning = api, 1 })

	uploader := s.dial(t)
	_, _ = io.WriteString(uploader, "POST /api/v1/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nhal")
	<-reading
	downloader := s.dial(t)
	_, _ = io.WriteString(downloader, "GET /api/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n")
	<-writing
	if answer, body := s.do(t, "GET", "/api/v1/quick"); answer.StatusCode != 200 || body != "quick" {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	_ = downloader.Close()
	_, _ = io.WriteString(uploader, "f")
	answer := make([]byte, 4096)
	n, err := uploader.Read(answer)
	if err != nil || !strings.HasPrefix(string(answer[:n]), "HTTP/1.1 200 OK") ||
		!strings.HasSuffix(string(answer[:n]), "half") {
		t.Errorf("the slow one got %q and %v, want 200 OK and half", answer[:n], err)
	}
}

// TestAFullHouseEndsTheReadingOfABody checks that a request fails if it gets no place after its body.
func TestAFullHouseEndsTheReadingOfABody(t *testing.T) {
	p := places{slots: share.New(1, 1)}
	over, end := context.WithCancel(t.Context())
	body := &takingBody{p, end}
	r := httptest.NewRequestWithContext(over, "POST", "/", body)
	inAnswer(p.limit(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Code != fault.Unavailable {
			t.Errorf("reading gave %v", err)
		}
	}))).ServeHTTP(httptest.NewRecorder(), r)
	if _, err := p.take(over, 0); err == nil {
		t.Error("the place is free, which the body took")
	}
}

// inAnswer gives a handler the response and the body that the server gives its handlers.
func inAnswer(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, body, _, end := timed(w, r)
		defer end()
		if body != nil {
			r.Body = body
		}
		ctx, noted := request.WithNote(r.Context())
		a := &answer{ResponseWriter: w, body: body, stopping: func() bool { return false }, noted: noted}
		h.ServeHTTP(a, r.WithContext(ctx))
	})
}

// takingBody takes the place that its request gave up, and ends the request's time.
type takingBody struct {
	places places
	end    func()
}

func (b *takingBody) Read([]byte) (int, error) {
	_, _ = b.places.take(context.Background(), requestTime)
	b.end()
	return 0, io.EOF
}

func (b *takingBody) Close() error { return nil }
