package webhook_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// change makes a change of staff to an endpoint.
func (s *shop) change(id uuid.UUID, w webhook.Settings) {
	s.t.Helper()
	if _, err := s.Change(s.t.Context(), s.tenant, id, w); err != nil {
		s.t.Fatal(err)
	}
}

// TestActivatedIsSentToAtOnce has an endpoint fail until its events wait for hours: once staff activate it
// again, or change its address, all waiting events are sent.
func TestActivatedIsSentToAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		active, broken := true, true
		r := newReceiver(t, nil)
		r.answer = func(_ int, w http.ResponseWriter) {
			if broken {
				w.WriteHeader(http.StatusInternalServerError)
			}
		}
		id, _ := s.endpoint(r.URL)
		for _, how := range []webhook.Settings{{Active: &active}, {URL: &r.URL}} {
			broken = true
			for i := range 5 {
				s.happens(record.OrderPlaced, uuid.New(), i)
			}
			for range 8 {
				s.sendDue(s.Service)
				s.pass(4 * time.Hour)
			}
			s.sendDue(s.Service)
			before := r.count()
			broken = false
			s.pass(time.Second)
			s.sendDue(s.Service)
			if r.count() != before {
				t.Fatalf("%d attempts before staff did anything", r.count()-before)
			}
			s.change(id, how)
			s.sendDue(s.Service)
			if got := r.count() - before; got != 5 {
				t.Errorf("%d of 5 events were sent at once", got)
			}
		}
	})
}

// TestActivatedWhileSending changes an endpoint during the attempt after which it is paused: the sending
// server must not undo the change.
func TestActivatedWhileSending(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		active, id := true, uuid.Nil
		r := newReceiver(t, nil)
		r.answer = func(n int, w http.ResponseWriter) {
			if n > 5 {
				return
			}
			if n == 5 { // the fifth failure in a row
				s.pass(time.Microsecond)
				s.change(id, webhook.Settings{Active: &active})
			}
			w.WriteHeader(http.StatusInternalServerError)
		}
		id, _ = s.endpoint(r.URL)
		s.happens(record.OrderPlaced, uuid.New(), 0)
		for range 4 {
			s.sendDue(s.Service)
			s.pass(4 * time.Hour)
		}
		s.happens(record.OrderPlaced, uuid.New(), 1)
		s.sendDue(s.Service) // fails; the other event is sent after the change
		e := s.store.Client.WebhookEndpoint.GetX(s.ctx(), id)
		if r.count() != 6 || e.PausedUntil != nil || e.LeasedBy != nil {
			t.Errorf("%d attempts; the endpoint is %v", r.count(), e)
		}
	})
}

// TestDescribedWhileSending changes an endpoint's description during the attempt after which it is paused:
// the sending server still records the outcome.
func TestDescribedWhileSending(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		id, text := uuid.Nil, "the books"
		description := &text
		r := newReceiver(t, nil)
		r.answer = func(n int, w http.ResponseWriter) {
			if n == 5 { // the fifth failure in a row
				s.pass(time.Microsecond)
				s.change(id, webhook.Settings{
					Description: &description, Events: []record.WebhookEvent{record.OrderPlaced},
				})
			}
			w.WriteHeader(http.StatusInternalServerError)
		}
		id, _ = s.endpoint(r.URL)
		s.happens(record.OrderPlaced, uuid.New(), 0)
		for range 5 {
			s.sendDue(s.Service)
			s.pass(4 * time.Hour)
		}
		e := s.store.Client.WebhookEndpoint.GetX(s.ctx(), id)
		if r.count() != 5 || e.Failures != 5 || e.PausedUntil == nil || *e.Description != text {
			t.Errorf("%d attempts; the endpoint is %v, want 5 failures and a pause", r.count(), e)
		}
	})
}

// TestRetryAfterIsForTheEndpoint has a receiver send Retry-After: no event is sent to it before, however
// many wait.
func TestRetryAfterIsForTheEndpoint(t *testing.T) {
	for name, header := range map[string]func(now time.Time) string{
		"seconds": func(time.Time) string { return strconv.Itoa(120) },
		"time":    func(now time.Time) string { return now.Add(2 * time.Minute).Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *shop) {
				r := newReceiver(t, nil)
				r.answer = func(_ int, w http.ResponseWriter) {
					w.Header().Set("Retry-After", header(s.get()))
					w.WriteHeader(http.StatusTooManyRequests)
				}
				s.endpoint(r.URL)
				s.happens(record.OrderPlaced, uuid.New(), 0)
				s.sendDue(s.Service)
				for i := range 30 {
					s.happens(record.OrderPlaced, uuid.New(), i)
				}
				for range 12 {
					s.pass(9 * time.Second)
					s.sendDue(s.Service)
				}
				if r.count() != 1 {
					t.Errorf("%d requests in 108 seconds", r.count())
				}
				r.answer = nil
				s.pass(12 * time.Second)
				s.sendDue(s.Service)
				if r.count() != 32 {
					t.Errorf("%d requests after the two minutes, want 32", r.count())
				}
			})
		})
	}
}

// TestStopWaitsForReceivers stops a server while a slow receiver works: what that accepts is not sent again.
func TestStopWaitsForReceivers(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		came, end := make(chan struct{}, 16), make(chan struct{})
		r := newReceiver(t, func(int, http.ResponseWriter) {
			came <- struct{}{}
			<-end
		})
		s.endpoint(r.URL)
		for i := range 5 {
			s.happens(record.OrderPlaced, uuid.New(), i)
		}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Run(ctx) })
		for range 5 {
			<-came
		}
		stop()
		s.happens(record.OrderPlaced, uuid.New(), 5)
		close(end)
		running.Wait()
		if r.count() != 5 {
			t.Errorf("%d requests, want 5: nothing is begun after the stop", r.count())
		}
		s.sendDue(s.server(true))
		if r.count() != 6 {
			t.Errorf("%d requests after the restart, want 6", r.count())
		}
	})
}
