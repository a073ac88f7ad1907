package database

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
)

// oldestWait selects how long the oldest commit of this role waits for a synchronous standby. A role sees
// its own sessions, and so those of all servers of the service.
const oldestWait = "SELECT COALESCE(EXTRACT(EPOCH FROM clock_timestamp() - MIN(query_start)), 0)::float8 " +
	"FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'"

// CommitWait returns how long the oldest commit has waited for a synchronous standby; 0 if none waits.
func (db *DB) CommitWait(ctx context.Context) (time.Duration, error) {
	if db.Dialect != dialect.Postgres {
		return 0, nil
	}
	var seconds float64
	if err := db.driver.short.QueryRowContext(ctx, oldestWait).Scan(&seconds); err != nil {
		return 0, fmt.Errorf("ask for commits that wait: %w", err)
	}
	return time.Duration(max(seconds, 0) * float64(time.Second)), nil
}
