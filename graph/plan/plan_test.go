package plan_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/plan"
)

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { shelf: Shelf shelves: [Shelf!]! maybe: [Shelf] }
	type Shelf {
		name: String! note: String must: String! books: [Book!]! lent: [Book!] top: Book cost: Float owner: String!
	}
	type Book { title: String! tags: [String!] shelf: Shelf near(first: Int! = 2): [Book!]! rating: Int! }
`})

type shelf struct {
	name       string
	note, must *string
	books      []*book
	lent       []book
	top        *book
	cost       float64
}

type book struct {
	title string
	tags  []string
}

// library is a table that counts its loads.
type library struct {
	rated, near int
	err         error
}

// errPanic makes a resolver panic.
var errPanic = errors.New("panic")

func (l *library) table() plan.Table {
	book0 := plan.Record[*book](true)
	return plan.Table{
		"Shelf": plan.Fields[*shelf]{
			"name":  plan.Value(func(s *shelf) string { return s.name }, plan.String),
			"note":  plan.Value(func(s *shelf) *string { return s.note }, plan.Optional(plan.String)),
			"must":  plan.Value(func(s *shelf) *string { return s.must }, plan.Required(plan.String)),
			"books": plan.Value(func(s *shelf) []*book { return s.books }, plan.List(book0, false)),
			"lent":  plan.Value(func(s *shelf) []book { return s.lent }, plan.Structs[book](true)),
			"top":   plan.Value(func(s *shelf) *book { return s.top }, plan.Record[*book](false)),
			"cost":  plan.Value(func(s *shelf) float64 { return s.cost }, plan.Float),
			"owner": plan.Read(func(s *shelf, _ context.Context) (string, error) {
				if l.err == errPanic {
					panic(l.err)
				}
				return "owner of " + s.name, l.err
			}, plan.String),
		},
		"Book": plan.Fields[*book]{
			"title": plan.Value(func(b *book) string { return b.title }, plan.String),
			"tags":  plan.Value(func(b *book) []string { return b.tags }, plan.List(plan.String, true)),
			"rating": plan.Batch(func(_ context.Context, all []*book) ([]int, error) {
				l.rated++
				ratings := make([]int, len(all))
				for i, b := range all {
					ratings[i] = len(b.title)
				}
				return ratings, l.err
			}, plan.Int),
			"near": plan.BatchWith(
				func(_ context.Context, raw map[string]any) (map[string]any, error) { return raw, nil },
				func(_ context.Context, all []*book, a map[string]any) ([][]*book, error) {
					l.near++
					lists := make([][]*book, len(all))
					for i := range lists {
						for range a["first"].(int64) {
							lists[i] = append(lists[i], all[i])
						}
					}
					return lists, nil
				}, plan.List(book0, false)),
		},
	}
}

// resolve resolves the first field of a query to value and returns its JSON, or "" if the field has no plan.
func resolve(t *testing.T, l *library, query string, value any, grow func(int) error) (string, error) {
	t.Helper()
	return resolveBounded(t, l, query, value, grow, math.MaxInt)
}

func resolveBounded(
	t *testing.T, l *library, query string, value any, grow func(int) error, most int,
) (string, error) {
	t.Helper()
	document, errs := gqlparser.LoadQueryWithRules(schema, query, nil)
	if errs != nil {
		t.Fatal(errs)
	}
	op := &graphql.OperationContext{Doc: document, Operation: document.Operations[0],
		Variables: map[string]any{"yes": true, "n": int64(3)}}
	ctx := graphql.WithOperationContext(t.Context(), op)
	fields := graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Query"})
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Query", Field: fields[0]})
	plans := plan.New(l.table(), most, slog.New(slog.DiscardHandler))
	var text string
	for range 2 { // a new plan, then a known one
		got, err := plans.Resolve(ctx, func(context.Context) (any, error) { return value, nil }, grow)
		if err != nil {
			return "", err
		}
		json, ok := got.(plan.JSON)
		if !ok {
			return "", nil
		}
		var written strings.Builder
		json.MarshalGQL(&written)
		text = written.String()
	}
	return text, nil
}

var must = "must"

func shelves() []*shelf {
	a, b, c := &book{title: "a", tags: []string{}}, &book{title: "bb", tags: []string{"x", "y"}}, &book{title: "ccc"}
	return []*shelf{
		{name: "1", must: &must, books: []*book{a, b}, lent: []book{*c}, top: b},
		{name: "2", note: &must, must: &must, books: nil, lent: nil},
		{name: "3", must: &must, books: []*book{c}, lent: []book{}, top: a},
	}
}

func TestWhatIsWritten(t *testing.T) {
	for query, want := range map[string]string{
		`{ shelves { name note } }`: `[{"name":"1","note":null},{"name":"2","note":"must"},{"name":"3","note":null}]`,
		`{ shelves { x: name y: name __typename } }`: `[{"x":"1","y":"1","__typename":"Shelf"},` +
			`{"x":"2","y":"2","__typename":"Shelf"},{"x":"3","y":"3","__typename":"Shelf"}]`,
		`{ shelves { books { title tags } lent { title tags } } }`: `[{"books":[{"title":"a","tags":[]},` +
			`{"title":"bb","tags":["x","y"]}],"lent":[{"title":"ccc","tags":null}]},{"books":[],"lent":null},` +
			`{"books":[{"title":"ccc","tags":null}],"lent":[]}]`,
		`{ shelves { top { rating } books { rating } lent { rating } } }`: `[{"top":{"rating":2},` +
			`"books":[{"rating":1},{"rating":2}],"lent":[{"rating":3}]},{"top":null,"books":[],"lent":null},` +
			`{"top":{"rating":1},"books":[{"rating":3}],"lent":[]}]`,
		`query($n: Int!) { shelves { books { near(first: $n) { title } } } }`: `[{"books":[{"near":[{"title":"a"},` +
			`{"title":"a"},{"title":"a"}]},{"near":[{"title":"bb"},{"title":"bb"},{"title":"bb"}]}]},{"books":[]},` +
			`{"books":[{"near":[{"title":"ccc"},{"title":"ccc"},{"title":"ccc"}]}]}]`,
		`{ shelves { ...f ... on Shelf { top { title } } } } fragment f on Shelf { top { tags } name }`: `[{"top":` +
			`{"tags":["x","y"],"title":"bb"},"name":"1"},{"top":null,"name":"2"},{"top":{"tags":[],` +
			`"title":"a"},"name":"3"}]`,
		`{ shelves { owner a: owner } }`: `[{"owner":"owner of 1","a":"owner of 1"},` +
			`{"owner":"owner of 2","a":"owner of 2"},{"owner":"owner of 3","a":"owner of 3"}]`,
	} {
		got, err := resolve(t, &library{}, query, shelves(), nil)
		if got != want || err != nil {
			t.Errorf("%s\ngives %s (%v)\nwant  %s", query, got, err, want)
		}
	}
}

// TestWhatIsLoaded checks that the records of many lists are loaded at once, and that nothing is loaded for
// no records.
func TestWhatIsLoaded(t *testing.T) {
	l := &library{}
	if _, err := resolve(t, l, `{ shelves { books { rating near { rating } } } }`, shelves(), nil); err != nil {
		t.Fatal(err)
	}
	if l.rated != 4 || l.near != 2 { // of two requests
		t.Errorf("loaded %d times ratings and %d times the nearest", l.rated, l.near)
	}
	l = &library{}
	got, err := resolve(t, l, `{ shelves { books { rating } } }`, []*shelf{{}}, nil)
	if got != `[{"books":[]}]` || err != nil || l.rated > 0 {
		t.Errorf("%s %v, loaded %d times", got, err, l.rated)
	}
}

func TestKindsOfValues(t *testing.T) {
	one := shelves()[0]
	var none *shelf
	for _, c := range []struct {
		query string
		value any
		want  string
	}{
		{`{ shelf { name } }`, one, `{"name":"1"}`},
		{`{ shelf { name } }`, *one, `{"name":"1"}`},
		{`{ shelf { top { rating } } }`, *one, `{"top":{"rating":2}}`},
		{`{ shelf { name } }`, none, ``},
		{`{ shelf { name } }`, 5, ``},
		{`{ shelves { name } }`, []shelf{*one}, `[{"name":"1"}]`},
		{`{ shelves { name } }`, []*shelf(nil), `[]`},
		{`{ shelves { name } }`, []*shelf{one, nil}, ``},
		{`{ maybe { name } }`, []*shelf{one, nil}, `[{"name":"1"},null]`},
		{`{ maybe { owner } }`, []*shelf{nil, one}, `[null,{"owner":"owner of 1"}]`},
		{`{ maybe { name } }`, []*shelf(nil), `null`},
	} {
		if got, err := resolve(t, &library{}, c.query, c.value, nil); got != c.want || err != nil {
			t.Errorf("%s of %v gives %s (%v), want %s", c.query, c.value, got, err, c.want)
		}
	}
}

// TestWhatIsLeft checks which fields and values are left to gqlgen.
func TestWhatIsLeft(t *testing.T) {
	const onShelf = ` fragment f on Shelf `
	one := shelves()[0]
	for name, c := range map[string]struct {
		query string
		value any
		err   error
	}{
		"a field of no table":       {`{ shelf { top { shelf { name } } } }`, one, nil},
		"a directive":               {`query($yes: Boolean!) { shelf { name @skip(if: $yes) } }`, one, nil},
		"a directive of a spread":   {`{ shelf { ...f @skip(if: true) name } }` + onShelf + `{ note }`, one, nil},
		"one in a fragment":         {`{ shelf { ...f name } }` + onShelf + `{ note @skip(if: true) }`, one, nil},
		"a field that stands twice": {`{ shelf { name } shelf { note } }`, one, nil},
		"null where it must not be": {`{ shelf { must } }`, &shelf{}, nil},
		"null in a list":            {`{ shelf { books { title } } }`, &shelf{books: []*book{nil}}, nil},
		"null in a list, loaded":    {`{ shelf { books { rating } } }`, &shelf{books: []*book{nil}}, nil},
		"no number":                 {`{ shelf { cost } }`, &shelf{cost: math.Inf(1)}, nil},
		"an error":                  {`{ shelves { books { rating } } }`, shelves(), io.EOF},
		"an error beside others":    {`{ shelves { owner a: owner } }`, shelves(), io.EOF},
		"a panic":                   {`{ shelf { owner } }`, one, errPanic},
		"a panic beside others":     {`{ shelf { owner a: owner } }`, one, errPanic},
	} {
		if got, err := resolve(t, &library{err: c.err}, c.query, c.value, nil); got != "" || err != nil {
			t.Errorf("%s: got %s %v", name, got, err)
		}
	}
}

// TestFieldsAreBounded checks that plans have no more fields than allowed.
func TestFieldsAreBounded(t *testing.T) {
	const query = `{ shelf { ...f top { title } } } fragment f on Shelf { name note }`
	for most, planned := range map[int]bool{3: false, 4: true} {
		got, err := resolveBounded(t, &library{}, query, shelves()[0], nil, most)
		if planned != (got != "") || err != nil {
			t.Errorf("with %d fields: got %s %v", most, got, err)
		}
	}
}

// TestAnswersAreCounted checks that bytes are counted during writing, and that writing ends when they are too
// many.
func TestAnswersAreCounted(t *testing.T) {
	long := &shelf{name: strings.Repeat("x", 1000)}
	many := make([]*shelf, 1000)
	for i := range many {
		many[i] = long
	}
	for _, query := range []string{`{ shelves { name } }`, `{ shelves { name owner } }`} {
		all, err := resolve(t, &library{}, query, many, nil)
		if err != nil {
			t.Fatal(err)
		}
		counted := 0
		if _, err := resolve(t, &library{}, query, many, func(n int) error { counted += n; return nil }); err != nil ||
			counted != 2*len(all) {
			t.Errorf("%s: counted %d of %d bytes (%v)", query, counted, 2*len(all), err)
		}
		full := errors.New("full")
		counted = 0
		_, err = resolve(t, &library{}, query, many, func(n int) error {
			if counted += n; counted > 200_000 {
				return full
			}
			return nil
		})
		if err != full || counted > 250_000 {
			t.Errorf("%s: %v after %d bytes", query, err, counted)
		}
	}
}
