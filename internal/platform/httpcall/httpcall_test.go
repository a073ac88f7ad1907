package httpcall

import (
	"context"
	"errors"
	"net/http"
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

func TestTheEnvironmentNamesNoProxy(t *testing.T) {
	if New(1).http.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy may be used")
	}
}
