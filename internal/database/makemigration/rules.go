package main

import (
	"regexp"
	"slices"

	"ariga.io/atlas/sql/postgres"
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	ent "storefront/ent/migrate"
)

// rules returns the options with which the ent schema is compared with a database, by makemigration and by
// its tests: what the schema no longer has is dropped, and an index with a PostgreSQL type ("GIN") exists on
// PostgreSQL only. ent itself would make a B-tree of it on SQLite, which does not help a search within a
// text. Generated columns (internal/record/computedcolumn.go) are added.
func rules(dialectName string) []schema.MigrateOption {
	foreign := foreignIndexes(dialectName)
	return []schema.MigrateOption{
		schema.WithDropColumn(true),
		schema.WithDropIndex(true),
		schema.WithDiffHook(func(next schema.Differ) schema.Differ {
			return schema.DiffFunc(func(current, desired *atlas.Schema) ([]atlas.Change, error) {
				for _, table := range desired.Tables {
					table.Indexes = slices.DeleteFunc(table.Indexes, func(i *atlas.Index) bool {
						return foreign[i.Name]
					})
				}
				addGenerated(desired.Tables, dialectName)
				withoutCasts(slices.Concat(current.Tables, desired.Tables))
				return next.Diff(current, desired)
			})
		}),
	}
}

// What PostgreSQL makes of a condition that compares texts: ((status)::text = 'paid'::text), and ((status)::text = ANY
// ((ARRAY['begun'::character varying, …])::text[])) of several.
var (
	cast    = regexp.MustCompile(`::(?:text|character varying)(?:\[\])?`)
	wrapped = regexp.MustCompile(`\((\w+|'[^']*')\)`)
	list    = regexp.MustCompile(`^\((\w+) = ANY \(+ARRAY\[([^]]+)\]\)+$`)
)

// withoutCasts writes the conditions of indexes as the ent schema does.
func withoutCasts(tables []*atlas.Table) {
	for _, table := range tables {
		for _, index := range table.Indexes {
			for _, attr := range index.Attrs {
				if condition, ok := attr.(*postgres.IndexPredicate); ok && cast.MatchString(condition.P) {
					bare := wrapped.ReplaceAllString(cast.ReplaceAllString(condition.P, ""), "$1")
					condition.P = list.ReplaceAllString(bare, "($1 IN ($2))")
				}
			}
		}
	}
}

// foreignIndexes returns the names of the indexes that exist only on the other dialect.
func foreignIndexes(dialectName string) map[string]bool {
	names := map[string]bool{}
	if dialectName == dialect.Postgres {
		return names
	}
	for _, table := range ent.Tables {
		for _, index := range table.Indexes {
			if index.Annotation != nil && index.Annotation.Types[dialect.Postgres] != "" &&
				index.Annotation.Types[dialectName] == "" {
				names[index.Name] = true
			}
		}
	}
	return names
}
