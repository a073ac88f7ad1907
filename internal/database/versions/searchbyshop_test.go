package versions_test

import (
	"io/fs"
	"path"
	"testing"
	"testing/fstest"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/database/versions"
	"storefront/internal/testdb"
)

// searchByShop is a migration that some databases were given before it was split into several.
const searchByShop = `CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX IF NOT EXISTS "blog_tenant_id_search_text" ON "blogs" USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "portfolio_tenant_id_search_text" ON "portfolios"
	USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "product_tenant_id_search_text" ON "products"
	USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "userproduct_tenant_id_search_text" ON "user_products"
	USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "variant_tenant_id_search_text" ON "variants"
	USING gin ("tenant_id", "search_text" gin_trgm_ops);
DROP INDEX "blog_search_text"; DROP INDEX "portfolio_search_text"; DROP INDEX "product_search_text";
DROP INDEX "userproduct_search_text"; DROP INDEX "variant_search_text";`

// TestDividedMigration migrates a database that already has the whole of the migration that was split.
func TestDividedMigration(t *testing.T) {
	db, err := database.Open(t.Context(), testdb.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before := fstest.MapFS{"postgres/20261123015502_search_by_shop.sql": &fstest.MapFile{Data: []byte(searchByShop)}}
	names, err := fs.Glob(versions.Files, dialect.Postgres+"/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if text, err := fs.ReadFile(versions.Files, name); err != nil {
			t.Fatal(err)
		} else if path.Base(name) < "20261123015502" {
			before[name] = &fstest.MapFile{Data: text}
		}
	}
	if err := database.Migrate(t.Context(), db, before); err != nil {
		t.Fatal(err)
	}
	if err := database.Migrate(t.Context(), db, versions.Files); err != nil {
		t.Error(err)
	}
	if names, err := database.Unknown(t.Context(), db, versions.Files); err != nil || len(names) > 0 {
		t.Error(names, err)
	}
}
