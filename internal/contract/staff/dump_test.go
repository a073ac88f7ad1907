package staff_test

import (
	"fmt"
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
		rows := shoptest.Must(a.Store.Client.QueryContext(t.Context(), "SELECT * FROM "+table.Name))(t)
		columns := shoptest.Must(rows.Columns())(t)
		var lines []string
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			var line strings.Builder
			for i, value := range values {
				if text, ok := value.([]byte); ok {
					value = string(text)
				}
				fmt.Fprintf(&line, "%s=%v ", columns[i], value)
			}
			lines = append(lines, line.String())
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(lines)
		tables[table.Name] = strings.Join(lines, "\n")
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
