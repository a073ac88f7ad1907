package database

import (
	"context"
	"database/sql"
	"fmt"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/share"
)

// sharing is a driver whose connections are shared out between tenants and clients, which wait for their turn
// here: those who wait for a connection of database/sql get one in random order, so that of many some would
// wait very long. Two kinds of work take a slot, unless it is of a command, such as the migrations of ent,
// whose rows must be those of database/sql:
//   - a statement that reads, until its rows are closed,
//   - a transaction, until it ends; a statement that writes outside one counts as a transaction.
type sharing struct {
	rawDriver
	reads, transactions *share.Slots
}

// shareOut shares out a driver that has so many connections for reading and so many for transactions. Where
// these are the same ones, some are left to transactions. Statements and transactions of those who have long ones
// get a part of them.
func shareOut(d rawDriver, reads, transactions int) *sharing {
	return &sharing{d, share.New(reads, max(1, reads/3)), share.New(transactions, max(1, transactions/2))}
}

// take waits for a slot.
func take(ctx context.Context, slots *share.Slots) (release func(), err error) {
	if !share.Counts(ctx) {
		return func() {}, nil
	}
	if release, err = slots.Take(ctx); err != nil {
		return nil, fmt.Errorf("wait for a connection, which other requests have: %w", err)
	}
	return release, nil
}

func (d *sharing) Query(ctx context.Context, text string, args, v any) error {
	slots := d.transactions
	if onlyReads(text) {
		slots = d.reads
	}
	rows, ok := v.(*entsql.Rows)
	if !ok || !share.Counts(ctx) {
		return d.rawDriver.Query(ctx, text, args, v)
	}
	release, err := take(ctx, slots)
	if err != nil {
		return err
	}
	if err := d.rawDriver.Query(ctx, text, args, rows); err != nil {
		release()
		return err
	}
	rows.ColumnScanner = &held{
		ColumnScanner: rows.ColumnScanner,
		release:       func() error { release(); return nil },
	}
	return nil
}

func (d *sharing) Exec(ctx context.Context, text string, args, v any) error {
	release, err := take(ctx, d.transactions)
	if err != nil {
		return err
	}
	defer release()
	return d.rawDriver.Exec(ctx, text, args, v)
}

func (d *sharing) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	release, err := take(ctx, d.transactions)
	if err != nil {
		return nil, err
	}
	defer release()
	return d.rawDriver.ExecContext(ctx, text, args...)
}

func (d *sharing) Tx(ctx context.Context) (dialect.Tx, error) { return d.BeginTx(ctx, nil) }

func (d *sharing) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	slots := d.transactions
	if opts != nil && opts.ReadOnly {
		slots = d.reads
	}
	release, err := take(ctx, slots)
	if err != nil {
		return nil, err
	}
	tx, err := d.rawDriver.BeginTx(ctx, opts)
	if err != nil {
		release()
		return nil, err
	}
	return &sharedTx{tx.(rawTx), release}, nil
}

// rawTx is a transaction of ent's with the optional methods that its generated code looks for.
type rawTx interface {
	dialect.Tx
	entsql.ExecQuerier
}

// sharedTx is a transaction that gives its slot back when it ends.
type sharedTx struct {
	rawTx
	release func()
}

func (t *sharedTx) Commit() error {
	defer t.release()
	return t.rawTx.Commit()
}

func (t *sharedTx) Rollback() error {
	defer t.release()
	return t.rawTx.Rollback()
}
