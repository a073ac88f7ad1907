package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"storefront/rest"
)

// shopper is a customer at a shop, behind one door. Both doors are asked by the operations of the routes.
type shopper struct {
	door
	customer
	business string // the shop's id
	answers  *answers
}

// eachShopper runs f on both databases and at both doors with a new customer at the tool shop. All four
// must get the same answers.
func eachShopper(t *testing.T, f func(t *testing.T, s shopper)) {
	t.Helper()
	eachAccounts(t, func(t *testing.T, a *accounts) {
		for _, name := range []string{"REST", "GraphQL"} {
			each := a
			if name == "GraphQL" { // on a database of its own
				each = a.anew(t)
			}
			t.Run(name, func(t *testing.T) {
				d := door{accounts: each, graphQL: name == "GraphQL"}
				s := d.shopper(t, 1)
				f(t, s)
				s.answers.end(t)
			})
		}
	})
}

// anew starts the service over another fresh database of the same kind.
func (a *accounts) anew(t testing.TB) *accounts {
	t.Helper()
	first := *a
	first.clock, first.phones = newMovable(), newPhones()
	if strings.HasPrefix(a.database, "postgres") {
		first.database = shops.Postgres(t)
	} else {
		first.database = shops.SQLite(t)
	}
	return first.instance(t)
}

// shopper registers the nth customer of the door, at the tool shop.
func (d door) shopper(t testing.TB, n int) shopper {
	t.Helper()
	c := d.register(t, d.cell(n))
	test, _, _ := strings.Cut(t.Name(), "/")
	return shopper{d.with(c.access), c, d.named(t, "<tenant:tools>"), &answers{folder: "testdata/" + test,
		known: map[string]bool{}}}
}

// at sends a request without a body to a path below the server's root, byte for byte; headers come in
// pairs.
func (s shopper) at(t testing.TB, shop string) shopper {
	s.business = s.named(t, "<tenant:"+shop+">")
	return s
}

// ask asks for an operation of a route, with the input that is its body and values of its parameters
// ("itemId=…"). Placeholders of names may stand in all of them.
func (s shopper) ask(t testing.TB, operation, input string, values ...string) reply {
	t.Helper()
	given := map[string]string{"businessId": s.business}
	for _, value := range values {
		name, value, _ := strings.Cut(s.named(t, value), "=")
		given[name] = value
	}
	input = s.named(t, input)
	if s.graphQL {
		got := s.read(t, s.send(t, "POST", "/graphql", asked(documentOf(t, operation),
			variablesOf(t, operation, input, given)), s.headers...))
		var inside struct {
			Me struct{ Body json.RawMessage }
		}
		if got.code == "" && json.Unmarshal([]byte(got.said), &inside) == nil && inside.Me.Body != nil {
			got.said = string(inside.Me.Body)
		}
		return got
	}
	route := routeNamed(t, operation)
	path := route.Path
	query := url.Values{}
	for name, value := range given {
		if strings.Contains(path, "{"+name+"}") {
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		} else {
			query.Set(name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return s.read(t, s.send(t, route.Method, path, input, s.headers...))
}

func routeNamed(t testing.TB, operation string) rest.Route {
	t.Helper()
	i := slices.IndexFunc(rest.Routes, func(r rest.Route) bool { return r.Operation == operation })
	if i < 0 {
		t.Fatalf("no route has the operation %s", operation)
	}
	return rest.Routes[i]
}

// variablesOf writes the variables of an operation for GraphQL.
func variablesOf(t testing.TB, operation, input string, given map[string]string) string {
	t.Helper()
	_, document := operations(t)
	written := map[string]json.RawMessage{}
	for name, value := range given {
		of := document.Operations.ForName(operation).VariableDefinitions.ForName(name)
		if of != nil && of.Type.NamedType == "Int" {
			written[name] = json.RawMessage(value)
		} else {
			written[name] = json.RawMessage(jsonText(value))
		}
	}
	if input != "" {
		written["input"] = json.RawMessage(input)
	}
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return string(text)
}

var documentsOf sync.Map // text by operation

// documentOf returns the document that asks GraphQL for what a route answers.
func documentOf(t testing.TB, operation string) string {
	t.Helper()
	if text, ok := documentsOf.Load(operation); ok {
		return text.(string)
	}
	_, all := operations(t)
	one := &ast.QueryDocument{Operations: ast.OperationList{all.Operations.ForName(operation)}}
	addFragments(one, all, one.Operations[0].SelectionSet)
	var text bytes.Buffer
	formatter.NewFormatter(&text).FormatQueryDocument(one)
	documentsOf.Store(operation, text.String())
	return text.String()
}

func addFragments(to, all *ast.QueryDocument, selections ast.SelectionSet) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			addFragments(to, all, s.SelectionSet)
		case *ast.InlineFragment:
			addFragments(to, all, s.SelectionSet)
		case *ast.FragmentSpread:
			if to.Fragments.ForName(s.Name) == nil {
				to.Fragments = append(to.Fragments, all.Fragments.ForName(s.Name))
				addFragments(to, all, all.Fragments.ForName(s.Name).SelectionSet)
			}
		}
	}
}

// right calls an operation that must succeed.
func (s shopper) right(t testing.TB, operation, input string, values ...string) reply {
	t.Helper()
	got := s.ask(t, operation, input, values...)
	if want := routeNamed(t, operation).Status; got.code != "" || !s.graphQL && got.status != want ||
		got.status/100 != 2 {
		t.Fatalf("%s %s %v: status %d: %s", operation, input, values, got.status, got.body)
	}
	if is := got.header.Get("Cache-Control"); is != "no-store" || got.header.Get("ETag") != "" {
		t.Errorf("%s: Cache-Control %q, ETag %q", operation, is, got.header.Get("ETag"))
	}
	return got
}

// wrong calls an operation that must fail, and checks the whole error.
func (s shopper) wrong(t testing.TB, operation, input, code string, values ...string) reply {
	t.Helper()
	got := s.ask(t, operation, input, values...)
	if got.code != code {
		t.Fatalf("%s %.300s %v: %d %s, want %s: %.500s", operation, input, values, got.status, got.code,
			code, got.body)
	}
	if !s.graphQL {
		if len(got.body) > 1024 { // it came packed, and who unpacked it dropped the length
			got.header.Set("Content-Length", strconv.Itoa(len(got.body)))
		}
		wantFault(t, got.answer, statuses[code], code, got.fields...)
	}
	return got
}

// statuses are those of the errors that carts and orders know (contract 1.11).
var statuses = map[string]int{
	"VALIDATION_FAILED": 400, "BAD_REQUEST": 400, "CART_EMPTY": 400, "UNAUTHENTICATED": 401, "NOT_FOUND": 404,
	"CONFLICT":           409,
	"INSUFFICIENT_STOCK": 409, "MAX_ORDER_QUANTITY_EXCEEDED": 409, "ITEM_UNAVAILABLE": 409, "PRICE_CHANGED": 409,
}

// blames checks that an error names these fields and no others.
func (r reply) blames(t testing.TB, fields ...string) {
	t.Helper()
	slices.Sort(fields)
	if !slices.Equal(r.fields, fields) {
		t.Errorf("%s names %q, want %q", r.body, r.fields, fields)
	}
}

// answers are the golden answers of a test: testdata/<test>/<step>.json, what both doors say on both
// databases.
type answers struct {
	folder string
	known  map[string]bool
}

var orderNumber = regexp.MustCompile(`"orderNumber": "[2-9A-HJ-NP-Z]{8}"`)

// content is what a reply says at either door: the body of a success; of an error the code, message, fields
// and details.
func (r reply) content(t testing.TB) []byte {
	t.Helper()
	said := []byte(r.said)
	if r.code != "" {
		said = r.failure(t)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, said, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text := orderNumber.ReplaceAll(bytes.TrimSpace(indented.Bytes()), []byte(`"orderNumber": "<number>"`))
	return append(r.door.withNames(t, text), '\n')
}

// failure is an error as both doors have it.
func (r reply) failure(t testing.TB) []byte {
	t.Helper()
	type failed struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Errors  json.RawMessage `json:"errors,omitempty"`
		Details json.RawMessage `json:"details,omitempty"`
	}
	var e failed
	if r.door.graphQL {
		var of struct {
			Errors []struct {
				Message    string
				Extensions failed
			}
		}
		if err := json.Unmarshal(r.body, &of); err != nil || len(of.Errors) != 1 {
			t.Fatalf("%v: %s", err, r.body)
		}
		e = of.Errors[0].Extensions
		e.Message = of.Errors[0].Message
	} else if err := json.Unmarshal(r.body, &e); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte(`"input.`), []byte(`"`))
}

// golden checks a reply against its golden answer.
func (s shopper) golden(t *testing.T, name string, r reply) {
	t.Helper()
	file := s.answers.folder + "/" + strings.ReplaceAll(name, " ", "-") + ".json"
	if s.answers.known[file] {
		t.Errorf("two answers are named %q", name)
	}
	s.answers.known[file] = true
	compare(t, step{name: name, request: fmt.Sprintf("%.300s", r.body)}, file, r.content(t))
}

// end checks that there is no golden answer too many.
func (a *answers) end(t *testing.T) {
	t.Helper()
	if len(a.known) > 0 && !t.Failed() {
		noneLeft(t, a.folder, a.known)
	}
}
