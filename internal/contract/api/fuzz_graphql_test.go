package api_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"storefront/internal/contract/shoptest"
)

// graphQLCodes are the error codes that /graphql may answer to these documents.
var graphQLCodes = map[string]bool{
	"VALIDATION_FAILED": true, "BAD_REQUEST": true, "NOT_FOUND": true, "METHOD_NOT_ALLOWED": true,
	"GRAPHQL_PARSE_FAILED":      true,
	"GRAPHQL_VALIDATION_FAILED": true, "LIMIT_EXCEEDED": true, "PAYLOAD_TOO_LARGE": true,
	"PERSISTED_QUERY_NOT_FOUND": true,
}

// FuzzGraphQL sends arbitrary documents and variables by POST and by GET.
func FuzzGraphQL(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	const list = `query Q($d: String! = "shop.example", $p: Int, $i: Boolean = true, $c: ID, $m: Decimal) {
		tenant(domain: $d) { products(page: 1, pageSize: 2, categoryId: $c, inStore: $i) { total page items { ` +
		`id slug variants { price } } }
		storeItems(minPrice: $m) { total } categories { itemCount } ... on Tenant { blogs { items { comments { ` +
		`text } } } } } }`
	for _, seed := range []struct{ document, variables string }{
		{list, `{"d": "shop.example", "p": 1, "i": null, "c": "` + service.Product + `", "m": 1.5}`},
		{list, `{"d": 5, "p": "x", "i": 1, "c": [], "m": "1"}`}, {list, ``}, {list, `{"d": ""}`}, {list, `[]`},
		{list, `{"m": 1e400}`}, {list, `{"m": -1e-324}`},
		{`{ __schema { types { name fields { name type { ofType { name } } } } } }`, ``},
		{`{ __typename }`, `null`}, {`{`, `{`}, {``, ``},
		{`{ cities(parentSlug: "\u0000\ud800\ud83d\ude00", level: city) { id } }`, ``},
		{`{ city(id: 5) { id } a: city(id: "x") { id } }`, ``},
		{`mutation($in: ContactInput!) { submitContact(domain: "shop.example", input: $in) { ` +
			`message submission { id createdAt } } }`, `{"in": ` + shoptest.ContactForm + `}`},
		{`mutation { createExpertReview(domain: "shop.example", input: {productId: "` + service.Product +
			`", authorName: "a", rate: 5, positivePoints: "x",
			negativePoints: [], text: """block"""}) { review { rate positivePoints } } }`, ``},
		{`query A { __typename } query B { __typename }`, `{}`},
		{`{ ...f } fragment f on Query { ...g } fragment g on Query { ...f }`, ``},
		{`query($a: [[Int!]]! = [[1]], $b: Boolean!) { __typename @skip(if: $b) @include(if: true) }`,
			`{"a": 1, "b": false}`},
		{`{ tenant(domain: "shop.example") { storeItems(minPrice: 99999999999999999999, maxPrice: ` +
			`1e999999999) { total } } }`, ``},
		{`{ tenant(domain: "shop.example") { products(pageSize: -9223372036854775808) { total } related: ` +
			`products { items { related(first: 24) { id } } } } }`, ``},
		{`subscription { a }`, ``}, {`{ __type(name: "\u0000") { name } }`, ``}, {"\ufeff{ __typename }", ``},
		{`#` + strings.Repeat("x", 100), ``},
		{`query($b: Boolean = true, $n: Int = 1) { __typename @skip(if: $b) tenant(domain: "shop.example") { ` +
			`products(pageSize: $n) { total } } }`, `{"b": null, "n": null}`},
		{`{ a: __typename a: me { id } ...f } fragment f on Query { ... { ... { ...g } } } fragment g on Query ` +
			`{ a: __typename }`, ``},
		{`extend type Query { a: Int } { __typename }`, ``}, {`type A { b: C }`, ``},
		{`query ($a: ContactInput = {title: 5}) { __typename }`, `{"a": {}}`},
	} {
		f.Add(seed.document, seed.variables)
	}
	f.Fuzz(func(t *testing.T, document, variables string) {
		byGET := "/graphql?query=" + url.QueryEscape(document) + "&variables=" + url.QueryEscape(variables)
		graphql(t, service, "GET", byGET, "")
		if !utf8.ValidString(document) {
			return // json.Marshal would repair it
		}
		body := shoptest.GraphQLBody(document, "")
		if variables != "" {
			body = shoptest.GraphQLBody(document, variables)
		}
		graphql(t, service, "POST", "/graphql", body)
	})
}

// FuzzGraphQLExtensions sends arbitrary extensions, by POST and by GET.
func FuzzGraphQLExtensions(f *testing.F) {
	service := shoptest.StartFuzzed(f)
	const query = `query Q { __typename }`
	for _, seed := range []string{
		extending(hashOf(query)), extending(hashOf("other")), extending(""), extending("\u0000"),
		`{"persistedQuery": {"version": 2}}`, `{"persistedQuery": []}`,
		`{"persistedQuery": null}`, `{}`, `null`, ``, `[`, `{"persistedQuery": {"version": 1.0, "sha256Hash": {}}}`,
	} {
		f.Add(seed, query, "Q")
		f.Add(seed, "", "")
	}
	f.Fuzz(func(t *testing.T, extensions, query, operation string) {
		graphql(t, service, "GET", "/graphql?"+url.Values{"extensions": {extensions}, "query": {query},
			"operationName": {operation}}.Encode(), "")
		if utf8.ValidString(query) && utf8.ValidString(operation) && extensions != "" {
			name, _ := json.Marshal(operation)
			graphql(t, service, "POST", "/graphql", `{"operationName": `+string(name)+`, "extensions": `+extensions+
				`, `+shoptest.GraphQLBody(query, "")[1:])
		}
	})
}

// graphql sends a request and checks the rules that hold for every answer of /graphql.
func graphql(t *testing.T, s *shoptest.Fuzzed, method, address, body string) {
	t.Helper()
	contentType := ""
	if method == "POST" {
		contentType = "application/json"
	}
	status, answer := s.Ask(t, method, address, contentType, body)
	var r struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal(answer, &r); err != nil || r.Data == nil && len(r.Errors) == 0 || status > 299 &&
		r.Data != nil {
		t.Fatalf("%s %q %q: %d %.500s", method, address, body, status, answer)
	}
	for _, e := range r.Errors {
		if e.Message == "" || !graphQLCodes[e.Extensions.Code] {
			t.Errorf("%s %q %q: %d %.500s", method, address, body, status, answer)
		}
	}
}
