package live

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/transaction"
)

// places has the last place that was given, the last where a shop begins, and $micros, the microseconds from 1970 until
// now: the next place is above all of them, so that it tells its age and is new though old events are deleted.
const places = `SELECT max(sequence) AS place FROM webhook_deliveries WHERE sequence IS NOT NULL
	UNION ALL SELECT max(live_from) FROM webhook_endpoints WHERE live_until IS NOT NULL
	UNION ALL SELECT $micros`

var (
	anyWaits = database.Statement(`SELECT 1 FROM webhook_endpoints AS endpoint
		WHERE endpoint.live_until IS NOT NULL AND EXISTS (SELECT 1 FROM webhook_deliveries AS event
			WHERE event.endpoint_id = endpoint.id AND event.next_at IS NOT NULL) LIMIT 1`)
	last = database.Statement("SELECT max(place) FROM (" + places + ") AS places")
	// One statement sees with an event the endpoint that it was written for, and so where the shop begins. A row that
	// has got its place meanwhile keeps it.
	number = database.Statement(`WITH waiting AS (
			SELECT event.id AS event, row_number() OVER (ORDER BY event.id) AS place
			FROM webhook_deliveries AS event JOIN webhook_endpoints AS endpoint ON endpoint.id = event.endpoint_id
			WHERE endpoint.live_until IS NOT NULL AND event.next_at IS NOT NULL ORDER BY event.id LIMIT 500
		)
		UPDATE webhook_deliveries SET next_at = NULL, delivered_at = $now,
			sequence = COALESCE(sequence, (SELECT max(place) FROM (` + places + `) AS places)
				+ (SELECT place FROM waiting WHERE waiting.event = webhook_deliveries.id))
		WHERE id IN (SELECT event FROM waiting) AND next_at IS NOT NULL`)
)

// newest returns the last place that was given, or where the last shop begins, and micros where they are before that.
func newest(ctx context.Context, on database.Executor, micros int64) (place int64, err error) {
	_, err = last.Row(ctx, on, database.Values{"micros": micros}, &place)
	return place, err
}

// sequence gives the events that were committed their places, unless another server is at it. One server at a time does
// so, and commits before the next one begins: whoever sees an event sees all that come before it.
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

// sequenceAll is sequence for all events that are committed by now, whichever server is at it.
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
		case <-time.After(writersTick):
		}
	}
	return busy()
}
