package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	sqlite3 "modernc.org/sqlite/lib"
)

type diskSpace struct {
	isFull atomic.Bool // a change was refused for lack of space, and none that takes space succeeded since
	beside string      // SQLite: the file
}

func (d *diskSpace) note(err error) {
	if d != nil && err != nil && isDiskFull(err) {
		d.isFull.Store(true)
	}
}

// isDiskFull reports whether err says that the disk is or may be full: SQLite reports an exceeded quota as a
// failing disk.
func isDiskFull(err error) bool {
	switch sqliteCode(err) & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
		return true
	}
	return stateOf(err) == "53100"
}

const (
	// takeSpace makes a table grow, and is rolled back. It writes to the one table that every migrated
	// database has.
	takeSpace = "INSERT INTO schema_migrations (name, applied_at) " +
		"SELECT 'room ' || pg_backend_pid() || '-' || n || repeat('x', 1000), now() FROM generate_series(1, 64) n"

	spaceBytes = 256 << 10 // size of the file that is written beside SQLite's
)

// tryDiskSpace fails while the disk is full. It has to write new data, since changing rows in place may succeed
// on a full disk.
func (db *DB) tryDiskSpace(ctx context.Context) error {
	try := db.tryTable
	if db.diskSpace.beside != "" {
		try = func(context.Context) error { return tryFile(db.diskSpace.beside + "-room") }
	}
	err := try(ctx)
	if err == nil {
		db.diskSpace.isFull.Store(false)
	}
	return err
}

func (db *DB) tryTable(ctx context.Context) error {
	tx, err := db.pools[0].BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, takeSpace)
	return errors.Join(err, tx.Rollback())
}

func tryFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, spaceBytes))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(path))
}

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
