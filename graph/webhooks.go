package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/ent/webhookendpoint"
	"storefront/graph/engine"
	"storefront/internal/audit"
	"storefront/internal/record"
	"storefront/internal/transaction"
	"storefront/internal/webhook"
)

// arrivalOf is when the request came, as both databases store it.
func arrivalOf(ctx context.Context) time.Time {
	return engine.Arrival(ctx).UTC().Truncate(time.Microsecond)
}

// Events are what the webhook wants.
func (webhookResolver) Events(_ context.Context, w *ent.WebhookEndpoint) ([]record.WebhookEvent, error) {
	return record.WebhookEvents(w.Events), nil
}

// State is where the delivery stands.
func (webhookDeliveryResolver) State(_ context.Context, d *ent.WebhookDelivery) (WebhookState, error) {
	switch {
	case d.NextAt != nil:
		return WebhookStateWaiting, nil
	case d.DeliveredAt != nil:
		return WebhookStateDelivered, nil
	}
	return WebhookStateFailed, nil
}

// Webhooks are those of a shop.
func (q queryResolver) Webhooks(ctx context.Context, businessID uuid.UUID) ([]*ent.WebhookEndpoint, error) {
	return q.r.webhooks.Endpoints(ctx, businessID)
}

// webhookDeliveries are what was or is to be sent to a webhook, newest first. Each is known by its event.
func (r *Resolver) webhookDeliveries(
	ctx context.Context, business, endpoint uuid.UUID, state *WebhookState,
) (none list[*ent.WebhookDelivery], err error) {
	if _, err := r.store.WebhookEndpoint.Query().Where(webhookendpoint.ID(endpoint)).
		OnlyID(inTenant(ctx, business)); err != nil {
		return none, err
	}
	found := func() *ent.WebhookDeliveryQuery {
		query := r.store.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(endpoint))
		switch {
		case state == nil:
		case *state == WebhookStateWaiting:
			query.Where(webhookdelivery.NextAtNotNil())
		case *state == WebhookStateDelivered:
			query.Where(webhookdelivery.NextAtIsNil(), webhookdelivery.DeliveredAtNotNil())
		default:
			query.Where(webhookdelivery.NextAtIsNil(), webhookdelivery.DeliveredAtIsNil())
		}
		return query
	}
	newest := newestMade("webhookDeliveries")
	newest.id = webhookdelivery.FieldEventID
	return shopList(business, newest, func(ctx context.Context, part stretch) ([]*ent.WebhookDelivery, error) {
		return found().Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).All(ctx)
	}, func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(d *ent.WebhookDelivery) (time.Time, uuid.UUID) { return d.CreatedAt, d.EventID }), nil
}

// WebhookDeliveries is a page of what was or is to be sent to a webhook, newest first.
func (q queryResolver) WebhookDeliveries(
	ctx context.Context, businessID, webhookID uuid.UUID, state *WebhookState, page, pageSize int,
) (*WebhookDeliveryPage, error) {
	found, err := q.r.webhookDeliveries(ctx, businessID, webhookID, state)
	if err != nil {
		return nil, err
	}
	return shopPage(found, page, pageSize)
}

// WebhookDeliveriesConnection walks what was or is to be sent to a webhook, newest first.
func (q queryResolver) WebhookDeliveriesConnection(
	ctx context.Context, businessID, webhookID uuid.UUID, state *WebhookState,
	first *int, after *string, last *int, before *string,
) (*WebhookDeliveryConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	found, err := q.r.webhookDeliveries(ctx, businessID, webhookID, state)
	if err != nil {
		return nil, err
	}
	return walk(ctx, found, window, defaultSizeLarge)
}

// seenWebhook is what the audit log shows of a webhook: no secret.
func seenWebhook(w *ent.WebhookEndpoint) any {
	return map[string]any{
		"url": w.URL, "description": w.Description, "events": record.WebhookEvents(w.Events), "active": w.Active,
	}
}

// webhookChange is a change of a webhook for the audit log.
func webhookChange(w *ent.WebhookEndpoint, before, after any) audit.Change {
	return audit.Change{Kind: "webhook", ID: w.ID, Name: w.URL, Before: before, After: after}
}

// AddWebhook registers a webhook.
func (m mutationResolver) AddWebhook(
	ctx context.Context, businessID uuid.UUID, input WebhookInput,
) (*WebhookSecretPayload, error) {
	url, description := strings.TrimSpace(input.URL), trimmed(input.Description)
	events := append([]record.WebhookEvent{}, input.Events...) // not nil
	payload := new(WebhookSecretPayload)
	err := transaction.Run(ctx, m.r.store, func(tx *ent.Tx) (err error) {
		wish := webhook.Wish{URL: &url, Description: &description, Events: events}
		payload.Webhook, payload.Secret, err = m.r.webhooks.Add(ctx, tx, businessID, wish)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "addWebhook", webhookChange(payload.Webhook, nil, seenWebhook(payload.Webhook)))
	})
	return payload, err
}

// UpdateWebhook changes a webhook.
func (m mutationResolver) UpdateWebhook(
	ctx context.Context, businessID, webhookID uuid.UUID, input WebhookChangeInput,
) (*WebhookPayload, error) {
	wish := webhook.Wish{URL: trimmed(input.URL), Events: input.Events, Active: input.Active}
	if text, given := input.Description.ValueOK(); given {
		description := trimmed(text)
		wish.Description = &description
	}
	payload := new(WebhookPayload)
	err := transaction.Run(ctx, m.r.store, func(tx *ent.Tx) error {
		before, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(webhookID)).Only(inTenant(ctx, businessID))
		if err != nil {
			return err
		}
		if payload.Webhook, err = m.r.webhooks.Change(ctx, tx, businessID, webhookID, wish); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "updateWebhook",
			webhookChange(payload.Webhook, seenWebhook(before), seenWebhook(payload.Webhook)))
	})
	return payload, err
}

// RemoveWebhook removes a webhook.
func (m mutationResolver) RemoveWebhook(ctx context.Context, businessID, webhookID uuid.UUID) (*MessagePayload, error) {
	err := transaction.Run(ctx, m.r.store, func(tx *ent.Tx) error {
		before, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(webhookID)).Only(inTenant(ctx, businessID))
		if err != nil {
			return err
		}
		if err := m.r.webhooks.Remove(ctx, tx, businessID, webhookID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "removeWebhook", webhookChange(before, seenWebhook(before), nil))
	})
	return &MessagePayload{Message: "The webhook is removed."}, err
}

// RotateWebhookSecret gives a webhook a new secret.
func (m mutationResolver) RotateWebhookSecret(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*WebhookSecretPayload, error) {
	payload := new(WebhookSecretPayload)
	err := transaction.Run(ctx, m.r.store, func(tx *ent.Tx) (err error) {
		if payload.Webhook, payload.Secret, err = m.r.webhooks.Rotate(ctx, tx, businessID, webhookID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "rotateWebhookSecret", webhookChange(payload.Webhook, nil, map[string]any{}))
	})
	return payload, err
}

// RedeliverWebhook sends an event again.
func (m mutationResolver) RedeliverWebhook(
	ctx context.Context, businessID, webhookID, eventID uuid.UUID,
) (*WebhookDeliveryPayload, error) {
	payload := new(WebhookDeliveryPayload)
	err := transaction.Run(ctx, m.r.store, func(tx *ent.Tx) (err error) {
		if payload.Delivery, err = m.r.webhooks.Again(ctx, tx, businessID, webhookID, eventID); err != nil {
			return err
		}
		hook, err := tx.WebhookEndpoint.Get(inTenant(ctx, businessID), webhookID)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "redeliverWebhook", webhookChange(hook, nil, map[string]any{"eventId": eventID}))
	})
	return payload, err
}

// RedeliverWebhooks sends what a webhook has not taken again.
func (m mutationResolver) RedeliverWebhooks(
	ctx context.Context, businessID, webhookID uuid.UUID, since time.Time,
) (*ModerationPayload, error) {
	payload := new(ModerationPayload)
	err := transaction.Run(ctx, m.r.store, func(tx *ent.Tx) (err error) {
		if payload.Changed, err = m.r.webhooks.AllAgain(ctx, tx, businessID, webhookID, since); err != nil {
			return err
		}
		hook, err := tx.WebhookEndpoint.Get(inTenant(ctx, businessID), webhookID)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "redeliverWebhooks", webhookChange(hook, nil, map[string]any{"since": since}))
	})
	return payload, err
}
