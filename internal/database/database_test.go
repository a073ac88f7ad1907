package database_test

import (
	"context"
	"database/sql"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
)

func open(t testing.TB, url string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t testing.TB, db dialect.ExecQuerier, text string, args ...any) {
	t.Helper()
	if err := try(t.Context(), db, text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func try(ctx context.Context, db dialect.ExecQuerier, text string, args ...any) error {
	return db.Exec(ctx, text, append([]any{}, args...), nil)
}

// ask returns the one value of the one row that a statement answers.
func ask[T any](t testing.TB, db dialect.ExecQuerier, text string, args ...any) T {
	t.Helper()
	v, err := tryAsk[T](t.Context(), db, text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func tryAsk[T any](ctx context.Context, db dialect.ExecQuerier, text string, args ...any) (v T, err error) {
	rows := new(entsql.Rows)
	if err := db.Query(ctx, text, append([]any{}, args...), rows); err != nil {
		return v, err
	}
	defer rows.Close()
	err = entsql.ScanOne(rows, &v)
	return v, err
}

func beginReadOnly(t testing.TB, db *database.DB) dialect.Tx {
	t.Helper()
	starter := db.Driver().(interface {
		BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
	})
	tx, err := starter.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}
