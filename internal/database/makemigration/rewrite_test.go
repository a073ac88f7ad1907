package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
)

// TestRewrite checks that the new file has the tables of today and what was written by hand, and is the only one.
func TestRewrite(t *testing.T) {
	const before, after = "CREATE EXTENSION IF NOT EXISTS pg_trgm;\nCREATE EXTENSION IF NOT EXISTS btree_gin;\n",
		"ANALYZE;\n"
	for kind, before := range map[string]string{dialect.SQLite: "", dialect.Postgres: before} {
		folder := t.TempDir()
		for name, text := range map[string]string{
			"20260101000000_begin.sql": before + begins + "CREATE TABLE gone (id int);\n" + ends + after,
			"20260101000001_more.sql":  "CREATE TABLE more (id int);\n",
		} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := rewrite(t.Context(), folder, kind, "20260101000002"); err != nil {
			t.Fatal(err)
		}
		only := filepath.Join(folder, "20260101000002_begin.sql")
		if names, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || !slices.Equal(names, []string{only}) {
			t.Errorf("%s: got %q, %v, want %s alone", kind, names, err, only)
		}
		text, err := os.ReadFile(only)
		if err != nil {
			t.Fatal(err)
		}
		made, enclosed := strings.CutPrefix(string(text), before+begins)
		made, ended := strings.CutSuffix(made, ends+after)
		whole := strings.Contains(made, "-- Create \"carts\" table\n") && !strings.Contains(made, "TABLE gone")
		if !enclosed || !ended || !whole {
			t.Errorf("%s: got\n%s", kind, text)
		}
	}
}
