package webhook

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Again makes an event be sent again at once, whatever its state.
func (s *Service) Again(ctx context.Context, business, endpoint, event uuid.UUID) (
	sent *ent.WebhookDelivery, err error,
) {
	ctx = tenancy.In(ctx, business)
	err = s.audited(ctx, "redeliverWebhook", func(tx *ent.Tx) (e audit.Change, err error) {
		id, err := tx.WebhookDelivery.Query().
			Where(webhookdelivery.EndpointID(endpoint), webhookdelivery.EventID(event)).OnlyID(ctx)
		if err != nil {
			return e, err
		}
		now := s.Clock.Now()
		sent, err = tx.WebhookDelivery.UpdateOneID(id).SetNextAt(now).SetGiveUpAt(now.Add(outbox.GiveUpAfter)).
			Save(ctx)
		if err != nil {
			return e, err
		}
		to, err := tx.WebhookEndpoint.Get(ctx, endpoint)
		if err != nil {
			return e, err
		}
		return act(to, "eventId", event), nil
	})
	return sent, err
}

const testsInMinute = 10 // of an endpoint

// Test writes an event of type test for one endpoint, whatever its subscription. There is only one attempt
// to send it. Test fails with CONFLICT for an inactive endpoint, and with RATE_LIMITED.
func (s *Service) Test(ctx context.Context, business, endpoint uuid.UUID) (sent *ent.WebhookDelivery, err error) {
	ctx = tenancy.In(ctx, business)
	err = s.audited(ctx, "sendTestEvent", func(tx *ent.Tx) (e audit.Change, err error) {
		to, err := tx.WebhookEndpoint.Get(ctx, endpoint)
		if err != nil {
			return e, err
		}
		if !to.Active {
			return e, fault.New(fault.Conflict, "the webhook is inactive; make it active first")
		}
		_, full, err := ratelimit.Take(ctx, tx, s.Clock.Now,
			ratelimit.Limit{Key: "webhook:test:" + endpoint.String(), Window: time.Minute, Most: testsInMinute})
		if err != nil {
			return e, err
		}
		if full.Wait > 0 {
			return e, fault.New(fault.RateLimited, "too many test events; try again in %d seconds",
				fault.Seconds(full.Wait)).After(full.Wait)
		}
		now, id := s.Clock.Now(), record.NewID()
		event := outbox.Event{ID: id, Type: record.TestEvent, Subject: id, At: now,
			Data: map[string]any{"businessId": business, "webhookId": endpoint}}
		payload, err := event.Payload()
		if err != nil {
			return e, err
		}
		sent, err = tx.WebhookDelivery.Create().SetEndpointID(endpoint).SetEventID(id).SetType(event.Type).
			SetSubjectID(id).SetPayload(payload).SetCreatedAt(now).SetNextAt(now).SetGiveUpAt(now).Save(ctx)
		return act(to, "eventId", id), err
	})
	return sent, err
}

var sendAgain = database.Statement(`UPDATE webhook_deliveries SET next_at = $now, give_up_at = $give_up_at
	WHERE tenant_id = $tenant AND endpoint_id = $endpoint AND created_at >= $since AND delivered_at IS NULL`)

// AllAgain makes all undelivered events of an endpoint since a moment be sent again at once, and returns how
// many.
func (s *Service) AllAgain(ctx context.Context, business, endpoint uuid.UUID, since time.Time) (n int, err error) {
	ctx = tenancy.In(ctx, business)
	err = s.audited(ctx, "redeliverWebhooks", func(tx *ent.Tx) (e audit.Change, err error) {
		to, err := tx.WebhookEndpoint.Get(ctx, endpoint)
		if err != nil {
			return e, err
		}
		now := s.Clock.Now()
		written, err := sendAgain.Exec(ctx, tx.Raw(), database.Values{
			"now": now, "give_up_at": now.Add(outbox.GiveUpAfter), "tenant": business, "endpoint": endpoint,
			"since": since.UTC(),
		})
		n = int(written)
		return act(to, "since", since), err
	})
	return n, err
}

const (
	keptDelivered = 7 * 24 * time.Hour
	keptOthers    = 30 * 24 * time.Hour // that were given up, or whose endpoint is inactive
)

// Old returns the jobs that delete old events.
func (s *Service) Old() []sweep.Job {
	const table, column = webhookdelivery.Table, webhookdelivery.FieldCreatedAt
	now := s.Clock.Now()
	return []sweep.Job{
		sweep.Before(table, column, now.Add(-keptDelivered), webhookdelivery.DeliveredAtNotNil(),
			webhookdelivery.NextAtIsNil()),
		// else it is being sent again
		sweep.Before(table, column, now.Add(-keptOthers), webhookdelivery.GiveUpAtLTE(now)),
	}
}
