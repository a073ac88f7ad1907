package database_test

import (
	"os"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/database/migration"
	"storefront/internal/testkit/testdb"
)

// TestFullDisk checks that a change on a full disk fails as unavailable, that reads go on, that no changes
// are accepted until the disk has room again, and that trying it leaves no rows.
func TestFullDisk(t *testing.T) {
	// PostgreSQL raises the error itself, as no full disk is at hand; SQLite fails at a limit on the file's
	// size.
	full := map[string][]string{
		dialect.Postgres: {
			"CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS " +
				"$$ BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$",
			"CREATE TRIGGER full_disk BEFORE INSERT ON shops EXECUTE FUNCTION full_disk()",
			"CREATE TRIGGER full_disk BEFORE INSERT ON schema_migrations EXECUTE FUNCTION full_disk()",
		},
		dialect.SQLite: {"PRAGMA max_page_count = 1"}, // no more pages than now
	}
	empty := map[string][]string{
		dialect.Postgres: {"DROP TRIGGER full_disk ON shops", "DROP TRIGGER full_disk ON schema_migrations"},
		dialect.SQLite:   {"PRAGMA max_page_count = 1000000"},
	}
	testdb.Each(t, func(t *testing.T, url string) {
		db := dbtest.Open(t, url)
		if err := migration.Run(t.Context(), db, dbtest.TwoFiles); err != nil {
			t.Fatal(err)
		}
		before := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM schema_migrations")
		for _, text := range full[db.Dialect] {
			dbtest.Exec(t, db.Driver(), text)
		}
		trial := strings.TrimPrefix(url, "sqlite://") + "-room" // a folder: no file can be written there
		if db.Dialect == dialect.SQLite {
			if err := os.Mkdir(trial, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.CheckWritable(t.Context()); err != nil {
			t.Errorf("before a change needed space: %v", err)
		}
		large := strings.Repeat("x", 100_000)
		if err := dbtest.Try(t.Context(), db.Driver(), "INSERT INTO shops VALUES (9, $1)",
			large); !database.IsUnavailable(err) {
			t.Errorf("a change: %v, want that it is unavailable", err)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM shops"); n != 1 {
			t.Errorf("%d shops", n)
		}
		if err := db.CheckWritable(t.Context()); err == nil {
			t.Error("it can be written, without room")
		}
		for _, text := range empty[db.Dialect] {
			dbtest.Exec(t, db.Driver(), text)
		}
		if db.Dialect == dialect.SQLite {
			if err := os.Remove(trial); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.CheckWritable(t.Context()); err != nil {
			t.Errorf("with room again: %v", err)
		}
		if err := dbtest.Try(t.Context(), db.Driver(), "INSERT INTO shops VALUES (9, $1)", large); err != nil {
			t.Error(err)
		}
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT count(*) FROM schema_migrations"); n != before {
			t.Errorf("%d migrations, want %d", n, before)
		}
	})
}
