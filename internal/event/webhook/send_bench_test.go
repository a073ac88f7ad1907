package webhook_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// BenchmarkSend sends 10,000 events of 3,000 orders, of one shop and of 20 shops, to a receiver on this
// machine, and reports how many are sent in a minute.
func BenchmarkSend(b *testing.B) {
	for _, shops := range []int{1, 20} {
		b.Run(fmt.Sprintf("%d shops", shops), func(b *testing.B) {
			b.Run("sqlite", func(b *testing.B) { sendAll(b, storetest.Migrated.SQLite(b), shops) })
			b.Run("postgres", func(b *testing.B) { sendAll(b, storetest.Migrated.Postgres(b), shops) })
		})
	}
}

func sendAll(b *testing.B, url string, shops int) {
	const events, perOrder = 10_000, 3
	opened := storetest.Open(b, url)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	service := webhook.New(webhook.Options{
		Store: opened.Client, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Private: true,
	})
	tenants := make([]uuid.UUID, shops)
	for i := range tenants {
		tenants[i] = opened.Client.Tenant.Create().SetDomain(fmt.Sprintf("s%d.example", i)).
			SetSlug(fmt.Sprint("s", i)).SetName("S").
			SetNameFa("س").SaveX(b.Context()).ID
		_, _, err := service.Add(b.Context(), tenants[i], webhook.Settings{URL: &receiver.URL,
			Events: []record.WebhookEvent{record.OrderMoved}})
		if err != nil {
			b.Fatal(err)
		}
	}
	sending := time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		orders := make([]uuid.UUID, events/perOrder)
		for i := range orders {
			orders[i] = uuid.New()
		}
		err := transaction.Run(b.Context(), opened.Client, func(tx *ent.Tx) error {
			for i := range events {
				event := outbox.Event{ID: uuid.New(), Type: record.OrderMoved, Subject: orders[i%len(orders)],
					At:   time.Now().UTC(),
					Data: map[string]any{"orderNumber": "7KQ2M4XA", "status": "confirmed", "totalQuantity": i}}
				if err := outbox.Put(b.Context(), tx.Raw(), tenants[i%len(orders)%shops], event); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		began := time.Now()
		if err := service.SendDue(b.Context()); err != nil {
			b.Fatal(err)
		}
		sending += time.Since(began)
		for _, tenant := range tenants {
			if n := waiting(b, opened, tenant); n > 0 {
				b.Fatalf("%d events were not sent", n)
			}
		}
	}
	b.ReportMetric(float64(events)*float64(b.N)/sending.Minutes(), "events/min")
}

func waiting(b *testing.B, s *store.Store, tenant uuid.UUID) int {
	ctx := tenancy.In(b.Context(), tenant)
	return s.Client.WebhookDelivery.Query().Where(webhookdelivery.NextAtNotNil()).CountX(ctx)
}
