package database

import (
	"context"
	"database/sql"
	"errors"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// joining is the dialect.Driver of a database. The work of a context with a joint transaction takes part in
// that transaction; all other work goes to the underlying driver.
type joining struct {
	raw   rawDriver
	short *sql.DB // DB.ShortReads, which is closed with the driver
}

// rawDriver is an ent driver with the optional methods that ent's generated code looks for.
type rawDriver interface {
	dialect.Driver
	entsql.ExecQuerier
	BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
}

func (d *joining) Dialect() string { return d.raw.Dialect() }

func (d *joining) Close() error {
	return errors.Join(d.short.Close(), d.raw.Close())
}

func (d *joining) Exec(ctx context.Context, text string, args, v any) error {
	j := jointOf(ctx)
	if j == nil {
		return d.raw.Exec(ctx, text, args, v)
	}
	return j.alone(ctx, func(p *part) error { return p.Exec(ctx, text, args, v) })
}

func (d *joining) Query(ctx context.Context, text string, args, v any) error {
	j := jointOf(ctx)
	if j == nil {
		return d.raw.Query(ctx, text, args, v)
	}
	rows, ok := v.(*entsql.Rows)
	if !ok {
		return errors.New("database: a query in a joint transaction gives *sql.Rows of ent")
	}
	if onlyReads(text) {
		begun, err := j.begun(ctx)
		if err != nil {
			return err
		}
		if !begun {
			return d.raw.Query(ctx, text, args, v)
		}
		return j.query(ctx, text, args, rows, func() error { return nil })
	}
	p, err := j.part(ctx)
	if err != nil {
		return err
	}
	err = j.query(ctx, text, args, rows, func() error {
		if rows.Err() != nil {
			return p.Rollback()
		}
		return p.Commit()
	})
	if err != nil {
		_ = p.Rollback() // fails only with the connection
	}
	return err
}

// Tx starts a transaction: within a joint one, a savepoint.
func (d *joining) Tx(ctx context.Context) (dialect.Tx, error) { return d.BeginTx(ctx, nil) }

// BeginTx is Tx with options, which a savepoint ignores.
func (d *joining) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	if j := jointOf(ctx); j != nil {
		return j.part(ctx)
	}
	return d.raw.BeginTx(ctx, opts)
}

func (d *joining) ExecContext(ctx context.Context, text string, args ...any) (result sql.Result, err error) {
	j := jointOf(ctx)
	if j == nil {
		return d.raw.ExecContext(ctx, text, args...)
	}
	err = j.alone(ctx, func(p *part) error { result, err = p.ExecContext(ctx, text, args...); return err })
	return result, err
}

// QueryContext reads outside the joint transaction, since the transaction would not learn when its rows are
// closed. A transaction has a QueryContext of its own.
func (d *joining) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if jointOf(ctx) != nil && !onlyReads(text) {
		return nil, errors.New("database: a statement that writes and gives rows needs a transaction of its own here")
	}
	return d.raw.QueryContext(ctx, text, args...)
}

// part is a transaction within a joint one.
type part struct {
	j    *Joint
	done bool
}

// These statements make and end the savepoint of a part. One name is enough, as parts never overlap.
const (
	savepoint  = "SAVEPOINT part"
	releaseIt  = "RELEASE SAVEPOINT part"
	rollBackTo = "ROLLBACK TO SAVEPOINT part"
)

// part begins a part, and first the joint transaction if it has not begun.
func (j *Joint) part(ctx context.Context) (*part, error) {
	if ctx.Value(skipDeferredKey{}) == nil {
		if err := j.writeDeferred(); err != nil {
			return nil, err
		}
	}
	if err := j.writer.take(ctx); err != nil {
		return nil, err
	}
	err := j.begin(ctx)
	if err == nil {
		err = j.use(ctx, func(tx dialect.Tx) error { return tx.Exec(ctx, savepoint, []any{}, nil) })
	}
	if err != nil {
		j.writer.give()
		return nil, err
	}
	return &part{j: j}, nil
}

// alone runs a single statement as a part.
func (j *Joint) alone(ctx context.Context, statement func(*part) error) error {
	p, err := j.part(ctx)
	if err != nil {
		return err
	}
	if err := statement(p); err != nil {
		_ = p.Rollback() // fails only with the connection
		return err
	}
	return p.Commit()
}

// Commit keeps what the part wrote, unless the joint transaction is rolled back later.
func (p *part) Commit() error {
	return p.end(func(tx dialect.Tx) error { return tx.Exec(p.j.ctx, releaseIt, []any{}, nil) })
}

// Rollback undoes what the part wrote.
func (p *part) Rollback() error {
	return p.end(func(tx dialect.Tx) error {
		return tx.Exec(p.j.ctx, rollBackTo, []any{}, nil) // the released savepoint stays; the next one hides it
	})
}

func (p *part) end(how func(tx dialect.Tx) error) error {
	if p.done {
		return sql.ErrTxDone
	}
	p.done = true
	defer p.j.writer.give()
	return p.j.use(p.j.ctx, how)
}

func (p *part) Exec(ctx context.Context, text string, args, v any) error {
	return p.j.use(ctx, func(tx dialect.Tx) error { return tx.Exec(ctx, text, args, v) })
}

func (p *part) Query(ctx context.Context, text string, args, v any) error {
	rows, ok := v.(*entsql.Rows)
	if !ok {
		return errors.New("database: a query in a joint transaction gives *sql.Rows of ent")
	}
	return p.j.query(ctx, text, args, rows, func() error { return nil })
}

func (p *part) ExecContext(ctx context.Context, text string, args ...any) (result sql.Result, err error) {
	err = p.j.use(ctx, func(tx dialect.Tx) error {
		result, err = tx.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
		return err
	})
	return result, err
}

// QueryContext returns rows that must be closed before anything else is done with the context.
func (p *part) QueryContext(ctx context.Context, text string, args ...any) (rows *sql.Rows, err error) {
	err = p.j.use(ctx, func(tx dialect.Tx) error {
		rows, err = tx.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
		return err
	})
	return rows, err
}
