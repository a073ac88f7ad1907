package database

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// lockTick is how long Lock sleeps between two tries. It does not wait inside the database, where a waiting
// statement would keep the server from vacuuming and would need an unlimited timeout.
const lockTick = 50 * time.Millisecond

// lockIdle is how long an idle PostgreSQL connection for locks is kept: opening one takes longer than a small import.
const lockIdle = 10 * time.Second

// Lock waits until no process holds the lock of a kind, for as long as ctx allows, and takes it. of distinguishes the
// locks of one kind on PostgreSQL, where a lock belongs to an otherwise idle transaction, so that it works through a
// pooler; it is "" if the kind has one lock. A SQLite database has one lock of each kind, on an empty file beside it.
// unlock releases it, as does the end of the process.
func (db *DB) Lock(ctx context.Context, kind, text string) (unlock func(), err error) {
	for {
		if unlock, err = db.TryLock(ctx, kind, text); err != nil || unlock != nil {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %q: %w", kind, ctx.Err())
		case <-time.After(lockTick):
		}
	}
}

// TryLock takes the lock if it is free; else unlock is nil.
func (db *DB) TryLock(ctx context.Context, kind, text string) (unlock func(), err error) {
	pool, done, err := db.locks(kind)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(kind + " " + text)
	tx, err := db.tryLock(ctx, pool, name)
	switch {
	case err != nil:
		done()
		return nil, fmt.Errorf("lock %q: %w", name, err)
	case tx == nil:
		return nil, done()
	}
	return func() {
		tx.Rollback()
		done()
	}, nil
}

// tryLock returns the transaction that holds the lock, or nil if another process holds it.
func (db *DB) tryLock(ctx context.Context, pool *sql.DB, name string) (*sql.Tx, error) {
	tx, err := pool.BeginTx(context.WithoutCancel(ctx), nil) // ended by unlock
	if db.Dialect == dialect.SQLite && IsRetryable(err) {
		return nil, nil
	}
	if err != nil || db.Dialect == dialect.SQLite {
		return tx, err
	}
	held := false
	_, err = tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0")
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", name).Scan(&held)
	}
	if err != nil || !held {
		tx.Rollback()
		return nil, err
	}
	return tx, nil
}

// Alone makes this process the only server of a SQLite database, until release is called or the process
// ends. It fails if another process is the server. The lock is that of an empty file beside the database,
// which is never removed. A database that is missing begins here, so that a signing key never is there without one.
// PostgreSQL takes any number of servers.
func Alone(ctx context.Context, url string) (release func(), err error) {
	s, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if s.dialect != dialect.SQLite {
		return func() {}, nil
	}
	s.path, release, err = s.alone(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.path); err == nil {
		removeDatabase(s.path + restoring) // of a restore that was cut off
	}
	if err = checkBeginning(s.path); err == nil {
		err = makePrivate(s.path)
	}
	if err != nil {
		release()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return release, nil
}

// alone takes the lock of the server of a SQLite database, and returns the name of its file that all its names
// lead to.
func (s settings) alone(ctx context.Context) (file string, release func(), err error) {
	if file, err := filepath.EvalSymlinks(s.path); err == nil {
		s.path = file
	}
	db := &DB{Dialect: s.dialect, locks: func(kind string) (*sql.DB, func() error, error) {
		return openLockFile(s, kind)
	}}
	release, err = db.TryLock(ctx, "serve", "")
	if err == nil && release == nil {
		err = fmt.Errorf("another server has %s, or it is being restored: stop that first, as SQLite is for one "+
			"server at a time", s.path)
	}
	return s.path, release, err
}

// Agree returns the value of a column of the installation, which is the same for all servers. If the column is empty or
// has the value instead, Agree first sets it to mine; of several servers that do so at once, the first wins.
func Agree(ctx context.Context, on Executor, column, mine, instead string) (agreed string, err error) {
	read := func() error {
		text := "SELECT " + column + " FROM installations WHERE id = 1"
		err := EachRow(ctx, on, text, []any{}, func(row *entsql.Rows) error { return row.Scan(&agreed) })
		if err != nil {
			return fmt.Errorf("read %s: %w", column, err)
		}
		return nil
	}
	if err := read(); err != nil || agreed != "" && agreed != instead {
		return agreed, err
	}
	text := "INSERT INTO installations (id, " + column + ") VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET " + column +
		" = excluded." + column + " WHERE installations." + column + " IN ('', $2)"
	if err := on.Exec(ctx, text, []any{mine, instead}, nil); err != nil {
		return "", fmt.Errorf("write %s: %w", column, err)
	}
	return agreed, read()
}
