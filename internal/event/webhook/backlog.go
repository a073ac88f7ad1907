package webhook

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// Backlog describes the events that wait to be sent.
type Backlog struct {
	Events    int
	Endpoints int           // that they wait for
	Oldest    time.Duration // age of the oldest of them, or of those without a number; 0: there are none
}

// waiting counts the events that wait for working endpoints, and for those whose last attempt failed.
var waiting = database.Statement(`SELECT CASE WHEN endpoint.failures > 0 THEN 1 ELSE 0 END,
	count(*), count(DISTINCT endpoint.id), min(event.created_at)
	FROM webhook_deliveries AS event JOIN webhook_endpoints AS endpoint ON endpoint.id = event.endpoint_id
	WHERE event.next_at IS NOT NULL AND endpoint.active
	GROUP BY 1`)

// unnumbered finds the oldest event of all shops that waits for its number.
var unnumbered = database.Statement(`SELECT created_at FROM shop_events WHERE number IS NULL
	ORDER BY created_at LIMIT 1`)

// Backlog returns the events that wait for working endpoints, and for those whose last attempt failed. An event without
// a number may be for any endpoint: it counts as old, among the first.
func (s *Service) Backlog(ctx context.Context) (working, failing Backlog, err error) {
	err = waiting.Each(ctx, s.raw(), nil, func(row *sql.Rows) error {
		var fails, events, endpoints int
		var first database.Moment
		if err := row.Scan(&fails, &events, &endpoints, &first); err != nil {
			return err
		}
		found := Backlog{events, endpoints, max(s.Clock.Now().Sub(first.Time), 0)}
		if fails == 0 {
			working = found
		} else {
			failing = found
		}
		return nil
	})
	var first time.Time
	if err == nil {
		var found bool
		found, err = unnumbered.Row(ctx, s.raw(), nil, &first)
		if found {
			working.Oldest = max(working.Oldest, s.Clock.Now().Sub(first))
		}
	}
	if err != nil {
		return working, failing, fmt.Errorf("count the events that wait: %w", err)
	}
	return working, failing, nil
}
