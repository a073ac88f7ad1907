package report

import (
	"context"
	"slices"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
)

// keepDay stores the figures of a day. Those of a report with a later snapshot stay.
var keepDay = database.Statement(`INSERT INTO order_days (tenant_id, day, figures, number)
	VALUES ($tenant, $day, $figures, $number)
	ON CONFLICT (tenant_id, day) DO UPDATE SET figures = excluded.figures, number = excluded.number
	WHERE order_days.number < excluded.number`)

// keptTogether is how many days one transaction stores.
const keptTogether = 32

// keep stores the figures of the days that are over and were read as a whole.
func (r *reading) keep(ctx context.Context, store *ent.Client) error {
	over := slices.DeleteFunc(r.read, func(d dayRead) bool { return !d.whole || d.number >= r.today })
	for days := range slices.Chunk(over, keptTogether) {
		err := transaction.Run(ctx, store, func(tx *ent.Tx) error {
			for _, d := range days {
				_, err := keepDay.Exec(ctx, tx.Raw(), database.Values{"tenant": r.business, "day": d.number,
					"figures": d.figures, "number": r.last})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
