package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/event/webhook"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// try sends a test event to an endpoint.
func (s *shop) try(endpoint uuid.UUID) (sent *ent.WebhookDelivery, err error) {
	return s.Test(s.t.Context(), s.tenant, endpoint)
}

// TestTestEvents sends test events to an endpoint that is registered for other events: they are signed, sent once
// whether or not the receiver accepts them, and limited to so many a minute.
func TestTestEvents(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		status := http.StatusNoContent
		r := newReceiver(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(status) })
		endpoint, secret := s.endpoint(r.URL, record.OrderMoved)
		other, _ := s.endpoint(r.URL, record.OrderMoved)
		sent, err := s.try(endpoint)
		if err != nil {
			t.Fatal(err)
		}
		s.sendDue(s.Service)
		bodies := r.got()
		var event struct {
			Type string
			Data struct{ BusinessID, WebhookID uuid.UUID }
		}
		if len(bodies) != 1 {
			t.Fatalf("got %d requests, want one", len(bodies))
		}
		if err := json.Unmarshal([]byte(bodies[0]), &event); err != nil || event.Type != "test" ||
			event.Data.BusinessID != s.tenant || event.Data.WebhookID != endpoint {
			t.Errorf("got %s", bodies[0])
		}
		h := r.heads[0]
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			t.Fatal(err)
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%d.%s", h.Get("webhook-id"), s.get().Unix(), bodies[0])
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); h.Get("webhook-signature") != want {
			t.Errorf("got the signature %s, want %s", h.Get("webhook-signature"), want)
		}
		if d := s.deliveries()[0]; d.EventID != sent.EventID || d.Type != record.TestEvent || d.DeliveredAt == nil ||
			d.EndpointID != endpoint || d.EndpointID == other {
			t.Errorf("got %+v", d)
		}

		status = http.StatusInternalServerError
		if _, err := s.try(endpoint); err != nil {
			t.Fatal(err)
		}
		s.sendDue(s.Service)
		s.pass(time.Hour)
		s.sendDue(s.Service)
		if d := s.deliveries()[1]; d.Attempts != 1 || d.NextAt != nil || d.DeliveredAt != nil || *d.Status != 500 {
			t.Errorf("one that failed: got %+v", d)
		}

		for i := range 11 {
			_, err := s.try(endpoint)
			if limited := fault.Is(err, fault.RateLimited); limited != (i == 10) || !limited && err != nil {
				t.Errorf("the %dth in a minute: %v", i+1, err)
			}
		}
		off := false
		if _, err := s.Change(t.Context(), s.tenant, other, webhook.Settings{Active: &off}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.try(other); !fault.Is(err, fault.Conflict) {
			t.Errorf("to one that is inactive: %v", err)
		}
		if _, err := s.try(uuid.New()); !ent.IsNotFound(err) {
			t.Errorf("to one that is not there: %v", err)
		}
		events := []record.WebhookEvent{record.OrderMoved, record.TestEvent}
		_, _, err = s.Add(t.Context(), s.tenant, webhook.Settings{URL: &r.URL, Events: events})
		if !fault.Is(err, fault.ValidationFailed) || !strings.Contains(err.Error(), "sendTestEvent") {
			t.Errorf("registered for test events: %v", err)
		}
	})
}
