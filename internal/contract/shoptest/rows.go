package shoptest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/database/store"
)

// Rows returns all columns of all rows of a table as text, a line for each row.
func Rows(t testing.TB, s *store.Store, table string) string {
	t.Helper()
	rows := Must(s.Client.QueryContext(t.Context(), "SELECT * FROM "+table))(t)
	defer rows.Close()
	columns := Must(rows.Columns())(t)
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
	return strings.Join(lines, "\n")
}
