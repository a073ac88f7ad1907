package database

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// Joint is one transaction that all work of a context takes part in, from its first write on. Reads before
// that go where they otherwise would. Code that knows nothing of it works unchanged: each transaction within
// it, and each write outside of one, is a savepoint, so a failure undoes only itself.
//
// A deadlock or another retryable error ends it, and every later statement fails: it would keep the locks of
// its earlier writes, so only the whole can be run again.
//
// Several goroutines may use it. A transaction within it excludes other writes until it ends, as on SQLite.
type Joint struct {
	raw    dialect.Driver
	ctx    context.Context // of the transaction
	within context.Context // the context of parts, derived from ctx
	first  Act
	ended  atomic.Bool

	writer turn // held by a part from its beginning to its end
	// line is held by a statement, and by a query until its rows are closed. It guards the fields below.
	line     turn
	tx       dialect.Tx
	failed   error // why the transaction did not begin
	conflict error // the retryable error that ended it

	mu             sync.Mutex
	after, refused []func() // see AfterCommit and AfterRefusal
	deferred       []*deferredWrite
}

// Act is work that the owner of a joint transaction does in it. If it fails, the transaction is rolled back.
type Act func(ctx context.Context, tx dialect.ExecQuerier) error

type jointKey struct{}

// Join returns a context whose work takes part in a joint transaction. first runs when the transaction has
// begun; if it fails, the transaction is rolled back, and the write that began it fails with the same error,
// as do all later ones. The owner calls Commit or Rollback at the end; after that the context is an ordinary
// one.
func (db *DB) Join(ctx context.Context, first Act) (context.Context, *Joint) {
	j := &Joint{raw: db.driver.raw, ctx: ctx, first: first, writer: make(turn, 1), line: make(turn, 1)}
	j.within = context.WithValue(ctx, jointKey{}, j)
	return j.within, j
}

// jointOf returns the joint transaction of a context, or nil.
func jointOf(ctx context.Context) *Joint {
	if j, _ := ctx.Value(jointKey{}).(*Joint); j != nil && !j.ended.Load() {
		return j
	}
	return nil
}

// Failed returns why the transaction did not begin; nil if it did, or if nothing was written.
func (j *Joint) Failed() error {
	if j.line.take(j.ctx) != nil {
		return j.ctx.Err()
	}
	defer j.line.give()
	return j.failed
}

// Conflict returns the deadlock or other retryable error that ended the transaction, or nil.
func (j *Joint) Conflict() error {
	j.line <- struct{}{}
	defer j.line.give()
	return j.conflict
}

// noteConflict records a retryable error and returns err.
func (j *Joint) noteConflict(err error) error {
	if err != nil && IsRetryable(err) {
		j.conflict = err
	}
	return err
}

// open returns an error unless statements can be sent.
func (j *Joint) open() error {
	if j.tx == nil || j.ended.Load() {
		return sql.ErrTxDone
	}
	return j.conflict
}

// Commit runs last and commits the transaction. If nothing was written yet, the transaction begins first.
func (j *Joint) Commit(last Act) error {
	if err := j.begin(j.ctx); err != nil {
		return err
	}
	if err := j.writeDeferred(); err != nil {
		return err
	}
	if err := j.end(last); err != nil {
		return err
	}
	j.committed()
	return nil
}

// end runs last and commits.
func (j *Joint) end(last Act) error {
	if err := j.line.take(j.ctx); err != nil {
		return err
	}
	defer j.line.give()
	if j.ended.Swap(true) {
		return sql.ErrTxDone
	}
	err := j.conflict
	if err == nil {
		err = j.noteConflict(last(j.ctx, j.tx))
	}
	if err != nil {
		_ = j.tx.Rollback() // fails only with the connection, which undoes it too
		return err
	}
	return j.noteConflict(j.tx.Commit())
}

// Rollback rolls the transaction back, unless it has ended. It waits until no statement is running.
func (j *Joint) Rollback() {
	j.line <- struct{}{}
	defer j.line.give()
	if !j.ended.Swap(true) && j.tx != nil {
		_ = j.tx.Rollback() // fails only with the connection, which undoes it too
	}
}

// begin begins the transaction if it has not begun.
func (j *Joint) begin(ctx context.Context) error {
	if err := j.line.take(ctx); err != nil {
		return err
	}
	defer j.line.give()
	switch {
	case j.ended.Load():
		return sql.ErrTxDone
	case j.failed != nil || j.tx != nil:
		return j.failed
	}
	tx, err := j.raw.Tx(j.ctx)
	if err == nil {
		if err = j.first(j.ctx, tx); err != nil {
			_ = tx.Rollback() // fails only with the connection, which undoes it too
		}
	}
	if err != nil {
		j.failed = err
		return err
	}
	j.tx = tx
	return nil
}

// use runs a statement while it holds the connection.
func (j *Joint) use(ctx context.Context, statement func(tx dialect.Tx) error) error {
	if err := j.line.take(ctx); err != nil {
		return err
	}
	defer j.line.give()
	if err := j.open(); err != nil {
		return err
	}
	return j.noteConflict(statement(j.tx))
}

// query runs a query and holds the connection until its rows are closed; then it calls after.
func (j *Joint) query(ctx context.Context, text string, args any, rows *entsql.Rows,
	after func() error) error {
	if err := j.line.take(ctx); err != nil {
		return err
	}
	if err := j.open(); err != nil {
		j.line.give()
		return err
	}
	if err := j.tx.Query(ctx, text, args, rows); err != nil {
		defer j.line.give()
		return j.noteConflict(err)
	}
	inner := rows.ColumnScanner
	rows.ColumnScanner = &held{ColumnScanner: inner,
		release: func() error { _ = j.noteConflict(inner.Err()); j.line.give(); return after() }}
	return nil
}

// begun reports whether the transaction is open, so that reads belong to it.
func (j *Joint) begun(ctx context.Context) (bool, error) {
	if err := j.line.take(ctx); err != nil {
		return false, err
	}
	defer j.line.give()
	return j.tx != nil && !j.ended.Load(), nil
}

// held are rows that call release when they are closed.
type held struct {
	entsql.ColumnScanner
	release func() error
}

func (h *held) Close() error {
	err := h.ColumnScanner.Close()
	if release := h.release; release != nil {
		h.release = nil
		if failed := release(); err == nil {
			err = failed
		}
	}
	return err
}

// turn is a lock that can be waited for with a context.
type turn chan struct{}

func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) give() { <-t }
