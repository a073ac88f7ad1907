package isolation

import (
	"maps"
	"slices"
)

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

func (r *reader) mustBeBound(s *source) {
	if s.column != "" && s.table != "tenants" && !s.bound {
		r.unbound[s.table] = true
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

// value returns what is known of the value of an expression. A parameter names the shop, as the sender of the
// statement sets it.
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
