package shoptest

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/webhook"
	"storefront/internal/record"
)

// hooks returns the webhook service over the same database.
func (a *Accounts) hooks() *webhook.Service {
	return webhook.New(webhook.Options{Store: a.Store.Client, Clock: a.Clock.Now, Private: true})
}

// NumberEvents numbers the events that are committed, and makes their deliveries, as servers do twice a second.
func (a *Accounts) NumberEvents(t testing.TB) {
	t.Helper()
	if err := a.hooks().Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Listens registers an endpoint of a shop for later events, or for all types if none are given.
func (a *Accounts) Listens(t testing.TB, shop string, events ...record.WebhookEvent) *ent.WebhookEndpoint {
	t.Helper()
	if events == nil {
		events = record.WebhookEvents(-1)
	}
	a.NumberEvents(t)
	url := "https://receiver.example/"
	made, _, err := a.hooks().Add(t.Context(), uuid.MustParse(a.Named(t, "<tenant:"+shop+">")),
		webhook.Settings{URL: &url, Events: events})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Deliveries returns the deliveries of an endpoint, in order.
func (a *Accounts) Deliveries(t testing.TB, e *ent.WebhookEndpoint) (rows []*ent.WebhookDelivery) {
	t.Helper()
	a.NumberEvents(t)
	return a.Store.Client.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(e.ID)).Order(webhookdelivery.ByID()).
		AllX(tenancy.In(t.Context(), e.TenantID))
}

// EventTypes returns the types of events, in their order.
func EventTypes(rows []*ent.WebhookDelivery) string {
	var names []string
	for _, row := range rows {
		names = append(names, string(row.Type))
	}
	return strings.Join(names, " ")
}
