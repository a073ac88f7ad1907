package database

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"
)

// room records whether the database's disk was found to be full.
type room struct {
	lacks  atomic.Bool // a change was refused for lack of space, and none that takes space succeeded since
	beside string      // SQLite: the file
}

// note records the error of a change.
func (r *room) note(err error) {
	if r != nil && err != nil && lacksRoom(err) {
		r.lacks.Store(true)
	}
}

// lacksRoom reports whether err says that the disk is or may be full: SQLite reports an exceeded quota as a
// failing disk.
func lacksRoom(err error) bool {
	switch sqliteCode(err) & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
		return true
	}
	return stateOf(err) == "53100"
}

const (
	// takesRoom makes a table grow, and is rolled back. It writes to the one table that every migrated
	// database has.
	takesRoom = "INSERT INTO schema_migrations (name, applied_at) " +
		"SELECT 'room ' || pg_backend_pid() || '-' || n || repeat('x', 1000), now() FROM generate_series(1, 64) n"

	roomBytes = 256 << 10 // size of the file that is written beside SQLite's
)

// tryRoom fails while the disk is full. It has to write new data, since changing rows in place may succeed
// on a full disk.
func (db *DB) tryRoom(ctx context.Context) error {
	try := db.tryTable
	if db.room.beside != "" {
		try = func(context.Context) error { return tryFile(db.room.beside + "-room") }
	}
	err := try(ctx)
	if err == nil {
		db.room.lacks.Store(false)
	}
	return err
}

func (db *DB) tryTable(ctx context.Context) error {
	tx, err := db.pools[0].BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, takesRoom)
	return errors.Join(err, tx.Rollback())
}

// tryFile writes a file and removes it.
func tryFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, roomBytes))
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(path))
}
