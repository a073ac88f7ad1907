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

// Lag is how far a replica is behind the primary.
type Lag struct {
	Name  string        // host:port
	Bytes int64         // of the log that it has not replayed
	Age   time.Duration // since its last replayed commit; 0: it lacks nothing
}

// Lags returns how far each replica in use is behind. It asks the primary first. Replicas that do not answer
// are left out.
func (db *DB) Lags(ctx context.Context) (lags []Lag, err error) {
	if db.driver.replicas == nil || len(db.driver.replicas.all) == 0 {
		return nil, nil
	}
	var position string
	if err := db.driver.short.QueryRowContext(ctx, "SELECT CASE WHEN NOT pg_is_in_recovery() THEN "+
		"pg_current_wal_lsn()::text ELSE pg_last_wal_replay_lsn()::text END").Scan(&position); err != nil {
		return nil, fmt.Errorf("ask the primary how far it is: %w", err)
	}
	for _, r := range db.driver.replicas.all {
		if !r.up.Load() {
			continue
		}
		lag := Lag{Name: r.name}
		var age float64
		err := r.looks.QueryRowContext(ctx, "SELECT greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)"+
			"::bigint, COALESCE(EXTRACT(EPOCH FROM now() - pg_last_xact_replay_timestamp()), 0)::float8", position).
			Scan(&lag.Bytes, &age)
		if err != nil {
			continue
		}
		if lag.Bytes > 0 {
			lag.Age = time.Duration(max(age, 0) * float64(time.Second))
		}
		lags = append(lags, lag)
	}
	return lags, nil
}
