package reference

import (
	"strconv"
	"strings"
)

// query is a list being asked for: the records that match, and the arguments of its statement so far. The first two
// arguments are the tenant and now.
type query struct {
	from, where string
	key, order  string   // columns: the id of a record, and the time that lists are in the order of, newest first
	found       []string // conditions of a search
	args        []any
}

// add adds an argument and returns its place.
func (q *query) add(v any) string {
	q.args = append(q.args, v)
	return "$" + strconv.Itoa(len(q.args))
}

// list adds arguments and returns their places, "$1, $2".
func (q *query) list(values ...any) string {
	places := make([]string, len(values))
	for i, v := range values {
		places[i] = q.add(v)
	}
	return strings.Join(places, ", ")
}

// pageOf is the end of a statement that reads the rows of one page: table is where the rows are ("products p"), and
// beside what is joined to them. The size is a number of the text: PostgreSQL would plan for a tenth of all rows.
func (q *query) pageOf(table string, number, size int, beside string) string {
	limit, offset := strconv.Itoa(size), q.add((number-1)*size)
	letter := table[len(table)-1:]
	return " FROM (SELECT " + q.key + " AS id, " + q.order + " AS at " + q.matching() +
		" ORDER BY " + q.order + " DESC, " + q.key + " DESC LIMIT " + limit + " OFFSET " +
		offset + ") k JOIN " + table +
		" ON " + letter + ".id = k.id" + beside + " ORDER BY k.at DESC, k.id DESC"
}

// matching is all records of a list.
func (q *query) matching() string {
	all := q.from + q.where
	for _, condition := range q.found {
		all += " AND " + condition
	}
	return all
}

// manyFound is the number of records from which on a search walks the list in its order: it comes upon the records of a
// page sooner than all of them are found by the index of texts, and sorted.
const manyFound = 1000

// walk keeps a search that finds many from the index of texts: PostgreSQL takes such a CASE to hold for half
// of all rows.
func (q *query) walk(found int) {
	if found < manyFound {
		return
	}
	for i, condition := range q.found {
		q.found[i] = "CASE WHEN " + condition + " THEN TRUE ELSE FALSE END"
	}
}
