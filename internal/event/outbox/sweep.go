package outbox

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
)

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
