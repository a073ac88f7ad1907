package versions_test

import (
	"context"
	"io/fs"
	"path"
	"testing"
	"testing/fstest"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
	"storefront/internal/database/versions"
	"storefront/internal/testdb"
)

// filled writes an audit log of 40,000 entries. 6,000 are about listings, in thirds: listings that staff
// deleted, listings that their customers withdrew, and earlier changes by staff of the listings they deleted
// later.
var filled = map[string]string{
	dialect.SQLite: `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 39999)
		INSERT INTO audit_entries (id, created_at, updated_at, action, kind, record_id, before)
		SELECT printf('00000000-0000-4000-8000-%012d', n), '2026-01-01', '2026-01-01',
			CASE WHEN n < 6000 AND n % 3 = 0 THEN 'deleteUserProduct' ELSE 'update' END,
			CASE WHEN n < 6000 THEN 'userProduct' ELSE 'product' END,
			printf('00000000-0000-4000-9000-%012d', CASE n % 3 WHEN 2 THEN n - 2 ELSE n END),
			CASE WHEN n % 3 = 0 THEN '{"userId": "00000000-0000-4000-a000-000000000001"}'
			ELSE '{"titleFa": "words"}' END
		FROM numbers`,
	dialect.Postgres: `INSERT INTO audit_entries (id, created_at, updated_at, action, kind, record_id, before)
		SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '2026-01-01', '2026-01-01',
			CASE WHEN n < 6000 AND n % 3 = 0 THEN 'deleteUserProduct' ELSE 'update' END,
			CASE WHEN n < 6000 THEN 'userProduct' ELSE 'product' END,
			('00000000-0000-4000-9000-' || lpad((CASE n % 3 WHEN 2 THEN n - 2 ELSE n END)::text, 12, '0'))::uuid,
			(CASE WHEN n % 3 = 0 THEN '{"userId": "00000000-0000-4000-a000-000000000001"}'
			ELSE '{"titleFa": "words"}' END)::jsonb
		FROM generate_series(0, 39999) AS n`,
}

// TestAuditCustomersOfALargeLog migrates a large audit log. On SQLite no request is served meanwhile, so the
// time must not be quadratic in the number of entries.
func TestAuditCustomersOfALargeLog(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		before := fstest.MapFS{}
		names, _ := fs.Glob(versions.Files, db.Dialect+"/*.sql")
		for _, name := range names {
			if text, _ := fs.ReadFile(versions.Files, name); path.Base(name) < "20261123083300" {
				before[name] = &fstest.MapFile{Data: text}
			}
		}
		if err := database.Migrate(t.Context(), db, before); err != nil {
			t.Fatal(err)
		}
		if err := db.Driver().Exec(t.Context(), filled[db.Dialect], []any{}, nil); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		if err := database.Migrate(ctx, db, versions.Files); err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]int{
			"SELECT count(*) FROM audit_entries WHERE before IS NULL":          2000,
			"SELECT count(*) FROM audit_entries WHERE customer_id IS NOT NULL": 4000,
		} {
			var rows entsql.Rows
			if err := db.Driver().Query(t.Context(), text, []any{}, &rows); err != nil {
				t.Fatal(err)
			}
			if got, err := entsql.ScanInt(rows); err != nil || got != want {
				t.Errorf("%s: got %d (%v), want %d", text, got, err, want)
			}
			rows.Close()
		}
	})
}
