package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/database/migration"
	"storefront/internal/testkit/testdb"
)

func TestIsUnique(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, db.Driver(),
			"CREATE TABLE shops (id int PRIMARY KEY, slug text UNIQUE, stock int CHECK (stock >= 0))")
		dbtest.Exec(t, db.Driver(), "INSERT INTO shops VALUES (1, 'green', 1)")
		for values, want := range map[string]bool{"1, 'red', 1": true, "2, 'green', 1": true,
			"3, 'blue', -1": false} {
			err := dbtest.Try(t.Context(), db.Driver(), "INSERT INTO shops VALUES ("+values+")")
			err = fmt.Errorf("wrapped: %w", err)
			if database.IsUnique(err) != want || database.IsRetryable(err) || database.IsUnavailable(err) {
				t.Errorf("%s: got unique %v, want %v, and neither retryable nor unavailable: %v", values,
					database.IsUnique(err), want, err)
			}
		}
	})
}

func TestSerializationFailureIsRetryable(t *testing.T) {
	db := dbtest.Open(t, testdb.Postgres(t))
	dbtest.Exec(t, db.Driver(), "CREATE TABLE shops (id int)")
	dbtest.Exec(t, db.Driver(), "INSERT INTO shops VALUES (1)")
	first, second := repeatable(t, db), repeatable(t, db)
	defer first.Rollback()
	defer second.Rollback()
	dbtest.Ask[int](t, second, "SELECT count(*) FROM shops")
	dbtest.Exec(t, first, "UPDATE shops SET id = 2")
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := dbtest.Try(t.Context(), second, "UPDATE shops SET id = 3"); !database.IsRetryable(err) {
		t.Errorf("%v, want one to retry", err)
	}
}

func repeatable(t *testing.T, db *database.DB) dialect.Tx {
	t.Helper()
	starter := db.Driver().(interface {
		BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
	})
	tx, err := starter.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// TestBusyFileIsRetryable checks that a transaction that read first and then finds the file changed fails as
// retryable.
func TestBusyFileIsRetryable(t *testing.T) {
	url := testdb.SQLite(t)
	db := dbtest.Open(t, url)
	dbtest.Exec(t, db.Driver(), "CREATE TABLE shops (id int)")
	other, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite://"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM shops").Scan(&n); err != nil {
		t.Fatal(err)
	}
	dbtest.Exec(t, db.Driver(), "INSERT INTO shops VALUES (1)")
	if _, err := tx.Exec("INSERT INTO shops VALUES (2)"); !database.IsRetryable(err) {
		t.Errorf("%v, want one to retry", err)
	}
}

// TestFrozenDatabaseIsUnavailable checks that a database that is read-only for new sessions is not written
// to, counts as unavailable, and is recognized before a request needs it.
func TestFrozenDatabaseIsUnavailable(t *testing.T) {
	freeze := map[string]string{
		dialect.Postgres: "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', " +
			"current_database()); END $$",
		dialect.SQLite: "PRAGMA query_only = on", // like a file on a disk that became read-only
	}
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		if err := migration.Run(t.Context(), db, dbtest.TwoFiles); err != nil {
			t.Fatal(err)
		}
		if err := db.CheckWritable(t.Context()); err != nil {
			t.Error(err)
		}
		dbtest.Exec(t, db.Driver(), freeze[db.Dialect])
		if db.Dialect == dialect.Postgres {
			db = dbtest.Open(t, url)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM shops"); n != 1 {
			t.Errorf("%d shops", n)
		}
		for what, err := range map[string]error{
			"a statement": dbtest.Try(t.Context(), db.Driver(), "INSERT INTO shops VALUES (9, 'grey')"),
			"the check":   db.CheckWritable(t.Context()),
			"a transaction": func() error {
				tx, err := db.Driver().Tx(t.Context())
				if err != nil {
					return err
				}
				defer tx.Rollback()
				return dbtest.Try(t.Context(), tx, "INSERT INTO shops VALUES (9, 'grey')")
			}(),
		} {
			if !database.IsUnavailable(err) {
				t.Errorf("%s: %v, want that it is unavailable", what, err)
			}
		}
	})
}
