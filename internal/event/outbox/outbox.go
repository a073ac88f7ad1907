// Package outbox stores what happens in shops, in one table of events, and gives the events an order.
//
// Put writes an event in the transaction of the change itself, so it is stored if and only if the change is
// committed. A larger statement, such as a checkout on PostgreSQL, contains the SQL that Writing returns. Ids of
// events say nothing of the order of commits: a transaction takes its id early and may commit late.
//
// So Number gives each event a number after its commit. Every server tries to twice a second, and one at a time
// does: it holds a lock until its numbers are committed, and reads the last number after it has the lock. Hence
//
//   - who sees a number sees all lower ones, and
//   - an event that a snapshot does not show gets a higher number than all that it shows.
//
// Nobody waits for a transaction that is still running: its events get their numbers when it has committed. If the
// server that numbers dies, its transaction is undone, and the next server gives the numbers. (If its machine vanishes
// without a word, PostgreSQL ends the transaction after the time for idle ones, a minute at most.) Until then events
// have no number, and every reader takes such an event for one that comes after all others.
//
// The readers of numbers:
//
//   - Subscriptions (package live) read the events after the last number that they have read.
//   - Deliver makes the deliveries of webhooks. The number of an endpoint says up to which event they were made, and
//     is raised in the same transaction. Package webhook sends them: each delivery has attempts and failures of its
//     own, so that an event that fails holds up only the later ones of its subject.
//   - Stored figures of a day (package report) have the number of the last event that was there when the day's orders
//     were read. A later event with that day outdates them.
//
// A new endpoint starts at the last number at that moment: events that are committed later have higher ones. Those that
// were committed just before and have none yet, for about half a second, are delivered to it as well.
//
// Sweep deletes events a week after they were numbered.
package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/record"
)

// Event is something that happened.
type Event struct {
	ID      uuid.UUID // receivers of webhooks recognize repetitions by it
	Type    record.WebhookEvent
	Subject uuid.UUID // what the event is about
	At      time.Time
	Placed  time.Time // when the order that the event is about was placed; zero: it is about none
	Data    any       // JSON: ids and figures, never a person's name, number or address
}

// Payload returns the JSON that is sent.
func (e Event) Payload() (string, error) {
	text, err := json.Marshal(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{e.Type.Wire(), e.At, e.Data})
	return string(text), err
}

// DayOf returns the number of the day (UTC) of a moment: days since 1970.
func DayOf(moment time.Time) int64 {
	const day = 24 * time.Hour
	return moment.Truncate(day).Unix() / int64(day/time.Second)
}

// Writing returns the SQL of Put as a part of a larger statement (database.Statement). $tenant and $at are those of
// the event; the arguments are SQL, and from is what follows the selected values.
func Writing(event, kind, subject, day, payload, from string) string {
	return `INSERT INTO shop_events (tenant_id, event_id, type, subject_id, day, payload, created_at)
		SELECT $tenant, ` + event + `, ` + kind + `, ` + subject + `, ` + day + `, ` + payload + `, $at` + from
}

var put = database.Statement(`INSERT INTO shop_events (tenant_id, event_id, type, subject_id, day, payload, created_at)
	VALUES ($tenant, $event, $type, $subject, $day, $payload, $at)`)

// Put stores an event of a tenant, in the transaction of the change.
func Put(ctx context.Context, on database.Executor, tenant uuid.UUID, e Event) error {
	payload, err := e.Payload()
	if err != nil {
		return err
	}
	values := database.Values{"tenant": tenant, "event": e.ID, "type": string(e.Type), "subject": e.Subject,
		"day": nil, "payload": payload, "at": e.At}
	if !e.Placed.IsZero() {
		values["day"] = DayOf(e.Placed)
	}
	if _, err = put.Exec(ctx, on, values); err != nil {
		return fmt.Errorf("an event %s: %w", e.Type, err)
	}
	return nil
}

// LowStock returns the event that reports a low stock of a variant (record.BecameLow).
func LowStock(business, variant uuid.UUID, sku string, stock int, at time.Time) Event {
	return Event{ID: record.NewID(), Type: record.StockLow, Subject: variant, At: at, Data: struct {
		BusinessID uuid.UUID `json:"businessId"`
		Variant    uuid.UUID `json:"storeItemVariantId"`
		Sku        string    `json:"sku"`
		Stock      int       `json:"stock"`
	}{BusinessID: business, Variant: variant, Sku: sku, Stock: stock}}
}

// unseen is the type of an event that no subscription and no webhook gets.
const unseen record.WebhookEvent = "order_figures"

// PutUnseen stores, in the transaction of the change, that figures of an order of a shop changed, which was placed at a
// time. No subscription gets the event; it outdates the stored figures of the day.
func PutUnseen(ctx context.Context, on database.Executor, tenant uuid.UUID, at, placed time.Time) error {
	id := record.NewID()
	return Put(ctx, on, tenant, Event{ID: id, Type: unseen, Subject: id, At: at, Placed: placed})
}

var forgetDay = database.Statement(`DELETE FROM order_days WHERE tenant_id = $tenant AND day = $day`)

// PutErased is PutUnseen for orders of a shop from which their customer was removed, in that transaction. placed are
// the times when they were placed. It also deletes the stored figures of these days, which name the customer: figures
// that a report has read before and stores afterwards are outdated by the event, and swept with it.
func PutErased(ctx context.Context, on database.Executor, tenant uuid.UUID, at time.Time, placed ...time.Time) error {
	done := map[int64]bool{}
	for _, moment := range placed {
		day := DayOf(moment)
		if done[day] {
			continue
		}
		done[day] = true
		if err := PutUnseen(ctx, on, tenant, at, moment); err != nil {
			return err
		}
		if _, err := forgetDay.Exec(ctx, on, database.Values{"tenant": tenant, "day": day}); err != nil {
			return err
		}
	}
	return nil
}
