package httpcall

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// silence is a service that never answers.
type silence struct{}

func (silence) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestHowLongACallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Client{&http.Client{Transport: silence{}}, 1}
		for given, want := range map[time.Duration]time.Duration{
			time.Hour: 8 * time.Second, 3 * time.Second: 3 * time.Second,
		} {
			request, err := NewRequest(http.MethodPost, "https://service.example/", "", nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), given)
			begun := time.Now()
			_, err = c.Call(ctx, request)
			if waited := time.Since(begun); waited != want || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("given %s it waits %s: %v", given, waited, err)
			}
			cancel()
		}
	})
}

// TestNothingIsRepeated loses a used connection, after which net/http repeats what it takes to be safe: a GET, and any
// request with an Idempotency-Key.
func TestNothingIsRepeated(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		var served atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			if served.Add(1) > 1 {
				panic(http.ErrAbortHandler)
			}
		}))
		client := New(1)
		for i, lost := range []bool{false, true} {
			request, err := NewRequest(method, server.URL, "", []byte("x"))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Idempotency-Key", "key")
			if answer, err := client.Call(t.Context(), request); !answer.Sent || (err != nil) != lost {
				t.Errorf("%s, call %d: got %+v, %v", method, i, answer, err)
			}
		}
		if n := served.Load(); n != 2 {
			t.Errorf("%s: %d requests", method, n)
		}
		server.Close()
	}
}

func TestTheEnvironmentNamesNoProxy(t *testing.T) {
	if New(1).http.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy may be used")
	}
}
