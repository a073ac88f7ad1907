package order

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/database/store/storetest"
)

// TestStockIsFoundByID checks that SQLite finds the variants whose stock is moved by their ids, however many
// the shop has. On PostgreSQL a function looks ids up one by one.
func TestStockIsFoundByID(t *testing.T) {
	s := storetest.Open(t, storetest.Migrated.SQLite(t))
	var step, above, unused int
	var first string
	_, err := database.Statement("EXPLAIN QUERY PLAN "+moveUnitsOfSQLite).Row(t.Context(), s.Client.Raw(),
		database.Values{"units": "[]", "tenant": uuid.Nil}, &step, &above, &unused, &first)
	if err != nil || !strings.Contains(first, "json_each") {
		t.Errorf("the plan begins with %q (%v), want the units that are moved", first, err)
	}
}
