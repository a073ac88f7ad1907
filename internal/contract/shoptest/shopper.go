package shoptest

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

// PathOf returns the path of a route with ids in the place of its parameters.
func (s Shopper) PathOf(t testing.TB, route rest.Route, id string) string {
	t.Helper()
	path := strings.ReplaceAll(route.Path, "{businessId}", s.Business)
	for _, name := range []string{"{itemId}", "{orderId}", "{productId}"} {
		path = strings.ReplaceAll(path, name, id)
	}
	return path
}

// Shopper is a customer at a shop who uses one API. Both APIs run the operations of the routes.
type Shopper struct {
	API
	Customer
	Business string // the shop's id
	answers  *answers
}

// EachShopper runs f on both databases and over both APIs with a new customer at the tool shop. All four
// must get the same answers.
func EachShopper(t *testing.T, f func(t *testing.T, s Shopper)) {
	t.Helper()
	EachAccounts(t, func(t *testing.T, a *Accounts) {
		for _, name := range []string{"REST", "GraphQL"} {
			each := a
			if name == "GraphQL" { // on its own database
				each = a.renewed(t)
			}
			t.Run(name, func(t *testing.T) {
				d := API{Accounts: each, GraphQL: name == "GraphQL"}
				s := d.Shopper(t, 1)
				f(t, s)
				s.answers.end(t)
			})
		}
	})
}

// renewed starts the service over a new database of the same kind.
func (a *Accounts) renewed(t testing.TB) *Accounts {
	t.Helper()
	first := *a
	first.Clock, first.Phones = NewClock(), NewPhones()
	if strings.HasPrefix(a.Database, "postgres") {
		first.Database = Shops.Postgres(t)
	} else {
		first.Database = Shops.SQLite(t)
	}
	first.Place = nil // whose names are of the other database
	other := first.Instance(t)
	other.readInitial(t, Shops)
	return other
}

// Shopper registers the nth customer of the API, at the tool shop.
func (d API) Shopper(t testing.TB, n int) Shopper {
	t.Helper()
	c := d.Register(t, d.Cell(n))
	test, _, _ := strings.Cut(t.Name(), "/")
	return Shopper{API: d.With(c.Access), Customer: c, Business: d.Named(t, "<tenant:tools>"),
		answers: &answers{folder: "testdata/" + test, known: map[string]bool{}}}
}

// At returns the customer at another shop.
func (s Shopper) At(t testing.TB, shop string) Shopper {
	s.Business = s.Named(t, "<tenant:"+shop+">")
	return s
}

// Ask calls an operation of a route, with an input as its body and values for its parameters ("itemId=…").
// All of them may contain placeholders (Names).
func (s Shopper) Ask(t testing.TB, operation, input string, values ...string) Reply {
	t.Helper()
	given := map[string]string{"businessId": s.Business}
	for _, value := range values {
		name, value, _ := strings.Cut(s.Named(t, value), "=")
		given[name] = value
	}
	input = s.Named(t, input)
	if s.GraphQL {
		got := s.Read(t, s.Send(t, "POST", "/graphql", GraphQLBody(DocumentOf(t, operation),
			VariablesOf(t, operation, input, given)), s.Headers...))
		var inside struct {
			Me struct{ Body json.RawMessage }
		}
		if got.Code == "" && json.Unmarshal([]byte(got.Said), &inside) == nil && inside.Me.Body != nil {
			got.Said = string(inside.Me.Body)
		}
		return got
	}
	route := RouteNamed(t, operation)
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
	return s.Read(t, s.Send(t, route.Method, path, input, s.Headers...))
}

// RouteNamed returns the route of an operation.
func RouteNamed(t testing.TB, operation string) rest.Route {
	t.Helper()
	i := slices.IndexFunc(rest.Routes, func(r rest.Route) bool { return r.Operation == operation })
	if i < 0 {
		t.Fatalf("no route has the operation %s", operation)
	}
	return rest.Routes[i]
}

// VariablesOf writes the variables of an operation for GraphQL.
func VariablesOf(t testing.TB, operation, input string, values map[string]string) string {
	t.Helper()
	_, document := Operations(t)
	written := map[string]json.RawMessage{}
	for name, value := range values {
		of := document.Operations.ForName(operation).VariableDefinitions.ForName(name)
		if of != nil && slices.Contains([]string{"Int", "Decimal", "Boolean"}, of.Type.NamedType) {
			written[name] = json.RawMessage(value)
		} else {
			written[name] = json.RawMessage(JSONText(value))
		}
	}
	switch variables := document.Operations.ForName(operation).VariableDefinitions; {
	case input == "":
	case variables.ForName(rest.BodyVariable) != nil:
		written[rest.BodyVariable] = json.RawMessage(input)
	default: // each member of the body is a variable
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(input), &members); err != nil {
			t.Fatalf("%s: %v", input, err)
		}
		for name, value := range members {
			of := variables.ForName(name)
			if of == nil || of.DefaultValue != nil && string(value) == "null" {
				continue // REST ignores the one, and takes the other as absent
			}
			written[name] = value
		}
	}
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return string(text)
}

var documentsOf sync.Map // text by operation

// DocumentOf returns the GraphQL document that has the same answer as a route.
func DocumentOf(t testing.TB, operation string) string {
	t.Helper()
	if text, ok := documentsOf.Load(operation); ok {
		return text.(string)
	}
	_, all := Operations(t)
	one := &ast.QueryDocument{Operations: ast.OperationList{all.Operations.ForName(operation)}}
	AddFragments(one, all, one.Operations[0].SelectionSet)
	var text bytes.Buffer
	formatter.NewFormatter(&text).FormatQueryDocument(one)
	documentsOf.Store(operation, text.String())
	return text.String()
}

// AddFragments adds the fragments that selections spread, directly or indirectly.
func AddFragments(to, all *ast.QueryDocument, selections ast.SelectionSet) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			AddFragments(to, all, s.SelectionSet)
		case *ast.InlineFragment:
			AddFragments(to, all, s.SelectionSet)
		case *ast.FragmentSpread:
			if to.Fragments.ForName(s.Name) == nil {
				to.Fragments = append(to.Fragments, all.Fragments.ForName(s.Name))
				AddFragments(to, all, all.Fragments.ForName(s.Name).SelectionSet)
			}
		}
	}
}

// Right calls an operation that must succeed.
func (s Shopper) Right(t testing.TB, operation, input string, values ...string) Reply {
	t.Helper()
	got := s.Ask(t, operation, input, values...)
	if want := RouteNamed(t, operation).Status; got.Code != "" || !s.GraphQL && got.Status != want ||
		got.Status/100 != 2 {
		t.Fatalf("%s %s %v: got status %d: %s", operation, input, values, got.Status, got.Body)
	}
	if is := got.Header.Get("Cache-Control"); is != "no-store" || got.Header.Get("ETag") != "" {
		t.Errorf("%s: Cache-Control %q, ETag %q", operation, is, got.Header.Get("ETag"))
	}
	return got
}

// Wrong calls an operation that must fail, and checks the whole error.
func (s Shopper) Wrong(t testing.TB, operation, input, code string, values ...string) Reply {
	t.Helper()
	got := s.Ask(t, operation, input, values...)
	if got.Code != code {
		t.Fatalf("%s %.300s %v: %d %s, want %s: %.500s", operation, input, values, got.Status, got.Code,
			code, got.Body)
	}
	if !s.GraphQL {
		if len(got.Body) > 1024 { // the answer was gzipped, and unpacking has removed the length
			got.Header.Set("Content-Length", strconv.Itoa(len(got.Body)))
		}
		WantFault(t, got.Answer, statuses[code], code, got.Fields...)
	}
	return got
}

// statuses are the HTTP statuses of the errors of carts and orders (contract 1.11).
var statuses = map[string]int{
	"VALIDATION_FAILED": 400, "BAD_REQUEST": 400, "CART_EMPTY": 400, "UNAUTHENTICATED": 401, "NOT_FOUND": 404,
	"CONFLICT":           409,
	"INSUFFICIENT_STOCK": 409, "MAX_ORDER_QUANTITY_EXCEEDED": 409, "ITEM_UNAVAILABLE": 409, "PRICE_CHANGED": 409,
	"NOT_DELIVERABLE": 409,
}

// Blames checks that an error names these fields and no others.
func (r Reply) Blames(t testing.TB, fields ...string) {
	t.Helper()
	slices.Sort(fields)
	if !slices.Equal(r.Fields, fields) {
		t.Errorf("%s names %q, want %q", r.Body, r.Fields, fields)
	}
}

// answers are the golden answers of a test, testdata/<test>/<step>.json. They are the same for both APIs and
// both databases.
type answers struct {
	folder string
	known  map[string]bool
}

// OrderNumber matches an order's number in an answer.
var OrderNumber = regexp.MustCompile(`"orderNumber": "[2-9A-HJ-NP-Z]{8}"`)

// Content returns the part of a reply that is the same for both APIs: the body of a success, or the code,
// message, fields and details of an error.
func (r Reply) Content(t testing.TB) []byte {
	t.Helper()
	said := []byte(r.Said)
	if r.Code != "" {
		said = r.Failure(t)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, said, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text := OrderNumber.ReplaceAll(bytes.TrimSpace(indented.Bytes()), []byte(`"orderNumber": "<number>"`))
	return append(r.API.withNames(t, text), '\n')
}

// Failure returns an error in the form that is the same for both APIs.
func (r Reply) Failure(t testing.TB) []byte {
	t.Helper()
	type failed struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Errors  json.RawMessage `json:"errors,omitempty"`
		Details json.RawMessage `json:"details,omitempty"`
	}
	var e failed
	if r.API.GraphQL {
		var of struct {
			Errors []struct {
				Message    string
				Extensions failed
			}
		}
		if err := json.Unmarshal(r.Body, &of); err != nil || len(of.Errors) != 1 {
			t.Fatalf("%v: %s", err, r.Body)
		}
		e = of.Errors[0].Extensions
		e.Message = of.Errors[0].Message
	} else if err := json.Unmarshal(r.Body, &e); err != nil {
		t.Fatalf("%v: %s", err, r.Body)
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(text, []byte(`"input.`), []byte(`"`))
}

// Golden checks a reply against its golden answer.
func (s Shopper) Golden(t *testing.T, name string, r Reply) {
	t.Helper()
	file := s.answers.folder + "/" + strings.ReplaceAll(name, " ", "-") + ".json"
	if s.answers.known[file] {
		t.Errorf("two answers are named %q", name)
	}
	s.answers.known[file] = true
	Compare(t, Step{Name: name, Request: fmt.Sprintf("%.300s", r.Body)}, file, r.Content(t))
}

// end checks that there are no unused golden answers.
func (a *answers) end(t *testing.T) {
	t.Helper()
	if len(a.known) > 0 && !t.Failed() {
		NoneLeft(t, a.folder, a.known)
	}
}
