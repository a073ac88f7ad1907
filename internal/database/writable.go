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
