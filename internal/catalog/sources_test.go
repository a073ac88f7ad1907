package catalog

import (
	"strings"
	"testing"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/ent/listing"
)

// TestEveryMomentIsAChange looks for columns with a time at which content becomes public, begins or ends.
// Cached answers must expire at such a time.
func TestEveryMomentIsAChange(t *testing.T) {
	found := 0
	for _, table := range ent.Tables {
		for _, column := range table.Columns {
			switch column.Name {
			case "published_at", "starts_at", "ends_at":
			default:
				continue
			}
			if table.Name == listing.Table || table.Name == cart.Table { // listed records; no public answers
				continue
			}
			found++
			text := "SELECT MIN(" + column.Name + ") FROM " + table.Name + " "
			if !strings.Contains(nextChangeText, text) {
				t.Errorf("%s.%s is missing among the moments at which answers change", table.Name, column.Name)
			}
		}
	}
	if found != strings.Count(nextChangeText, "SELECT") {
		t.Errorf("%d columns", found)
	}
}
