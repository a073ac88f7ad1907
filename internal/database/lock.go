package database

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
)

// lockTick is how long Lock sleeps between two tries. It does not wait inside the database, where a waiting
// statement would keep the server from vacuuming and would need an unlimited timeout.
const lockTick = 50 * time.Millisecond

// lockIdle is how long an idle PostgreSQL connection for locks is kept: opening one takes longer than a small import.
const lockIdle = 10 * time.Second

// Lock waits until no process holds the lock of this name, for as long as ctx allows, and takes it. unlock
// releases it, as does the end of the process. On PostgreSQL the lock belongs to an otherwise idle
// transaction, so that it works through a pooler. A SQLite database has one lock for all names, on an empty
// file beside it.
func (db *DB) Lock(ctx context.Context, name string) (unlock func(), err error) {
	return db.wait(ctx, "import", name)
}

// LockApart is Lock for a kind of locks that has a lock file of its own on SQLite, so that it can be taken
// together with the lock of Lock. of distinguishes the locks of one kind on PostgreSQL; it is "" if the kind
// has one lock.
func (db *DB) LockApart(ctx context.Context, kind, of string) (unlock func(), err error) {
	return db.wait(ctx, kind, strings.TrimSpace(kind+" "+of))
}

func (db *DB) wait(ctx context.Context, kind, name string) (unlock func(), err error) {
	pool, done, err := db.locks(kind)
	if err != nil {
		return nil, err
	}
	tx, err := db.tryLock(ctx, pool, name)
	for tx == nil && err == nil {
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(lockTick):
			tx, err = db.tryLock(ctx, pool, name)
		}
	}
	return heldLock(done, tx, name, err)
}

// TryLock takes the lock of LockApart if it is free; else unlock is nil.
func (db *DB) TryLock(ctx context.Context, kind, of string) (unlock func(), err error) {
	pool, done, err := db.locks(kind)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(kind + " " + of)
	tx, err := db.tryLock(ctx, pool, name)
	return heldLock(done, tx, name, err)
}

// heldLock returns the function that ends the transaction tx, and so releases its lock, and then calls done;
// nil if tx is nil.
func heldLock(done func() error, tx *sql.Tx, name string, err error) (unlock func(), _ error) {
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
