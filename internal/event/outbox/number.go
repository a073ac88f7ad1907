package outbox

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
)

const batch = 500

// The next number is greater than the last one and the Unix time in microseconds. So numbers grow although old events
// are deleted, and show when they were given. (The plus sign keeps the databases from walking all events by their ids.)
var (
	last    = database.Statement(`SELECT COALESCE(max(number), 0) FROM shop_events`)
	waiting = database.Statement(`SELECT 1 FROM shop_events WHERE number IS NULL LIMIT 1`)
	lock    = database.Statement(`SELECT pg_try_advisory_xact_lock(hashtextextended('events', 0))`)
	number  = database.Statement(fmt.Sprintf(`WITH waiting AS (
			SELECT id, row_number() OVER (ORDER BY id) AS position
			FROM (SELECT id FROM shop_events WHERE number IS NULL ORDER BY +id LIMIT %d) AS oldest
		)
		UPDATE shop_events SET number = waiting.position + (SELECT max(number) FROM (
			SELECT CAST($micros AS bigint) AS number UNION ALL SELECT max(number) FROM shop_events) AS numbers)
		FROM waiting WHERE shop_events.id = waiting.id`, batch))
)

// Last returns the last number of an event; 0 if there is none.
func Last(ctx context.Context, on database.Executor) (number int64, err error) {
	_, err = last.Row(ctx, on, nil, &number)
	return number, err
}

// Number numbers the events of all shops that are committed, unless another server is doing so. Events of one subject
// have ids in the order of their commits, and so have those that get their numbers together.
func Number(ctx context.Context, store *ent.Client, now time.Time) error {
	found := 0
	if any, err := waiting.Row(ctx, store.Raw(), nil, &found); err != nil || !any {
		return err
	}
	for {
		var done int64
		err := transaction.Run(ctx, store, func(tx *ent.Tx) error {
			done = 0
			if tx.Raw().Dialect() == dialect.Postgres {
				mine := false
				if _, err := lock.Row(ctx, tx.Raw(), nil, &mine); err != nil || !mine {
					return err
				}
			}
			var err error
			done, err = number.Exec(ctx, tx.Raw(), database.Values{"micros": now.UnixMicro()})
			return err
		})
		if err != nil {
			return fmt.Errorf("number events: %w", err)
		}
		if done < batch {
			return nil
		}
	}
}
