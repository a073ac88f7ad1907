package describe

import (
	"flag"
	"net/http"
	"os"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/pages/openapi/openapitest"
	"storefront/rest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var smallRoutes = []rest.Route{
	{Method: "GET", Path: "/tenants/{cook}/products", Operation: "Dishes", Status: http.StatusOK},
	{Method: "POST", Path: "/tenants/{cook}/products", Operation: "AddDish", Status: http.StatusCreated},
	{Method: "GET", Path: "/cities/{id}", Operation: "Dish", Status: http.StatusOK},
	{Method: "PATCH", Path: "/cities/{id}", Operation: "ChangeDish", Status: http.StatusOK},
	{Method: "DELETE", Path: "/cities/{id}", Operation: "RemoveDish", Status: http.StatusOK},
	{Method: "POST", Path: "/auth", Operation: "Enter", Status: http.StatusCreated},
	{Method: "GET", Path: "/auth/me", Operation: "Me", Status: http.StatusOK},
	{Method: "PATCH", Path: "/auth/me", Operation: "ChangeMe", Status: http.StatusOK},
	{Method: "POST", Path: "/auth/me", Operation: "Rate", Status: http.StatusOK},
	{Method: "POST", Path: "/sms", Operation: "Relay", Status: http.StatusOK},
}

// smallExamples are examples of some operations.
var smallExamples = map[string]example{
	"ChangeDish": {map[string]jsontext.Value{"id": jsontext.Value(`"7"`)}, jsontext.Value(`{"name": "Soup"}`),
		jsontext.Value(`{"message": "Changed."}`)},
	"RemoveDish": {Parameters: map[string]jsontext.Value{"id": jsontext.Value(`"7"`)}},
}

// ofErrors are the components of the error, which every document has.
var ofErrors = []string{"Error", "ErrorDetails", "ShortLine", "ChangedCart", "Cart"}

// TestSmall writes the document of a schema that uses everything the package can describe.
func TestSmall(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: read(t, "small.graphql")})
	operations, errs := gqlparser.LoadQueryWithRules(schema, read(t, "small.operations.graphql"), nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	d, err := describe(schema, finder(operations), smallRoutes)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := text(d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openapitest.Load(whole); err != nil {
		t.Error(err)
	}
	golden(t, "small.paths.json", d.Paths)
	schemas := slices.DeleteFunc(d.Components.Schemas,
		func(m member[*jsonSchema]) bool { return slices.Contains(ofErrors, m.name) })
	golden(t, "small.schemas.json", schemas)
	golden(t, "small.responses.json", d.Components.Responses)
}

// finder returns the operations of a test by name; an operation's first field decides who may call it.
func finder(operations *ast.QueryDocument) func(string) (query, bool) {
	return func(name string) (query, bool) {
		definition := operations.Operations.ForName(name)
		if definition == nil {
			return query{}, false
		}
		needsSignIn := definition.SelectionSet[0].(*ast.Field).Definition.Directives.ForName("signedIn") != nil
		needsKey := definition.SelectionSet[0].(*ast.Field).Definition.Directives.ForName("apiKey") != nil
		return query{OperationDefinition: definition, public: !needsSignIn && !needsKey,
			needsSignIn: needsSignIn, needsKey: needsKey, example: smallExamples[name]}, true
	}
}

// golden compares a part of a document with a file.
func golden(t testing.TB, name string, part any) {
	t.Helper()
	got, err := text(part)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/"+name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, name); string(got) != want {
		t.Errorf("the document is not as in testdata/%s; rewrite it with -update and read the difference", name)
	}
}

// TestRefused checks that what the package cannot describe is an error, not left out.
func TestRefused(t *testing.T) {
	const types = `type Dish { id: ID! soup: Soup! heat: Heat! side: Side! } scalar Soup enum Heat { mild } ` +
		`union Side = Dish union Half = Dish | Cup type Cup { id: ID! size: Int! } interface Thing { id: ID! } `
	const format = `directive @constraint(format: Format) on ARGUMENT_DEFINITION enum Format { "Round." round } `
	for _, c := range []struct{ name, schema, operation, path, want string }{
		{name: "no operation", schema: `type Query { "A dish." a: ID! }`,
			operation: `query Other { a }`, path: "/cities", want: "openapi: there is no operation Asked"},
		{name: "no section", schema: `type Query { "A dish." a: ID! }`, operation: `query Asked { a }`, path: "/moons",
			want: "openapi: no section knows a word of /moons"},
		{name: "no description", schema: `type Query { a: Dish! }` + types,
			operation: `query Asked { a { id } }`, path: "/cities",
			want: "openapi: Asked is about a, which has no description"},
		{name: "two subjects", schema: `type Query { a: ID! b: ID! }`,
			operation: `query Asked { a b }`, path: "/cities",
			want: "openapi: Asked is about more than one field"},
		{name: "scalar", schema: `type Query { "A dish." a: Dish! }` + types,
			operation: `query Asked { a { soup } }`, path: "/cities",
			want: "openapi: scalar Soup has no JSON form"},
		{name: "interface", schema: `type Query { "A thing." a: Thing! }` + types,
			operation: `query Asked { a { id } }`, path: "/cities",
			want: "openapi: interface Thing cannot be described"},
		{name: "union of one", schema: `type Query { "A dish." a: Side! }` + types,
			operation: `query Asked { a { ... on Dish { id } } }`,
			path:      "/cities",
			want:      "openapi: union Side must be of two types, each selected by a nameless fragment"},
		{name: "union in half", schema: `type Query { "A dish." a: Half! }` + types,
			operation: `query Asked { a { ... on Dish { id } } }`,
			path:      "/cities",
			want:      "openapi: union Half must be of two types, each selected by a nameless fragment"},
		{name: "union and more", schema: `type Query { "A dish." a: Half! }` + types,
			operation: `query Asked { a { __typename ... on Dish { id } ... on Cup { size } } }`, path: "/cities",
			want: "openapi: union Half must be of two types, each selected by a nameless fragment"},
		{name: "union by names", schema: `type Query { "A dish." a: Half! }` + types,
			operation: `query Asked { a { ...one ... on Cup { size } } } fragment one on Dish { id }`, path: "/cities",
			want: "openapi: union Half must be of two types, each selected by a nameless fragment"},
		{name: "union of likes", schema: `type Query { "A dish." a: Half! }` + types,
			operation: `query Asked { a { ... on Dish { id } ... on Cup { id } } }`, path: "/cities",
			want: "openapi: union Half: Dish and Cup have the same members"},
		{name: "one union twice", schema: `type Query { "A dish." a: Half! }` + types,
			operation: "query Asked { a { ... on Dish { id } ... on Cup { size } }\n b: a { ... on Dish { id heat } " +
				"... on Cup { size } } }",
			path: "/cities",
			want: "openapi: Asked is about more than one field\n" +
				"openapi: the nameless fragment on Dish in line 1 and the nameless fragment on Dish in line 2 " +
				"would both be named Dish\n" +
				"openapi: the nameless fragment on Cup in line 1 and the nameless fragment on Cup in line 2 " +
				"would both be named Cup"},
		{name: "format", schema: format + `type Query { "A dish." a(b: String @constraint(format: round)): ID! }`,
			operation: `query Asked($b: String) { a(b: $b) }`, path: "/cities",
			want: "openapi: format round has no keyword"},
		{name: "code", schema: "type Query { \"A dish. Cold: `TOO_COLD`.\" a: ID! }",
			operation: `query Asked { a }`, path: "/cities",
			want: "openapi: a names TOO_COLD, which is no code"},
		{name: "nameless fragment", schema: `type Query { "A dish." a: Dish! }` + types,
			operation: `query Asked { a { id ... { heat } } }`, path: "/cities",
			want: "openapi: a fragment without a name cannot be described"},
		{name: "constraint",
			schema: `directive @constraint(odd: Boolean) on ARGUMENT_DEFINITION
				type Query { "A dish." a(b: Int @constraint(odd: true)): ID! }`,
			operation: `query Asked($b: Int) { a(b: $b) }`, path: "/cities",
			want: "openapi: @constraint(odd) has no keyword"},
		{name: "one name twice", schema: `type Query { "A dish." a: Dish! }` + types,
			operation: `query Asked { a { ...heat } } fragment heat on Dish { heat }`, path: "/cities",
			want: "openapi: fragment heat and enum Heat would both be named Heat"},
	} {
		t.Run(c.name, func(t *testing.T) {
			schema := gqlparser.MustLoadSchema(&ast.Source{Input: c.schema})
			operations, errs := gqlparser.LoadQueryWithRules(schema, c.operation, nil)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			_, err := describe(schema, finder(operations),
				[]rest.Route{{Method: "GET", Path: c.path, Operation: "Asked", Status: http.StatusOK}})
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
