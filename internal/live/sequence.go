package live

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/webhookendpoint"
	"storefront/internal/database"
	"storefront/internal/record"
	"storefront/internal/sweep"
	"storefront/internal/transaction"
)

// bits are the events that subscriptions are told.
var bits = record.OrderPlaced.Bit() | record.OrderMoved.Bit() | record.PaymentMarked.Bit() |
	record.ReceiptUploaded.Bit()

var (
	keptUntil = database.Statement(`SELECT live_from, live_until FROM webhook_endpoints
		WHERE tenant_id = $tenant AND live_from IS NOT NULL`)
	putOff = database.Statement(`UPDATE webhook_endpoints SET live_until = $until
		WHERE tenant_id = $tenant AND live_from IS NOT NULL`)
	addEndpoint = database.Statement(`INSERT INTO webhook_endpoints
		(id, created_at, updated_at, tenant_id, url, secret, events, active, restarts, failures, live_from, live_until)
		VALUES ($id, $now, $now, $tenant, '', $secret, $events, $active, 0, 0, $from, $until) ON CONFLICT DO NOTHING`)
)

// keep sees to it that the events of a shop's orders are kept for a while from now on, and returns the place behind
// which all of them are there.
func (s *Service) keep(ctx context.Context, shop uuid.UUID) (from int64, err error) {
	now := s.now()
	values := database.Values{"tenant": shop, "now": now, "until": now.Add(keptUnheard)}
	for {
		var until time.Time
		known, err := keptUntil.Row(ctx, s.store.Raw(), values, &from, &until)
		switch {
		case err != nil:
			return 0, err
		case known && until.Sub(now) > keptUnheard-keepEvery:
			return from, nil
		case known:
			// where it was deleted meanwhile, another one is made
			if n, err := putOff.Exec(ctx, s.store.Raw(), values); err != nil || n > 0 {
				return from, err
			}
		}
		if err := s.add(ctx, values); err != nil {
			return 0, err
		}
	}
}

// add makes the endpoint of a shop, unless there is one.
func (s *Service) add(ctx context.Context, values database.Values) error {
	values["id"], values["secret"], values["events"], values["active"] = uuid.Must(uuid.NewV7()), []byte{}, bits, true
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		if err := awaitWriters(ctx, tx); err != nil {
			return err
		}
		from, err := newest(ctx, tx.Raw(), s.now().UnixMicro())
		if err != nil {
			return err
		}
		values["from"] = from
		_, err = addEndpoint.Exec(ctx, tx.Raw(), values)
		return err
	})
}

// keepAll is keep for the shops that are still listened to.
func (s *Service) keepAll(ctx context.Context, shops []uuid.UUID) error {
	for _, shop := range shops {
		if _, err := s.keep(ctx, shop); err != nil {
			return err
		}
	}
	return nil
}

// awaitWriters waits for the transactions on PostgreSQL that may have looked for endpoints already: whatever is
// committed after this one has its events written. On SQLite nobody else writes meanwhile.
func awaitWriters(ctx context.Context, tx *ent.Tx) error {
	if tx.Raw().Dialect() == dialect.SQLite {
		return nil
	}
	for _, text := range []string{"SET LOCAL lock_timeout = '300ms'", "LOCK TABLE webhook_deliveries IN SHARE MODE"} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("wait for transactions that write events: %w", err)
		}
	}
	return nil
}

// places has the last place that was given, the last where a shop begins, and $micros, the microseconds from 1970 until
// now: the next place is above all of them, so that it tells its age and is new though old events are deleted.
const places = `SELECT max(sequence) AS place FROM webhook_deliveries WHERE sequence IS NOT NULL
	UNION ALL SELECT max(live_from) FROM webhook_endpoints WHERE live_from IS NOT NULL
	UNION ALL SELECT $micros`

var (
	anyWaits = database.Statement(`SELECT 1 FROM webhook_endpoints AS endpoint
		WHERE endpoint.live_from IS NOT NULL AND EXISTS (SELECT 1 FROM webhook_deliveries AS event
			WHERE event.endpoint_id = endpoint.id AND event.next_at IS NOT NULL) LIMIT 1`)
	last = database.Statement("SELECT max(place) FROM (" + places + ") AS places")
	// One statement sees with an event the endpoint that it was written for, and so where the shop begins.
	number = database.Statement(`WITH waiting AS (
			SELECT event.id AS event, row_number() OVER (ORDER BY event.id) AS place
			FROM webhook_deliveries AS event JOIN webhook_endpoints AS endpoint ON endpoint.id = event.endpoint_id
			WHERE endpoint.live_from IS NOT NULL AND event.next_at IS NOT NULL ORDER BY event.id LIMIT 500
		)
		UPDATE webhook_deliveries SET next_at = NULL, delivered_at = $now,
			sequence = (SELECT max(place) FROM (` + places + `) AS places)
				+ (SELECT place FROM waiting WHERE waiting.event = webhook_deliveries.id)
		WHERE id IN (SELECT event FROM waiting)`)
)

// newest returns the last place that was given, or where the last shop begins, and micros where they are before that.
func newest(ctx context.Context, on database.Executor, micros int64) (place int64, err error) {
	_, err = last.Row(ctx, on, database.Values{"micros": micros}, &place)
	return place, err
}

// sequence gives the events that were committed their places. One server at a time does so, and commits before the
// next one begins: whoever sees an event sees all that come before it.
func (s *Service) sequence(ctx context.Context) error {
	found := 0
	if any, err := anyWaits.Row(ctx, s.store.Raw(), nil, &found); err != nil || !any {
		return err
	}
	unlock, err := s.db.TryLock(ctx, "live", "")
	if err != nil || unlock == nil { // another server is at it
		return err
	}
	defer unlock()
	for {
		var done int64
		err := transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
			now, err := s.now(), error(nil)
			done, err = number.Exec(ctx, tx.Raw(), database.Values{"now": now, "micros": now.UnixMicro()})
			return err
		})
		if err != nil || done < batch {
			return err
		}
	}
}

// Old are the shops that nobody listens to any more, with the events that were kept for them.
func (s *Service) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(webhookendpoint.Table, webhookendpoint.FieldLiveUntil, s.now())}
}
