package contract_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookdelivery"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
	"storefront/internal/webhook"
)

// hooks is the service of webhooks over the same database.
func (a *accounts) hooks() *webhook.Service {
	return webhook.New(webhook.Options{Store: a.store.Client, Clock: a.clock.now, Private: true})
}

// listens registers an endpoint of a shop for events, all where none are named.
func (a *accounts) listens(t testing.TB, shop string, events ...record.WebhookEvent) *ent.WebhookEndpoint {
	t.Helper()
	if events == nil {
		events = record.WebhookEvents(-1)
	}
	url := "https://receiver.example/"
	var made *ent.WebhookEndpoint
	err := transaction.Run(t.Context(), a.store.Client, func(tx *ent.Tx) (err error) {
		made, _, err = a.hooks().Add(t.Context(), tx, uuid.MustParse(a.named(t, "<tenant:"+shop+">")),
			webhook.Wish{URL: &url, Events: events})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// told returns the events of an endpoint, in order.
func (a *accounts) told(t testing.TB, e *ent.WebhookEndpoint) (rows []*ent.WebhookDelivery) {
	t.Helper()
	return a.store.Client.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(e.ID)).Order(webhookdelivery.ByID()).
		AllX(tenancy.In(t.Context(), e.TenantID))
}

func types(rows []*ent.WebhookDelivery) string {
	var names []string
	for _, row := range rows {
		names = append(names, string(row.Type))
	}
	return strings.Join(names, " ")
}

// TestEventsAreWritten checks which events are written, and for which endpoints.
func TestEventsAreWritten(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all, orders := a.listens(t, "tools"), a.listens(t, "tools", record.OrderMoved)
		foreign := a.listens(t, "mugs")
		a.stockedUp(t, "D-13", 8)
		s := a.rest().shopper(t, 1)
		made := s.bought(t, "D-13", 2)
		s.bought(t, "D-13", 2)
		s.bought(t, "D-13", 4)
		if code := s.moved(t, made.ID, record.OrderConfirmed); code != "" {
			t.Fatal(code)
		}
		s.moved(t, made.ID, record.OrderConfirmed) // is refused
		s.moved(t, made.ID, record.OrderCancelled)
		rows := a.told(t, all)
		written := len(rows)
		slices.SortStableFunc(rows, func(a, b *ent.WebhookDelivery) int { // only the events of one subject have an order
			return strings.Compare(string(a.Type), string(b.Type))
		})
		const want = "order_moved order_moved order_placed order_placed order_placed stock_low stock_low"
		if got := types(rows); got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
		if got := types(a.told(t, orders)); got != "order_moved order_moved" {
			t.Errorf("the other endpoint: %s", got)
		}
		for i, status := range []string{"confirmed", "cancelled"} {
			var event struct {
				Type      string
				Timestamp string
				Data      map[string]any
			}
			row := a.told(t, orders)[i]
			if err := json.Unmarshal([]byte(row.Payload), &event); err != nil || event.Type != "order.moved" ||
				event.Data["orderId"] != made.ID || event.Data["status"] != status || row.SubjectID.String() != made.ID {
				t.Errorf("%s, %v", row.Payload, err)
			}
		}
		var placed struct{ Data map[string]any }
		if err := json.Unmarshal([]byte(rows[2].Payload), &placed); err != nil {
			t.Fatal(err)
		}
		if d := placed.Data; d["orderNumber"] != made.OrderNumber || d["totalQuantity"] != 2.0 ||
			fmt.Sprint(d["payment"].(map[string]any)["status"]) != "pending" || len(d["items"].([]any)) != 1 {
			t.Errorf("%s", rows[2].Payload)
		}
		for i, stock := range map[int]float64{5: 4, 6: 0} {
			var low struct {
				Type, Timestamp string
				Data            struct {
					Sku   string
					Stock float64
				}
			}
			if err := json.Unmarshal([]byte(rows[i].Payload), &low); err != nil || low.Type != "stock.low" ||
				low.Data.Sku != "D-13" || low.Data.Stock != stock || low.Timestamp != "2026-11-15T12:00:00Z" {
				t.Errorf("%s, %v", rows[i].Payload, err)
			}
		}
		for _, post := range []string{
			`/tenants/tools.example/comments {"entityType": "product", "entityId": "<tools:product:drill>",` +
				` "authorName": "A", "text": "secret"}`,
			`/tenants/tools.example/expert-reviews {"productId": "<tools:product:drill>", "authorName": "A", "rate": 7,` +
				` "positivePoints": [], "negativePoints": [], "text": "secret"}`,
			`/tenants/tools.example/contact-submissions {"title": "T", "name": "N", "text": "secret"}`,
		} {
			if got := a.ask(t, "POST "+post); got.status != 201 {
				t.Fatalf("%d %s", got.status, got.body)
			}
		}
		sent := a.told(t, all)[written:]
		if got := types(sent); got != "comment_submitted review_submitted contact_received" {
			t.Error(got)
		}
		if slices.ContainsFunc(sent, func(row *ent.WebhookDelivery) bool { return strings.Contains(row.Payload, "secret") }) {
			t.Error("an event holds what a visitor wrote")
		}
		if got := a.told(t, foreign); len(got) != 0 {
			t.Errorf("the other shop was told of %s", types(got))
		}
	})
}
