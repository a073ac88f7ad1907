package webhook_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// TestBacklog lets events wait for a receiver that works, and for one that fails.
func TestBacklog(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		check := func(what string, wantWorking, wantFailing webhook.Backlog) {
			t.Helper()
			working, failing, err := s.Backlog(t.Context())
			if err != nil || working != wantWorking || failing != wantFailing {
				t.Errorf("%s: %v and %v, %v", what, working, failing, err)
			}
		}
		check("nothing", webhook.Backlog{}, webhook.Backlog{})
		s.endpoint(newReceiver(t, nil).URL, record.OrderPlaced)
		s.happens(record.OrderPlaced, uuid.New(), 1)
		s.pass(time.Minute)
		s.happens(record.OrderPlaced, uuid.New(), 2)
		s.pass(time.Second)
		check("two have no numbers", webhook.Backlog{Oldest: 61 * time.Second}, webhook.Backlog{})
		s.prepare()
		check("two wait", webhook.Backlog{Events: 2, Endpoints: 1, Oldest: 61 * time.Second}, webhook.Backlog{})
		s.sendDue(s.Service)
		check("both are sent", webhook.Backlog{}, webhook.Backlog{})

		broken := newReceiver(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) })
		s.endpoint(broken.URL, record.OrderMoved)
		s.happens(record.OrderMoved, uuid.New(), 3)
		s.sendDue(s.Service)
		s.pass(time.Second)
		check("one fails", webhook.Backlog{}, webhook.Backlog{Events: 1, Endpoints: 1, Oldest: time.Second})
	})
}
