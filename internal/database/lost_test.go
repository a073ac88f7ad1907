package database_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/testkit/pgserver"
	"storefront/internal/testkit/testdb"
)

// impatience is the silence limit of these tests. The silences in them never end, so a slow machine does not
// change their outcome.
const impatience = 2 * time.Second

func openImpatient(t testing.TB, url string) *database.DB {
	t.Helper()
	db, err := database.OpenImpatient(url, impatience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestSilentServerFailsAndIsFoundAgain(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	db := openImpatient(t, dbtest.With(url, "pool_size=4&connect_timeout=2"))
	ping := func() error { return db.Ping(t.Context()) }
	read := func() error {
		_, err := dbtest.TryAsk[int](t.Context(), db.Driver(), "SELECT $1::int", 1)
		return err
	}
	short := func() error {
		var one int
		return db.ShortReads().QueryRowContext(t.Context(), "SELECT 1").Scan(&one)
	}
	onEach(t, db, 3, "SELECT $1::int")
	if err := short(); err != nil {
		t.Fatal(err)
	}

	p.Become(pgserver.Blackhole)
	if err := read(); !database.IsUnavailable(err) {
		t.Errorf("a warm connection: %v, want unavailable", err)
	}
	if err := ping(); !database.IsUnavailable(err) {
		t.Errorf("a new connection: %v, want unavailable", err)
	}
	p.Become(pgserver.None) // the old connections never answer again
	if err := short(); err != nil {
		t.Errorf("a short read after the silence: %v", err)
	}
	for range 4 {
		if err := read(); err != nil {
			t.Errorf("after the silence: %v", err)
		}
	}

	p.Become(pgserver.Blackhole)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if err := db.Ping(ctx); err == nil {
		t.Error("a ping is answered")
	}
}

// onEach runs a statement with one argument on n connections of a pool at once and leaves them idle.
func onEach(t *testing.T, db *database.DB, n int, text string) {
	t.Helper()
	var open []dialect.Tx
	for range n {
		tx, err := db.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		dbtest.Exec(t, tx, text, 1)
		open = append(open, tx)
	}
	for _, tx := range open {
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLostAnswer(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	db := dbtest.Open(t, dbtest.With(url, "pool_size=2"))
	dbtest.Exec(t, db.Driver(), "CREATE TABLE orders (id int)")
	insert, read := "INSERT INTO orders VALUES ($1)", "SELECT count(*) FROM orders WHERE id < $1"
	dbtest.Exec(t, db.Driver(), insert, 1)
	dbtest.Ask[int](t, db.Driver(), read, 9)

	p.CutNext()
	if n := dbtest.Ask[int](t, db.Driver(), read, 9); n != 1 {
		t.Errorf("read %d orders, want 1", n)
	}
	dbtest.Ask[int](t, db.Driver(), read, 9)
	dbtest.Exec(t, db.Driver(), insert, 2)

	p.CutNext()
	if err := dbtest.Try(t.Context(), db.Driver(), insert, 3); !database.IsUnavailable(err) {
		t.Errorf("a change whose answer is lost: %v, want unavailable", err)
	}
	if n := dbtest.Ask[int](t, db.Driver(), read, 9); n != 3 {
		t.Errorf("%d orders, want 3: the lost one was made once", n)
	}
}

func TestRestartedServerIsFoundAgainWithoutAnError(t *testing.T) {
	url := testdb.Postgres(t)
	db, admin := dbtest.Open(t, dbtest.With(url, "pool_size=2")), dbtest.Open(t, dbtest.With(url, "pool_size=1"))
	dbtest.Exec(t, db.Driver(), "CREATE TABLE orders (id int)")
	insert := "INSERT INTO orders VALUES ($1)"
	onEach(t, db, 2, insert)
	// as a restart does to idle connections; it waits until they have ended
	dbtest.Exec(t, admin.Driver(), "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = "+
		"current_database() AND pid <> pg_backend_pid()")
	dbtest.Exec(t, db.Driver(), insert, 3)
	dbtest.Exec(t, db.Driver(), insert, 4)
}

func TestUnreachableServer(t *testing.T) {
	p, url := testdb.Through(t, testdb.Postgres(t))
	p.Refuse()
	if _, err := database.Open(t.Context(), url); !database.IsUnavailable(err) {
		t.Errorf("%v, want unavailable", err)
	}
}

func TestSlowStatementEndsAndKeepsItsConnection(t *testing.T) {
	db := dbtest.Open(t, dbtest.With(testdb.Postgres(t), "pool_size=1&statement_timeout=500ms"))
	pid := dbtest.Ask[int](t, db.Driver(), "SELECT pg_backend_pid()")
	if err := dbtest.Try(t.Context(), db.Driver(), "SELECT pg_sleep($1)", 60); !database.IsUnavailable(err) {
		t.Errorf("%v, want unavailable", err)
	}
	if again := dbtest.Ask[int](t, db.Driver(), "SELECT pg_backend_pid()"); again != pid {
		t.Error("the connection is another one")
	}
}

func TestWaitingForAConnectionEndsWithTheContext(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, dbtest.With(url, "pool_size=1"))
		tx, err := db.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer stop()
		err = dbtest.Try(ctx, db.Driver(), "CREATE TABLE shops (id int)")
		if !errors.Is(err, context.DeadlineExceeded) || database.IsUnavailable(err) {
			t.Errorf("%v, want the end of the context, which is the caller's matter", err)
		}
	})
}
