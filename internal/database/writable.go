package database

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
)

// CheckWritable fails if the database takes no changes: a standby, a demoted primary, a database that an
// operator has made read-only, a read-only file, a full disk. It comes after Migrate. It tries a change that
// finds no rows, and one that takes space if the disk was found to be full.
func (db *DB) CheckWritable(ctx context.Context) error {
	if db.Dialect == dialect.SQLite {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, writerPatience)
		defer stop()
	}
	_, err := db.pools[0].ExecContext(ctx, "UPDATE schema_migrations SET applied_at = applied_at WHERE 1 = 0")
	if err != nil && db.Dialect == dialect.SQLite && (ctx.Err() != nil || IsRetryable(err)) {
		return nil // another one writes, so it can be written
	}
	if err == nil && db.diskSpace.isFull.Load() {
		err = db.tryDiskSpace(ctx)
	}
	if err != nil {
		return fmt.Errorf("the database takes no changes: %w", err)
	}
	return nil
}

// writerPatience is how long CheckWritable waits for another writer of the file.
const writerPatience = 200 * time.Millisecond

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
	if err := db.short.QueryRowContext(ctx, oldestWait).Scan(&seconds); err != nil {
		return 0, fmt.Errorf("ask for commits that wait: %w", err)
	}
	return time.Duration(max(seconds, 0) * float64(time.Second)), nil
}
