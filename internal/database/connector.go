package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"storefront/internal/platform/tracing"
)

// session is a connection of lib/pq or modernc with the optional interfaces of database/sql/driver that
// both have.
type session interface {
	driver.Conn
	driver.Pinger
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.ConnBeginTx
	driver.SessionResetter
	driver.Validator
}

func asSession(c driver.Conn, w *wire) (session, *wire, error) {
	s, ok := c.(session)
	if !ok {
		c.Close()
		return nil, nil, fmt.Errorf("%T lacks an interface of database/sql/driver", c)
	}
	return s, w, nil
}

type connector struct {
	open       func(ctx context.Context) (session, *wire, error) // no wire if there is no network connection
	driver     driver.Driver
	statements int // kept by a connection
	unsynced   unsynced
	pooler     *pooler                 // PostgreSQL: a pooler in between, if one was found
	full       func()                  // called when the server takes no more connections
	diskSpace  *diskSpace              // nil: full disks are not recorded
	inspect    func(text string) error // of Inspect; nil outside tests
}

func (c *connector) Driver() driver.Driver { return c.driver }

func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	s, w, err := c.open(ctx)
	if isFull(err) && c.full != nil {
		c.full()
		// database/sql tries again, and waits for one that is open
		return nil, fmt.Errorf("%w: %w", driver.ErrBadConn, err)
	}
	if err != nil {
		return nil, err
	}
	statements := c.statements
	if c.pooler.found() {
		statements = 0
	}
	return &conn{session: s, wire: w, kept: newStatements(statements), of: c}, nil
}

// conn is a connection with its prepared statements. database/sql uses it from one goroutine at a time.
type conn struct {
	session
	wire   *wire
	kept   *statements
	of     *connector
	inTx   bool
	open   int  // rows not closed yet
	broken bool // the connection must not be used again
}

var (
	errNested = errors.New("a statement was run before the rows of the one before it were closed, which " +
		"PostgreSQL cannot do on one connection")
	errNoServer = errors.New("no server of the database can be used")
	errLost     = errors.New("the connection to the database was lost after a change was sent: whether " +
		"it was made is unknown")
)

// Close closes the connection. Its statements are closed first, since SQLite keeps a connection and its
// files open while one of its statements is.
func (c *conn) Close() error {
	c.wire.until(context.Background()) // not bounded by the context of the last statement
	if c.wire == nil {
		for text := range c.kept.at {
			_ = c.kept.find(text).Close()
		}
	}
	return c.session.Close()
}

// QueryContext runs a statement with rows. With arguments it is prepared the first time and kept.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.inspected(text); err != nil {
		return nil, err
	}
	span := tracing.BeginStatement(ctx, c.system(), text)
	found, err := again(ctx, c, func() (driver.Rows, error) { return c.query(ctx, text, args) })
	if span != nil {
		if r, ok := found.(*rows); ok {
			r.span = span
		} else {
			span.End(codeOf(err))
		}
	}
	return found, err
}

// again runs a statement, and outside a transaction once more if its prepared statement is outdated.
func again[T any](ctx context.Context, c *conn, run func() (T, error)) (result T, err error) {
	result, err = awaitLock(ctx, c, run)
	if c.foundPooler(err) && !c.inTx {
		return result, driver.ErrBadConn
	}
	if isOutdated(err) && !c.inTx {
		return run() // prepared again
	}
	return result, err
}

func (c *conn) query(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	st, err := c.prepared(ctx, text, args)
	if err != nil {
		return nil, err
	}
	var inner driver.Rows
	sent := c.wire.sent()
	if st != nil {
		inner, err = st.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	} else {
		inner, err = c.session.QueryContext(ctx, text, args)
	}
	if err != nil {
		return nil, c.failed(err, text, st, sent)
	}
	c.open++
	if st != nil {
		st.inUse = true
	}
	return &rows{Rows: inner, conn: c, st: st, count: readLimit(ctx)}, nil
}

// ExecContext runs a statement without rows. With arguments it is prepared the first time and kept.
func (c *conn) ExecContext(ctx context.Context, text string,
	args []driver.NamedValue) (driver.Result, error) {
	if err := c.inspected(text); err != nil {
		return nil, err
	}
	span := tracing.BeginStatement(ctx, c.system(), text)
	result, err := again(ctx, c, func() (driver.Result, error) { return c.exec(ctx, text, args) })
	if span != nil && err == nil {
		span.Rows, _ = result.RowsAffected() // 0 if the driver does not know
	}
	span.End(codeOf(err))
	return result, err
}

func (c *conn) exec(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	st, err := c.prepared(ctx, text, args)
	if err != nil {
		return nil, err
	}
	var result driver.Result
	sent := c.wire.sent()
	if st != nil {
		result, err = st.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	} else {
		result, err = c.session.ExecContext(ctx, text, args)
	}
	if err != nil {
		return nil, c.failed(err, text, st, sent)
	}
	return result, nil
}

// prepared returns the prepared statement for a text, or nil if the text is better run unprepared: it has no
// arguments, and so takes one round trip anyway, it is too long to be kept, or its prepared statement is in
// use by open rows.
func (c *conn) prepared(ctx context.Context, text string, args []driver.NamedValue) (*statement, error) {
	if c.open > 0 && c.wire != nil {
		return nil, errNested
	}
	c.wire.until(ctx)
	if len(args) == 0 || c.kept.limit == 0 || len(text) > maxStatementBytes {
		return nil, nil
	}
	if st := c.kept.find(text); st != nil {
		if st.inUse {
			return nil, nil
		}
		return st, nil
	}
	inner, err := c.session.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return c.kept.add(text, inner), nil
}

// failed drops a prepared statement whose plan may have caused err. database/sql repeats a statement after
// driver.ErrBadConn, which lib/pq also returns when the answer was lost; failed returns another error for a
// write that was sent, which must not be sent again.
func (c *conn) failed(err error, text string, st *statement, sent int64) error {
	if st != nil && !isConstraint(err) {
		c.kept.drop(st)
	}
	c.of.diskSpace.note(err)
	if isReadOnly(err) {
		c.wire.renew()
	}
	if c.of.pooler.found() && inClass(stateOf(err), "08") {
		// the pooler has lost its server, and so the other connections are lost, too
		c.wire.lastLost.Store(time.Now().UnixNano())
	}
	if errors.Is(err, driver.ErrBadConn) && c.wire.sent() != sent && !OnlyReads(text) {
		return errLost
	}
	return err
}

// BeginTx starts a transaction. An outdated prepared statement is not run again in it, since its failure has
// ended the transaction.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.wire.until(ctx)
	if ctx.Value(unsyncedKey{}) != nil {
		return c.beginUnsynced(ctx, opts)
	}
	return c.begin(ctx, opts)
}

func (c *conn) begin(ctx context.Context, opts driver.TxOptions) (*tx, error) {
	inner, err := awaitLock(ctx, c, func() (driver.Tx, error) {
		if plain, ok := c.session.(beginner); ok && c.wire != nil {
			return beginPlainly(ctx, c.session, plain, opts)
		}
		return c.session.BeginTx(ctx, opts)
	})
	if err != nil {
		return nil, err
	}
	c.inTx = true
	return &tx{Tx: inner, conn: c, ctx: ctx}, nil
}

// beginner begins a transaction with the server's defaults. lib/pq's BeginTx would make it READ WRITE, and
// so write to a database that an operator has made read-only by default_transaction_read_only. All
// transactions of a connection begin this way: BeginTx of lib/pq leaves state on the connection that makes a
// later Begin panic.
type beginner interface{ Begin() (driver.Tx, error) }

func beginPlainly(ctx context.Context, s session, plain beginner, opts driver.TxOptions) (driver.Tx, error) {
	begun, err := plain.Begin()
	if err != nil || opts == (driver.TxOptions{}) {
		return begun, err
	}
	var modes []string
	if level := sql.IsolationLevel(opts.Isolation); level != sql.LevelDefault {
		modes = append(modes, "ISOLATION LEVEL "+strings.ToUpper(level.String()))
	}
	if opts.ReadOnly {
		modes = append(modes, "READ ONLY")
	}
	if _, err := s.ExecContext(ctx, "SET TRANSACTION "+strings.Join(modes, ", "), nil); err != nil {
		_ = begun.Rollback() // fails only with the connection
		return nil, err
	}
	return begun, nil
}

type tx struct {
	driver.Tx
	conn     *conn
	ctx      context.Context // that it began with, for its span
	unsynced bool
}

func (t *tx) Commit() error { return t.end("COMMIT", t.Tx.Commit) }

func (t *tx) Rollback() error { return t.end("ROLLBACK", t.Tx.Rollback) }

func (t *tx) end(word string, end func() error) error {
	t.conn.inTx = false
	t.conn.wire.until(context.Background())
	span := tracing.BeginStatement(t.ctx, t.conn.system(), word)
	err := end()
	t.conn.of.diskSpace.note(err)
	span.End(codeOf(err))
	if t.unsynced {
		t.conn.syncAgain()
	}
	return err
}

// system returns the name of the kind of database, for spans.
func (c *conn) system() string {
	if c.wire == nil {
		return "sqlite"
	}
	return "postgresql"
}

func (c *conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if err := c.inspected(text); err != nil {
		return nil, err
	}
	c.wire.until(ctx)
	return c.session.PrepareContext(ctx, text)
}

func (c *conn) Ping(ctx context.Context) error {
	c.wire.until(ctx)
	return c.session.Ping(ctx)
}

func (c *conn) ResetSession(ctx context.Context) error {
	if c.broken || !c.wire.usable() {
		return driver.ErrBadConn
	}
	return c.session.ResetSession(ctx)
}

// CheckNamedValue converts an argument to the form that both kinds of database store: a time is in UTC and
// cut to the microsecond, JSON is text.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if raw, ok := v.Value.(json.RawMessage); ok && raw != nil {
		v.Value = string(raw)
	}
	err := driver.ErrSkip
	if checker, ok := c.session.(driver.NamedValueChecker); ok {
		err = checker.CheckNamedValue(v)
	}
	if err == driver.ErrSkip {
		v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	}
	if t, ok := v.Value.(time.Time); ok {
		v.Value = t.UTC().Truncate(time.Microsecond)
	}
	return err
}
