// Package loading says what one statement reads: the columns of a record, and with a join those of its
// neighbours (table.go, list.go). column.go converts columns to Go values. The templates of package ent
// describe the tables, and generate what reads a row into a record.
package loading

// Table is a table whose records are read together with their neighbours.
type Table struct {
	Name    string // in the database
	Owned   bool   // whether each row belongs to a tenant
	Columns []string

	// Reads maps a field of the GraphQL type to the columns that it needs: of the record, or of a neighbour by
	// path ("brand.name"). It also has the columns by their own names.
	Reads map[string][]string

	Edges map[string]Edge // to neighbours, at most one of each
}

// Edge leads from a row to that row of a table whose id it has in a column. From a row of a tenant it leads
// to rows of the same tenant alone, where the table has tenants.
type Edge struct {
	Column string
	To     *Table
}
