package contract_test

import (
	"context"
	"database/sql"
	"sync"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// counter records the statements sent through the drivers it wraps.
type counter struct {
	mu     sync.Mutex
	seen   []string
	before func(text string) // called with each statement before it is sent, where it is set
	trips  bool              // COMMIT and ROLLBACK count too: all that is a round trip to PostgreSQL
}

// taken returns the statements since its last call.
func (c *counter) taken() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.seen
	c.seen = nil
	return seen
}

func (c *counter) note(text string) {
	if c.before != nil {
		c.before(text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = append(c.seen, text)
}

// counted opens a database whose statements are recorded.
func counted(t testing.TB, url string) (*store.Store, *counter) {
	t.Helper()
	s, c := *openStore(t, url), &counter{}
	s.Client = tenancy.Guard(ent.NewClient(ent.Driver(counting{s.Driver(), c})))
	return &s, c
}

type counting struct {
	dialect.Driver
	counter *counter
}

func (d counting) Exec(ctx context.Context, text string, args, v any) error {
	d.counter.note(text)
	return d.Driver.Exec(ctx, text, args, v)
}

func (d counting) Query(ctx context.Context, text string, args, v any) error {
	d.counter.note(text)
	return d.Driver.Query(ctx, text, args, v)
}

func (d counting) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	d.counter.note(text)
	return d.Driver.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
}

func (d counting) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	d.counter.note(text)
	return d.Driver.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
}

func (d counting) Tx(ctx context.Context) (dialect.Tx, error) {
	d.counter.note("BEGIN")
	tx, err := d.Driver.Tx(ctx)
	return countingTx{tx, d.counter}, err
}

type countingTx struct {
	dialect.Tx
	counter *counter
}

func (t countingTx) Exec(ctx context.Context, text string, args, v any) error {
	t.counter.note(text)
	return t.Tx.Exec(ctx, text, args, v)
}

func (t countingTx) Query(ctx context.Context, text string, args, v any) error {
	t.counter.note(text)
	return t.Tx.Query(ctx, text, args, v)
}

func (t countingTx) Commit() error {
	if t.counter.trips {
		t.counter.note("COMMIT")
	}
	return t.Tx.Commit()
}

func (t countingTx) Rollback() error {
	err := t.Tx.Rollback()
	if t.counter.trips && err == nil { // else it was committed
		t.counter.note("ROLLBACK")
	}
	return err
}

// ent's transactions run SQL written by hand with these.

func (t countingTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	t.counter.note(text)
	return t.Tx.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
}

func (t countingTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	t.counter.note(text)
	return t.Tx.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
}
