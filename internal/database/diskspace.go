package database

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

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
