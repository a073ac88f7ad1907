package migration_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/database/migration"
	"storefront/internal/testkit/testdb"
)

var threeShops = migration.Step{Name: "three-shops", Run: func(ctx context.Context, tx dialect.Tx) error {
	return dbtest.Try(ctx, tx, "INSERT INTO shops VALUES ($1, 'red'), ($2, 'blue')", 2, 3)
}}

func TestMigrateAppliesFilesThenStepsOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		for i, want := range []bool{true, false} {
			pending, err := migration.Pending(t.Context(), db, dbtest.TwoFiles, threeShops)
			if err != nil || pending != want {
				t.Fatalf("before run %d: pending %v (%v), want %v", i+1, pending, err, want)
			}
			if err := migration.Run(t.Context(), db, dbtest.TwoFiles, threeShops); err != nil {
				t.Fatal(err)
			}
		}
		const named = "SELECT count(*) FROM shops WHERE name IN ('green', 'red', 'blue')"
		if n := dbtest.Ask[int](t, db.Driver(), named); n != 3 {
			t.Errorf("%d shops, want 3", n)
		}
		later := migration.Step{Name: "later", Run: threeShops.Run}
		pending, err := migration.Pending(t.Context(), db, dbtest.TwoFiles, threeShops, later)
		if err != nil || !pending {
			t.Errorf("a new step: pending %v (%v)", pending, err)
		}
	})
}

// TestFewConnectionsAreOpened checks that a command on a database that is up to date makes one connection to
// PostgreSQL: a new one costs the server more than most commands.
func TestFewConnectionsAreOpened(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		if err := migration.Run(t.Context(), dbtest.Open(t, url), dbtest.TwoFiles); err != nil {
			t.Fatal(err)
		}
		db := dbtest.Open(t, url)
		apart, open := 0, db.Apart
		db.Apart = func() (*sql.DB, error) { apart++; return open() }
		if err := migration.Run(t.Context(), db, dbtest.TwoFiles); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, pool := range db.Pools() {
			n += pool.Stats().OpenConnections
		}
		if db.Dialect == dialect.Postgres && n != 1 || apart != 0 {
			t.Errorf("got %d connections of the pools and %d beside them, want 1 and 0", n, apart)
		}
	})
}

func TestMigrateUndoesAFailedFileAndGoesOnLater(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		broken := dbtest.Files(
			"1_shops.sql", "CREATE TABLE shops (id int PRIMARY KEY);",
			"2_broken.sql", "INSERT INTO shops VALUES (1); INSERT INTO nowhere VALUES (1);",
		)
		err := migration.Run(t.Context(), db, broken)
		if err == nil || !strings.Contains(err.Error(), "2_broken.sql") {
			t.Fatalf("error %v, want one that names the file", err)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM shops"); n != 0 {
			t.Errorf("%d rows are left of the failed file", n)
		}
		mended := dbtest.Files("1_shops.sql", "", "2_broken.sql", "INSERT INTO shops VALUES (1);")
		if err := migration.Run(t.Context(), db, mended); err != nil {
			t.Fatal(err)
		}
	})
}

// TestMigrateMeetsADeadlock checks that a file which is the victim of a deadlock with a transaction of a server
// is applied again. SQLite has one writer at a time, so it has no deadlocks.
func TestMigrateMeetsADeadlock(t *testing.T) {
	const tables, columns = "CREATE TABLE a (n int); CREATE TABLE b (n int)",
		"ALTER TABLE a ADD COLUMN m int; %s ALTER TABLE b ADD COLUMN m int"
	meets := map[string]string{dialect.Postgres: "SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(7);"}
	testdb.Each(t, func(t *testing.T, url string) {
		if strings.HasPrefix(url, "postgres") {
			url = dbtest.With(url, "deadlock_timeout=20ms")
		}
		db := dbtest.Open(t, url)
		if err := migration.Run(t.Context(), db, dbtest.Files("1.sql", tables)); err != nil {
			t.Fatal(err)
		}
		server := begin(t, db)
		dbtest.Exec(t, server, "INSERT INTO b VALUES (1)")
		var pause dialect.Tx
		if db.Dialect == dialect.Postgres {
			dbtest.Exec(t, server, "SET LOCAL deadlock_timeout = '1min'")
			pause = begin(t, db)
			dbtest.Exec(t, pause, "SELECT pg_advisory_xact_lock(7)")
		}
		migrated, sold := make(chan error, 1), make(chan error, 1)
		go func() {
			migrated <- migration.Run(t.Context(), db,
				dbtest.Files("1.sql", tables, "2.sql", fmt.Sprintf(columns, meets[db.Dialect])))
		}()
		wait := func(lock string) {
			for dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM pg_locks WHERE NOT granted AND "+lock) == 0 {
				runtime.Gosched()
			}
		}
		if pause != nil {
			wait("locktype = 'advisory' AND objid = 7") // the migration has taken the lock
		}
		go func() {
			sold <- cmp.Or(dbtest.Try(t.Context(), server, "INSERT INTO a VALUES (1)"), server.Commit())
		}()
		if pause != nil {
			wait("relation = 'a'::regclass")
			if err := pause.Commit(); err != nil {
				t.Error(err)
			}
		}
		if err := cmp.Or(<-sold, <-migrated); err != nil {
			t.Error(err)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM a, b WHERE a.m IS NULL AND b.m IS NULL"); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func begin(t *testing.T, db *database.DB) dialect.Tx {
	t.Helper()
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// TestMigrateLeavesANewerDatabase checks that a version works beside the next one, and that diverged versions
// are not mixed.
func TestMigrateLeavesANewerDatabase(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		if err := migration.Run(t.Context(), db, dbtest.TwoFiles, threeShops); err != nil {
			t.Fatal(err)
		}
		older := dbtest.Files("1_shops.sql", "")
		oldStep := migration.Step{Name: "one-shop", Run: func(context.Context, dialect.Tx) error {
			t.Error("older content is brought to a newer database")
			return nil
		}}
		pending, err := migration.Pending(t.Context(), db, older, oldStep)
		if err != nil || pending {
			t.Errorf("a version before it: pending %v (%v)", pending, err)
		}
		if err := migration.Run(t.Context(), db, older, oldStep); err != nil {
			t.Error(err)
		}
		if err := migration.Run(t.Context(), db, dbtest.TwoFiles); err != nil {
			t.Errorf("a step of an older content is refused: %v", err)
		}
		other := dbtest.Files("1_shops.sql", "", "2_prices.sql", "")
		_, err = migration.Pending(t.Context(), db, other)
		for _, err := range []error{err, migration.Run(t.Context(), db, other)} {
			for _, word := range []string{"2_names.sql", "2_prices.sql", "`export`", "`import`"} {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("got %v, want %s: the unknown file, the missing one and the way", err, word)
				}
			}
		}
	})
}

func TestMigrateBySeveralInstancesAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		start := make(chan struct{})
		errs := make(chan error, 4)
		var group sync.WaitGroup
		for range cap(errs) {
			group.Go(func() {
				<-start
				db, err := database.Open(t.Context(), url)
				if err != nil {
					errs <- err
					return
				}
				defer db.Close()
				errs <- migration.Run(t.Context(), db, dbtest.TwoFiles, threeShops)
			})
		}
		close(start)
		group.Wait()
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if n := dbtest.Ask[int](t, dbtest.Open(t, url).Driver(), "SELECT count(*) FROM shops"); n != 3 {
			t.Errorf("%d shops, want 3", n)
		}
	})
}

// TestMigrateRebuildsAReferredTable changes a table on SQLite by rebuilding it, as ent's engine does. The
// rows that refer to it must survive.
func TestMigrateRebuildsAReferredTable(t *testing.T) {
	db := dbtest.Open(t, testdb.SQLite(t))
	first := dbtest.Files("1.sql", `CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);
		CREATE TABLE goods (id int PRIMARY KEY, shop int REFERENCES shops (id) ON DELETE CASCADE);
		INSERT INTO goods VALUES (1, 1);`)
	if err := migration.Run(t.Context(), db, first); err != nil {
		t.Fatal(err)
	}
	first["sqlite3/2.sql"] = &fstest.MapFile{Data: []byte(`PRAGMA foreign_keys = off;
		CREATE TABLE new_shops (id int PRIMARY KEY, name text); INSERT INTO new_shops (id) SELECT id FROM shops;
		DROP TABLE shops; ALTER TABLE new_shops RENAME TO shops; PRAGMA foreign_keys = on;`)}
	if err := migration.Run(t.Context(), db, first); err != nil {
		t.Fatal(err)
	}
	if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM goods"); n != 1 {
		t.Errorf("%d goods, want 1", n)
	}
	first["sqlite3/3.sql"] = &fstest.MapFile{Data: []byte("DELETE FROM shops")}
	if err := migration.Run(t.Context(), db, first); err == nil {
		t.Error("a file that leaves goods without their shop is taken")
	}
	if err := dbtest.Try(t.Context(), db.Driver(), "INSERT INTO goods VALUES (2, 9)"); err == nil {
		t.Error("references are not enforced for the service")
	}
}

// TestMigrateLeavesAnotherProgramsDatabase checks that nothing is made beside the tables of another program, and that a
// database in use by an older version is distinguished from a new one.
func TestMigrateLeavesAnotherProgramsDatabase(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		dbtest.Exec(t, db.Driver(), "CREATE TABLE posts (id int)")
		err := migration.Run(t.Context(), db, dbtest.TwoFiles)
		if err == nil || !strings.Contains(err.Error(), "1 tables") {
			t.Errorf("got %v, want a refusal", err)
		}
		dbtest.Exec(t, db.Driver(), "DROP TABLE posts")
		one := dbtest.Files("1.sql", "CREATE TABLE shops (id int)")
		two := dbtest.Files("1.sql", "CREATE TABLE shops (id int)",
			"2.sql", "CREATE TABLE goods (id int)")
		behind := func(when string, want bool) {
			t.Helper()
			if got, err := migration.Behind(t.Context(), db, two); err != nil || got != want {
				t.Errorf("%s: got %t, %v; want %t", when, got, err, want)
			}
		}
		behind("new", false)
		if err := migration.Run(t.Context(), db, one); err != nil {
			t.Fatal(err)
		}
		behind("older", true)
		if err := migration.Run(t.Context(), db, two); err != nil {
			t.Fatal(err)
		}
		behind("migrated", false)
	})
}
