package isolation

// joins are the words between the sources of FROM.
var joins = []string{",", "join", "left", "inner", "cross", "right", "full", "natural"}

// sources reads what stands in FROM into a scope, and returns the conditions of its joins.
func (r *reader) sources(from, end int, s *scope) (conditions []condition) {
	var side int // where the right side of the last join begins
	i := r.source(from, end, s, &conditions)
	for i < end {
		left := false
		side = len(s.sources)
		switch {
		case r.is(i, ","):
			i++
		case r.is(i, "right", "full", "natural"):
			r.fail(i, "a join")
		default:
			left = r.is(i, "left")
			for r.isAt(i, end, "left", "inner", "cross", "outer") {
				i++
			}
			if !r.isAt(i, end, "join") {
				r.fail(i, "FROM")
			}
			i++
		}
		i = r.source(i, end, s, &conditions)
		if r.isAt(i, end, "using") {
			r.fail(i, "a join")
		}
		if r.isAt(i, end, "on") {
			to := r.until(i+1, end, joins...)
			c := condition{from: i + 1, to: to}
			if left {
				c.of = append([]*source{}, s.sources[side:]...)
			}
			conditions = append(conditions, c)
			i = to
		}
	}
	return conditions
}

// source reads one source and returns the index behind it and its alias.
func (r *reader) source(i, end int, s *scope, conditions *[]condition) int {
	if i >= end {
		r.fail(i, "FROM")
	}
	lateral := r.is(i, "lateral")
	if lateral {
		i++
	}
	one := &source{}
	switch {
	case r.isAt(i, end, "(") && r.is(i+1, "select", "with", "values"):
		if lateral { // it refers to the other sources, and is read once their shops are known
			s.lateral = append(s.lateral, lateralQuery{one, i + 1, r.tokens[i].close})
		} else {
			one.columns = r.query(i+1, r.tokens[i].close, s.up)
		}
		i = r.after(i)
	case r.isAt(i, end, "("): // joins of their own
		inner := r.sources(i+1, r.tokens[i].close, s)
		*conditions = append(*conditions, inner...)
		return r.after(i)
	case r.isAt(i+1, end, "("): // a function
		r.inside(i+1, r.after(i+1), s)
		one.alias = r.tokens[i].text
		if one.alias == "unnest" { // of arrays, one for each column
			for _, array := range r.cut(i+2, r.tokens[i+1].close, ",") {
				one.columns = append(one.columns, r.value(array[0], array[1], s))
			}
		}
		i = r.after(i + 1)
	case r.tokens[i].kind <= name:
		called := r.tokens[i].text
		one.alias = called
		if given, ok := s.part(called); ok {
			one.columns = given
		} else {
			r.table(i, one)
		}
		i++
		if r.isAt(i, end, ".") {
			r.fail(i, "a table of a schema")
		}
	default:
		r.fail(i, "FROM")
	}
	return r.alias(i, end, s, one)
}

// table notes that a token is the name of a table.
func (r *reader) table(i int, s *source) {
	s.table, s.column = r.tokens[i].text, r.shops[r.tokens[i].text]
	r.read[i] = true
	if s.table == "tenants" {
		s.column = "id"
	}
}

// notAliases are words that may stand behind a table and are not its alias.
var notAliases = []string{"on", "using", "set", "indexed", "not", "where", "returning"}

// alias reads AS alias (columns) and adds the source.
func (r *reader) alias(i, end int, s *scope, src *source) int {
	if r.isAt(i, end, "as") {
		i++
	}
	if i < end && r.tokens[i].kind <= name && !r.is(i, notAliases...) && !r.is(i, joins...) {
		src.alias = r.tokens[i].text
		i++
		if r.isAt(i, end, "(") {
			var called []string
			for k := i + 1; k < r.tokens[i].close; k++ {
				if k == i+1 || r.is(k-1, ",") {
					called = append(called, r.tokens[k].text)
				}
			}
			src.columns = renamed(src.columns, called)
			i = r.after(i)
		}
	}
	if r.isAt(i, end, "not") && r.isAt(i+1, end, "indexed") {
		i += 2
	} else if r.isAt(i, end, "indexed") {
		i += 3 // BY index
	}
	s.sources = append(s.sources, src)
	return i
}

// target reads the table that is written.
func (r *reader) target(i, end int, s *scope) (*source, int) {
	if i >= end || r.tokens[i].kind > name || r.isAt(i+1, end, ".") {
		r.fail(i, "the table that is written")
	}
	one := &source{alias: r.tokens[i].text}
	r.table(i, one)
	return one, r.alias(i+1, end, s, one)
}

// update reads an UPDATE without WITH.
func (r *reader) update(from, end int, up *scope) columns {
	s := &scope{up: up}
	_, i := r.target(from+1, end, s)
	if !r.isAt(i, end, "set") {
		r.fail(i, "UPDATE")
	}
	to := i + 1
	for {
		to = r.until(to, end, "from", "where", "returning")
		if !r.isAt(to, end, "from") || !r.is(to-1, "distinct") {
			break
		}
		to++
	}
	set := [2]int{i + 1, to}
	return r.changed(to, end, s, set)
}

// delete reads a DELETE without WITH.
func (r *reader) delete(from, end int, up *scope) columns {
	s := &scope{up: up}
	if !r.isAt(from+1, end, "from") {
		r.fail(from, "DELETE")
	}
	_, i := r.target(from+2, end, s)
	return r.changed(i, end, s, [2]int{})
}

// changed reads what follows the table of UPDATE and DELETE: FROM or USING, WHERE, RETURNING.
func (r *reader) changed(i, end int, s *scope, set [2]int) columns {
	var conditions []condition
	if r.isAt(i, end, "from", "using") {
		to := r.until(i+1, end, "where", "returning")
		conditions = r.sources(i+1, to, s)
		i = to
	}
	if r.isAt(i, end, "where") {
		to := r.until(i+1, end, "returning")
		conditions = append(conditions, condition{from: i + 1, to: to})
		i = to
	}
	r.bind(s, conditions)
	r.inside(set[0], set[1], s)
	return r.returning(i, end, s)
}

func (r *reader) returning(i, end int, s *scope) columns {
	if i >= end {
		return nil
	}
	if !r.is(i, "returning") {
		r.fail(i, "the end of a statement")
	}
	r.inside(i+1, end, s)
	return r.given(i+1, end, s)
}

// insert reads an INSERT without WITH. Its rows belong to one shop if the shop's column gets a parameter or
// a column that names the shop, or is left out, so that they belong to no shop. An existing row may be
// changed if the shop's column is among the conflicting columns, or in the condition of the change.
func (r *reader) insert(from, end int, up *scope) columns {
	s := &scope{up: up}
	if !r.isAt(from+1, end, "into") {
		r.fail(from, "INSERT")
	}
	one := &source{}
	i := from + 3
	if r.isAt(i, end, "as") {
		one, i = r.target(from+2, end, s)
	} else { // else the list of columns would be taken for that of an alias
		one.alias = r.tokens[from+2].text
		r.table(from+2, one)
		s.sources = append(s.sources, one)
	}
	if !r.isAt(i, end, "(") {
		r.fail(i, "INSERT without names of columns")
	}
	position := -1
	for n, item := range r.cut(i+1, r.tokens[i].close, ",") {
		if one.column != "" && r.tokens[item[0]].text == one.column {
			position = n
		}
	}
	i = r.after(i)
	stop := i
	for {
		stop = r.until(stop, end, "on", "returning")
		if !r.isAt(stop, end, "on") || r.isAt(stop+1, end, "conflict") {
			break
		}
		stop++ // of a join
	}
	one.bound = true
	if r.isAt(i, end, "values") {
		for k := i + 1; k < stop; k = r.after(k) {
			if r.is(k, ",") {
				continue
			}
			if !r.is(k, "(") {
				r.fail(k, "VALUES")
			}
			row := r.cut(k+1, r.tokens[k].close, ",")
			if position >= 0 {
				one.bound = one.bound && position < len(row) && r.value(row[position][0], row[position][1], up).shop
			}
		}
		r.inside(i, stop, up)
	} else {
		given := r.query(i, stop, up)
		one.bound = position < 0 || position < len(given) && given[position].shop
	}
	if r.isAt(stop, end, "on") {
		stop = r.conflict(stop, end, s, one)
	}
	r.mustBeBound(one)
	return r.returning(stop, end, s)
}

// conflict reads ON CONFLICT, and returns the index behind it.
func (r *reader) conflict(i, end int, s *scope, src *source) int {
	stop := r.until(i, end, "returning")
	do := r.until(i, stop, "do")
	if !r.isAt(do+1, stop, "update") {
		return stop // DO NOTHING
	}
	shared := false
	if r.isAt(i+2, do, "(") {
		for _, item := range r.cut(i+3, r.tokens[i+2].close, ",") {
			shared = shared || item[1] == item[0]+1 && src.column != "" && r.tokens[item[0]].text == src.column
		}
	}
	old := *src
	old.bound = false
	excluded := &source{alias: "excluded"}
	if src.bound {
		excluded.columns = columns{{name: src.column, shop: true}}
	}
	in := &scope{up: s.up, sources: []*source{&old, excluded}}
	where := r.until(do, stop, "where")
	if where < stop {
		r.follow(in, []condition{{from: where + 1, to: stop}})
	}
	r.inside(do, stop, in)
	src.bound = src.bound && (shared || old.bound)
	return stop
}
