package isolation

import "slices"

// source is a source in FROM, or the target of a write: a table, or rows from a subquery, a function or a
// part of WITH.
type source struct {
	alias   string
	table   string // "": not a table
	column  string // of a table: the column that names the shop; "": the table belongs to no shop
	bound   bool   // the statement names the shop of its rows
	columns columns
}

// columns are the columns that a query gives.
type columns []column

type column struct {
	name string
	shop bool   // it names the shop of the statement
	row  string // it is the id of a row of this table, which is of that shop
}

// gives returns what is known about a column of a source.
func (s *source) gives(called string) column {
	if s.table != "" {
		given := column{name: called, shop: s.bound && s.column == called}
		if s.bound && called == "id" {
			given.row = s.table
		}
		return given
	}
	if i := slices.IndexFunc(s.columns, func(c column) bool { return c.name == called }); i >= 0 {
		return s.columns[i]
	}
	return column{name: called}
}

// has reports whether a source is known to have a column.
func (s *source) has(called string) bool {
	return s.column == called || s.column != "" && called == "id" ||
		s.table == "" && slices.ContainsFunc(s.columns, func(c column) bool { return c.name == called })
}

// scope is what a query sees: its own sources, and those of the queries around it.
type scope struct {
	up      *scope
	sources []*source
	parts   map[string]columns // of WITH
	lateral []lateralQuery
}

// lateralQuery is a source of FROM that sees the sources beside it.
type lateralQuery struct {
	source   *source
	from, to int
}

func (s *scope) part(name string) (columns, bool) {
	for ; s != nil; s = s.up {
		if found, ok := s.parts[name]; ok {
			return found, true
		}
	}
	return nil, false
}

// find returns the source that a column belongs to; without a qualifier it is the innermost that has such a
// column. It is nil if there is not exactly one.
func (s *scope) find(qualifier, column string) *source {
	for ; s != nil; s = s.up {
		var found []*source
		for _, one := range s.sources {
			if qualifier == one.alias || qualifier == "" && one.has(column) {
				found = append(found, one)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 {
			return nil
		}
	}
	return nil
}
