package staff_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestEventsAreWritten checks which events are written, and for which endpoints.
func TestEventsAreWritten(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all, orders := a.Listens(t, "tools"), a.Listens(t, "tools", record.OrderMoved)
		foreign := a.Listens(t, "mugs")
		a.StockedUp(t, "D-13", 8)
		s := a.REST().Shopper(t, 1)
		made := s.Bought(t, "D-13", 2)
		s.Bought(t, "D-13", 2)
		s.Bought(t, "D-13", 4)
		if code := s.Moved(t, made.ID, record.OrderConfirmed); code != "" {
			t.Fatal(code)
		}
		s.Moved(t, made.ID, record.OrderConfirmed) // is refused
		s.Moved(t, made.ID, record.OrderCancelled)
		rows := a.Deliveries(t, all)
		written := len(rows)
		// only the events of one subject have an order
		slices.SortStableFunc(rows, func(a, b *ent.WebhookDelivery) int {
			return strings.Compare(string(a.Type), string(b.Type))
		})
		const want = "order_moved order_moved order_placed order_placed order_placed stock_low stock_low"
		if got := shoptest.EventTypes(rows); got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
		if got := shoptest.EventTypes(a.Deliveries(t, orders)); got != "order_moved order_moved" {
			t.Errorf("the other endpoint: got %s", got)
		}
		for i, status := range []string{"confirmed", "cancelled"} {
			var event struct {
				Type      string
				Timestamp string
				Data      map[string]any
			}
			row := a.Deliveries(t, orders)[i]
			if err := json.Unmarshal([]byte(row.Payload), &event); err != nil || event.Type != "order.moved" ||
				event.Data["orderId"] != made.ID || event.Data["status"] != status ||
				row.SubjectID.String() != made.ID {
				t.Errorf("got %s, %v", row.Payload, err)
			}
		}
		var placed struct{ Data map[string]any }
		if err := json.Unmarshal([]byte(rows[2].Payload), &placed); err != nil {
			t.Fatal(err)
		}
		if d := placed.Data; d["orderNumber"] != made.OrderNumber || d["totalQuantity"] != 2.0 ||
			fmt.Sprint(d["payment"].(map[string]any)["status"]) != "pending" || len(d["items"].([]any)) != 1 {
			t.Errorf("got %s", rows[2].Payload)
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
				t.Errorf("got %s, %v", rows[i].Payload, err)
			}
		}
		for _, post := range []string{
			`/tenants/tools.example/comments {"entityType": "product", "entityId": "<tools:product:drill>",` +
				` "authorName": "A", "text": "secret"}`,
			`/tenants/tools.example/expert-reviews {"productId": "<tools:product:drill>", "authorName": "A", ` +
				`"rate": 7,` +
				` "positivePoints": [], "negativePoints": [], "text": "secret"}`,
			`/tenants/tools.example/contact-submissions {"title": "T", "name": "N", "text": "secret"}`,
		} {
			if got := a.Ask(t, "POST "+post); got.Status != 201 {
				t.Fatalf("%d %s", got.Status, got.Body)
			}
		}
		sent := a.Deliveries(t, all)[written:]
		if got := shoptest.EventTypes(sent); got != "comment_submitted review_submitted contact_received" {
			t.Error(got)
		}
		if slices.ContainsFunc(sent, func(row *ent.WebhookDelivery) bool {
			return strings.Contains(row.Payload, "secret")
		}) {
			t.Error("an event holds what a visitor wrote")
		}
		if got := a.Deliveries(t, foreign); len(got) != 0 {
			t.Errorf("the other shop got the events %s, want none", shoptest.EventTypes(got))
		}
	})
}

// TestWebhookOfAllEvents registers webhooks for all kinds of events at once.
func TestWebhookOfAllEvents(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		test := func(event string) bool { return event == string(record.TestEvent) }
		every := slices.DeleteFunc(record.TestEvent.Values(), test)
		var made struct {
			AddWebhook struct{ Webhook struct{ ID string } }
		}
		owner.Do(t, `mutation($shop: ID!, $events: [WebhookEvent!]!) { addWebhook(businessId: $shop,
			input: {url: "https://a.example/", events: $events}) { webhook { id } } }`,
			map[string]any{"shop": c.Tools, "events": every}, &made)
		owner.Do(t, `mutation($shop: ID!, $id: ID!, $events: [WebhookEvent!]!) { updateWebhook(businessId: $shop,
			webhookId: $id, input: {events: $events}) { webhook { id } } }`,
			map[string]any{"shop": c.Tools, "id": made.AddWebhook.Webhook.ID, "events": every}, nil)
	}, sendsSMS)
}
