package ratelimit_test

import (
	"context"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/platform/ratelimit"
)

// noon is the time at which the tests begin.
var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// limits is a database that records its statements, except the beginnings and ends of transactions.
type limits struct {
	*ent.Client
	*heard
}

type heard struct {
	dialect.Driver
	statements []statement
}

type statement struct {
	text string
	args any
}

func open(t testing.TB, url string) limits {
	t.Helper()
	db, err := database.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	h := &heard{Driver: db.Driver()}
	return limits{ent.NewClient(ent.Driver(h)), h}
}

func (h *heard) Tx(ctx context.Context) (dialect.Tx, error) {
	tx, err := h.Driver.Tx(ctx)
	return heardTx{tx, h}, err
}

type heardTx struct {
	dialect.Tx
	*heard
}

func (t heardTx) Exec(ctx context.Context, text string, args, v any) error {
	t.statements = append(t.statements, statement{text, args})
	return t.Tx.Exec(ctx, text, args, v)
}

func (t heardTx) Query(ctx context.Context, text string, args, v any) error {
	t.statements = append(t.statements, statement{text, args})
	return t.Tx.Query(ctx, text, args, v)
}

// take books one event in a transaction of its own.
func (l limits) take(ctx context.Context, now time.Time, of ...ratelimit.Limit) (time.Duration, error) {
	tx, err := l.Client.Tx(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // does nothing after a commit
	_, full, err := ratelimit.Take(ctx, tx, func() time.Time { return now }, of...)
	if err != nil || full.Wait > 0 {
		return full.Wait, err
	}
	return 0, tx.Commit()
}

// fill writes expired events, a tenth of them for the key and the others for a thousand numbers, the last
// one a minute before noon.
func (l limits) fill(t testing.TB, events int, key string) {
	t.Helper()
	const each = 20_000 // events per statement
	insert := `INSERT INTO rate_events (key, at, expires_at)
		WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i+1 FROM n WHERE i < ?)
		SELECT CASE WHEN i % 10 = 0 THEN ? ELSE 'sms:to:' || (i % 1000) END, ? - i * 1000, ? FROM n`
	if l.Dialect() == dialect.Postgres {
		insert = `INSERT INTO rate_events (key, at, expires_at)
		SELECT CASE WHEN i % 10 = 0 THEN $3 ELSE 'sms:to:' || (i % 1000) END,
		$4::timestamptz - i * interval '1 millisecond', $5
		FROM generate_series($1::int, $2::int) i`
	}
	ended := noon.Add(-time.Minute)
	for done := 0; done < events; done += each {
		args := []any{done + 1, min(done+each, events), key, ended.Add(-time.Minute), ended}
		if err := l.Exec(t.Context(), insert, args, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Exec(t.Context(), "ANALYZE", []any{}, nil); err != nil {
		t.Fatal(err)
	}
}

// plan returns the database's query plan of a statement.
func (l limits) plan(t testing.TB, s statement) (lines []string) {
	t.Helper()
	explain := "EXPLAIN QUERY PLAN "
	if l.Dialect() == dialect.Postgres {
		explain = "EXPLAIN "
	}
	var rows sql.Rows
	if err := l.Query(t.Context(), explain+s.text, s.args, &rows); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		into := []any{new(int), new(int), new(int), &line}
		if l.Dialect() == dialect.Postgres {
			into = []any{&line}
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
