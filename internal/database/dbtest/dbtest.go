// Package dbtest has what the tests of databases share.
package dbtest

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

// Open opens a database until the end of a test.
func Open(t testing.TB, url string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// With adds a parameter to the URL of a database.
func With(url, parameter string) string {
	if strings.Contains(url, "?") {
		return url + "&" + parameter
	}
	return url + "?" + parameter
}

// Exec runs a statement that must succeed.
func Exec(t testing.TB, db dialect.ExecQuerier, text string, args ...any) {
	t.Helper()
	if err := Try(t.Context(), db, text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// Try runs a statement.
func Try(ctx context.Context, db dialect.ExecQuerier, text string, args ...any) error {
	return db.Exec(ctx, text, append([]any{}, args...), nil)
}

// Ask returns the one value of the one row that a statement answers.
func Ask[T any](t testing.TB, db dialect.ExecQuerier, text string, args ...any) T {
	t.Helper()
	v, err := TryAsk[T](t.Context(), db, text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// TryAsk is Ask for a statement that may fail.
func TryAsk[T any](ctx context.Context, db dialect.ExecQuerier, text string, args ...any) (v T, err error) {
	rows := new(sql.Rows)
	if err := db.Query(ctx, text, append([]any{}, args...), rows); err != nil {
		return v, err
	}
	defer rows.Close()
	err = sql.ScanOne(rows, &v)
	return v, err
}

// Files makes a file system of migrations that are alike for both dialects, from pairs of name and text.
func Files(pairs ...string) fstest.MapFS {
	fs := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		for _, folder := range []string{dialect.SQLite, dialect.Postgres} {
			fs[folder+"/"+pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
		}
	}
	return fs
}

// TwoFiles are migrations after which there is one shop, with the number 1 and the name green.
var TwoFiles = Files(
	"1_shops.sql", "CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);",
	"2_names.sql", "ALTER TABLE shops ADD COLUMN name text; UPDATE shops SET name = 'green';",
)
