package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"storefront/internal/event/webhook"
)

// TestFinishWaitsForReceivers ends serving while a receiver needs the whole time of an attempt. The process
// waits until the event is accepted, so that it is not sent again. It does not wait for a receiver that does
// not answer in time.
func TestFinishWaitsForReceivers(t *testing.T) {
	for _, c := range []struct{ took, want time.Duration }{
		{10 * time.Second, 10 * time.Second}, {time.Minute, webhook.StopTime}, {0, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			served, sent, over := make(chan error, 1), make(chan struct{}), make(chan struct{})
			defer close(over)
			broken := errors.New("the listener broke")
			go func() {
				<-ctx.Done()
				time.AfterFunc(time.Second, func() { served <- broken })
				select {
				case <-time.After(c.took):
					close(sent)
				case <-over:
				}
			}()
			stop()
			begun := time.Now()
			if err := finish(ctx, t.Context(), served, sent, func(context.Context) {}); !errors.Is(err, broken) {
				t.Errorf("got %v, want %v", err, broken)
			}
			if got := time.Since(begun); got != c.want {
				t.Errorf("an event that took %v was waited for %v, want %v", c.took, got, c.want)
			}
		})
	}
}

// TestStopIsOver stops a server whose last request takes the longest time allowed, and whose codes, events
// and spans do not end. The stop must end 20 s after the drain time.
func TestStopIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const drain = 7 * time.Second
		ctx, stop := context.WithCancel(t.Context())
		codes, stopCodes := after(ctx, drain+codesUntil)
		defer stopCodes()
		spans, stopSpans := after(ctx, drain+spansUntil)
		defer stopSpans()
		served := make(chan error, 1)
		context.AfterFunc(ctx, func() { time.AfterFunc(drain+15*time.Second, func() { served <- nil }) })
		stop()
		begun := time.Now()
		if err := finish(ctx, codes, served, nil, func(ctx context.Context) { <-ctx.Done() }); err != nil {
			t.Error(err)
		}
		<-spans.Done()
		if took, most := time.Since(begun), drain+20*time.Second; took > most {
			t.Errorf("the stop took %v, want %v at most", took, most)
		}
	})
}
