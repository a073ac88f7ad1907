package database_test

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/testkit/testdb"
)

// files makes a file system of migrations that are alike for both dialects, from pairs of name and text.
func files(pairs ...string) fstest.MapFS {
	fs := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		for _, folder := range []string{dialect.SQLite, dialect.Postgres} {
			fs[folder+"/"+pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
		}
	}
	return fs
}

var twoFiles = files(
	"1_shops.sql", "CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);",
	"2_names.sql", "ALTER TABLE shops ADD COLUMN name text; UPDATE shops SET name = 'green';",
)

var threeShops = database.Step{Name: "three-shops", Run: func(ctx context.Context, tx dialect.Tx) error {
	return try(ctx, tx, "INSERT INTO shops VALUES ($1, 'red'), ($2, 'blue')", 2, 3)
}}

func TestMigrateAppliesFilesThenStepsOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		for i, want := range []bool{true, false} {
			pending, err := database.Pending(t.Context(), db, twoFiles, threeShops)
			if err != nil || pending != want {
				t.Fatalf("before run %d: pending %v (%v), want %v", i+1, pending, err, want)
			}
			if err := database.Migrate(t.Context(), db, twoFiles, threeShops); err != nil {
				t.Fatal(err)
			}
		}
		if n := ask[int](t, db.Driver(), "SELECT count(*) FROM shops WHERE name IN ('green', 'red', 'blue')"); n != 3 {
			t.Errorf("%d shops, want 3", n)
		}
		later := database.Step{Name: "later", Run: threeShops.Run}
		if pending, err := database.Pending(t.Context(), db, twoFiles, threeShops, later); err != nil || !pending {
			t.Errorf("a new step: pending %v (%v)", pending, err)
		}
	})
}

// TestFewConnectionsAreOpened checks that a command on a database that is up to date makes one connection to
// PostgreSQL: a new one costs the server more than most commands.
func TestFewConnectionsAreOpened(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		if err := database.Migrate(t.Context(), open(t, url), twoFiles); err != nil {
			t.Fatal(err)
		}
		db := open(t, url)
		apart := db.CountApart()
		if err := database.Migrate(t.Context(), db, twoFiles); err != nil {
			t.Fatal(err)
		}
		if n := db.OpenConnections(); db.Dialect == dialect.Postgres && n != 1 || *apart != 0 {
			t.Errorf("got %d connections of the pools and %d beside them, want 1 and 0", n, *apart)
		}
	})
}

func TestMigrateUndoesAFailedFileAndGoesOnLater(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		broken := files(
			"1_shops.sql", "CREATE TABLE shops (id int PRIMARY KEY);",
			"2_broken.sql", "INSERT INTO shops VALUES (1); INSERT INTO nowhere VALUES (1);",
		)
		err := database.Migrate(t.Context(), db, broken)
		if err == nil || !strings.Contains(err.Error(), "2_broken.sql") {
			t.Fatalf("error %v, want one that names the file", err)
		}
		if n := ask[int](t, db.Driver(), "SELECT count(*) FROM shops"); n != 0 {
			t.Errorf("%d rows are left of the failed file", n)
		}
		mended := files("1_shops.sql", "", "2_broken.sql", "INSERT INTO shops VALUES (1);")
		if err := database.Migrate(t.Context(), db, mended); err != nil {
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
			url = with(url, "deadlock_timeout=20ms")
		}
		db := open(t, url)
		if err := database.Migrate(t.Context(), db, files("1.sql", tables)); err != nil {
			t.Fatal(err)
		}
		server := begin(t, db)
		exec(t, server, "INSERT INTO b VALUES (1)")
		var pause dialect.Tx
		if db.Dialect == dialect.Postgres {
			exec(t, server, "SET LOCAL deadlock_timeout = '1min'")
			pause = begin(t, db)
			exec(t, pause, "SELECT pg_advisory_xact_lock(7)")
		}
		migrated, sold := make(chan error, 1), make(chan error, 1)
		go func() {
			migrated <- database.Migrate(t.Context(), db,
				files("1.sql", tables, "2.sql", fmt.Sprintf(columns, meets[db.Dialect])))
		}()
		wait := func(lock string) {
			for ask[int](t, db.Driver(), "SELECT count(*) FROM pg_locks WHERE NOT granted AND "+lock) == 0 {
				runtime.Gosched()
			}
		}
		if pause != nil {
			wait("locktype = 'advisory' AND objid = 7") // the migration has taken the lock
		}
		go func() { sold <- cmp.Or(try(t.Context(), server, "INSERT INTO a VALUES (1)"), server.Commit()) }()
		if pause != nil {
			wait("relation = 'a'::regclass")
			if err := pause.Commit(); err != nil {
				t.Error(err)
			}
		}
		if err := cmp.Or(<-sold, <-migrated); err != nil {
			t.Error(err)
		}
		if n := ask[int](t, db.Driver(), "SELECT count(*) FROM a, b WHERE a.m IS NULL AND b.m IS NULL"); n != 1 {
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
		db := open(t, url)
		if err := database.Migrate(t.Context(), db, twoFiles, threeShops); err != nil {
			t.Fatal(err)
		}
		older := files("1_shops.sql", "")
		oldStep := database.Step{Name: "one-shop", Run: func(context.Context, dialect.Tx) error {
			t.Error("older content is brought to a newer database")
			return nil
		}}
		pending, err := database.Pending(t.Context(), db, older, oldStep)
		if err != nil || pending {
			t.Errorf("a version before it: pending %v (%v)", pending, err)
		}
		if err := database.Migrate(t.Context(), db, older, oldStep); err != nil {
			t.Error(err)
		}
		if err := database.Migrate(t.Context(), db, twoFiles); err != nil {
			t.Errorf("a step of an older content is refused: %v", err)
		}
		other := files("1_shops.sql", "", "2_prices.sql", "")
		_, err = database.Pending(t.Context(), db, other)
		for _, err := range []error{err, database.Migrate(t.Context(), db, other)} {
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
				errs <- database.Migrate(t.Context(), db, twoFiles, threeShops)
			})
		}
		close(start)
		group.Wait()
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if n := ask[int](t, open(t, url).Driver(), "SELECT count(*) FROM shops"); n != 3 {
			t.Errorf("%d shops, want 3", n)
		}
	})
}

// TestMigrateRebuildsAReferredTable changes a table on SQLite by rebuilding it, as ent's engine does. The
// rows that refer to it must survive.
func TestMigrateRebuildsAReferredTable(t *testing.T) {
	db := open(t, testdb.SQLite(t))
	first := files("1.sql", `CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);
		CREATE TABLE goods (id int PRIMARY KEY, shop int REFERENCES shops (id) ON DELETE CASCADE);
		INSERT INTO goods VALUES (1, 1);`)
	if err := database.Migrate(t.Context(), db, first); err != nil {
		t.Fatal(err)
	}
	first["sqlite3/2.sql"] = &fstest.MapFile{Data: []byte(`PRAGMA foreign_keys = off;
		CREATE TABLE new_shops (id int PRIMARY KEY, name text); INSERT INTO new_shops (id) SELECT id FROM shops;
		DROP TABLE shops; ALTER TABLE new_shops RENAME TO shops; PRAGMA foreign_keys = on;`)}
	if err := database.Migrate(t.Context(), db, first); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, db.Driver(), "SELECT count(*) FROM goods"); n != 1 {
		t.Errorf("%d goods, want 1", n)
	}
	first["sqlite3/3.sql"] = &fstest.MapFile{Data: []byte("DELETE FROM shops")}
	if err := database.Migrate(t.Context(), db, first); err == nil {
		t.Error("a file that leaves goods without their shop is taken")
	}
	if err := try(t.Context(), db.Driver(), "INSERT INTO goods VALUES (2, 9)"); err == nil {
		t.Error("references are not enforced for the service")
	}
}

// TestMigrateLeavesAnotherProgramsDatabase checks that nothing is made beside the tables of another program, and that a
// database in use by an older version is distinguished from a new one.
func TestMigrateLeavesAnotherProgramsDatabase(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := open(t, url)
		exec(t, db.Driver(), "CREATE TABLE posts (id int)")
		err := database.Migrate(t.Context(), db, twoFiles)
		if err == nil || !strings.Contains(err.Error(), "1 tables") {
			t.Errorf("got %v, want a refusal", err)
		}
		exec(t, db.Driver(), "DROP TABLE posts")
		one, two := files("1.sql", "CREATE TABLE shops (id int)"), files("1.sql", "CREATE TABLE shops (id int)",
			"2.sql", "CREATE TABLE goods (id int)")
		behind := func(when string, want bool) {
			t.Helper()
			if got, err := database.Behind(t.Context(), db, two); err != nil || got != want {
				t.Errorf("%s: got %t, %v; want %t", when, got, err, want)
			}
		}
		behind("new", false)
		if err := database.Migrate(t.Context(), db, one); err != nil {
			t.Fatal(err)
		}
		behind("older", true)
		if err := database.Migrate(t.Context(), db, two); err != nil {
			t.Fatal(err)
		}
		behind("migrated", false)
	})
}
