// Package loading describes what one statement reads: the columns of a record and, with joins, those of its
// neighbours (table.go, list.go). column.go converts columns to Go values. The templates of package ent
// describe the tables, and generate the code that turns a row into a record.
package loading

// Table is a table whose records are read together with their neighbours.
type Table struct {
	Name    string // in the database
	Owned   bool   // whether each row belongs to a tenant
	Columns []string

	// Reads maps a field of the GraphQL type to the columns that it needs: of the record, or of a neighbour
	// by path ("brand.name"). It also maps each column to itself.
	Reads map[string][]string

	Edges map[string]Edge // to neighbours, at most one of each
}

// Edge leads from a row to the row of another table whose id is in a column. If both tables belong to
// tenants, it leads only to rows of the same tenant.
type Edge struct {
	Column string
	To     *Table
}
