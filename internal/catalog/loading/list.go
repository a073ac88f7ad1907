package loading

import (
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"

	"storefront/internal/catalog/selection"
)

// list is what a statement reads from a table: columns of its records, and of the neighbours that are joined
// to them. A column of a neighbour is named by its path, as in "product:brand:name".
type list struct {
	table *Table
	joins []join
	text  string // the text after SELECT
	from  string // the text after the first LEFT JOIN; empty without joins
}

// join is a neighbour's table. from is the alias of the table that leads to it; empty for the record's own.
type join struct {
	alias, from string
	edge        Edge
}

// Separator separates the names of a path.
const Separator = ":"

// list returns what a statement of a dialect must read for a selection. It reads all columns for an empty
// set, or if the set has a field that is not in t.Reads, since that field is computed from the whole row.
func (t *Table) list(dialect string, sel *selection.Set) *list {
	if sel == nil {
		return t.makeList(dialect, sel)
	}
	type key struct {
		table   *Table
		dialect string
	}
	return sel.Once(key{t, dialect}, func() any { return t.makeList(dialect, sel) }).(*list)
}

func (t *Table) makeList(dialect string, sel *selection.Set) *list {
	l := &list{table: t}
	var columns strings.Builder
	b := sql.Dialect(dialect)
	l.add(b, &columns, "", "", t, sel)
	l.text, l.from = columns.String(), l.joined(b)
	return l
}

// add adds the columns and neighbours that sel needs from a table. alias names it in the statement, path in the
// names of columns; both are empty for the record's own.
func (l *list) add(b *sql.DialectBuilder, text *strings.Builder, alias, path string, t *Table, sel *selection.Set) {
	columns, neighbours := t.needs(sel)
	for _, column := range columns {
		if text.Len() > 0 {
			text.WriteString(", ")
		}
		if alias == "" {
			text.WriteString(b.Table(t.Name).C(column))
			continue
		}
		named := b.String(func(b *sql.Builder) { b.Ident(path + column) })
		text.WriteString(b.Table(t.Name).As(alias).C(column) + " AS " + named)
	}
	for _, name := range slices.Sorted(maps.Keys(neighbours)) { // one text for one selection
		next := join{alias: strings.ReplaceAll(path, Separator, "_") + name, from: alias, edge: t.Edges[name]}
		l.joins = append(l.joins, next)
		l.add(b, text, next.alias, path+name+Separator, next.edge.To, neighbours[name])
	}
}

// needs returns the columns that sel needs from a table, the id first, and what it needs from neighbours.
func (t *Table) needs(sel *selection.Set) (columns []string, neighbours map[string]*selection.Set) {
	neighbours = map[string]*selection.Set{}
	whole := sel.Empty()
	sel.Each(func(name string, sub *selection.Set) {
		if _, ok := t.Edges[name]; ok {
			neighbours[name] = neighbours[name].Merge(selection.Names("id")).Merge(sub)
			return
		}
		needed, known := t.Reads[name]
		whole = whole || !known
		for _, path := range needed {
			edge, rest, far := strings.Cut(path, ".")
			if far {
				neighbours[edge] = neighbours[edge].Merge(selection.Names("id")).Merge(selection.Path(rest))
			} else {
				columns = append(columns, path)
			}
		}
	})
	if whole {
		return t.Columns, neighbours
	}
	for name := range neighbours {
		columns = append(columns, t.Edges[name].Column)
	}
	if t.Owned {
		columns = append(columns, tenantID)
	}
	slices.Sort(columns)
	columns = slices.DeleteFunc(slices.Compact(columns), func(column string) bool { return column == id })
	return append([]string{id}, columns...), neighbours
}

// The columns that every table has, and that every table of tenants' rows has.
const id, tenantID = "id", "tenant_id"

// Select returns a modifier that makes a statement read the columns and neighbours that a selection needs, and
// no others. The statement reads from the table under its own name.
func (t *Table) Select(sel *selection.Set) func(*sql.Selector) {
	return func(s *sql.Selector) { t.list(s.Dialect(), sel).selectFrom(s) }
}

// selectFrom makes a statement read the list. Its text is built once, while ent would build it for each request.
func (l *list) selectFrom(s *sql.Selector) {
	s.Select().AppendSelectExpr(sql.Raw(l.text))
	if l.from != "" {
		s.LeftJoin(sql.Dialect(s.Dialect()).Table(l.from).Unquote())
	}
}

// joined returns the text of all joins.
func (l *list) joined(b *sql.DialectBuilder) string {
	var text strings.Builder
	tables := map[string]*sql.SelectTable{"": b.Table(l.table.Name)}
	for i, j := range l.joins {
		if i > 0 {
			text.WriteString(" LEFT JOIN ")
		}
		from, t := tables[j.from], b.Table(j.edge.To.Name).As(j.alias)
		tables[j.alias] = t
		text.WriteString(b.String(func(b *sql.Builder) { b.Ident(j.edge.To.Name).WriteString(" AS ").Ident(j.alias) }) +
			" ON " + from.C(j.edge.Column) + " = " + t.C(id))
		if j.edge.To.Owned { // tenancy.Guard does not see joins
			text.WriteString(" AND " + from.C(tenantID) + " = " + t.C(tenantID))
		}
	}
	return text.String()
}
