package outbox

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/record"
)

// orderErased is the type of an event that no subscription and no webhook gets: a customer was removed from an order.
const orderErased record.WebhookEvent = "order_erased"

var forgetDay = database.Statement(`DELETE FROM order_days WHERE tenant_id = $tenant AND day = $day`)

// PutErased is Put for orders of a shop from which their customer was removed, in that transaction. placed are
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
		id := record.NewID()
		event := Event{ID: id, Type: orderErased, Subject: id, At: at, Placed: moment}
		if err := Put(ctx, on, tenant, event); err != nil {
			return err
		}
		if _, err := forgetDay.Exec(ctx, on, database.Values{"tenant": tenant, "day": day}); err != nil {
			return err
		}
	}
	return nil
}
