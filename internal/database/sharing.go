package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/platform/share"
	"storefront/internal/request"
)

// sharing is a driver whose connections are shared out between tenants and clients, which wait for their turn
// here: those who wait for a connection of database/sql get one in random order, so that of many some would
// wait very long. Two kinds of work take a slot, unless it is of a command, such as the migrations of ent,
// whose rows must be those of database/sql:
//   - a statement that reads, until its rows are closed,
//   - a transaction, until it ends; a statement that writes outside one counts as a transaction.
type sharing struct {
	Driver
	reads, transactions *share.Slots

	holders sync.Map // *request.Note of each request that has a transaction; kept in tests alone
}

// Shares returns how the connections are shared out: those for reading statements, and those for
// transactions.
func (db *DB) Shares() (reads, transactions *share.Slots) {
	return db.driver.reads, db.driver.transactions
}

// Pools returns the pools of the database by names for their use.
func (db *DB) Pools() map[string]*sql.DB {
	names := []string{"all", "short"}
	if db.Dialect == dialect.SQLite {
		names = []string{"write", "read", "short"}
	}
	pools := map[string]*sql.DB{}
	for i, pool := range db.pools {
		name := fmt.Sprintf("further%d", i)
		if i < len(names) {
			name = names[i]
		}
		pools[name] = pool
	}
	return pools
}

// shareOut returns a driver that shares out the connections of d: so many for reads and so many for
// transactions. If reads and transactions share one pool, reads leave some to transactions. Clients with
// long statements and transactions get only a part.
func shareOut(d Driver, reads, transactions int) *sharing {
	return &sharing{Driver: d, reads: share.New(reads, max(1, reads/3)),
		transactions: share.New(transactions, max(1, transactions/2))}
}

// take waits for a slot. In tests it fails if the request has a transaction: requests that wait for a connection while
// they hold one can stop a server.
func (d *sharing) take(ctx context.Context, slots *share.Slots) (release func(), err error) {
	if !share.Counts(ctx) {
		return func() {}, nil
	}
	if _, holds := d.holders.Load(request.Of(ctx).Note); holds {
		return nil, errors.New("a request that has a transaction asks for another connection")
	}
	if release, err = slots.Take(ctx); err != nil {
		return nil, fmt.Errorf("wait for a connection, which other requests have: %w", err)
	}
	return release, nil
}

// uses records that a request has held a connection since began.
func uses(ctx context.Context, began time.Time) {
	request.Of(ctx).Note.Add(func(r *request.Facts) { r.Database += time.Since(began) })
}

func (d *sharing) Query(ctx context.Context, text string, args, v any) error {
	slots := d.transactions
	if OnlyReads(text) {
		slots = d.reads
	}
	rows, ok := v.(*entsql.Rows)
	if !ok || !share.Counts(ctx) {
		return d.Driver.Query(ctx, text, args, v)
	}
	release, err := d.take(ctx, slots)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := d.Driver.Query(ctx, text, args, rows); err != nil {
		release()
		return err
	}
	OnClose(rows, func() error { release(); uses(ctx, began); return nil })
	return nil
}

func (d *sharing) Exec(ctx context.Context, text string, args, v any) error {
	release, err := d.take(ctx, d.transactions)
	if err != nil {
		return err
	}
	defer release()
	defer uses(ctx, time.Now())
	return d.Driver.Exec(ctx, text, args, v)
}

func (d *sharing) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	release, err := d.take(ctx, d.transactions)
	if err != nil {
		return nil, err
	}
	defer release()
	defer uses(ctx, time.Now())
	return d.Driver.ExecContext(ctx, text, args...)
}

func (d *sharing) Tx(ctx context.Context) (dialect.Tx, error) { return d.BeginTx(ctx, nil) }

func (d *sharing) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	slots := d.transactions
	if opts != nil && opts.ReadOnly {
		slots = d.reads
	}
	release, err := d.take(ctx, slots)
	if err != nil {
		return nil, err
	}
	tx, err := d.Driver.BeginTx(ctx, opts)
	if err != nil {
		release()
		return nil, err
	}
	if of := request.Of(ctx).Note; of != nil && inspector != nil {
		d.holders.Store(of, true)
		free := release
		release = func() { d.holders.Delete(of); free() }
	}
	return &sharedTx{rawTx: tx.(rawTx), ctx: ctx, began: time.Now(), release: release}, nil
}

// rawTx is an ent transaction with the optional methods that ent's generated code looks for.
type rawTx interface {
	dialect.Tx
	entsql.ExecQuerier
}

type sharedTx struct {
	rawTx
	ctx     context.Context // of its beginning
	began   time.Time
	release func()
	over    atomic.Bool
}

func (t *sharedTx) Commit() error {
	defer t.end()
	return t.rawTx.Commit()
}

func (t *sharedTx) Rollback() error {
	defer t.end()
	return t.rawTx.Rollback()
}

// end gives the slot back. It may be called twice: some callers roll back after a commit to be sure.
func (t *sharedTx) end() {
	if !t.over.Swap(true) {
		t.release()
		uses(t.ctx, t.began)
	}
}

// OnClose makes rows call release when they are closed, once. Its error is that of closing, unless that fails.
func OnClose(rows *entsql.Rows, release func() error) {
	rows.ColumnScanner = &held{rows.ColumnScanner, release}
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
