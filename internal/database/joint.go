package database

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// Joint is one transaction that everything done with a context takes part in, from its first write on.
// Until then reads go where they always go. Code that knows nothing of it works in it unchanged: a
// transaction of its own is a savepoint, and so is each write outside of one, so that what fails undoes
// itself and nothing else.
//
// A deadlock, or what else asks for another try, ends it: the locks of what was written before would be held
// on to, and so nothing less than all of it can be run again. Every statement fails from then on.
//
// Several goroutines may use it. As with SQLite's one writer, a transaction within it excludes other writes
// until it ends.
type Joint struct {
	raw    dialect.Driver
	ctx    context.Context // of the transaction
	within context.Context // the same, of its parts
	first  Act
	ended  atomic.Bool

	writer turn // of who writes: a part from its beginning to its end
	// of who uses the connection: a statement; a query until its rows are closed. It guards what follows
	line     turn
	tx       dialect.Tx
	failed   error // why it did not begin
	conflict error // with another transaction

	mu             sync.Mutex
	after, refused []func() // see AfterCommit and AfterRefusal
	deferred       []*deferredWrite
}

// Act is work of the owner of a joint transaction, on the transaction itself. When it fails, all is undone.
type Act func(ctx context.Context, tx dialect.ExecQuerier) error

type jointKey struct{}

// Join returns a context whose work takes part in a joint transaction. first runs when the transaction has
// begun; when it fails, the transaction is undone, and the write that began it fails with the same error,
// as do all that follow. The owner calls Commit or Rollback when the work is done; a context that outlives
// them is an ordinary one.
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

// Failed says why the transaction did not begin; nil when it did, or when nothing was written.
func (j *Joint) Failed() error {
	if j.line.take(j.ctx) != nil {
		return j.ctx.Err()
	}
	defer j.line.give()
	return j.failed
}

// Conflict is the deadlock, or what else asks for another try, that ended the transaction; nil: there was none.
func (j *Joint) Conflict() error {
	j.line <- struct{}{}
	defer j.line.give()
	return j.conflict
}

// met notes an error of a statement.
func (j *Joint) met(err error) error {
	if err != nil && IsRetryable(err) {
		j.conflict = err
	}
	return err
}

// open fails unless statements can be sent.
func (j *Joint) open() error {
	if j.tx == nil || j.ended.Load() {
		return sql.ErrTxDone
	}
	return j.conflict
}

// Commit ends the transaction by a last step. Where nothing was written it begins first.
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

// end is the end of Commit.
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
		err = j.met(last(j.ctx, j.tx))
	}
	if err != nil {
		_ = j.tx.Rollback() // fails only with the connection, which undoes it too
		return err
	}
	return j.met(j.tx.Commit())
}

// Rollback undoes the transaction, unless it has ended. It waits until nobody uses it any more.
func (j *Joint) Rollback() {
	j.line <- struct{}{}
	defer j.line.give()
	if !j.ended.Swap(true) && j.tx != nil {
		_ = j.tx.Rollback() // fails only with the connection, which undoes it too
	}
}

// begin begins the transaction, unless it has begun.
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

// use runs a statement on the connection, which others do not use meanwhile.
func (j *Joint) use(ctx context.Context, statement func(tx dialect.Tx) error) error {
	if err := j.line.take(ctx); err != nil {
		return err
	}
	defer j.line.give()
	if err := j.open(); err != nil {
		return err
	}
	return j.met(statement(j.tx))
}

// query runs a query. Others do not use the connection until its rows are closed; what is to be done then
// is after.
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
		return j.met(err)
	}
	inner := rows.ColumnScanner
	rows.ColumnScanner = &held{ColumnScanner: inner,
		release: func() error { _ = j.met(inner.Err()); j.line.give(); return after() }}
	return nil
}

// begun reports whether reads find the transaction.
func (j *Joint) begun(ctx context.Context) (bool, error) {
	if err := j.line.take(ctx); err != nil {
		return false, err
	}
	defer j.line.give()
	return j.tx != nil && !j.ended.Load(), nil
}

// held are rows that hold something until they are closed.
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

// turn is taken by one at a time.
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
