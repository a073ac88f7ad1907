package openapi

import (
	"flag"
	"net/http"
	"os"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/openapi/openapitest"
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

// finder returns an operation of a test; its first field decides who may call it.
func finder(operations *ast.QueryDocument) func(string) (query, bool) {
	return func(name string) (query, bool) {
		definition := operations.Operations.ForName(name)
		if definition == nil {
			return query{}, false
		}
		needsSignIn := definition.SelectionSet[0].(*ast.Field).Definition.Directives.ForName("signedIn") != nil
		needsKey := definition.SelectionSet[0].(*ast.Field).Definition.Directives.ForName("apiKey") != nil
		return query{definition, !needsSignIn && !needsKey, needsSignIn, needsKey, smallExamples[name]}, true
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
		{"no operation", `type Query { "A dish." a: ID! }`, `query Other { a }`, "/cities",
			"openapi: there is no operation Asked"},
		{"no section", `type Query { "A dish." a: ID! }`, `query Asked { a }`, "/moons",
			"openapi: no section knows a word of /moons"},
		{"no description", `type Query { a: Dish! }` + types, `query Asked { a { id } }`, "/cities",
			"openapi: Asked is about a, which has no description"},
		{"two subjects", `type Query { a: ID! b: ID! }`, `query Asked { a b }`, "/cities",
			"openapi: Asked is about more than one field"},
		{"scalar", `type Query { "A dish." a: Dish! }` + types, `query Asked { a { soup } }`, "/cities",
			"openapi: scalar Soup has no JSON form"},
		{"interface", `type Query { "A thing." a: Thing! }` + types, `query Asked { a { id } }`, "/cities",
			"openapi: interface Thing cannot be described"},
		{"union of one", `type Query { "A dish." a: Side! }` + types, `query Asked { a { ... on Dish { id } } }`,
			"/cities", "openapi: union Side must be of two types, each selected by a nameless fragment"},
		{"union in half", `type Query { "A dish." a: Half! }` + types, `query Asked { a { ... on Dish { id } } }`,
			"/cities", "openapi: union Half must be of two types, each selected by a nameless fragment"},
		{"union and more", `type Query { "A dish." a: Half! }` + types,
			`query Asked { a { __typename ... on Dish { id } ... on Cup { size } } }`, "/cities",
			"openapi: union Half must be of two types, each selected by a nameless fragment"},
		{"union by names", `type Query { "A dish." a: Half! }` + types,
			`query Asked { a { ...one ... on Cup { size } } } fragment one on Dish { id }`, "/cities",
			"openapi: union Half must be of two types, each selected by a nameless fragment"},
		{"union of likes", `type Query { "A dish." a: Half! }` + types,
			`query Asked { a { ... on Dish { id } ... on Cup { id } } }`, "/cities",
			"openapi: union Half: Dish and Cup have the same members"},
		{"one union twice", `type Query { "A dish." a: Half! }` + types,
			"query Asked { a { ... on Dish { id } ... on Cup { size } }\n b: a { ... on Dish { id heat } " +
				"... on Cup { size } } }",
			"/cities",
			"openapi: Asked is about more than one field\n" +
				"openapi: the nameless fragment on Dish in line 1 and the nameless fragment on Dish in line 2 " +
				"would both be named Dish\n" +
				"openapi: the nameless fragment on Cup in line 1 and the nameless fragment on Cup in line 2 " +
				"would both be named Cup"},
		{"format", format + `type Query { "A dish." a(b: String @constraint(format: round)): ID! }`,
			`query Asked($b: String) { a(b: $b) }`, "/cities", "openapi: format round has no keyword"},
		{"code", "type Query { \"A dish. Cold: `TOO_COLD`.\" a: ID! }", `query Asked { a }`, "/cities",
			"openapi: a names TOO_COLD, which is no code"},
		{"nameless fragment", `type Query { "A dish." a: Dish! }` + types, `query Asked { a { id ... { heat } } }`,
			"/cities", "openapi: a fragment without a name cannot be described"},
		{"constraint",
			`directive @constraint(odd: Boolean) on ARGUMENT_DEFINITION
				type Query { "A dish." a(b: Int @constraint(odd: true)): ID! }`,
			`query Asked($b: Int) { a(b: $b) }`, "/cities", "openapi: @constraint(odd) has no keyword"},
		{"one name twice", `type Query { "A dish." a: Dish! }` + types,
			`query Asked { a { ...heat } } fragment heat on Dish { heat }`, "/cities",
			"openapi: fragment heat and enum Heat would both be named Heat"},
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
