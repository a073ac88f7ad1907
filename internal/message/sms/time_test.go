package sms

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// silence is a provider that never answers.
type silence struct{}

func (silence) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestHowLongASendWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _ := newFormat(Settings{Provider: "kavenegar", APIKey: "key"})
		c := &caller{f, "kavenegar", &http.Client{Transport: silence{}}}
		for given, want := range map[time.Duration]time.Duration{
			time.Hour: 8 * time.Second, 3 * time.Second: 3 * time.Second,
		} {
			ctx, cancel := context.WithTimeout(t.Context(), given)
			begun := time.Now()
			_, err := c.Send(ctx, Message{To: "+989121234567", Text: "x"})
			if waited := time.Since(begun); waited != want || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("given %s it waits %s: %v", given, waited, err)
			}
			cancel()
		}
	})
}

func TestTheEnvironmentNamesNoProxy(t *testing.T) {
	if newClient().Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy may be used")
	}
}

func TestMasked(t *testing.T) {
	for number, want := range map[string]string{
		"+989121234567": "+98912***4567", "+14155552671": "+141***71", "+12345678": "+123***78",
		"+491511234567890": "+49151***7890",
		"09121234567":      "***", "": "***", "+1": "***", "+98912\n1234567": "***",
	} {
		if got := Masked(number); got != want {
			t.Errorf("%q: got %q", number, got)
		}
	}
}
