package graph

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/internal/database"
	"storefront/internal/database/store/storetest"
)

// TestStaffFindSKUsByTheirIndex checks that SQLite searches the index of SKUs once for each distinct word. The rows of
// variants are long, and a shop may have many.
func TestStaffFindSKUsByTheirIndex(t *testing.T) {
	s := storetest.Open(t, storetest.Migrated.SQLite(t))
	query := "pump qz qz pump"
	records := sql.Dialect(dialect.SQLite).Select(product.FieldID).From(sql.Table(product.Table))
	findRecords(records, uuid.UUID{}, &query)
	text, args := records.Query()
	var plan []string
	err := database.EachRow(t.Context(), s.Driver(), "EXPLAIN QUERY PLAN "+text, args, func(row *sql.Rows) error {
		var id, parent, unused int
		var detail string
		err := row.Scan(&id, &parent, &unused, &detail)
		if strings.Contains(detail, " variants ") {
			plan = append(plan, detail)
		}
		return err
	})
	const want = "SEARCH variants USING INDEX variant_tenant_id_sku_text (tenant_id=? AND sku_text>?)"
	if err != nil || len(plan) != 2 || plan[0] != want || plan[1] != want {
		t.Errorf("got %q, %v, want twice %q", plan, err, want)
	}
}
