package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/testdb"
)

func TestIsUnique(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		exec(t, db.Driver(), "CREATE TABLE shops (id int PRIMARY KEY, slug text UNIQUE, stock int CHECK (stock >= 0))")
		exec(t, db.Driver(), "INSERT INTO shops VALUES (1, 'green', 1)")
		for values, want := range map[string]bool{"1, 'red', 1": true, "2, 'green', 1": true,
			"3, 'blue', -1": false} {
			err := fmt.Errorf("wrapped: %w", try(t.Context(), db.Driver(), "INSERT INTO shops VALUES ("+values+")"))
			if database.IsUnique(err) != want || database.IsRetryable(err) || database.IsUnavailable(err) {
				t.Errorf("%s: unique is not %v, or it is retryable or unavailable: %v", values, want, err)
			}
		}
	})
}

func TestSerializationFailureIsRetryable(t *testing.T) {
	db := open(t, testdb.Postgres(t))
	exec(t, db.Driver(), "CREATE TABLE shops (id int)")
	exec(t, db.Driver(), "INSERT INTO shops VALUES (1)")
	first, second := repeatable(t, db), repeatable(t, db)
	defer first.Rollback()
	defer second.Rollback()
	ask[int](t, second, "SELECT count(*) FROM shops")
	exec(t, first, "UPDATE shops SET id = 2")
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := try(t.Context(), second, "UPDATE shops SET id = 3"); !database.IsRetryable(err) {
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

// Another program that reads first and writes then is told at once that it is too late.
func TestBusyFileIsRetryable(t *testing.T) {
	url := testdb.SQLite(t)
	db := open(t, url)
	exec(t, db.Driver(), "CREATE TABLE shops (id int)")
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
	exec(t, db.Driver(), "INSERT INTO shops VALUES (1)")
	if _, err := tx.Exec("INSERT INTO shops VALUES (2)"); !database.IsRetryable(err) {
		t.Errorf("%v, want one to retry", err)
	}
}
