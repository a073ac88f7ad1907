package isolation

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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

// notUnderstood is the value with which a reader panics, for read to recover.
type notUnderstood struct{ what string }

// read returns the shops' tables that a statement reads or writes without naming the shop. It fails for what
// it does not understand in a statement that names a shop's table.
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
		} else if r.is(from, "lock") && r.is(from+1, "table") && end > from+2 { // reads and writes nothing
			r.read[from+2] = true
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

// quietly reads a part that is read again later, without recording its tables.
func (r *reader) quietly(read func() columns) columns {
	unbound := maps.Clone(r.unbound)
	given := read()
	r.unbound = unbound
	return given
}

func renamed(names columns, called []string) columns {
	names = slices.Clone(names)
	for i := range min(len(names), len(called)) {
		names[i].name = called[i]
	}
	return names
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
