package main

import (
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"

	"storefront/internal/record"
)

// addGenerated adds to the tables of the ent schema the columns that the database computes, and their indexes.
func addGenerated(tables []*atlas.Table, dialectName string) {
	for _, g := range record.GeneratedColumns {
		for _, table := range tables {
			if table.Name != g.Table {
				continue
			}
			column := atlas.NewNullColumn(g.Column).SetType(typeOf(g, dialectName)).
				SetGeneratedExpr(&atlas.GeneratedExpr{Expr: g.Is[dialectName], Type: kindOf[dialectName]})
			table.AddColumns(column)
			index, ok := table.Index(g.Index)
			if !ok {
				index = atlas.NewIndex(g.Index)
				table.AddIndexes(index)
			}
			index.AddColumns(column)
		}
	}
}

// kindOf is how a generated column is stored. SQLite can add only virtual ones to a table; the index holds
// their values.
var kindOf = map[string]string{dialect.SQLite: "VIRTUAL", dialect.Postgres: "STORED"}

func typeOf(g record.Generated, dialectName string) atlas.Type {
	switch {
	case g.Boolean && dialectName == dialect.Postgres:
		return &atlas.BoolType{T: "boolean"}
	case g.Boolean:
		return &atlas.BoolType{T: "bool"}
	case dialectName == dialect.Postgres:
		return &atlas.TimeType{T: "date"}
	}
	return &atlas.IntegerType{T: "integer"}
}
