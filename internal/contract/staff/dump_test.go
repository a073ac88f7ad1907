package staff_test

import (
	"slices"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
)

// dump returns all tables except some, each as text with a line for each row. It leaves out the tree of
// locations, which is large and never changes here.
func dump(t testing.TB, a *shoptest.Accounts, without ...string) map[string]string {
	t.Helper()
	tables := map[string]string{}
	for _, table := range ent.Tables {
		if slices.Contains(without, table.Name) || table.Name == "locations" {
			continue
		}
		tables[table.Name] = shoptest.Rows(t, a.Store, table.Name)
	}
	return tables
}

// traces returns the places in the tables where a text occurs.
func traces(tables map[string]string, of ...string) (found []string) {
	for name, rows := range tables {
		for _, word := range of {
			if strings.Contains(rows, word) {
				found = append(found, name+": "+word)
			}
		}
	}
	slices.Sort(found)
	return found
}
