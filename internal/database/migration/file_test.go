package migration_test

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/database/migration"
	"storefront/internal/testkit/testdb"
)

// TestMigrateHoldsNobodyUp has a file wait for a table that a long transaction reads: other readers do not
// queue behind the file, which is applied once the transaction has ended.
func TestMigrateHoldsNobodyUp(t *testing.T) {
	db := dbtest.Open(t, testdb.Postgres(t))
	const shops, names = "CREATE TABLE shops (id int)", "ALTER TABLE shops ADD COLUMN name text"
	if err := migration.Run(t.Context(), db, dbtest.Files("1.sql", shops)); err != nil {
		t.Fatal(err)
	}
	long := begin(t, db)
	dbtest.Ask[int](t, long, "SELECT count(*) FROM shops")
	migrated := make(chan error, 1)
	go func() { migrated <- migration.Run(t.Context(), db, dbtest.Files("1.sql", shops, "2.sql", names)) }()
	const waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
	for dbtest.Ask[int](t, db.Driver(), waits) == 0 {
		runtime.Gosched()
	}
	for range 2 {
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		if _, err := dbtest.TryAsk[int](soon, db.Driver(), "SELECT count(*) FROM shops"); err != nil {
			t.Errorf("a customer waits behind the migration: %v", err)
		}
		stop()
	}
	if err := cmp.Or(long.Commit(), <-migrated); err != nil {
		t.Error(err)
	}
	dbtest.Ask[int](t, db.Driver(), "SELECT count(name) FROM shops")
}

// TestMigrateMakesIndexesConcurrently has several instances replace an index whose creation was interrupted,
// and drop it, also where the transactions of the database keep a snapshot.
func TestMigrateMakesIndexesConcurrently(t *testing.T) {
	for _, isolation := range []string{"read%20committed", "repeatable%20read", "serializable"} {
		t.Run(isolation, func(t *testing.T) {
			makeIndexes(t, dbtest.Open(t, dbtest.With(testdb.Postgres(t), "default_transaction_isolation="+isolation)))
		})
	}
}

func makeIndexes(t *testing.T, db *database.DB) {
	all := dbtest.Files("1.sql", "CREATE TABLE shops (id int); INSERT INTO shops VALUES (1), (1)")
	if err := migration.Run(t.Context(), db, all); err != nil {
		t.Fatal(err)
	}
	all["postgres/2.sql"] = &fstest.MapFile{Data: []byte(
		"-- Of ids.\nCREATE UNIQUE INDEX CONCURRENTLY \"ids\" ON shops (id);\n")}
	if err := migration.Run(t.Context(), db, all); !database.IsUnique(err) {
		t.Fatalf("got %v, want the breach of the index", err)
	}
	const valid = "SELECT count(*) FROM pg_index WHERE indexrelid = 'ids'::regclass AND indisvalid"
	if dbtest.Ask[int](t, db.Driver(), valid) != 0 {
		t.Fatal("the index is whole")
	}
	dbtest.Exec(t, db.Driver(), "DELETE FROM shops; INSERT INTO shops VALUES (1)")
	atOnce := func() {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if err := migration.Run(t.Context(), db, all); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	if atOnce(); dbtest.Ask[int](t, db.Driver(), valid) != 1 {
		t.Error("the index is not whole")
	}
	dbtest.Exec(t, db.Driver(), "DELETE FROM schema_migrations WHERE name = '2.sql'") // applied, but not recorded
	atOnce()
	all["postgres/3.sql"] = &fstest.MapFile{Data: []byte("DROP INDEX CONCURRENTLY IF EXISTS \"ids\";")}
	if atOnce(); dbtest.Ask[int](t, db.Driver(), "SELECT count(to_regclass('ids'))") != 0 {
		t.Error("the index is there")
	}
	all["postgres/4.sql"] = &fstest.MapFile{Data: []byte("CREATE INDEX CONCURRENTLY a ON shops (id); SELECT 1;")}
	if err := migration.Run(t.Context(), db, all); err == nil {
		t.Error("an index is made concurrently beside another statement")
	}
}

// TestMigrateInBatches is interrupted in the middle of a file with batches and continues there: each row is
// changed once.
func TestMigrateInBatches(t *testing.T) {
	const raise = "-- Every price is one more.\n-- batches from 0\n" +
		"SELECT CAST(max(id) AS text) FROM (" +
		"SELECT id FROM goods WHERE id > CAST($1 AS int) ORDER BY id LIMIT 10) AS part;\n" +
		"UPDATE goods SET price = price + 1 WHERE id > CAST($1 AS int) AND id <= CAST($2 AS int);\n"
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		goods := "CREATE TABLE goods (id int PRIMARY KEY, price int CHECK (price < 9)); " +
			"INSERT INTO goods WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 35) " +
			"SELECT i, CASE i WHEN 25 THEN 8 ELSE 1 END FROM n"
		all := dbtest.Files("1.sql", goods, "2.sql", raise)
		if err := migration.Run(t.Context(), db, all); err == nil {
			t.Fatal("a batch that breaks a rule is taken")
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM goods WHERE price = 2"); n != 20 {
			t.Errorf("%d rows were changed before the batch that fails, want 20", n)
		}
		dbtest.Exec(t, db.Driver(), "UPDATE goods SET price = 1 WHERE id = 25")
		for range 2 {
			if err := migration.Run(t.Context(), db, all); err != nil {
				t.Fatal(err)
			}
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM goods WHERE price = 2"); n != 35 {
			t.Errorf("%d of 35 rows were changed once", n)
		}
		const one = "-- batches from 0\n" +
			"SELECT CAST(id AS text) FROM goods WHERE id > CAST($1 AS int) ORDER BY id LIMIT 1;\n" +
			"UPDATE goods SET price = price + 1 WHERE id > CAST($1 AS int) AND id <= CAST($2 AS int);\n"
		if err := migration.Run(t.Context(), db, dbtest.Files("1.sql", "", "2.sql", "", "3.sql", one)); err != nil {
			t.Errorf("a file that finds no row when all is done: %v", err)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM goods WHERE price = 3"); n != 35 {
			t.Errorf("%d of 35 rows were changed once more", n)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM schema_migrations"); n != 3 {
			t.Errorf("%d records, want 3", n)
		}
	})
}

// TestMigrateInBatchesAtOnce has several instances apply a file with batches: no batch is applied twice.
func TestMigrateInBatchesAtOnce(t *testing.T) {
	const raise = "-- batches from 0\n" +
		"SELECT CAST(min(id) AS text) FROM goods WHERE id > CAST($1 AS int);\n" +
		"UPDATE goods SET price = price + 1 WHERE id > CAST($1 AS int) AND id <= CAST($2 AS int);\n"
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		all := dbtest.Files("1.sql", "CREATE TABLE goods (id int PRIMARY KEY, price int); "+
			"INSERT INTO goods WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) "+
			"SELECT i, 1 FROM n", "2.sql", raise)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if err := migration.Run(t.Context(), db, all); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM goods WHERE price = 2"); n != 40 {
			t.Errorf("%d of 40 rows were changed once", n)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM schema_migrations"); n != 2 {
			t.Errorf("%d records, want 2", n)
		}
	})
}

// TestMigrateSaysWhoIsTooOld has a migration refuse the versions before another one, and only those: a
// version that only lacks the newest migration works, and names it.
func TestMigrateSaysWhoIsTooOld(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		first := dbtest.Files("1.sql", "CREATE TABLE a (id int)")
		second := dbtest.Files("1.sql", "", "2.sql", "CREATE TABLE b (id int)")
		third := dbtest.Files("1.sql", "", "2.sql", "", "3.sql", "-- needs 2.sql\nDROP TABLE a")
		for _, version := range []fstest.MapFS{first, second} {
			if err := migration.Run(t.Context(), db, version); err != nil {
				t.Fatal(err)
			}
		}
		if pending, err := migration.Pending(t.Context(), db, first); pending || err != nil {
			t.Errorf("the version before: %v, %v", pending, err)
		}
		if err := migration.Run(t.Context(), db, third); err != nil {
			t.Fatal(err)
		}
		if pending, err := migration.Pending(t.Context(), db, second); pending || err != nil {
			t.Errorf("the version before: %v, %v", pending, err)
		}
		if pending, err := migration.Pending(t.Context(), db, third); pending || err != nil {
			t.Errorf("the version itself: %v, %v", pending, err)
		}
		_, err := migration.Pending(t.Context(), db, first)
		if err == nil || !strings.Contains(err.Error(), "know 2.sql") {
			t.Errorf("a version of before 2.sql: got %v, want that it is too old", err)
		}
		for want, version := range map[string]fstest.MapFS{"2.sql 3.sql": first, "3.sql": second, "": third} {
			names, err := migration.Unknown(t.Context(), db, version)
			if err != nil || !slices.Equal(names, strings.Fields(want)) {
				t.Errorf("got %q, %v unknown, want %s", names, err, want)
			}
		}
	})
}
