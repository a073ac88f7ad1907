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
	"storefront/graph/model"
	"storefront/internal/audit"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/transaction"
	"storefront/internal/webhook"
)

// arrivalOf returns the time the request arrived, in the precision that both databases store.
func arrivalOf(ctx context.Context) time.Time {
	return engine.Arrival(ctx).UTC().Truncate(time.Microsecond)
}

// Events returns the kinds of events that the webhook receives.
func (webhookResolver) Events(_ context.Context, w *ent.WebhookEndpoint) ([]record.WebhookEvent, error) {
	return record.WebhookEvents(w.Events), nil
}

// State returns the state of the delivery.
func (webhookDeliveryResolver) State(_ context.Context, d *ent.WebhookDelivery) (model.WebhookState, error) {
	switch {
	case d.NextAt != nil:
		return model.WebhookStateWaiting, nil
	case d.DeliveredAt != nil:
		return model.WebhookStateDelivered, nil
	}
	return model.WebhookStateFailed, nil
}

// Webhooks returns the webhooks of a shop.
func (q queryResolver) Webhooks(ctx context.Context, businessID uuid.UUID) ([]*ent.WebhookEndpoint, error) {
	return q.r.Webhooks.Endpoints(ctx, businessID)
}

// webhookDeliveries returns the deliveries to a webhook, sent or not, newest first. The id of a delivery is
// the id of its event.
func (r *Resolver) webhookDeliveries(
	ctx context.Context, business, endpoint uuid.UUID, state *model.WebhookState,
) (none catalog.List[*ent.WebhookDelivery], err error) {
	if _, err := r.Store.WebhookEndpoint.Query().Where(webhookendpoint.ID(endpoint)).
		OnlyID(catalog.InTenant(ctx, business)); err != nil {
		return none, err
	}
	found := func() *ent.WebhookDeliveryQuery {
		query := r.Store.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(endpoint))
		switch {
		case state == nil:
		case *state == model.WebhookStateWaiting:
			query.Where(webhookdelivery.NextAtNotNil())
		case *state == model.WebhookStateDelivered:
			query.Where(webhookdelivery.NextAtIsNil(), webhookdelivery.DeliveredAtNotNil())
		default:
			query.Where(webhookdelivery.NextAtIsNil(), webhookdelivery.DeliveredAtIsNil())
		}
		return query
	}
	newest := catalog.NewestMade("webhookDeliveries")
	newest.ID = webhookdelivery.FieldEventID
	return catalog.ShopList(business, newest,
		func(ctx context.Context, part catalog.Span) ([]*ent.WebhookDelivery, error) {
			return found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit).All(ctx)
		}, func(ctx context.Context) (int, error) { return found().Count(ctx) },
		func(d *ent.WebhookDelivery) (time.Time, uuid.UUID) { return d.CreatedAt, d.EventID }), nil
}

// WebhookDeliveries returns a page of the deliveries to a webhook, sent or not, newest first.
func (q queryResolver) WebhookDeliveries(
	ctx context.Context, businessID, webhookID uuid.UUID, state *model.WebhookState, page, pageSize int,
) (*catalog.WebhookDeliveryPage, error) {
	found, err := q.r.webhookDeliveries(ctx, businessID, webhookID, state)
	if err != nil {
		return nil, err
	}
	return catalog.FreshPage(ctx, found, page, pageSize), nil
}

// WebhookDeliveriesConnection pages through the deliveries to a webhook, sent or not, newest first.
func (q queryResolver) WebhookDeliveriesConnection(
	ctx context.Context, businessID, webhookID uuid.UUID, state *model.WebhookState,
	first *int, after *string, last *int, before *string,
) (*catalog.WebhookDeliveryConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	found, err := q.r.webhookDeliveries(ctx, businessID, webhookID, state)
	if err != nil {
		return nil, err
	}
	return catalog.Walk(ctx, found, window, catalog.DefaultSizeLarge)
}

// seenWebhook returns what the audit log shows of a webhook, which is not its secret.
func seenWebhook(w *ent.WebhookEndpoint) any {
	return map[string]any{
		"url": w.URL, "description": w.Description, "events": record.WebhookEvents(w.Events), "active": w.Active,
	}
}

// webhookChange returns a change of a webhook for the audit log.
func webhookChange(w *ent.WebhookEndpoint, before, after any) audit.Change {
	return audit.Change{Kind: "webhook", ID: w.ID, Name: w.URL, Before: before, After: after}
}

// webhookAct returns an entry of the audit log for an action on a webhook that changes no setting.
func webhookAct(w *ent.WebhookEndpoint, member string, value any) audit.Change {
	return webhookChange(w, map[string]any{member: nil}, map[string]any{member: value})
}

// AddWebhook registers a webhook.
func (m mutationResolver) AddWebhook(
	ctx context.Context, businessID uuid.UUID, input model.WebhookInput,
) (*model.WebhookSecretPayload, error) {
	url, description := strings.TrimSpace(input.URL), trimmed(input.Description)
	events := append([]record.WebhookEvent{}, input.Events...) // not nil
	payload := new(model.WebhookSecretPayload)
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) (err error) {
		settings := webhook.Settings{URL: &url, Description: &description, Events: events}
		payload.Webhook, payload.Secret, err = m.r.Webhooks.Add(ctx, tx, businessID, settings)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "addWebhook", webhookChange(payload.Webhook, nil, seenWebhook(payload.Webhook)))
	})
	return payload, err
}

// UpdateWebhook changes a webhook.
func (m mutationResolver) UpdateWebhook(
	ctx context.Context, businessID, webhookID uuid.UUID, input model.WebhookChangeInput,
) (*model.WebhookPayload, error) {
	settings := webhook.Settings{URL: trimmed(input.URL), Events: input.Events, Active: input.Active}
	if text, given := input.Description.ValueOK(); given {
		description := trimmed(text)
		settings.Description = &description
	}
	payload := new(model.WebhookPayload)
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		before, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(webhookID)).
			Only(catalog.InTenant(ctx, businessID))
		if err != nil {
			return err
		}
		if payload.Webhook, err = m.r.Webhooks.Change(ctx, tx, businessID, webhookID, settings); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "updateWebhook",
			webhookChange(payload.Webhook, seenWebhook(before), seenWebhook(payload.Webhook)))
	})
	return payload, err
}

// RemoveWebhook removes a webhook.
func (m mutationResolver) RemoveWebhook(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*model.MessagePayload, error) {
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		before, err := tx.WebhookEndpoint.Query().Where(webhookendpoint.ID(webhookID)).
			Only(catalog.InTenant(ctx, businessID))
		if err != nil {
			return err
		}
		if err := m.r.Webhooks.Remove(ctx, tx, businessID, webhookID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "removeWebhook", webhookChange(before, seenWebhook(before), nil))
	})
	return &model.MessagePayload{Message: "The webhook is removed."}, err
}

// RotateWebhookSecret gives a webhook a new secret.
func (m mutationResolver) RotateWebhookSecret(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*model.WebhookSecretPayload, error) {
	payload := new(model.WebhookSecretPayload)
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) (err error) {
		if payload.Webhook, payload.Secret, err = m.r.Webhooks.Rotate(ctx, tx, businessID, webhookID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "rotateWebhookSecret",
			webhookAct(payload.Webhook, "olderSignsUntil", payload.Webhook.PreviousUntil))
	})
	return payload, err
}

// SendTestEvent sends a test event to a webhook.
func (m mutationResolver) SendTestEvent(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*model.WebhookDeliveryPayload, error) {
	payload := new(model.WebhookDeliveryPayload)
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) (err error) {
		if payload.Delivery, err = m.r.Webhooks.Test(ctx, tx, businessID, webhookID); err != nil {
			return err
		}
		hook, err := tx.WebhookEndpoint.Get(catalog.InTenant(ctx, businessID), webhookID)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "sendTestEvent",
			webhookAct(hook, "eventId", payload.Delivery.EventID))
	})
	return payload, err
}

// RedeliverWebhook sends an event again.
func (m mutationResolver) RedeliverWebhook(
	ctx context.Context, businessID, webhookID, eventID uuid.UUID,
) (*model.WebhookDeliveryPayload, error) {
	payload := new(model.WebhookDeliveryPayload)
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) (err error) {
		if payload.Delivery, err = m.r.Webhooks.Again(ctx, tx, businessID, webhookID, eventID); err != nil {
			return err
		}
		hook, err := tx.WebhookEndpoint.Get(catalog.InTenant(ctx, businessID), webhookID)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "redeliverWebhook", webhookAct(hook, "eventId", eventID))
	})
	return payload, err
}

// RedeliverWebhooks sends again the events since a time that a webhook has not accepted.
func (m mutationResolver) RedeliverWebhooks(
	ctx context.Context, businessID, webhookID uuid.UUID, since time.Time,
) (*model.ModerationPayload, error) {
	payload := new(model.ModerationPayload)
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) (err error) {
		if payload.Changed, err = m.r.Webhooks.AllAgain(ctx, tx, businessID, webhookID, since); err != nil {
			return err
		}
		hook, err := tx.WebhookEndpoint.Get(catalog.InTenant(ctx, businessID), webhookID)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, "redeliverWebhooks", webhookAct(hook, "since", since))
	})
	return payload, err
}
