package isolation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// source is what stands in FROM, or what is written: a table, or rows that a query, a function or a part of
// WITH gives.
type source struct {
	alias   string
	table   string // "": not a table
	column  string // of a table: the column that names the shop; "": the table belongs to no shop
	bound   bool   // the statement says of which shop its rows are
	columns columns
}

// columns are the columns that a query gives.
type columns []column

type column struct {
	name string
	shop bool   // it names the shop of the statement
	row  string // it is the id of a row of this table, which is of that shop
}

// column returns what is known of a column of a source.
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
// column. It is nil where there is none, or more than one.
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

// condition is an expression that rows must meet: all of a query's where it stands in WHERE, and those of the
// right side where it stands in the ON of LEFT JOIN.
type condition struct {
	from, to int
	of       []*source // nil: all
}

// reader reads one statement.
type reader struct {
	tokens  []token
	shops   map[string]string // the column that names the shop, by table
	read    map[int]bool      // tokens that were read as the name of a shop's table
	unbound map[string]bool   // tables
}

// notUnderstood is panicked with by a reader, and caught by read.
type notUnderstood struct{ what string }

// read returns the shops' tables that a statement reads or writes without saying of which shop. It fails with
// what it does not understand, where a shop's table is named.
func read(text string, shops map[string]string) (unbound []string, err error) {
	tokens, err := split(text)
	if err != nil {
		return nil, err
	}
	r := &reader{tokens: tokens, shops: shops, read: map[int]bool{}, unbound: map[string]bool{}}
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case notUnderstood:
			err = fmt.Errorf("not understood: %s", failed.what)
		default:
			panic(failed)
		}
	}()
	for from := 0; from < len(tokens); {
		end := r.until(from, len(tokens), ";")
		if r.is(from, "select", "with", "insert", "update", "delete", "values", "(") {
			r.query(from, end, nil)
		}
		from = end + 1
	}
	for i, t := range tokens {
		ofColumn := r.is(i+1, ".") || i > 0 && r.is(i-1, ".")
		if t.kind <= name && shops[t.text] != "" && !r.read[i] && !ofColumn {
			return nil, fmt.Errorf("not understood: what is done with %s", t.text)
		}
	}
	return slices.Sorted(maps.Keys(r.unbound)), nil
}

// is reports whether a token is one of some words or signs.
func (r *reader) is(i int, texts ...string) bool {
	if i >= len(r.tokens) || r.tokens[i].kind != word && r.tokens[i].kind != sign {
		return false
	}
	return slices.Contains(texts, r.tokens[i].text)
}

func (r *reader) isAt(i, end int, texts ...string) bool { return i < end && r.is(i, texts...) }

// after returns the index behind a token and what it encloses.
func (r *reader) after(i int) int { return max(i, r.tokens[i].close) + 1 }

// until returns the index of the first of some words or signs that nothing encloses, or end.
func (r *reader) until(from, end int, texts ...string) int {
	for i := from; i < end; i = r.after(i) {
		if r.is(i, texts...) {
			return i
		}
	}
	return end
}

// cut cuts at words or signs that nothing encloses.
func (r *reader) cut(from, end int, texts ...string) (parts [][2]int) {
	for {
		at := r.until(from, end, texts...)
		parts = append(parts, [2]int{from, at})
		if at == end {
			return parts
		}
		from = at + 1
	}
}

func (r *reader) fail(i int, what string) {
	near := r.tokens[max(0, min(i, len(r.tokens)-1)-4):min(len(r.tokens), i+4)]
	texts := make([]string, len(near))
	for n, t := range near {
		texts[n] = t.text
	}
	panic(notUnderstood{what + ", near " + strings.Join(texts, " ")})
}

// query reads a query with its WITH, and returns the columns that it gives.
func (r *reader) query(from, end int, up *scope) columns {
	s := &scope{up: up, parts: map[string]columns{}}
	if r.isAt(from, end, "with") {
		from++
		recursive := r.isAt(from, end, "recursive")
		if recursive {
			from++
		}
		for more := true; more; from++ {
			from = r.with(from, end, recursive, s)
			more = r.isAt(from, end, ",")
			if !more {
				break
			}
		}
	}
	switch {
	case r.isAt(from, end, "insert"):
		return r.insert(from, end, s)
	case r.isAt(from, end, "update"):
		return r.update(from, end, s)
	case r.isAt(from, end, "delete"):
		return r.delete(from, end, s)
	}
	return r.compound(from, end, s)
}

// with reads a part of WITH: name (columns) AS MATERIALIZED (query). It returns the index behind it.
func (r *reader) with(i, end int, recursive bool, s *scope) int {
	part := r.tokens[i].text
	i++
	var called []string
	if r.isAt(i, end, "(") {
		for k := i + 1; k < r.tokens[i].close; k += 2 {
			called = append(called, r.tokens[k].text)
		}
		i = r.after(i)
	}
	for r.isAt(i, end, "as", "not", "materialized") {
		i++
	}
	if !r.isAt(i, end, "(") {
		r.fail(i, "WITH")
	}
	from, to := i+1, r.tokens[i].close
	if recursive { // what it gives is known by its first branch, and looked at again with that
		s.parts[part] = nil
		if first := r.branches(from, to)[0]; first[1] < to {
			s.parts[part] = renamed(r.quietly(func() columns { return r.query(first[0], first[1], s) }), called)
		}
	}
	given := renamed(r.query(from, to, s), called)
	for recursive && !slices.Equal(given, s.parts[part]) {
		s.parts[part] = given
		given = renamed(r.query(from, to, s), called)
	}
	s.parts[part] = given
	return to + 1
}

// quietly reads something that is read once more.
func (r *reader) quietly(read func() columns) columns {
	unbound := maps.Clone(r.unbound)
	given := read()
	r.unbound = unbound
	return given
}

func renamed(given columns, called []string) columns {
	given = slices.Clone(given)
	for i := range min(len(given), len(called)) {
		given[i].name = called[i]
	}
	return given
}

// branches cuts a query at UNION, INTERSECT and EXCEPT.
func (r *reader) branches(from, end int) [][2]int {
	parts := r.cut(from, end, "union", "intersect", "except")
	for i := range parts[1:] {
		if r.isAt(parts[i+1][0], end, "all", "distinct") {
			parts[i+1][0]++
		}
	}
	return parts
}

// compound reads queries with UNION between them. A column of it names the shop if that of each query does.
func (r *reader) compound(from, end int, s *scope) (given columns) {
	for i, branch := range r.branches(from, end) {
		var one columns
		switch {
		case r.isAt(branch[0], end, "("):
			one = r.query(branch[0]+1, r.tokens[branch[0]].close, s)
			r.inside(r.after(branch[0]), branch[1], s)
		case r.isAt(branch[0], end, "values"):
			r.inside(branch[0], branch[1], s)
		case r.isAt(branch[0], end, "select"):
			one = r.selection(branch[0], branch[1], s)
		default:
			r.fail(branch[0], "a query")
		}
		if i == 0 {
			given = one
			continue
		}
		given = slices.Clone(given)
		for n := range given {
			if n >= len(one) || given[n].row != one[n].row {
				given[n].row = ""
			}
			given[n].shop = given[n].shop && n < len(one) && one[n].shop
		}
	}
	return given
}

// ends are the words that end a clause of a query.
var ends = []string{"where", "group", "having", "window", "order", "limit", "offset", "fetch", "for", "returning"}

// selection reads a SELECT without WITH and UNION.
func (r *reader) selection(from, end int, up *scope) columns {
	s := &scope{up: up}
	items := from + 1
	if r.isAt(items, end, "distinct", "all") {
		if items++; r.isAt(items, end, "on") {
			items = r.after(items + 1)
		}
	}
	start := items
	for {
		start = r.until(start, end, append([]string{"from"}, ends...)...)
		if start < end && r.is(start, "from") && r.is(start-1, "distinct") { // IS DISTINCT FROM
			start++
			continue
		}
		break
	}
	itemsEnd := start
	var conditions []condition
	if r.isAt(start, end, "from") {
		to := r.until(start+1, end, ends...)
		conditions = r.sources(start+1, to, s)
		start = to
	}
	if r.isAt(start, end, "where") {
		to := r.until(start+1, end, ends[1:]...)
		conditions = append(conditions, condition{from: start + 1, to: to})
		start = to
	}
	r.bind(s, conditions)
	r.inside(items, itemsEnd, s)
	r.inside(start, end, s)
	return r.given(items, itemsEnd, s)
}

// bind finds which sources of a query are of one shop, notes those that are not, and reads the queries within the
// conditions.
func (r *reader) bind(s *scope, conditions []condition) {
	r.follow(s, conditions)
	for _, q := range s.lateral {
		q.source.columns = r.query(q.from, q.to, s)
		r.follow(s, conditions)
	}
	for _, one := range s.sources {
		r.mustBeBound(one)
	}
	for _, c := range conditions {
		r.inside(c.from, c.to, s)
	}
}

func (r *reader) mustBeBound(one *source) {
	if one.column != "" && one.table != "tenants" && !one.bound {
		r.unbound[one.table] = true
	}
}

// follow binds sources for as long as conditions say more of them.
func (r *reader) follow(s *scope, conditions []condition) {
	for again := true; again; {
		again = false
		for _, c := range conditions {
			for one := range r.bindings(c.from, c.to, s) {
				if !one.bound && (c.of == nil || slices.Contains(c.of, one)) {
					one.bound, again = true, true
				}
			}
		}
	}
}

// bindings returns the sources of which a condition says the shop.
func (r *reader) bindings(from, end int, s *scope) map[*source]bool {
	if inner, to, whole := r.enclosed(from, end); whole {
		return r.bindings(inner, to, s)
	}
	if branches := r.cut(from, end, "or"); len(branches) > 1 { // each must say so
		all := r.bindings(branches[0][0], branches[0][1], s)
		for _, branch := range branches[1:] {
			one := r.bindings(branch[0], branch[1], s)
			maps.DeleteFunc(all, func(of *source, _ bool) bool { return !one[of] })
		}
		return all
	}
	all := map[*source]bool{}
	between := false // the AND before was that of BETWEEN
	for _, part := range r.cut(from, end, "and") {
		switch i, to := part[0], part[1]; {
		case between:
			between = false
		case r.until(i, to, "between") < to:
			between = true
		default:
			if inner, last, whole := r.enclosed(i, to); whole {
				maps.Copy(all, r.bindings(inner, last, s))
			} else if one := r.equality(i, to, s); one != nil {
				all[one] = true
			}
		}
	}
	return all
}

// enclosed returns what stands in the parentheses of (…) and of (…) IS TRUE, unless it is a query.
func (r *reader) enclosed(from, end int) (inner, to int, whole bool) {
	if !r.isAt(from, end, "(") || r.is(from+1, "select", "with") {
		return 0, 0, false
	}
	to = r.tokens[from].close
	return from + 1, to, to == end-1 || to == end-3 && r.is(end-2, "is") && r.is(end-1, "true")
}

// equality returns the source whose shop is said by one equality: of its column with a parameter, or with a
// column that names the shop, or of its id with that of a row which is of the shop. NULL is no shop.
func (r *reader) equality(from, end int, s *scope) *source {
	at, behind := r.until(from, end, "=", "is", "in"), 0
	switch {
	case r.isAt(at, end, "="):
		behind = at + 1
	case r.isAt(at, end, "in") && at+2 < end && r.is(at+1, "(") && r.tokens[at+1].close == end-1:
		behind = at + 1 // a query, or a list of one
	case r.isAt(at, end, "is"):
		behind = at + 1
		if r.isAt(at+1, end, "not") && r.isAt(at+2, end, "distinct") {
			behind = at + 4 // IS NOT DISTINCT FROM
		}
	default:
		return nil
	}
	for _, sides := range [][4]int{{from, at, behind, end}, {behind, end, from, at}} {
		qualifier, called, ok := r.column(sides[0], sides[1])
		if !ok {
			continue
		}
		one := s.find(qualifier, called)
		if one == nil || one.column == "" || !slices.Contains(s.sources, one) {
			continue
		}
		other := r.value(sides[2], sides[3], s)
		if called == one.column && other.shop || called == "id" && other.row == one.table {
			return one
		}
	}
	return nil
}

// column reads a column: name, alias.name, and either with a plus before it.
func (r *reader) column(from, end int) (qualifier, column string, ok bool) {
	if r.isAt(from, end, "+") {
		from++
	}
	for _, i := range []int{from, from + 2} {
		if i < end && r.tokens[i].kind > name {
			return "", "", false
		}
	}
	switch {
	case end == from+1:
		return "", r.tokens[from].text, true
	case end == from+3 && r.is(from+1, "."):
		return r.tokens[from].text, r.tokens[from+2].text, true
	}
	return "", "", false
}

// value returns what is known of the value of an expression. A parameter names the shop: whoever sends the
// statement gives it.
func (r *reader) value(from, end int, s *scope) column {
	for r.isAt(from, end, "(") && r.tokens[from].close == end-1 && !r.is(from+1, "select", "with") {
		from, end = from+1, end-1
	}
	if from >= end {
		return column{}
	}
	if r.isAt(from, end, "cast") && r.is(from+1, "(") && r.tokens[from+1].close == end-1 {
		return r.value(from+2, r.until(from+2, end-1, "as"), s)
	}
	if cast := r.until(from, end, "::"); cast < end {
		return r.value(from, cast, s)
	}
	if end == from+1 && (r.tokens[from].kind == constant || r.is(from, "null")) {
		return column{shop: true}
	}
	if r.is(from, "(") && r.tokens[from].close == end-1 {
		given := r.quietly(func() columns { return r.query(from+1, end-1, s) })
		if len(given) == 1 {
			return given[0]
		}
	}
	qualifier, called, ok := r.column(from, end)
	if !ok {
		return column{}
	}
	one := s.find(qualifier, called)
	if one == nil {
		return column{}
	}
	return one.gives(called)
}

// given returns the columns of a list of expressions.
func (r *reader) given(from, end int, s *scope) (all columns) {
	if from >= end {
		return nil
	}
	for _, item := range r.cut(from, end, ",") {
		i, to := item[0], item[1]
		if i >= to {
			continue
		}
		if r.is(to-1, "*") && (to == i+1 || to == i+3 && r.is(i+1, ".")) {
			if len(s.sources) != 1 || s.sources[0].table != "" { // what it stands for is not known
				return nil
			}
			all = append(all, s.sources[0].columns...)
			continue
		}
		called := ""
		if as := r.until(i, to, "as"); as+1 < to {
			called, to = r.tokens[as+1].text, as
		} else if to-i >= 2 && r.tokens[to-1].kind <= name && !r.is(to-2, ".") {
			called, to = r.tokens[to-1].text, to-1
		} else if _, plain, ok := r.column(i, to); ok {
			called = plain
		}
		one := r.value(i, to, s)
		one.name = called
		all = append(all, one)
	}
	return all
}

// inside reads the queries that stand within expressions.
func (r *reader) inside(from, end int, s *scope) {
	for i := from; i < end; i++ {
		if r.is(i, "(") && r.is(i+1, "select", "with") {
			r.query(i+1, r.tokens[i].close, s)
			i = r.tokens[i].close
		}
	}
}
