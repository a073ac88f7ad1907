package shoptest

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/internal/app"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
)

// Meanwhile returns an instance of the service that calls a function once, just before it locks a cart, when
// it has read everything that it reads without a lock. happens sets the function.
func (a *Accounts) Meanwhile(t testing.TB) (instance *Accounts, happens func(what func())) {
	t.Helper()
	var next atomic.Pointer[func()]
	instance = a.Watched(t, func(text string) {
		if text != "BEGIN" && !strings.Contains(text, "xmin = ") && !strings.Contains(text, "INSERT INTO carts") {
			return
		}
		if what := next.Swap(nil); what != nil {
			(*what)()
		}
	})
	return instance, func(what func()) { next.Store(&what) }
}

// Counter records the statements sent through the drivers it wraps.
type Counter struct {
	mu     sync.Mutex
	seen   []string
	Before func(text string)                      // called before each statement is sent; may be nil
	Within func(ctx context.Context, text string) // the same, with the statement's context
	Trips  bool                                   // COMMIT and ROLLBACK count too, as round trips to PostgreSQL
}

// Taken returns the statements since its last call.
func (c *Counter) Taken() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.seen
	c.seen = nil
	return seen
}

func (c *Counter) note(ctx context.Context, text string) {
	if c.Within != nil {
		c.Within(ctx, text)
	}
	if c.Before != nil {
		c.Before(text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = append(c.seen, text)
}

// OpenCounted opens a database whose statements are recorded.
func OpenCounted(t testing.TB, url string) (*store.Store, *Counter) {
	t.Helper()
	s, c := *storetest.Open(t, url), &Counter{}
	s.Client = tenancy.Guard(ent.NewClient(ent.Driver(counting{s.Driver(), c})))
	return &s, c
}

type counting struct {
	dialect.Driver
	counter *Counter
}

func (d counting) Exec(ctx context.Context, text string, args, v any) error {
	d.counter.note(ctx, text)
	return d.Driver.Exec(ctx, text, args, v)
}

func (d counting) Query(ctx context.Context, text string, args, v any) error {
	d.counter.note(ctx, text)
	return d.Driver.Query(ctx, text, args, v)
}

func (d counting) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	d.counter.note(ctx, text)
	return d.Driver.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
}

func (d counting) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	d.counter.note(ctx, text)
	return d.Driver.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
}

func (d counting) Tx(ctx context.Context) (dialect.Tx, error) {
	d.counter.note(ctx, "BEGIN")
	tx, err := d.Driver.Tx(ctx)
	return countingTx{tx, d.counter}, err
}

type countingTx struct {
	dialect.Tx
	counter *Counter
}

func (t countingTx) Exec(ctx context.Context, text string, args, v any) error {
	t.counter.note(ctx, text)
	return t.Tx.Exec(ctx, text, args, v)
}

func (t countingTx) Query(ctx context.Context, text string, args, v any) error {
	t.counter.note(ctx, text)
	return t.Tx.Query(ctx, text, args, v)
}

func (t countingTx) Commit() error {
	if t.counter.Trips {
		t.counter.note(context.Background(), "COMMIT")
	}
	return t.Tx.Commit()
}

func (t countingTx) Rollback() error {
	err := t.Tx.Rollback()
	if t.counter.Trips && err == nil { // otherwise it was committed already
		t.counter.note(context.Background(), "ROLLBACK")
	}
	return err
}

func (t countingTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	t.counter.note(ctx, text)
	return t.Tx.(entsql.ExecQuerier).ExecContext(ctx, text, args...)
}

func (t countingTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	t.counter.note(ctx, text)
	return t.Tx.(entsql.ExecQuerier).QueryContext(ctx, text, args...)
}

// WithParameters returns the address of a database with additional parameters.
func WithParameters(address, parameters string) string {
	if strings.Contains(address, "?") {
		return address + "&" + parameters
	}
	return address + "?" + parameters
}

// Patient returns an instance of the service for which PostgreSQL detects deadlocks only after the time of a
// request. So each deadlock is an error that no retry hides.
func (a *Accounts) Patient(t testing.TB) *Accounts {
	t.Helper()
	if a.Store.Dialect != dialect.Postgres { // SQLite has one writer at a time
		return a.Instance(t)
	}
	patient := *a
	patient.Database = WithParameters(a.Database, "deadlock_timeout=1min")
	return patient.Instance(t)
}

// Watched returns another instance of the service, which calls before with each statement before sending it.
func (a *Accounts) Watched(t testing.TB, before func(text string), settings ...func(*app.Options)) *Accounts {
	t.Helper()
	s, counter := OpenCounted(t, a.Database)
	counter.Before = before
	o := app.Options{Clock: a.Clock.Now, Key: a.Key, PasswordCost: CheapPasswords}
	for _, set := range settings {
		set(&o)
	}
	service, err := app.New(s, slog.New(slog.NewTextHandler(io.Discard, nil)), o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	watched := *a
	watched.Place, watched.Service = &Place{URL: server.URL, Store: s, Names: a.Names}, service
	return &watched
}

// UntilWaiting returns once the given number of transactions of a database wait for locks, or done is closed.
// On SQLite, waiting for the file cannot be observed.
func (a *Accounts) UntilWaiting(t testing.TB, transactions int, done <-chan struct{}) {
	t.Helper()
	if a.Store.Dialect != dialect.Postgres {
		return
	}
	for waiting := 0; waiting < transactions; {
		select {
		case <-done:
			return
		default:
		}
		rows := new(entsql.Rows)
		err := a.Store.Driver().Query(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`, []any{}, rows)
		if err != nil {
			t.Fatal(err)
		}
		waiting, err = entsql.ScanInt(rows)
		if rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Holding runs a statement in a transaction and leaves it open. end commits it.
func (a *Accounts) Holding(t testing.TB, text string, args ...any) (end func()) {
	t.Helper()
	tx, err := storetest.Open(t, a.Database).Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	var result entsql.Result
	if err := tx.Exec(t.Context(), text, args, &result); err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); n == 0 || err != nil {
		t.Fatalf("%s: %d rows, %v", text, n, err)
	}
	return func() {
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

// Rows returns the result of a statement that counts.
func (a *Accounts) Rows(t testing.TB, text string, args ...any) int {
	t.Helper()
	rows, err := a.Store.Client.QueryContext(context.WithoutCancel(t.Context()), text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n, err := entsql.ScanInt(rows)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
