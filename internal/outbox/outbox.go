// Package outbox stores the events of a shop for its webhooks: an event becomes one row for each endpoint of
// the business that subscribes to its type, in the transaction of the change itself. So it is stored if and
// only if the change is committed, and costs next to nothing without subscribers. Package webhook sends the
// rows.
//
// Put is for most callers. A larger statement, such as a checkout on PostgreSQL, contains the SQL that Writing
// returns.
//
// The events of one subject, such as an order, are sent in the order of their rows: a writer of one holds the
// lock of the subject's row, or has just inserted it.
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

// GiveUpAfter is how long the service tries to deliver an event.
const GiveUpAfter = 72 * time.Hour

// Event is something that happened.
type Event struct {
	ID      uuid.UUID // the same for all endpoints; receivers recognize repetitions by it
	Type    record.WebhookEvent
	Subject uuid.UUID // what the event is about
	At      time.Time
	Data    any // JSON: ids and figures, never a person's name, number or address
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

// Writing returns the SQL of Put as a part of a larger statement (database.Statement). $tenant and $at are
// those of the event; the arguments are SQL: from names further tables, after a leading comma, and also adds
// conditions.
func Writing(bit, event, kind, subject, payload, from, also string) string {
	return `INSERT INTO webhook_deliveries (tenant_id, endpoint_id, event_id, type, subject_id,
			payload, created_at, attempts, next_at, give_up_at)
		SELECT $tenant, endpoint.id, ` + event + `, ` + kind + `, ` + subject + `, ` + payload +
		`, $at, 0, $at, $give_up_at
		FROM webhook_endpoints AS endpoint` + from + `
		WHERE endpoint.tenant_id = $tenant AND endpoint.active AND (endpoint.events & ` + bit + `) <> 0` + also
}

var put = database.Statement(Writing("$bit", "$event", "$type", "$subject", "$payload", "", ""))

// Put stores an event of a tenant, in the transaction of the change.
func Put(ctx context.Context, on database.Executor, tenant uuid.UUID, e Event) error {
	payload, err := e.Payload()
	if err != nil {
		return err
	}
	_, err = put.Exec(ctx, on, database.Values{
		"tenant": tenant, "bit": e.Type.Bit(), "event": e.ID, "type": string(e.Type), "subject": e.Subject,
		"payload": payload, "at": e.At, "give_up_at": e.At.Add(GiveUpAfter),
	})
	if err != nil {
		return fmt.Errorf("an event %s: %w", e.Type, err)
	}
	return nil
}
