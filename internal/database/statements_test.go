package database_test

import (
	"fmt"
	"strings"
	"testing"

	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/testdb"
)

func TestWarmStatementIsOneRoundTrip(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	db := dbtest.Open(t, dbtest.With(url, "pool_size=1"))
	dbtest.Exec(t, db.Driver(), "CREATE TABLE shops (id int, name text)")
	ways := map[string]func(){
		"query": func() { dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM shops WHERE id = $1", 1) },
		"exec":  func() { dbtest.Exec(t, db.Driver(), "INSERT INTO shops VALUES ($1, $2)", 1, "green") },
	}
	for name, run := range ways {
		for i, want := range []int{2, 1, 1} {
			if got := p.Trips(run); got != want {
				t.Errorf("%s %d: %d round trips, want %d", name, i+1, got, want)
			}
		}
	}
}

func TestStatementCacheOff(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	db := dbtest.Open(t, dbtest.With(url, "pool_size=1&statement_cache=0"))
	for range 2 {
		if got := p.Trips(func() { dbtest.Ask[string](t, db.Driver(), "SELECT $1::text", "a") }); got != 1 {
			t.Errorf("%d round trips, want 1", got)
		}
	}
	if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM pg_prepared_statements"); n != 0 {
		t.Errorf("%d prepared statements, want none", n)
	}
}

func TestEvictionClosesStatements(t *testing.T) {
	db := dbtest.Open(t, dbtest.With(testdb.Postgres(t), "pool_size=1&statement_cache=3"))
	for i := range 10 {
		dbtest.Ask[int](t, db.Driver(), fmt.Sprintf("SELECT %d + $1::int", i), 1)
	}
	if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM pg_prepared_statements"); n != 3 {
		t.Errorf("the server holds %d statements, want 3", n)
	}
	// the least recently used of the three becomes the most recent
	dbtest.Ask[int](t, db.Driver(), "SELECT 7 + $1::int", 1)
	dbtest.Ask[int](t, db.Driver(), "SELECT 10 + $1::int", 1)
	kept := dbtest.Ask[string](t, db.Driver(),
		"SELECT string_agg(statement, ',' ORDER BY statement) FROM pg_prepared_statements")
	if want := "SELECT 10 + $1::int,SELECT 7 + $1::int,SELECT 9 + $1::int"; kept != want {
		t.Errorf("kept %s, want %s", kept, want)
	}
}

// TestStatementTextsAreBounded checks that a connection does not keep long statements, as clients cause by
// long filters, without bound.
func TestStatementTextsAreBounded(t *testing.T) {
	db := dbtest.Open(t, dbtest.With(testdb.Postgres(t), "pool_size=1"))
	for _, length := range []int{10_000, 30_000, 100_000} {
		for i := range 60 {
			dbtest.Ask[int](t, db.Driver(), fmt.Sprintf("SELECT %d + $1::int -- %s", i, strings.Repeat("x", length)), 1)
		}
		kept := dbtest.Ask[int](t, db.Driver(), "SELECT sum(length(statement)) FROM pg_prepared_statements")
		if kept > 512<<10 || kept < 256<<10 {
			t.Errorf("statements of %d bytes: %d bytes are kept", length, kept)
		}
	}
}

const fiveRows = "WITH RECURSIVE five(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM five WHERE n < $1) SELECT n FROM five"

func TestSameTextWhileItsRowsAreOpen(t *testing.T) {
	db := dbtest.Open(t, testdb.SQLite(t))
	tx := beginReadOnly(t, db)
	defer tx.Rollback()
	for range 2 { // unprepared and prepared
		outer := new(entsql.Rows)
		if err := tx.Query(t.Context(), fiveRows, []any{5}, outer); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for outer.Next() {
			seen++
			inner := new(entsql.Rows)
			if err := tx.Query(t.Context(), fiveRows, []any{5}, inner); err != nil {
				t.Fatal(err)
			}
			var numbers []int
			if err := entsql.ScanSlice(inner, &numbers); err != nil || len(numbers) != 5 {
				t.Fatalf("inner rows %v (%v), want 5", numbers, err)
			}
			inner.Close()
		}
		if err := outer.Err(); err != nil || seen != 5 {
			t.Fatalf("%d outer rows (%v), want 5", seen, err)
		}
		outer.Close()
	}
}

// TestNestedStatementOnPostgres checks that a statement within open rows, which PostgreSQL's protocol does
// not allow, fails without breaking the connection.
func TestNestedStatementOnPostgres(t *testing.T) {
	db := dbtest.Open(t, testdb.Postgres(t))
	tx := beginReadOnly(t, db)
	defer tx.Rollback()
	outer := new(entsql.Rows)
	if err := tx.Query(t.Context(), fiveRows, []any{5}, outer); err != nil {
		t.Fatal(err)
	}
	outer.Next()
	if err := tx.Query(t.Context(), fiveRows, []any{5}, new(entsql.Rows)); err == nil ||
		!strings.Contains(err.Error(), "rows of the one before") {
		t.Errorf("nested: %v", err)
	}
	outer.Close()
	if n := dbtest.Ask[int](t, tx, fiveRows, 1); n != 1 {
		t.Errorf("after the rows were closed: %d, want 1", n)
	}
}

func TestSchemaChangeUnderAWarmStatement(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, dbtest.With(url, "pool_size=1"))
		dbtest.Exec(t, db.Driver(), "CREATE TABLE shops (id int)")
		dbtest.Exec(t, db.Driver(), "INSERT INTO shops VALUES (1)")
		columns := func() int {
			t.Helper()
			rows := new(entsql.Rows)
			if err := db.Driver().Query(t.Context(), "SELECT * FROM shops WHERE id = $1", []any{1}, rows); err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			names, err := rows.Columns()
			if err != nil || !rows.Next() {
				t.Fatalf("no row: %v", err)
			}
			return len(names)
		}
		for want := 1; want <= 3; want++ {
			columns()
			if got := columns(); got != want {
				t.Errorf("%d columns, want %d", got, want)
			}
			dbtest.Exec(t, db.Driver(), fmt.Sprintf("ALTER TABLE shops ADD COLUMN extra%d int", want))
		}
	})
}

// TestSchemaChangeFailsATransactionOnce checks that a statement outdated by a schema change fails its
// transaction, which then succeeds as a whole.
func TestSchemaChangeFailsATransactionOnce(t *testing.T) {
	db := dbtest.Open(t, dbtest.With(testdb.Postgres(t), "pool_size=1"))
	dbtest.Exec(t, db.Driver(), "CREATE TABLE shops (id int)")
	read := func() error {
		tx := beginReadOnly(t, db)
		defer tx.Rollback()
		rows := new(entsql.Rows)
		if err := tx.Query(t.Context(), "SELECT * FROM shops WHERE id = $1", []any{1}, rows); err != nil {
			return err
		}
		return rows.Close()
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	dbtest.Exec(t, db.Driver(), "ALTER TABLE shops ADD COLUMN name text")
	if err := read(); !database.IsRetryable(err) {
		t.Errorf("the first transaction: %v, want one to retry", err)
	}
	if err := read(); err != nil {
		t.Errorf("the next transaction: %v", err)
	}
}
