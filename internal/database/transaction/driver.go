package transaction

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// joining is the dialect.Driver of a database. The work of a context with a joint transaction takes part in
// that transaction; all other work goes to the underlying driver.
type joining struct {
	raw database.Driver
	db  *database.DB
}

// Driver returns what ent.NewClient(ent.Driver(...)) takes for work in joint transactions. Closing it closes the
// database.
func Driver(db *database.DB) dialect.Driver { return &joining{db.Driver(), db} }

func (d *joining) Dialect() string { return d.raw.Dialect() }

func (d *joining) Close() error { return d.db.Close() }

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
	begun, err := j.begun(ctx)
	switch {
	case err != nil:
		return err
	case !database.OnlyReads(text):
		return d.queryAlone(ctx, j, text, args, v)
	case begun:
		return j.query(ctx, text, args, v)
	}
	return d.raw.Query(ctx, text, args, v)
}

// queryAlone runs a single write that gives rows as a part, which ends when the rows are closed.
func (d *joining) queryAlone(ctx context.Context, j *Joint, text string, args, v any) error {
	p, err := j.part(ctx)
	if err != nil {
		return err
	}
	if err := p.Query(ctx, text, args, v); err != nil {
		_ = p.Rollback() // fails only with the connection
		return err
	}
	rows := v.(*entsql.Rows)
	database.OnClose(rows, func() error {
		if rows.Err() != nil {
			return p.Rollback()
		}
		return p.Commit()
	})
	return nil
}

// Tx starts a transaction: within a joint one, a part of it.
func (d *joining) Tx(ctx context.Context) (dialect.Tx, error) { return d.BeginTx(ctx, nil) }

// BeginTx is Tx with options. A transaction that only reads is a part of the joint one only if that has begun.
func (d *joining) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	j := jointOf(ctx)
	if j == nil {
		return d.raw.BeginTx(ctx, opts)
	}
	reads := opts != nil && opts.ReadOnly
	if begun, err := j.begun(ctx); err != nil || !begun && reads {
		if err == nil {
			return d.raw.BeginTx(ctx, opts)
		}
		return nil, err
	}
	p, err := j.part(ctx)
	if err != nil {
		return nil, err
	}
	p.reads = reads
	return p, nil
}

func (d *joining) ExecContext(ctx context.Context, text string, args ...any) (result sql.Result, err error) {
	j := jointOf(ctx)
	if j == nil {
		return d.raw.ExecContext(ctx, text, args...)
	}
	err = j.alone(ctx, func(p *part) error { result, err = p.ExecContext(ctx, text, args...); return err })
	return result, err
}

// QueryContext gives rows of which a joint transaction would not learn when they are closed. In one that has begun
// it therefore fails: use Query. A transaction has a QueryContext of its own.
func (d *joining) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if j := jointOf(ctx); j != nil {
		if begun, err := j.begun(ctx); err != nil || begun || !database.OnlyReads(text) {
			return nil, cmp.Or(err, errors.New("transaction: rows are read by Query in a joint transaction"))
		}
	}
	return d.raw.QueryContext(ctx, text, args...)
}
