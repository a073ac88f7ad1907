package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"storefront"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/pages"
	"storefront/internal/record"
)

// ofExamples runs an operation of an example and returns the answer.
func ofExamples(t *testing.T, p *shoptest.Place, query, operation, variables string,
	headers ...string) shoptest.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "operationName": operation,
		"variables": json.RawMessage(variables)})
	if err != nil {
		t.Fatal(err)
	}
	return p.Send(t, "POST", "/graphql", string(body), headers...)
}

var (
	placeOfID = regexp.MustCompile(`"\$([\w.]+)"`)
	idOfOrder = regexp.MustCompile(`"order":{"id":"([^"]+)"`)
)

// withIDs puts the ids into the variables of an example, as the playground does.
func withIDs(t *testing.T, p *shoptest.Place, variables string) string {
	t.Helper()
	var found any
	if err := json.Unmarshal(shoptest.ResultOf(t, ofExamples(t, p, pages.IDs, "Ids", `{}`)).Data,
		&found); err != nil {
		t.Fatal(err)
	}
	return placeOfID.ReplaceAllStringFunc(variables, func(match string) string {
		at := found
		for step := range strings.SplitSeq(placeOfID.FindStringSubmatch(match)[1], ".") {
			switch within := at.(type) {
			case map[string]any:
				at = within[step]
			case []any:
				at = within[int(step[0]-'0')]
			}
		}
		id, ok := at.(string)
		if !ok {
			t.Fatalf("there is no id at %s", match)
		}
		return `"` + id + `"`
	})
}

// TestExamples runs the playground's examples in the order of its tabs: each answer has content. Only the
// cart is not emptied before the checkout, and the customer who registers owns the shop before its staff's tabs.
func TestExamples(t *testing.T) {
	examples, err := pages.Examples()
	if err != nil {
		t.Fatal(err)
	}
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		var titles, signedIn []string
		for _, example := range examples {
			titles = append(titles, example.Title)
			variables := withIDs(t, p, example.Variables)
			for _, operation := range example.Operations {
				if operation == "SignIn" { // the password differs for each demo
					shoptest.WantGraphQL(t, ofExamples(t, p, example.Query, operation, variables), 200,
						"INVALID_CREDENTIALS")
					continue
				}
				if operation == "ClearCart" {
					continue
				}
				got := ofExamples(t, p, example.Query, operation, variables, signedIn...)
				shoptest.WantGraphQL(t, got, 200, "")
				if strings.Contains(string(got.Body), `"items":[]`) || strings.Contains(string(got.Body),
					`"addresses":[]`) {
					t.Errorf("%s answers %s", operation, got.Body)
				}
				if operation == "ShopOrders" { // the order that PayAndMove takes is put in by hand
					id := idOfOrder.FindSubmatch(got.Body)
					if id == nil {
						t.Fatalf("%s shows no order: got %s", operation, got.Body)
					}
					variables = strings.Replace(variables, "the id of an order", string(id[1]), 1)
				}
				if operation == "SubmitListing" { // and so is the listing that ChangeListing and WithdrawListing take
					id := regexp.MustCompile(`"listing":{"id":"([^"]+)"`).FindSubmatch(got.Body)
					if id == nil {
						t.Fatalf("%s shows no listing: got %s", operation, got.Body)
					}
					variables = strings.Replace(variables, "the id of a listing", string(id[1]), 1)
				}
				if operation == "Register" {
					var registered struct {
						Register struct {
							AccessToken string
							User        struct{ ID string }
						}
					}
					if err := json.Unmarshal(shoptest.ResultOf(t, got).Data, &registered); err != nil {
						t.Fatal(err)
					}
					signedIn = []string{"Authorization", "Bearer " + registered.Register.AccessToken}
					shop := withIDs(t, p, `"$tenant.id"`)
					if err := p.Store.Client.StaffMember.Create().SetRole(record.Owner).
						SetUserID(uuid.MustParse(registered.Register.User.ID)).
						SetBusinessID(uuid.MustParse(strings.Trim(shop, `"`))).Exec(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		cart := examples[slices.Index(titles, "Cart")]
		shoptest.WantGraphQL(t, ofExamples(t, p, cart.Query, "ClearCart", withIDs(t, p, cart.Variables),
			signedIn...), 200,
			"")
		want := []string{"Home page", "Product page", "Search", "Listings (user products)", "Sign in",
			"Addresses", "Cart", "Checkout", "My listings", "Staff: products", "Staff: orders"}
		if !slices.Equal(titles, want) {
			t.Errorf("got the tabs %q, want %q", titles, want)
		}
	})
}

// TestExamplesAreModest checks that every example could ask for twice as much before a limit refused it.
func TestExamplesAreModest(t *testing.T) {
	examples, err := pages.Examples()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: storefront.Schema})
	if err != nil {
		t.Fatal(err)
	}
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, example := range examples {
			document, err := parser.ParseQuery(&ast.Source{Input: example.Query})
			if err != nil {
				t.Fatal(err)
			}
			if errs := validator.ValidateWithRules(schema, document, nil); len(errs) > 0 {
				t.Errorf("%s: %v", example.Title, errs)
			}
			for _, operation := range document.Operations {
				if operation.Operation != ast.Query {
					continue
				}
				for _, selection := range operation.SelectionSet {
					twin := *selection.(*ast.Field)
					twin.Alias = "twin_" + twin.Alias
					operation.SelectionSet = append(operation.SelectionSet, &twin)
				}
				var doubled strings.Builder
				formatter.NewFormatter(&doubled).FormatQueryDocument(document)
				got := ofExamples(t, p, doubled.String(), operation.Name, withIDs(t, p, example.Variables))
				if strings.Contains(string(got.Body), "LIMIT_EXCEEDED") ||
					!strings.Contains(string(got.Body), `"data":`) {
					t.Errorf("%s twice: %.300s", operation.Name, got.Body)
				}
			}
		}
	})
}

// TestPagesOverHTTP checks the headers that the server adds to the pages, and the size of the playground.
func TestPagesOverHTTP(t *testing.T) {
	files := regexp.MustCompile(`(?:href|src)="([^"]+/[0-9a-f]{16}/[^"]+)"`)
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range []string{"/playground", "/docs", "/playground/", "/docs/"} {
			document := p.At(t, "GET", path)
			packed := len(p.At(t, "GET", path, "Accept-Encoding", "gzip").Body)
			for _, file := range files.FindAllStringSubmatch(string(document.Body), -1) {
				to, err := (&url.URL{Path: path}).Parse(file[1])
				if err != nil {
					t.Fatal(err)
				}
				got := p.At(t, "GET", to.Path, "Accept-Encoding", "gzip")
				if got.Status != 200 || got.Header.Get("Content-Encoding") != "gzip" ||
					got.Header.Get("X-Content-Type-Options") != "nosniff" || !varies(got, "Accept-Encoding") {
					t.Errorf("%s: got %d %v", file[1], got.Status, got.Header)
				}
				packed += len(got.Body)
			}
			if packed > 700_000 || len(document.Body) < 1000 {
				t.Errorf("%s and its files are %d bytes", path, packed)
			}
			if document.Status != 200 || !varies(document, "Accept-Encoding") ||
				document.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %v", path, document.Header)
			}
			shoptest.WantStatus(t, p.At(t, "POST", path), 405)
		}
	})
}

// TestWithoutExplorer checks that a service can hide its schema: no playground, and no introspection in any
// form.
func TestWithoutExplorer(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		service, err := app.New(p.Store, slog.New(slog.DiscardHandler),
			app.Options{Clock: shoptest.Noon, Settings: app.Settings{NoExplorer: true}})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(service)
		t.Cleanup(server.Close)
		closed := &shoptest.Place{URL: server.URL, Store: p.Store}
		for _, path := range []string{"/playground", "/playground/", "/playground/x"} {
			shoptest.WantFault(t, closed.At(t, "GET", path), 404, "NOT_FOUND")
		}
		if docs := closed.At(t, "GET", "/docs"); docs.Status != 200 || strings.Contains(string(docs.Body),
			"/playground") {
			t.Errorf("%d %s", docs.Status, docs.Body)
		}
		shoptest.WantStatus(t, closed.At(t, "GET", "/openapi.json"), 200)

		for _, document := range []string{
			`{ __schema { queryType { name } } }`, `{ __type(name: "Tenant") { name } }`,
			`{ harmless: __schema { description } }`,
			`{ ...f } fragment f on Query { __schema { description } }`,
			`{ ... on Query { ... { __type(name: "Tenant") { name } } } }`,
			`{ tenant(domain: "shop.example") { name } __schema { description } }`,
			`{ __schema @skip(if: true) { description } }`,
			`query A { __typename } query B { __schema { description } }`,
		} {
			request := fmt.Sprintf(`{"operationName": %q, %s`,
				map[bool]string{true: "A"}[strings.Contains(document,
					"query A")], shoptest.GraphQLBody(document, "")[1:])
			shoptest.WantGraphQL(t, closed.Send(t, "POST", "/graphql", request), 200, "GRAPHQL_VALIDATION_FAILED")
			if got := p.Send(t, "POST", "/graphql", request); strings.Contains(string(got.Body), "introspection") {
				t.Errorf("where it is on, %s is refused: got %s", document, got.Body)
			}
		}
		for _, document := range []string{`{ __typename tenant(domain: "shop.example") { __typename name } }`,
			`{ tenant(domain: "shop.example") { __schema: name __type: slug } }`} {
			shoptest.WantGraphQL(t, closed.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, "")), 200, "")
		}
		// Errors do not reveal names either.
		for _, document := range []string{
			`{ tennant(domain: "x") { id } }`, `{ tenant(domian: "x") { id } }`, `query($x: Tenantt) { __typename }`,
			`{ cities(level: cty) { id } }`, `{ tenant(domain: "x") }`,
		} {
			got := closed.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""))
			for _, e := range shoptest.ResultOf(t, got).Errors {
				if e.Extensions.Code != "GRAPHQL_VALIDATION_FAILED" || strings.Contains(string(got.Body),
					"Did you mean") {
					t.Errorf("%s: got %s", document, got.Body)
				}
			}
		}
	})
}
