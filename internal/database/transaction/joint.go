package transaction

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"sync/atomic"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// Joint is the one transaction of a request with an Idempotency-Key. It begins at the first write of the request's
// context; from then on all statements of the context go through its connection, one after another. A transaction
// of the code below is a part of it: its Commit keeps nothing yet, and a part or a single write that fails ends it.
// If nothing else was written before, it may begin again; otherwise every later statement fails.
//
// Several goroutines may use it. A part excludes other writes until it ends, as on SQLite.
type Joint struct {
	raw   dialect.Driver
	owner context.Context // ends the transaction
	acts  Acts
	ended atomic.Bool

	writer turn // held by a part from its beginning to its end
	// line is held by a statement, and by a query until its rows are closed. It guards the fields below.
	line     turn
	tx       dialect.Tx
	parts    int      // that ended well
	refuse   bool     // keepRefused was called
	conflict error    // of a statement, with another transaction
	failed   error    // why it did not begin, or cannot be used any more
	unbegun  bool     // it did not begin
	after    []func() // of AfterCommit
}

// Act is work that the owner of a joint transaction does in it. If it fails, the transaction is rolled back.
type Act func(ctx context.Context, tx dialect.ExecQuerier) error

// Acts are what the owner of a joint transaction does in it.
type Acts struct {
	First   Act  // when it has begun; an error of it is that of the write that began it and of all later ones
	Refused Act  // before the commit of a refusal (Keep)
	Early   bool // Written commits it
}

type jointKey struct{}

// Join returns a context whose work takes part in a joint transaction. The owner calls Commit or Rollback at the
// end; after that the context is an ordinary one.
func Join(ctx context.Context, db *database.DB, acts Acts) (context.Context, *Joint) {
	j := &Joint{raw: db.Driver(), owner: ctx, acts: acts, writer: make(turn, 1), line: make(turn, 1)}
	return context.WithValue(ctx, jointKey{}, j), j
}

// Apart returns a context whose work does not take part in the joint transaction of ctx. Use it before the first
// write, for what must be kept even if the request is refused, or waits in the process.
func Apart(ctx context.Context) context.Context {
	if jointOf(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, jointKey{}, (*Joint)(nil))
}

func jointOf(ctx context.Context) *Joint {
	if j, _ := ctx.Value(jointKey{}).(*Joint); j != nil && !j.ended.Load() {
		return j
	}
	return nil
}

// Joined reports whether ctx works in a joint transaction, whose writes may still be rolled back.
func Joined(ctx context.Context) bool { return jointOf(ctx) != nil }

// AfterCommit calls f once everything written with ctx is committed: at once outside a joint transaction,
// else after its commit. It does not call f if the joint transaction is rolled back.
//
// Use it for whatever is cached, counted or sent outside the database. Call it after the caller's own
// transaction has ended; within one, use OnCommit.
func AfterCommit(ctx context.Context, f func()) {
	j := jointOf(ctx)
	if j == nil {
		f()
		return
	}
	j.line <- struct{}{}
	defer j.line.give()
	j.after = append(j.after, f)
}

// keepRefused makes the commit of the part that is open in the joint transaction of ctx the end of the whole: the
// request is refused, and what it wrote is kept, except for what its owner takes out. Otherwise it does nothing.
func keepRefused(ctx context.Context) {
	if j := jointOf(ctx); j != nil {
		j.refuse = true // read by the part, which the caller holds
	}
}

// Written says that the work of ctx has written everything. It commits the joint transaction if its owner wants
// it Early.
func Written(ctx context.Context) error {
	if j := jointOf(ctx); j != nil && j.acts.Early {
		return j.Commit(nil)
	}
	return nil
}

// Commit runs last, unless it is nil, and commits the transaction. If nothing was written yet, the transaction
// begins first. It does nothing if the transaction was committed by Written.
func (j *Joint) Commit(last Act) error {
	if err := j.line.take(j.owner); err != nil {
		return err
	}
	defer j.line.give()
	if j.ended.Load() {
		return sql.ErrTxDone
	}
	err := j.begin(j.owner)
	if err == nil && last != nil {
		err = last(j.owner, j.tx)
	}
	if err != nil {
		j.fail(err)
		return err
	}
	return j.commit()
}

// commit commits and calls the functions of AfterCommit, which must find an ordinary context.
func (j *Joint) commit() error {
	j.ended.Store(true)
	if err := j.tx.Commit(); err != nil {
		j.failed = err
		return err
	}
	for _, f := range j.after {
		f()
	}
	return nil
}

// Rollback rolls the transaction back, unless it has ended. It waits until no statement is running.
func (j *Joint) Rollback() {
	j.line <- struct{}{}
	defer j.line.give()
	if !j.ended.Swap(true) && j.tx != nil {
		_ = j.tx.Rollback() // fails only with the connection, which undoes it too
		j.tx = nil
	}
}

// Committed reports whether the transaction was committed, by Written or as a refusal that is kept.
func (j *Joint) Committed() bool {
	j.line <- struct{}{}
	defer j.line.give()
	return j.ended.Load() && j.failed == nil && j.tx != nil
}

// Failed returns why the transaction did not begin, or was ended by what failed within it; nil if it is usable.
func (j *Joint) Failed() error {
	j.line <- struct{}{}
	defer j.line.give()
	return j.failed
}

// Conflicted reports whether the transaction, having begun, was ended by a deadlock or another retryable error.
func (j *Joint) Conflicted() bool {
	j.line <- struct{}{}
	defer j.line.give()
	return !j.unbegun && database.IsRetryable(j.failed)
}

// begin begins the transaction if it has not begun. It belongs to the shop of ctx and ends with the owner's context.
func (j *Joint) begin(ctx context.Context) error {
	switch {
	case j.ended.Load():
		return sql.ErrTxDone
	case j.failed != nil || j.tx != nil:
		return j.failed
	}
	owned := lasting{j.owner, database.WithSync(ctx)}
	tx, err := j.raw.Tx(owned)
	if err == nil {
		if err = j.acts.First(owned, tx); err != nil {
			_ = tx.Rollback() // fails only with the connection, which undoes it too
		}
	}
	if err != nil {
		j.failed, j.unbegun = err, true
		return err
	}
	j.tx = tx
	return nil
}

// lasting is a context with the end of one and the values of another.
type lasting struct {
	context.Context
	values context.Context
}

func (l lasting) Value(key any) any { return l.values.Value(key) }

func (j *Joint) fail(err error) {
	if j.tx == nil {
		return
	}
	_ = j.tx.Rollback() // fails only with the connection, which undoes it too
	if j.parts > 0 {
		j.failed = cmp.Or(j.conflict, err)
	}
	j.tx, j.refuse, j.conflict, j.after = nil, false, nil, nil
}

// noteConflict records an error after which the whole may be run again, and returns err.
func (j *Joint) noteConflict(err error) error {
	if database.IsRetryable(err) {
		j.conflict = err
	}
	return err
}

// use runs a statement of an open transaction while it holds the connection.
func (j *Joint) use(ctx context.Context, statement func(tx dialect.Tx) error) error {
	if err := j.line.take(ctx); err != nil {
		return err
	}
	defer j.line.give()
	if j.tx == nil || j.ended.Load() {
		return errors.Join(sql.ErrTxDone, j.failed)
	}
	return j.noteConflict(statement(j.tx))
}

// query runs a query of an open transaction and holds the connection until its rows are closed.
func (j *Joint) query(ctx context.Context, text string, args, v any) error {
	rows, ok := v.(*entsql.Rows)
	if !ok {
		return errors.New("transaction: a query in a joint transaction gives *sql.Rows of ent")
	}
	if err := j.line.take(ctx); err != nil {
		return err
	}
	if j.tx == nil || j.ended.Load() {
		defer j.line.give()
		return errors.Join(sql.ErrTxDone, j.failed)
	}
	if err := j.tx.Query(ctx, text, args, rows); err != nil {
		defer j.line.give()
		return j.noteConflict(err)
	}
	inner := rows.ColumnScanner
	database.OnClose(rows, func() error {
		_ = j.noteConflict(inner.Err())
		j.line.give()
		return nil
	})
	return nil
}

// begun reports whether the transaction is open, so that reads belong to it.
func (j *Joint) begun(ctx context.Context) (bool, error) {
	if err := j.line.take(ctx); err != nil {
		return false, err
	}
	defer j.line.give()
	return j.tx != nil && !j.ended.Load(), j.failed
}
