package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/outbox"
	"storefront/internal/record"
	"storefront/internal/webhook"
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
			other := s.store.Client.Tenant.Create().SetDomain(fmt.Sprintf("s%d.example", i)).
				SetSlug(fmt.Sprint("s", i)).SetName("S").
				SetNameFa("س").SaveX(t.Context())
			_, _, err := s.Add(t.Context(), other.ID, webhook.Settings{URL: &silent.URL,
				Events: []record.WebhookEvent{record.OrderPlaced}})
			if err != nil {
				t.Fatal(err)
			}
			for n := range 20 { // more than can be under way at once
				event := outbox.Event{
					ID: uuid.New(), Type: record.OrderPlaced, Subject: uuid.New(), At: s.get(), Data: n,
				}
				if err := outbox.Put(t.Context(), s.store.Client.Raw(), other.ID, event); err != nil {
					t.Fatal(err)
				}
			}
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
