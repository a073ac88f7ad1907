package database_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/database/transaction"
	"storefront/internal/testkit/testdb"
)

func TestOnlyReads(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1":                             true,
		"\n\tselect 1":                         true,
		"SELECTED":                             true, // not a statement; a reader refuses it as well
		"WITH a AS (SELECT 1) SELECT * FROM a": true,
		"WITH a AS (SELECT `update` FROM b WHERE c = 'delete') SELECT \"insert\" FROM a": true,
		"WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a":                             false,
		"with a as (select 1) delete from b":                                             false,
		"INSERT INTO a VALUES (1) RETURNING id":                                          false,
		"UPDATE a SET b = 1":                                                             false,
		"PRAGMA foreign_keys":                                                            false,
		"":                                                                               false,
	} {
		if got := database.OnlyReads(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestSQLiteReadsBesideAWriter(t *testing.T) {
	db := dbtest.Open(t, testdb.SQLite(t))
	dbtest.Exec(t, db.Driver(), "CREATE TABLE shops (id int)")
	if id := dbtest.Ask[int](t, db.Driver(), "INSERT INTO shops VALUES ($1) RETURNING id", 1); id != 1 {
		t.Errorf("returned %d", id)
	}
	if id := dbtest.Ask[int](t, db.Driver(),
		"WITH next AS (SELECT 2) INSERT INTO shops SELECT * FROM next RETURNING id"); id != 2 {
		t.Errorf("returned %d", id)
	}
	writing, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer writing.Rollback()
	dbtest.Exec(t, writing, "INSERT INTO shops VALUES (3)")
	reading := beginReadOnly(t, db)
	defer reading.Rollback()
	for name, n := range map[string]int{
		"outside": dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM shops"),
		"reading": dbtest.Ask[int](t, reading, "SELECT count(*) FROM shops"),
		"writing": dbtest.Ask[int](t, writing, "SELECT count(*) FROM shops") - 1,
	} {
		if n != 2 {
			t.Errorf("%s: %d shops, want the 2 that are committed", name, n)
		}
	}
	if err := dbtest.Try(t.Context(), reading, "INSERT INTO shops VALUES (4)"); err == nil {
		t.Error("a read-only transaction writes")
	}
	if err := writing.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := dbtest.Ask[int](t, reading, "SELECT count(*) FROM shops"); n != 2 {
		t.Errorf("a read-only transaction sees %d shops, want its snapshot of 2", n)
	}
}

func TestSQLiteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my shop #1 100%?.db")
	if _, err := database.Open(t.Context(), "sqlite://"+path); err == nil {
		t.Error("a ? in the path is not the beginning of the parameters")
	}
	path = filepath.Join(filepath.Dir(path), "my shop #1 100%.db")
	dbtest.Exec(t, dbtest.Open(t, "sqlite://"+path).Driver(), "CREATE TABLE shops (id int)")
	again := dbtest.Open(t, "sqlite://"+path+"?synchronous=normal&pool_size=2")
	if n := dbtest.Ask[int](t, again.Driver(), "SELECT count(*) FROM shops"); n != 0 {
		t.Errorf("%d shops", n)
	}
	for url, want := range map[string]int{"": 2, "?synchronous=full": 2, "?synchronous=normal": 1} {
		if got := dbtest.Ask[int](t, dbtest.Open(t, "sqlite://"+path+url).Driver(), "PRAGMA synchronous"); got != want {
			t.Errorf("%s: synchronous is %d, want %d", url, got, want)
		}
	}
}

func TestSQLiteIsOneFileWhenClosed(t *testing.T) {
	url := testdb.SQLite(t)
	for _, closing := range []func(*database.DB) error{(*database.DB).Close,
		func(db *database.DB) error { return transaction.Driver(db).Close() }} {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, db.Driver(), "CREATE TABLE IF NOT EXISTS shops (id int)")
		dbtest.Exec(t, db.Driver(), "INSERT INTO shops VALUES (?)", 1)
		dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM shops WHERE id = ?", 1)
		if err := closing(db); err != nil {
			t.Fatal(err)
		}
		left, err := filepath.Glob(strings.TrimPrefix(url, "sqlite://") + "*")
		if err != nil || len(left) != 1 {
			t.Errorf("left are %v (%v), want one file", left, err)
		}
	}
}

func TestReadModifyWriteByManyLosesNothing(t *testing.T) {
	const writers, times = 8, 100
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, db.Driver(), "CREATE TABLE stock (n int)")
		dbtest.Exec(t, db.Driver(), "INSERT INTO stock VALUES (0)")
		read := map[string]string{dialect.SQLite: "SELECT n FROM stock",
			dialect.Postgres: "SELECT n FROM stock FOR UPDATE"}[db.Dialect]
		var writing, reading sync.WaitGroup
		done := make(chan struct{})
		for range writers {
			writing.Go(func() {
				for range times {
					if err := addOne(t.Context(), db, read); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range 2 {
			reading.Go(func() {
				for last := 0; ; {
					select {
					case <-done:
						return
					default:
					}
					n, err := dbtest.TryAsk[int](t.Context(), db.Driver(), "SELECT n FROM stock")
					if err != nil || n < last {
						t.Errorf("read %d after %d: %v", n, last, err)
						return
					}
					last = n
				}
			})
		}
		writing.Wait()
		close(done)
		reading.Wait()
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT n FROM stock"); n != writers*times {
			t.Errorf("got %d counted, want %d", n, writers*times)
		}
	})
}

// TestTwoInstancesWriteOneFile runs transactions that begin by reading: they would fail with "busy" if they
// took the write lock only at their first write.
func TestTwoInstancesWriteOneFile(t *testing.T) {
	url := testdb.SQLite(t)
	dbs := []*database.DB{dbtest.Open(t, url), dbtest.Open(t, url)}
	dbtest.Exec(t, dbs[0].Driver(), "CREATE TABLE stock (n int)")
	dbtest.Exec(t, dbs[0].Driver(), "INSERT INTO stock VALUES (0)")
	var writing sync.WaitGroup
	for _, db := range dbs {
		writing.Go(func() {
			for range 50 {
				if err := addOne(t.Context(), db, "SELECT n FROM stock"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	if n := dbtest.Ask[int](t, dbs[0].Driver(), "SELECT n FROM stock"); n != 100 {
		t.Errorf("%d of 100 were counted", n)
	}
}

// addOne reads the stock by a text and writes it back one higher, in a transaction.
func addOne(ctx context.Context, db *database.DB, read string) error {
	tx, err := db.Driver().Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	n, err := dbtest.TryAsk[int](ctx, tx, read)
	if err != nil {
		return err
	}
	if err := dbtest.Try(ctx, tx, "UPDATE stock SET n = $1", n+1); err != nil {
		return err
	}
	return tx.Commit()
}
