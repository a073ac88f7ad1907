package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openSQLite opens one connection that writes and several that only read: SQLite has one writer at a time,
// and waiting for a slot (sharing) is fair and cheap, unlike waiting for the file's lock.
func openSQLite(s settings) (*DB, error) {
	if err := checkBeginning(s.path); err != nil {
		return nil, err
	}
	if err := makePrivate(s.path, s.path+"-wal", s.path+"-shm"); err != nil {
		return nil, err
	}
	writing, err := sqliteConnector(s, "journal_mode(WAL)", "foreign_keys(1)", secureDelete, logLimit)
	if err != nil {
		return nil, err
	}
	reading, err := sqliteConnector(s, "query_only(1)")
	if err != nil {
		return nil, err
	}
	writing.diskSpace = &diskSpace{beside: s.path}
	writer, readers, short := poolOf(writing, 1), poolOf(reading, s.poolSize), poolOf(reading, 1)
	return &DB{
		Dialect:   dialect.SQLite,
		driver:    shareOut(newSplit(writer, readers), s.poolSize, 1),
		short:     short,
		diskSpace: writing.diskSpace,
		pools:     []*sql.DB{writer, readers, short}, // the writer first: it creates the file
		Apart: func() (*sql.DB, error) {
			// Migrations rebuild a table by dropping the old one, which must not cascade to the rows that
			// refer to it.
			c, err := sqliteConnector(s, "journal_mode(WAL)", "foreign_keys(0)", secureDelete)
			if err != nil {
				return nil, err
			}
			c.inspect = nil // not for migrations
			return poolOf(c, 1), nil
		},
		locks: func(kind string) (*sql.DB, func() error, error) { return openLockFile(s, kind) },
	}, nil
}

// secureDelete makes SQLite overwrite deleted and replaced data with zeros; it would otherwise stay in the
// file until the space is reused. It is always on: a person who is erased later may have changed or deleted
// data long before.
const secureDelete = "secure_delete(1)"

// logLimit makes SQLite cut its log down to 64 MiB once a reader is gone beside which it grew.
const logLimit = "journal_size_limit(67108864)"

// openLockFile opens a pool whose transactions hold the lock of an empty file beside the database. SQLite
// locks files the same way on every operating system.
func openLockFile(s settings, kind string) (pool *sql.DB, done func() error, err error) {
	s.path += "-" + strings.ReplaceAll(kind, " ", "-")
	if err := makePrivate(s.path); err != nil {
		return nil, nil, err
	}
	pool, err = plainPool(s.path, "_txlock=exclusive")
	if err != nil {
		return nil, nil, err
	}
	return pool, pool.Close, nil
}

// plainPool opens a file by one connection without the settings of the service.
func plainPool(path, parameters string) (*sql.DB, error) {
	inner, err := sqlite.NewConnector(fileURL(path, parameters))
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(inner)
	pool.SetMaxOpenConns(1)
	return pool, nil
}

func fileURL(path, parameters string) string {
	return "file:" + (&url.URL{Path: filepath.Clean(path)}).EscapedPath() + "?" + parameters
}

// sqliteConnector opens connections that store times as integers of microseconds. Their transactions take
// the write lock at once unless they are read-only, since a read lock could not be upgraded later.
func sqliteConnector(s settings, pragmas ...string) (*connector, error) {
	values := url.Values{
		"_txlock":              {"immediate"},
		"_time_integer_format": {"unix_micro"},
		"_inttotime":           {"1"},
		"_pragma": append([]string{fmt.Sprintf("busy_timeout(%d)", lockPoll.Milliseconds()),
			"synchronous(" + s.synchronous + ")", "cache_size(-2000)", "temp_store(MEMORY)"}, pragmas...),
	}
	inner, err := sqlite.NewConnector(fileURL(s.path, values.Encode()))
	if err != nil {
		return nil, err
	}
	open := func(ctx context.Context) (session, *wire, error) {
		c, err := inner.Connect(ctx)
		if err != nil {
			return nil, nil, err
		}
		return asSession(c, nil)
	}
	return &connector{open: open, driver: inner.Driver(), statements: s.statements,
		inspect:  inspectorOf(s.path),
		unsynced: unsynced{before: "PRAGMA synchronous=NORMAL", after: "PRAGMA synchronous=" + s.synchronous}}, nil
}

const (
	lockLimit = 5 * time.Second      // how long a statement waits for another process to release the file
	lockPoll  = 4 * time.Millisecond // how long SQLite itself waits before awaitLock retries
)

// awaitLock runs what takes SQLite's file lock, again and again while another process holds it, until
// lockLimit or ctx ends. SQLite's own waiting ignores ctx and sleeps for up to 0.1 s between two tries, so a
// process that writes continuously would starve it. Within a transaction, which has the lock already, run is
// called once.
func awaitLock[T any](ctx context.Context, c *conn, run func() (T, error)) (T, error) {
	end := time.Now().Add(lockLimit)
	for {
		result, err := run()
		if c.wire != nil || c.inTx || sqliteCode(err) != sqlite3.SQLITE_BUSY ||
			ctx.Err() != nil || time.Now().After(end) {
			return result, err
		}
	}
}

// split is the dialect.Driver of SQLite. Statements that only read go to the readers, all others to the
// writer.
type split struct {
	entsql.Conn
	writer, readers *entsql.Driver
}

func newSplit(writer, readers *sql.DB) *split {
	s := &split{writer: entsql.OpenDB(dialect.SQLite, writer), readers: entsql.OpenDB(dialect.SQLite, readers)}
	s.Conn = entsql.Conn{ExecQuerier: route{writer, readers}}
	return s
}

func (s *split) Dialect() string { return dialect.SQLite }

func (s *split) Tx(ctx context.Context) (dialect.Tx, error) { return s.writer.Tx(ctx) }

// BeginTx starts a transaction, beside the writer when it is read-only.
func (s *split) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	if opts != nil && opts.ReadOnly {
		return s.readers.BeginTx(ctx, opts)
	}
	return s.writer.BeginTx(ctx, opts)
}

func (s *split) Close() error { return errors.Join(s.readers.Close(), s.writer.Close()) }

type route struct{ writer, readers *sql.DB }

func (r route) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return r.writer.ExecContext(ctx, text, args...)
}

func (r route) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if OnlyReads(text) {
		return r.readers.QueryContext(ctx, text, args...)
	}
	return r.writer.QueryContext(ctx, text, args...)
}

// makePrivate makes the database's file, which holds the names and addresses of customers, readable and
// writable by its owner only. It creates the file if there is none: SQLite gives the files that it creates
// beside it the same mode, whatever the umask. Those that exist already, beside, are made private too if
// this user owns them.
//
// An existing file is never opened here: closing it would release the locks that other connections of this
// process hold on it.
func makePrivate(path string, beside ...string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the file: %w", err)
	}
	for _, one := range append([]string{path}, beside...) {
		info, err := os.Stat(one)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err == nil {
			err = os.Chmod(one, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("make the file private: %w", err)
		}
	}
	return nil
}

type unsyncedKey struct{}

// WithoutSync returns a context whose transactions do not wait until they are on disk: a power cut or a
// crash of the database's server may lose the last ones; the end of this process does not. It is for rate
// limits, which promise nothing: in a flood each request would otherwise wait for the disk, and every other
// request behind it. A joint transaction ignores it.
func WithoutSync(ctx context.Context) context.Context {
	return context.WithValue(ctx, unsyncedKey{}, true)
}

// WithSync returns a context whose transactions wait until they are on disk, whatever WithoutSync says.
func WithSync(ctx context.Context) context.Context { return context.WithValue(ctx, unsyncedKey{}, nil) }

// unsynced are the statements that a connection runs around a transaction of WithoutSync. Empty ones are
// skipped.
type unsynced struct{ before, within, after string }

func (c *conn) beginUnsynced(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.run(ctx, c.of.unsynced.before); err != nil {
		return nil, err
	}
	begun, err := c.begin(ctx, opts)
	if err != nil {
		c.syncAgain()
		return nil, err
	}
	begun.unsynced = true
	if err := c.run(ctx, c.of.unsynced.within); err != nil {
		_ = begun.Rollback() // fails only with the connection
		return nil, err
	}
	return begun, nil
}

// syncAgain restores the settings after a transaction of beginUnsynced. If that fails, the connection is not
// used again.
func (c *conn) syncAgain() {
	if c.run(context.Background(), c.of.unsynced.after) != nil {
		c.broken = true
	}
}

// run runs a statement without arguments; it does nothing if text is empty.
func (c *conn) run(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	_, err := c.session.ExecContext(ctx, text, nil)
	return err
}
