package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"storefront/ent/webhookdelivery"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// TestRestartBesideASlowReceiver stops the service while a webhook's receiver has an event and has not
// answered. The process must wait for the answer, and the next one must not send the event again.
func TestRestartBesideASlowReceiver(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database, "DRAIN_TIME", "0s", "WEBHOOK_PRIVATE_ADDRESSES", "allow")
		s.succeed(t, "tenant", "add", "own.example", "Own", "خودم")
		came, answers := make(chan string, 10), make(chan struct{})
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			came <- r.Header.Get("webhook-id")
			<-answers
		}))
		defer receiver.Close()
		db := storetest.Open(t, database)
		shop := db.Client.Tenant.Query().OnlyIDX(t.Context())
		hooks := webhook.New(webhook.Options{
			Store: db.Client, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Private: true,
		})
		all := webhook.Settings{URL: &receiver.URL, Events: record.WebhookEvents(-1)}
		if _, _, err := hooks.Add(t.Context(), shop, all); err != nil {
			t.Fatal(err)
		}
		submit := func(to *served) {
			t.Helper()
			response, err := http.Post(to.url+"/api/v1/tenants/own.example/contact-submissions", "application/json",
				strings.NewReader(`{"title": "Question", "name": "Sara", "text": "How much?"}`))
			if err != nil || response.StatusCode != http.StatusCreated {
				t.Fatalf("got %v, %v", response, err)
			}
			response.Body.Close()
		}

		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		running := serving(t, ctx, s)
		submit(running)
		first := <-came
		stop()
		for { // until it takes no more connections
			conn, err := net.Dial("tcp", strings.TrimPrefix(running.url, "http://"))
			if err != nil {
				break
			}
			conn.Close()
		}
		select {
		case err := <-running.ended:
			t.Fatalf("it ended before the receiver answered: %v", err)
		default:
		}
		close(answers)
		running.ends(t)
		delivered := db.Client.WebhookDelivery.Query().OnlyX(tenancy.In(t.Context(), shop))
		if delivered.DeliveredAt == nil || delivered.Attempts != 1 {
			t.Errorf("after the stop the event is %v", delivered)
		}

		ctx, stop = context.WithCancel(t.Context())
		defer stop()
		running = serving(t, ctx, s)
		submit(running)
		if second := <-came; second == first {
			t.Error("the event is sent again after the restart")
		}
		stop()
		running.ends(t)
		if len(came) > 0 {
			t.Errorf("%d more requests", len(came))
		}
		sent := db.Client.WebhookDelivery.Query().Where(webhookdelivery.DeliveredAtNotNil())
		if n := sent.CountX(tenancy.In(t.Context(), shop)); n != 2 {
			t.Errorf("%d events are delivered, want 2", n)
		}
	})
}
