package outbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
)

// GiveUpAfter is how long the service tries to deliver an event.
const GiveUpAfter = 72 * time.Hour

// bitSQL is the bit of an event's type among those that an endpoint wants; 0 for a type that none gets.
var bitSQL = func() string {
	var text strings.Builder
	text.WriteString("CASE type")
	for _, name := range record.WebhookEvent("").Values() {
		fmt.Fprintf(&text, " WHEN '%s' THEN %d", name, record.WebhookEvent(name).Bit())
	}
	return text.String() + " ELSE 0 END"
}()

var (
	behind = database.Statement(`SELECT id, tenant_id FROM webhook_endpoints AS endpoint
		WHERE EXISTS (SELECT 1 FROM shop_events AS event
			WHERE event.tenant_id = endpoint.tenant_id AND event.number > endpoint.number)`)
	hold = database.Locking(`SELECT number, events, active FROM webhook_endpoints AS endpoint
		WHERE id = $endpoint AND tenant_id = $tenant %s`, "FOR NO KEY UPDATE SKIP LOCKED")
	next = database.Statement(fmt.Sprintf(`SELECT count(*), COALESCE(max(number), 0) FROM (
			SELECT number FROM shop_events WHERE tenant_id = $tenant AND number > $after ORDER BY number LIMIT %d
		) AS next`, batch))
	deliver = database.Statement(`INSERT INTO webhook_deliveries (tenant_id, endpoint_id, event_id, type, subject_id,
			payload, created_at, attempts, next_at, give_up_at)
		SELECT tenant_id, $endpoint, event_id, type, subject_id, payload, created_at, 0, $next, $give_up_at
		FROM shop_events
		WHERE tenant_id = $tenant AND number > $after AND number <= $until AND (` + bitSQL + ` & $events) <> 0
		ORDER BY number`)
	delivered = database.Statement(`UPDATE webhook_endpoints SET number = $until
		WHERE id = $endpoint AND tenant_id = $tenant`)
)

// Deliver makes the deliveries of all events that have numbers, for the endpoints of all shops. Those of an inactive
// one are not sent: they are given up at once, so that staff see them and can have them sent later. It leaves out an
// endpoint that another server, or a change by staff, has locked. An endpoint that fails holds up no other.
func Deliver(ctx context.Context, store *ent.Client, now time.Time) error {
	type ref struct{ id, tenant uuid.UUID }
	var endpoints []ref
	err := behind.Each(ctx, store.Raw(), nil, func(row *sql.Rows) error {
		var one ref
		err := row.Scan(&one.id, &one.tenant)
		endpoints = append(endpoints, one)
		return err
	})
	for _, one := range endpoints {
		values := database.Values{"endpoint": one.id, "tenant": one.tenant}
		for more := true; more && ctx.Err() == nil; {
			failed := transaction.Run(ctx, store, func(tx *ent.Tx) (err error) {
				more, err = deliverNext(ctx, tx.Raw(), values, now)
				return err
			})
			if failed != nil {
				err, more = errors.Join(err, fmt.Errorf("deliveries to the webhook %s: %w", one.id, failed)), false
			}
		}
	}
	return err
}

// deliverNext makes the next deliveries of an endpoint, and reports whether there may be more to make.
func deliverNext(ctx context.Context, on database.Executor, values database.Values, now time.Time) (
	more bool, err error,
) {
	var after, until int64
	var events, found int
	var active bool
	mine, err := hold.Of(on).Row(ctx, on, values, &after, &events, &active)
	if err != nil || !mine {
		return false, err
	}
	values["after"], values["events"], values["next"], values["give_up_at"] = after, events, nil, now
	if active {
		values["next"], values["give_up_at"] = now, now.Add(GiveUpAfter)
	}
	if _, err := next.Row(ctx, on, values, &found, &until); err != nil || found == 0 {
		return false, err
	}
	values["until"] = until
	if _, err := deliver.Exec(ctx, on, values); err != nil {
		return false, err
	}
	_, err = delivered.Exec(ctx, on, values)
	return found == batch, err
}

// Kept is how long an event is kept after it was numbered.
const Kept = 7 * 24 * time.Hour

const together = 1000

var (
	oldest = database.Statement(`SELECT count(*), COALESCE(max(number), 0) FROM (
		SELECT number FROM shop_events WHERE number <= $old ORDER BY number LIMIT $most) AS oldest`)
	forgetOutdated = database.Statement(`DELETE FROM order_days WHERE id IN (
		SELECT kept.id FROM shop_events AS event JOIN order_days AS kept
			ON kept.tenant_id = event.tenant_id AND kept.day = event.day AND kept.number < event.number
		WHERE event.number <= $until)`)
	forget = database.Statement(`DELETE FROM shop_events WHERE number <= $until`)
)

// Sweep deletes old events, and returns how many. The stored figures that they outdate are deleted in the same
// transaction: nothing would show it any more. A report stores figures within seconds of its snapshot, so none comes
// so late that an event after its snapshot is already gone.
func Sweep(ctx context.Context, store *ent.Client, now time.Time) (deleted int64, err error) {
	values := database.Values{"old": now.Add(-Kept).UnixMicro(), "most": together}
	for {
		var found int64
		err := transaction.Run(ctx, store, func(tx *ent.Tx) error {
			var until int64
			if _, err := oldest.Row(ctx, tx.Raw(), values, &found, &until); err != nil || found == 0 {
				return err
			}
			values["until"] = until
			if _, err := forgetOutdated.Exec(ctx, tx.Raw(), values); err != nil {
				return err
			}
			_, err := forget.Exec(ctx, tx.Raw(), values)
			return err
		})
		if err != nil {
			return deleted, err
		}
		if deleted += found; found < together {
			return deleted, nil
		}
	}
}
