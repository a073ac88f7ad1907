package database_test

import (
	"context"
	"database/sql"
	"net/url"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/testdb"
)

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

// TestWithoutSync checks that a transaction of WithoutSync is committed, and that later ones on the same
// connection are synced again, however it ended.
func TestWithoutSync(t *testing.T) {
	for kind, c := range map[string]struct{ url, setting, within, after string }{
		"sqlite":   {testdb.SQLite(t), "PRAGMA synchronous", "1", "2"},
		"postgres": {testdb.Postgres(t), "SHOW synchronous_commit", "off", "local"},
	} {
		t.Run(kind, func(t *testing.T) {
			url, err := url.Parse(c.url)
			if err != nil {
				t.Fatal(err)
			}
			url.RawQuery = "pool_size=1&" + url.RawQuery
			db := dbtest.Open(t, url.String())
			dbtest.Exec(t, db.Driver(), "CREATE TABLE guesses (n integer)")
			if kind == "postgres" { // its setting outside of transactions may be any
				dbtest.Exec(t, db.Driver(), "SET synchronous_commit = "+c.after)
			}
			for _, end := range []func(dialect.Tx) error{dialect.Tx.Commit, dialect.Tx.Rollback} {
				tx, err := db.Driver().Tx(database.WithoutSync(t.Context()))
				if err != nil {
					t.Fatal(err)
				}
				dbtest.Exec(t, tx, "INSERT INTO guesses VALUES (1)")
				if got := dbtest.Ask[string](t, tx, c.setting); got != c.within {
					t.Errorf("within: %s, want %s", got, c.within)
				}
				if err := end(tx); err != nil {
					t.Fatal(err)
				}
				if tx, err = db.Driver().Tx(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := dbtest.Ask[string](t, tx, c.setting); got != c.after {
					t.Errorf("in the next transaction: %s, want %s", got, c.after)
				}
				if err := tx.Rollback(); err != nil {
					t.Fatal(err)
				}
			}
			if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM guesses"); n != 1 {
				t.Errorf("%d rows, want the one that was committed", n)
			}
		})
	}
}

// TestTransactionsOfBothKinds alternates transactions of another isolation and ordinary ones on one
// connection: neither kind may leave state that breaks the other.
func TestTransactionsOfBothKinds(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range 20 {
			for _, opts := range []*sql.TxOptions{{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, nil, nil} {
				tx, err := db.Driver().(interface {
					BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
				}).BeginTx(ctx, opts)
				if err != nil {
					t.Fatal(err)
				}
				if n := dbtest.Ask[int](t, tx, "SELECT 1"); n != 1 {
					t.Error(n)
				}
				if err := tx.Commit(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
