package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/event/outbox"
	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// TestSilentReceivers has the receivers of many shops accept requests and never answer: another shop's
// receiver must get all of its events meanwhile.
func TestSilentReceivers(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		const shops, events = 40, 100
		end := make(chan struct{})
		silent := newReceiver(t, func(int, http.ResponseWriter) { <-end })
		all := make(chan struct{})
		var got sync.WaitGroup
		got.Add(events)
		good := newReceiver(t, func(_ int, w http.ResponseWriter) {
			w.WriteHeader(http.StatusNoContent)
			got.Done()
		})
		for i := range shops {
			s.other(i, silent.URL, 1, 20) // more than can be under way at once
		}
		s.endpoint(good.URL)
		for i := range events {
			s.happens(record.OrderPlaced, uuid.New(), i)
		}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx) })
		go func() {
			got.Wait()
			close(all)
		}()
		<-all // before any silent receiver has answered
		stop()
		close(end)
		running.Wait()
	})
}

// other makes another shop, with endpoints of an address and with events.
func (s *shop) other(i int, url string, endpoints, events int) {
	s.t.Helper()
	of := s.store.Client.Tenant.Create().SetDomain(fmt.Sprintf("s%d.example", i)).SetSlug(fmt.Sprint("s", i)).
		SetName("S").SetNameFa("س").SaveX(s.t.Context())
	for range endpoints {
		_, _, err := s.Add(s.t.Context(), of.ID, webhook.Settings{URL: &url,
			Events: []record.WebhookEvent{record.OrderPlaced}})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	for n := range events {
		event := outbox.Event{ID: uuid.New(), Type: record.OrderPlaced, Subject: uuid.New(), At: s.get(), Data: n}
		if err := outbox.Put(s.t.Context(), s.store.Client.Raw(), of.ID, event); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestAHostTakesAPart has more endpoints of one host than a server sends to at once, and none of them answers: another
// host's endpoint gets its event meanwhile.
func TestAHostTakesAPart(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		end, got := make(chan struct{}), make(chan struct{}, 1)
		silent := newReceiver(t, func(int, http.ResponseWriter) { <-end })
		good := newReceiver(t, func(int, http.ResponseWriter) { got <- struct{}{} })
		for i := range 27 {
			s.other(i, strings.Replace(silent.URL, "127.0.0.1", "localhost", 1), 10, 1)
		}
		s.endpoint(good.URL)
		s.happens(record.OrderPlaced, uuid.New(), 1)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx) })
		select {
		case <-got:
		case <-time.After(9 * time.Second): // before the first silent one is given up
			t.Error("the event of the other host did not come")
		}
		stop()
		close(end)
		running.Wait()
	})
}

// TestASlowAnswerHoldsUpNoOther has a receiver take its time for one event: later events of other subjects come to it
// meanwhile.
func TestASlowAnswerHoldsUpNoOther(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		end, got := make(chan struct{}), make(chan int, 10)
		slow := newReceiver(t, func(n int, _ http.ResponseWriter) {
			if got <- n; n == 1 {
				<-end
			}
		})
		s.endpoint(slow.URL)
		s.happens(record.OrderPlaced, uuid.New(), 0)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx) })
		late := time.After(9 * time.Second) // before the first attempt is given up
		for n := range 5 {
			select {
			case <-got:
			case <-late:
				t.Fatalf("got %d events while the first was under way, want 4", max(n-1, 0))
			}
			s.happens(record.OrderPlaced, uuid.New(), n+1)
		}
		stop()
		close(end)
		running.Wait()
	})
}
