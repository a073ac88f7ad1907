// Package database opens the service's database, SQLite or PostgreSQL.
//
// A statement goes from ent through sharing (which shares the connections out) and, on
// SQLite, split (one connection writes, the others read) to a pool of database/sql; below that connector
// opens the connections of lib/pq or modernc. The package knows no table but installations. Package
// migration brings the schema up to date, package store opens the database for the service, and package transaction
// retries what IsRetryable names.
//
// Both are reached through one thin layer under database/sql, which keeps prepared statements (a repeated
// statement is one round trip), stores times alike (UTC, cut to the microsecond) and never lets
// database/sql repeat a write whose outcome is unknown.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

const openLimit = 10 * time.Second

// DB is an open database.
type DB struct {
	Dialect string // dialect.SQLite or dialect.Postgres

	// Apart opens a pool of one new connection, without the usual time limits and, on SQLite, without foreign keys. The
	// caller closes it.
	Apart func() (*sql.DB, error)

	driver    *sharing
	short     *sql.DB // of ShortReads
	pooler    *pooler // PostgreSQL: a pooler in between, if one was found
	diskSpace *diskSpace
	pools     []*sql.DB
	forLocks  *sql.DB // PostgreSQL's connections for locks; nil on SQLite
	// locks returns a pool for Lock and what to call when the lock is released. SQLite has a file for each kind.
	locks func(kind string) (pool *sql.DB, done func() error, err error)
}

// Open opens the database that url names and makes sure that it answers. It takes
//
//	sqlite://relative/path.db      and sqlite:///absolute/path.db; the file is made when missing, its folder is not
//	postgres://user:pass@host/name with the parameters of lib/pq; of several hosts, host1:port1,host2:port2, the one
//	                               that takes changes is used, unless target_session_attrs says another; none of
//	                               them may be a pooler
//
// and these parameters of our own:
//
//	pool_size=N          connections, beside the one of ShortReads; by default 4 for each core, at least 8 and at
//	                     most 32. SQLite: those that read, beside the one that writes; by default 1 for each core,
//	                     at least 4
//	statement_cache=N    prepared statements that a connection keeps; by default 256. With 0 it keeps none and sends
//	                     no setting but the time zone, as PgBouncer needs it; a pooler is recognized without it
//	synchronous=normal   SQLite: a power cut may lose the last transactions, never the file; full when not given
//
// An error says what to do and never shows the password.
func Open(ctx context.Context, url string) (*DB, error) {
	s, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	open := openPostgres
	if s.dialect == dialect.SQLite {
		open = openSQLite
	}
	db, err := open(s)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	err = s.refusePoolers(ctx)
	if err == nil {
		err = db.firstPing(ctx)
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("open the database: %w", s.explain(err))
	}
	if err := db.getToKnow(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return db, nil
}

// firstPing retries while other processes create the same SQLite file. Unlike for all other locks, SQLite
// does not wait for the lock that this takes. On PostgreSQL it opens one connection; that of ShortReads is opened
// when it is needed, as most commands end without it.
func (db *DB) firstPing(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, openLimit)
	defer stop()
	first := db.pools
	if db.Dialect == dialect.Postgres {
		first = first[:1]
	}
	for {
		err := pingAll(ctx, first)
		if !IsRetryable(err) || ctx.Err() != nil {
			return err
		}
	}
}

// Driver is a driver of ent with the optional methods that ent's generated code looks for.
type Driver interface {
	dialect.Driver
	entsql.ExecQuerier
	BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
}

// Driver returns the driver of the database. It knows no joint transaction: a client of ent takes transaction.Driver.
func (db *DB) Driver() Driver { return db.driver }

// ShortReads returns a read-only pool of one connection, for quick statements that must not wait for slow
// ones. Closing the database closes it.
func (db *DB) ShortReads() *sql.DB { return db.short }

// Ping fails when the database does not answer.
func (db *DB) Ping(ctx context.Context) error { return pingAll(ctx, db.pools) }

func pingAll(ctx context.Context, pools []*sql.DB) error {
	for _, pool := range pools {
		if err := pool.PingContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Close closes all connections.
func (db *DB) Close() error {
	var errs []error
	if db.forLocks != nil {
		errs = append(errs, db.forLocks.Close())
	}
	for _, pool := range slices.Backward(db.pools) { // SQLite's writer last: it cleans up its files
		errs = append(errs, pool.Close())
	}
	return errors.Join(errs...)
}

// poolOf returns a pool of up to size connections, opened like those of c. It keeps idle ones, since they hold
// prepared statements.
func poolOf(c *connector, size int) *sql.DB {
	of := *c
	pool := sql.OpenDB(&of)
	of.full = func() { shrink(pool, size) }
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool
}
