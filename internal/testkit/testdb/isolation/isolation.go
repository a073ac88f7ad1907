// Package isolation reads every statement that the tests of a package send, on both kinds of database, and
// refuses those that use a shop's table without naming the shop. Package tenancy guards what goes through
// ent; this also covers all else: handwritten statements, joins and subqueries.
//
// A table belongs to shops if it has a column business_id or tenant_id, except for the few shared ones. For
// each use of it in a statement, one of these must be among the conditions that all of its rows meet, which
// are those in WHERE or ON joined by AND:
//
//   - the column equals a parameter (or is NULL: the row belongs to no shop),
//   - it equals the column of another table of which that is known, in the same query, around it, or in WITH,
//   - the row's id equals that of a row of the same table of which it is known.
//
// An inserted row must have such a value in the column, and may change another one (ON CONFLICT) only if the
// column is among the conflicting columns, or in the condition of the change. A statement that the reader
// does not understand is refused if it names a shop's table. Any parameter counts as the shop's id: callers
// are not checked. The list of exceptions names the functions that work for more than one shop, with
// reasons.
package isolation

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/testkit/testdb"
)

// Main runs the tests of a package, the suite, and fails if a statement was refused, or if the whole suite
// has not used one of its exceptions. It does not return.
func Main(m *testing.M, suite string) {
	w := &watch{shops: shopTables(), used: map[string]bool{}, refused: map[string]string{}}
	database.Inspect(w.look)
	code := m.Run()
	whole := code == 0 && !testing.Short()
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		whole = whole && flag.Lookup(name).Value.String() == ""
	}
	wrong := slices.Sorted(maps.Values(w.refused))
	if whole {
		wrong = append(wrong, w.unused(suite)...)
	}
	for _, one := range wrong {
		fmt.Println("isolation:", one)
		code = max(code, 1)
	}
	os.Exit(code)
}

// shopTables returns the column that names the shop for each table that has one and is not shared.
func shopTables() map[string]string {
	shops := map[string]string{}
	for _, table := range ent.Tables {
		for _, c := range table.Columns {
			if (c.Name == "tenant_id" || c.Name == "business_id") && shared[table.Name] == "" {
				shops[table.Name] = c.Name
			}
		}
	}
	return shops
}

// watch checks the statements of a test run.
type watch struct {
	shops map[string]string // the column that names the shop, by table
	known sync.Map          // verdicts by text

	mu      sync.Mutex
	used    map[string]bool   // exceptions, by function and table
	refused map[string]string // by function and verdict
}

// mostKept is the maximum length of texts to remember: longer ones contain values, and do not repeat.
const mostKept = 8 << 10

// look returns an error for a statement that breaks the rule.
func (w *watch) look(name, text string) error {
	kept, ok := w.known.Load(text)
	if !ok {
		kept = verdict(text, w.shops)
		if len(text) <= mostKept {
			w.known.Store(text, kept)
		}
	}
	broken := kept.(string)
	if broken == "" {
		return nil
	}
	from, ours := sender(text)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !ours:
		return nil
	case isException(from, broken):
		w.use(from, broken)
		return nil
	}
	err := fmt.Errorf("%s sends a statement that does not say of which shop: %s: %s", from, broken, text)
	w.refused[from+" "+broken] = fmt.Sprintf("%s: %v", testdb.TestOf(name), err)
	return err
}

// verdict returns what is wrong with a statement: the tables without a shop, or what the reader did not
// understand. It is empty if nothing is wrong.
func verdict(text string, shops map[string]string) string {
	unbound, err := read(text, shops)
	if err != nil {
		return err.Error()
	}
	return strings.Join(unbound, " ")
}

// readBack is ent's function that updates a row by its id, under the guard's conditions, and then reads that row
// by its id alone.
const readBack = "entgo.io/ent/dialect/sql/sqlgraph.(*updater).node"

// between are the functions between a statement and its sender.
var between = []string{
	"internal/database.", "internal/database/transaction.", "internal/database/tenancy.",
	"internal/database/store.Open", "internal/content/derive.Guard",
	"internal/testkit/testdb/isolation.", "ent.", "ent/",
}

// drivers are the methods by which a driver in a test calls the one that it wraps.
var drivers = []string{"Exec", "Query", "ExecContext", "QueryContext"}

// sender returns the function that sends a statement, and whether it is the service's, not a test's own.
func sender(text string) (function string, ours bool) {
	var callers [100]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.Function == readBack && strings.HasPrefix(text, "SELECT") {
			return readBack, true
		}
		function, ours := strings.CutPrefix(frame.Function, "storefront/")
		method := function[strings.LastIndex(function, ".")+1:]
		if !ours || slices.Contains(drivers, method) ||
			slices.ContainsFunc(between, func(one string) bool { return strings.HasPrefix(function, one) }) {
			continue
		}
		test := strings.HasSuffix(frame.File, "_test.go") || strings.HasPrefix(function, "internal/contract")
		return plain(function), !test
	}
	return "nobody", true
}

// plain returns the name of a function without the names of its closures and types.
func plain(function string) string {
	function, _, _ = strings.Cut(function, "[...]")
	for _, inner := range []string{".func", "-range"} {
		i := max(0, strings.LastIndex(function, "/"))
		if at := strings.Index(function[i:], inner); at >= 0 {
			function = function[:i+at]
		}
	}
	return function
}

// isException reports whether a function may send statements without a shop for some tables.
func isException(from, tables string) bool {
	return slices.ContainsFunc(exceptions, func(e exception) bool {
		others := func(table string) bool { return !slices.Contains(strings.Fields(e.tables), table) }
		return e.from == from && (e.tables == "any" || !slices.ContainsFunc(strings.Fields(tables), others))
	})
}

// use records that a function used its exception for some tables.
func (w *watch) use(from, tables string) {
	for _, table := range append(strings.Fields(tables), "any") {
		w.used[from+" "+table] = true
	}
}

// unused returns the exceptions that a suite has not used, as messages.
func (w *watch) unused(suite string) (wrong []string) {
	for _, e := range exceptions {
		for _, table := range strings.Fields(e.tables) {
			if e.suite == suite && !w.used[e.from+" "+table] {
				wrong = append(wrong,
					fmt.Sprintf("no test of %s needs the exception of %s for %s", suite, e.from, table))
			}
		}
	}
	return wrong
}
