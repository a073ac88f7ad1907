package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/ent/webhookendpoint"
	"storefront/internal/api"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/webhook"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (webhookResolver) Events(_ context.Context, w *ent.WebhookEndpoint) ([]record.WebhookEvent, error) {
	return record.WebhookEvents(w.Events), nil
}

func (webhookDeliveryResolver) State(_ context.Context, d *ent.WebhookDelivery) (api.WebhookState, error) {
	switch {
	case d.NextAt != nil:
		return api.WebhookStateWaiting, nil
	case d.DeliveredAt != nil:
		return api.WebhookStateDelivered, nil
	}
	return api.WebhookStateFailed, nil
}

func (q queryResolver) Webhooks(ctx context.Context, businessID uuid.UUID) ([]*ent.WebhookEndpoint, error) {
	return q.r.Webhooks.Endpoints(ctx, businessID)
}

// WebhookDeliveriesConnection pages through the deliveries to a webhook, sent or not, newest first. The id of a
// delivery is the id of its event.
func (q queryResolver) WebhookDeliveriesConnection(
	ctx context.Context, businessID, webhookID uuid.UUID, state *api.WebhookState, window list.Window,
) (*api.WebhookDeliveryConnection, error) {
	if _, err := q.r.Store.WebhookEndpoint.Query().Where(webhookendpoint.ID(webhookID)).
		OnlyID(tenancy.In(ctx, businessID)); err != nil {
		return nil, err
	}
	found := func() *ent.WebhookDeliveryQuery {
		query := q.r.Store.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(webhookID))
		switch {
		case state == nil:
		case *state == api.WebhookStateWaiting:
			query.Where(webhookdelivery.NextAtNotNil())
		case *state == api.WebhookStateDelivered:
			query.Where(webhookdelivery.NextAtIsNil(), webhookdelivery.DeliveredAtNotNil())
		default:
			query.Where(webhookdelivery.NextAtIsNil(), webhookdelivery.DeliveredAtIsNil())
		}
		return query
	}
	newest := list.NewestMade("webhookDeliveries")
	newest.ID = webhookdelivery.FieldEventID
	return list.NewConnection(ctx, list.RowList(businessID, newest, found,
		func(d *ent.WebhookDelivery) (time.Time, uuid.UUID) { return d.CreatedAt, d.EventID }),
		window, list.DefaultSizeLarge)
}

func (m mutationResolver) AddWebhook(
	ctx context.Context, businessID uuid.UUID, input api.WebhookInput,
) (*api.WebhookSecretPayload, error) {
	url, description := strings.TrimSpace(input.URL), search.Trimmed(input.Description)
	events := append([]record.WebhookEvent{}, input.Events...) // not nil
	made, secret, err := m.r.Webhooks.Add(ctx, businessID,
		webhook.Settings{URL: &url, Description: &description, Events: events})
	return &api.WebhookSecretPayload{Webhook: made, Secret: secret}, err
}

func (m mutationResolver) UpdateWebhook(
	ctx context.Context, businessID, webhookID uuid.UUID, input api.WebhookChangeInput,
) (*api.WebhookPayload, error) {
	settings := webhook.Settings{URL: search.Trimmed(input.URL), Events: input.Events, Active: input.Active}
	if text, given := input.Description.ValueOK(); given {
		description := search.Trimmed(text)
		settings.Description = &description
	}
	changed, err := m.r.Webhooks.Change(ctx, businessID, webhookID, settings)
	return &api.WebhookPayload{Webhook: changed}, err
}

func (m mutationResolver) RemoveWebhook(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*api.MessagePayload, error) {
	return messagePayload("The webhook is removed.", m.r.Webhooks.Remove(ctx, businessID, webhookID))
}

func (m mutationResolver) RotateWebhookSecret(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*api.WebhookSecretPayload, error) {
	changed, secret, err := m.r.Webhooks.Rotate(ctx, businessID, webhookID)
	return &api.WebhookSecretPayload{Webhook: changed, Secret: secret}, err
}

func (m mutationResolver) SendTestEvent(
	ctx context.Context, businessID, webhookID uuid.UUID,
) (*api.WebhookDeliveryPayload, error) {
	sent, err := m.r.Webhooks.Test(ctx, businessID, webhookID)
	return &api.WebhookDeliveryPayload{Delivery: sent}, err
}

func (m mutationResolver) RedeliverWebhook(
	ctx context.Context, businessID, webhookID, eventID uuid.UUID,
) (*api.WebhookDeliveryPayload, error) {
	sent, err := m.r.Webhooks.Again(ctx, businessID, webhookID, eventID)
	return &api.WebhookDeliveryPayload{Delivery: sent}, err
}

func (m mutationResolver) RedeliverWebhooks(
	ctx context.Context, businessID, webhookID uuid.UUID, since time.Time,
) (*api.ModerationPayload, error) {
	changed, err := m.r.Webhooks.AllAgain(ctx, businessID, webhookID, since)
	return &api.ModerationPayload{Changed: changed}, err
}
