package main

import (
	"bytes"
	"io/fs"
	"slices"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	ent "storefront/ent/migrate"
	"storefront/internal/database"
	"storefront/internal/database/migration"
	"storefront/internal/database/versions"
	"storefront/internal/testkit/testdb"
)

func TestMigrationsLeadToTheSchema(t *testing.T) {
	eachMigrated(t, func(t *testing.T, db *database.DB) {
		if err := db.CheckText(t.Context()); err != nil {
			t.Error(err)
		}
		var missing bytes.Buffer
		if err := ent.NewSchema(db.Driver()).WriteTo(t.Context(), &missing, rules(db.Dialect)...); err != nil {
			t.Fatal(err)
		}
		if missing.Len() > 0 {
			t.Errorf("ent/schema has changed: `make migration NAME=…` will write:\n%s", &missing)
		}
	})
}

func TestNothingIsWrittenWithoutAChange(t *testing.T) {
	for _, name := range []string{dialect.SQLite, dialect.Postgres} {
		files, err := fs.Sub(versions.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := difference(t.Context(), name, files, "20990101000000", "nothing")
		if err != nil {
			t.Fatal(err)
		}
		if file != nil {
			t.Errorf("%s:\n%s", name, file.Bytes())
		}
	}
}

func TestTrigramIndexesAreForPostgresAlone(t *testing.T) {
	trigrams := foreignIndexes(dialect.SQLite)
	if len(trigrams) == 0 {
		t.Fatal("the schema has no trigram index")
	}
	indexes := map[string]string{
		dialect.SQLite:   "SELECT name FROM sqlite_master WHERE type = 'index'",
		dialect.Postgres: "SELECT indexname FROM pg_indexes WHERE indexdef LIKE '%gin_trgm_ops%'",
	}
	eachMigrated(t, func(t *testing.T, db *database.DB) {
		rows := new(entsql.Rows)
		if err := db.Driver().Query(t.Context(), indexes[db.Dialect], []any{}, rows); err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var names []string
		if err := entsql.ScanSlice(rows, &names); err != nil {
			t.Fatal(err)
		}
		for name := range trigrams {
			if made := slices.Contains(names, name); made != (db.Dialect == dialect.Postgres) {
				t.Errorf("index %s is made: %v", name, made)
			}
		}
	})
}

// TestWhatChangesInPlaceHasNoIndex checks that no index includes a column that changes often, since each
// such write would update all indexes of PostgreSQL's table, and that pages have free space for the new row
// versions.
func TestWhatChangesInPlaceHasNoIndex(t *testing.T) {
	changing := map[string][]string{
		"variants": {"stock"},
		"carts": {"checkouts", "last_order_id", "last_checkout", "checked_out_at",
			"repriced_at", "updated_at"},
		"cart_items":       {"quantity", "seen_price", "seen_currency", "updated_at"},
		"idempotency_keys": {"answer"},
		"tenants":          {"content_version", "updated_at"},
	}
	indexed := map[string]string{
		dialect.SQLite: "SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_index_list(t.name) i, " +
			"pragma_index_info(i.name) c WHERE t.type = 'table'",
		dialect.Postgres: "SELECT DISTINCT indrelid::regclass || '.' || attname FROM pg_index JOIN pg_depend ON " +
			"objid = indexrelid AND classid = 'pg_class'::regclass JOIN pg_attribute ON attrelid = refobjid " +
			"AND attnum = refobjsubid WHERE refobjid = indrelid",
	}
	eachMigrated(t, func(t *testing.T, db *database.DB) {
		columns := namesIn(t, db, indexed[db.Dialect])
		if !slices.Contains(columns, "carts.user_id") {
			t.Fatalf("indexes of %q", columns)
		}
		for table, names := range changing {
			for _, name := range names {
				if slices.Contains(columns, table+"."+name) {
					t.Errorf("an index has %s.%s", table, name)
				}
			}
			const room = "SELECT relname FROM pg_class WHERE reloptions::text LIKE '%fillfactor%'"
			if db.Dialect == dialect.Postgres && !slices.Contains(namesIn(t, db, room), table) {
				t.Errorf("the pages of %s are filled", table)
			}
		}
	})
}

func namesIn(t *testing.T, db *database.DB, text string) (names []string) {
	t.Helper()
	rows := new(entsql.Rows)
	if err := db.Driver().Query(t.Context(), text, []any{}, rows); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if err := entsql.ScanSlice(rows, &names); err != nil {
		t.Fatal(err)
	}
	return names
}

// TestTriggers checks that the triggers of SQLite's word index exist, and no others: a migration that rebuilds a
// table drops its triggers, and must create them again.
func TestTriggers(t *testing.T) {
	want := map[string][]string{dialect.SQLite: {
		"product_is_gone on products", "product_is_new on products", "product_is_renamed on products",
		"product_words_follow on tenants", "words_go on tenants",
	}}
	triggers := map[string]string{
		dialect.SQLite: "SELECT name || ' on ' || tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
		dialect.Postgres: "SELECT tgname || ' on ' || tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal " +
			"ORDER BY 1",
	}
	eachMigrated(t, func(t *testing.T, db *database.DB) {
		rows := new(entsql.Rows)
		if err := db.Driver().Query(t.Context(), triggers[db.Dialect], []any{}, rows); err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		if err := entsql.ScanSlice(rows, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want[db.Dialect]) {
			t.Errorf("triggers: got %q", got)
		}
	})
}

func eachMigrated(t *testing.T, f func(t *testing.T, db *database.DB)) {
	t.Helper()
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		if err := migration.Run(t.Context(), db, versions.Files); err != nil {
			t.Fatal(err)
		}
		f(t, db)
	})
}
