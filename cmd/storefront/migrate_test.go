package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/database/store/storetest"
)

// TestMigrateInSeveralProcesses migrates one empty database in several processes at once. Each must succeed.
func TestMigrateInSeveralProcesses(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		s := on(database)
		var all sync.WaitGroup
		for i := range 6 {
			args := []string{"migrate"}
			if i%3 == 0 {
				args = []string{"tenant", "list"} // which migrates too
			}
			all.Go(func() {
				code, out, stderr := ended(t, s.process(t.Context(), args...))
				if code != 0 || stderr != "" || args[0] == "migrate" && out != "the database is up to date\n" {
					t.Errorf("%q: exit %d, %q, %q", args, code, out, stderr)
				}
			})
		}
		all.Wait()
		if out := s.succeed(t, "migrate"); out != "the database is up to date\n" {
			t.Errorf("again: %q", out)
		}
		if list := s.succeed(t, "tenant", "list"); strings.Count(list, "\n") != 1 {
			t.Errorf("tenants:\n%s", list)
		}
	})
}

// TestMigrateNamesANewerVersion checks that this version warns of a database migrated by a newer one, and
// works.
func TestMigrateNamesANewerVersion(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		db := storetest.Open(t, database)
		err := db.Driver().Exec(t.Context(), "INSERT INTO schema_migrations VALUES ('20990101000000_later.sql', $1)",
			[]any{time.Now()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out := s.succeed(t, "migrate"); !strings.Contains(out, "20990101000000_later.sql") {
			t.Errorf("got %q, want the migration that is unknown", out)
		}
	})
}

// TestAnOlderDatabaseIsRefused checks that a database of the migrations before these is refused, with the way to
// take its content over.
func TestAnOlderDatabaseIsRefused(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		text := "UPDATE schema_migrations SET name = '20261121202518_begin.sql' WHERE name LIKE '%_begin.sql'"
		if err := storetest.Open(t, database).Driver().Exec(t.Context(), text, []any{}, nil); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"migrate"}, {"serve"}, {"serve", "-no-migrate"}, {"tenant", "list"}} {
			s.refuse(t, args, "20261121202518_begin.sql", "`export`", "`import`")
		}
	})
}
