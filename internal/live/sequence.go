package live

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/transaction"
)

// numbers selects the last number of an event, the last live_from of a shop, and $micros, the Unix time in
// microseconds. The next number is greater than all three: so it grows although old events are deleted, and shows when
// it was given.
const numbers = `SELECT max(sequence) AS number FROM webhook_deliveries WHERE sequence IS NOT NULL
	UNION ALL SELECT max(live_from) FROM webhook_endpoints WHERE live_until IS NOT NULL
	UNION ALL SELECT $micros`

var (
	anyWaits = database.Statement(`SELECT 1 FROM webhook_endpoints AS endpoint
		WHERE endpoint.live_until IS NOT NULL AND EXISTS (SELECT 1 FROM webhook_deliveries AS event
			WHERE event.endpoint_id = endpoint.id AND event.next_at IS NOT NULL) LIMIT 1`)
	last = database.Statement("SELECT max(number) FROM (" + numbers + ") AS numbers")
	// A single statement, so that its snapshot has an event's endpoint and live_from whenever it has the event. A row
	// that was numbered meanwhile keeps its number.
	number = database.Statement(`WITH waiting AS (
			SELECT event.id AS event, row_number() OVER (ORDER BY event.id) AS position
			FROM webhook_deliveries AS event JOIN webhook_endpoints AS endpoint ON endpoint.id = event.endpoint_id
			WHERE endpoint.live_until IS NOT NULL AND event.next_at IS NOT NULL ORDER BY event.id LIMIT 500
		)
		UPDATE webhook_deliveries SET next_at = NULL, delivered_at = $now,
			sequence = COALESCE(sequence, (SELECT max(number) FROM (` + numbers + `) AS numbers)
				+ (SELECT position FROM waiting WHERE waiting.event = webhook_deliveries.id))
		WHERE id IN (SELECT event FROM waiting) AND next_at IS NOT NULL`)
)

// newest returns the last number of an event or live_from of a shop, or micros if that is greater.
func newest(ctx context.Context, on database.Executor, micros int64) (number int64, err error) {
	_, err = last.Row(ctx, on, database.Values{"micros": micros}, &number)
	return number, err
}

// sequence numbers the committed events, unless another server is doing so. One server at a time numbers events, and
// commits before the next one starts: a reader that sees a number sees all lower ones.
func (s *Service) sequence(ctx context.Context) error {
	found := 0
	if any, err := anyWaits.Row(ctx, s.store.Raw(), nil, &found); err != nil || !any {
		return err
	}
	unlock, err := s.db.TryLock(ctx, "live", "")
	if err != nil || unlock == nil {
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

// sequenceAll returns once all events that are committed now are numbered, by this or another server.
func (s *Service) sequenceAll(ctx context.Context) error {
	for range 40 {
		if err := s.sequence(ctx); err != nil {
			return err
		}
		found := 0
		if any, err := anyWaits.Row(ctx, s.store.Raw(), nil, &found); err != nil || !any {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(waitTick):
		}
	}
	return busy()
}
