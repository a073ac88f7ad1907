package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestGraphQLRefusesDocuments(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, document := range []string{
			`{`, `}`, `query`, `{ tenant(domain: "x) { id } }`, `{ a: }`, `{ __typename } }`, "{ \x01 }",
			`{ tenant(domain: 'x') { id } }`, `...`,
			`{ tenant(domain: 1.) { id } }`, `{ tenant(domain: "\u00") { id } }`, `{ }`, `\`, `"`, `"""`,
			`{ a(b: 00) }`,
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, "")), 200,
				"GRAPHQL_PARSE_FAILED")
		}
		for _, document := range []string{
			`{ nothing }`, `{ tenant { id } }`, `{ tenant(domain: "x") }`, `{ tenant(domain: 5) { id } }`,
			`{ tenant(domain: null) { id } }`,
			`{ tenant(domain: "x") { id(a: 1) } }`, `{ tenant(domain: "x", other: 1) { id } }`,
			`query($d: Nothing) { __typename }`,
			`query($d: Int!) { tenant(domain: $d) { id } }`, `{ tenant(domain: $d) { id } }`,
			`query($d: String!) { __typename }`, `{ ...f }`,
			`fragment f on Query { ...f } { ...f }`, `{ __typename @nothing }`, `subscription { a }`,
			`mutation { nothing }`,
			`{ cities(level: "city") { id } }`, `{ cities(level: CITY) { id } }`, `{ cities(level: moon) { id } }`,
			`{ a: tenant(domain: "x") { id } a: tenant(domain: "y") { id } }`,
			`query A { __typename } query A { __typename }`,
			`{ tenant(domain: "x") { products(page: "1") { total } } }`,
			`{ tenant(domain: "x") { products(page: 1.5) { total } } }`,
			`{ tenant(domain: "x") { products(page: null) { total } } }`,
			`{ tenant(domain: "x") { products(page: 99999999999999999999) { total } } }`,
			`mutation { submitContact(domain: "x", input: {title: "a"}) { message } }`,
			`mutation { submitContact(domain: "x", input: {title: "a", name: "b", text: "c", status: "d"}) { ` +
				`message } }`,
		} {
			got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, ""))
			r := shoptest.ResultOf(t, got)
			if got.Status != 200 || len(r.Errors) == 0 || r.Data != nil {
				t.Errorf("%s: got %d %s", document, got.Status, got.Body)
			}
			for _, e := range r.Errors {
				if e.Extensions.Code != "GRAPHQL_VALIDATION_FAILED" {
					t.Errorf("%s: got %s", document, got.Body)
				}
			}
		}
		const two = `query A { __typename } query B { __typename }`
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(two, "")), 200, "BAD_REQUEST")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			`{"operationName": "C", `+shoptest.GraphQLBody(two, "")[1:]), 200,
			"BAD_REQUEST")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			`{"operationName": "B", `+shoptest.GraphQLBody(two, "")[1:]), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(`fragment f on Query { __typename }`, "")), 200,
			"GRAPHQL_VALIDATION_FAILED")
	})
}

// TestGraphQLTokens checks that a document has at most 2,000 tokens.
func TestGraphQLTokens(t *testing.T) {
	document := func(tokens int) string { return "{" + strings.Repeat(" __typename", tokens-2) + " }" }
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document(2000), "")), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document(2001), "")), 200,
			"LIMIT_EXCEEDED")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody("# "+strings.Repeat("a ", 10000)+"\n{ __typename }",
				"")), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody("{"+strings.Repeat(" a", 100_000), "")), 200,
			"LIMIT_EXCEEDED")
		shoptest.WantGraphQL(t, p.At(t, "GET", "/graphql?query="+url.QueryEscape(document(2001))), 200,
			"LIMIT_EXCEEDED")
	})
}

// TestGraphQLDoublingFragments sends documents whose fragments would be enormous when expanded.
func TestGraphQLDoublingFragments(t *testing.T) {
	doubling := func(levels int, leaf string) string {
		var d strings.Builder
		d.WriteString("{ ...f0 }")
		for i := range levels {
			fmt.Fprintf(&d, " fragment f%d on Query { ...f%d ...f%d }", i, i+1, i+1)
		}
		fmt.Fprintf(&d, " fragment f%d on Query { %s }", levels, leaf)
		return d.String()
	}
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, leaf := range []string{"__typename", "__schema { description }", `cities { id }`,
			`a: cities { id } b: cities { id }`} {
			got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(doubling(180, leaf), ""))
			if got.Status != 200 || !json.Valid(got.Body) {
				t.Errorf("%s: %d %.300s", leaf, got.Status, got.Body)
			}
		}
	})
}

func TestGraphQLIntrospection(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		got := p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(`query IntrospectionQuery { __schema { queryType { name } mutationType { name } `+
				`subscriptionType { name }
			types { ...FullType } directives { name description locations args { ...InputValue } } } }
			fragment FullType on __Type { kind name description
				fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } `+
				`isDeprecated deprecationReason }
				inputFields { ...InputValue } interfaces { ...TypeRef }
				enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } `+
				`possibleTypes { ...TypeRef } }
			fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
			fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { `+
				`kind name ofType { kind name
				ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`, ""))
		shoptest.WantGraphQL(t, got, 200, "")
		var described struct {
			Schema struct {
				QueryType struct{ Name string }
				Types     []struct{ Name string }
			} `json:"__schema"`
		}
		if err := json.Unmarshal(shoptest.ResultOf(t, got).Data, &described); err != nil ||
			described.Schema.QueryType.Name != "Query" || len(described.Schema.Types) < 40 {
			t.Errorf("got %v, %+v", err, described)
		}
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(`{ __type(name: "Tenant") { name } tenant(domain: "shop.example") { `+
				`__typename } }`, "")), 200, "")
	})
}

func TestGraphQLVariables(t *testing.T) {
	const list = `query($p: Int! = 1, $n: String, $i: Boolean, $c: ID) { tenant(domain: "shop.example") { ` +
		`products(page: $p, name: $n, inStore: $i, categoryId: $c) { total } } }`
	const write = `mutation($in: ExpertReviewInput!) { createExpertReview(domain: "shop.example", input: ` +
		`$in) { review { status } } }`
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		product := idOf(t, p, shoptest.ShopPath+"/products/drill", "product")
		for _, right := range []string{`{}`, `null`, `{"p": 1}`, `{"n": null}`, `{"n": ""}`, `{"i": true}`,
			`{"c": ""}`, `{"c": "x"}`, `{"other": 1}`, `{"n": "كتاب"}`} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(list, right)), 200, "")
		}
		for wrong, fields := range map[string]string{
			`{"p": 0}`: "p", `{"p": -1}`: "p", `{"p": 1.5}`: "p", `{"p": "1"}`: "p", `{"p": null}`: "p",
			`{"p": 99999999999}`: "p", `{"p": true}`: "p", `{"p": [1]}`: "p",
			`{"n": 5}`: "n", `{"n": ["a"]}`: "n", `{"n": {}}`: "n", `{"n": "` + strings.Repeat("x", 1001) + `"}`: "n",
			`{"i": "true"}`: "i", `{"i": 1}`: "i", `{"c": 5}`: "c", `{"p": 0, "n": 5, "i": "x", "c": []}`: "p n i c",
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(list, wrong)), 200,
				"VALIDATION_FAILED",
				strings.Fields(fields)...)
		}
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(list, `{"p": 1.00}`)), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(write,
			`{"in": `+review(product)+`}`)), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(write,
			`{"in": `+review(product, "rate", "5.0")+`}`)), 200, "")
		for wrong, fields := range map[string]string{
			review(product, "rate", "11", "text", `""`): "in.rate in.text", review(product, "rate", "5.5"): "in.rate",
			review(product, "rate", `"5"`):          "in.rate",
			review(product, "status", `"approved"`): "in.status", review(product, "positivePoints",
				`["a", ""]`): "in.positivePoints.1",
			`{}`: "in.productId in.authorName in.rate in.positivePoints in.negativePoints in.text", `null`: "in",
			`[]`: "in", `"x"`: "in",
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(write,
				`{"in": `+wrong+`}`)), 200, "VALIDATION_FAILED",
				strings.Fields(fields)...)
		}
		// A wrong value is a fault of the request, and nothing runs.
		got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(list, `{"p": 0}`), "Accept",
			"application/graphql-response+json")
		if shoptest.WantGraphQL(t, got, 400, "VALIDATION_FAILED", "p"); shoptest.ResultOf(t, got).Data != nil {
			t.Errorf("got %s", got.Body)
		}
	})
}

// TestGraphQLLiterals checks that a value in the document is read as strictly as a variable.
func TestGraphQLLiterals(t *testing.T) {
	review := func(members string) string {
		return `mutation { createExpertReview(domain: "shop.example", input: {` + members + `}) { message } }`
	}
	const rest = ` authorName: "Sara" positivePoints: [] negativePoints: []`
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for document, fields := range map[string]string{
			`{ tenant(domain: "shop.example") { products(page: 0, pageSize: -1) { ` +
				`total } } }`: "page pageSize",
			`{ tenant(domain: "shop.example") { products(page: 99999999999, pageSize: 2147483648) { ` +
				`total } } }`: "page pageSize",
			`{ tenant(domain: "shop.example") { storeItems(minPrice: 1e999999999, maxPrice: ` +
				`99999999999999999999) { total } } }`: "minPrice",
			`{ tenant(domain: "shop.example") { storeItems(minPrice: -1, maxPrice: 1) { ` +
				`total } } }`: "minPrice",
			review(`productId: 5 rate: 99999999999 text: """ """` +
				rest): "input.productId input.rate input.text",
			review(`productId: "x" rate: 11 text: ""` +
				rest): "input.rate input.text",
			review(`productId: "x" rate: 1 authorEmail: "x" text: " "` +
				rest): "input.authorEmail input.text",
			review(`productId: "x" rate: 1 text: "a\u0000b"` + rest): "input.text",
			`{ cities(parentSlug: "\u0000") { id } }`:                "parentSlug",
			`{ cities(parentId: "\u0000") { id } }`:                  "parentId",
			`{ tenant(domain: "shop.example") { products(name: "a\u0000", tag: "\u0000") { total } product(slug: ` +
				`"\u0000") { id } } }`: "name tag slug",
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, "")), 200,
				"VALIDATION_FAILED",
				strings.Fields(fields)...)
		}
		product := idOf(t, p, shoptest.ShopPath+"/products/drill", "product")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(review(`productId: "`+product+`" rate: 1 text: "a" authorEmail: ""`+rest),
				"")), 200, "")
		shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(review(`productId: "`+product+`" rate: 1 text: "a" authorEmail: null`+rest),
				"")), 200, "")
	})
}

// TestGraphQLNoScalars sends objects, lists and names where texts, numbers and enums are expected.
func TestGraphQLNoScalars(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, document := range []string{
			`{ city(id: {}) { id } }`, `{ tenant(domain: {}) { id } }`, `{ cities(level: {}) { id } }`,
			`{ tenant(domain: "shop.example") { products(page: {}) { total } } }`,
			`{ tenant(domain: "shop.example") { products(inStore: {}) { total } } }`,
			`{ tenant(domain: "shop.example") { products(minPrice: {}) { total } } }`,
			`{ tenant(domain: "shop.example") { products(minPrice: [1]) { total } } }`,
			`{ tenant(domain: "shop.example") { products(minPrice: [{}]) { total } } }`,
			`{ tenant(domain: "shop.example") { products(minPrice: []) { total } } }`,
			`{ tenant(domain: "shop.example") { products(minPrice: x) { total } } }`,
			`{ tenant(domain: "shop.example") { products(minPrice: "") { total } } }`,
			`{ tenant(domain: "shop.example") { productsConnection(first: {}) { totalCount } } }`,
			`{ tenant(domain: "shop.example") { product(slug: {}) { id } } }`,
			`mutation { submitContact(domain: "shop.example", input: {title: "a", name: {}, text: "b"}) { message } }`,
		} {
			shoptest.WantGraphQL(t, p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, "")), 200,
				"GRAPHQL_VALIDATION_FAILED")
		}
	})
}

// TestGraphQLRecords checks that every unknown id or slug is not found, in any form.
func TestGraphQLRecords(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, id := range []string{"x", " ", "00000000-0000-0000-0000-000000000000",
			"{01a1ffd6-f812-7215-9dde-993213b3b084}", "'", "%", strings.Repeat("x", 10000)} {
			for document, inside := range map[string]string{
				`query($id: ID!) { city(id: $id) { id } }`: "city",
				`query($id: ID!) { tenant(domain: "shop.example") { storeVariant(id: $id) { ` +
					`id } } }`: "storeVariant",
				`query($id: ID!) { tenant(domain: "shop.example") { storeItem(productId: $id) { ` +
					`productId } } }`: "storeItem",
				`query($id: ID!) { tenant(domain: "shop.example") { blogComments(blogId: $id) { ` +
					`id } } }`: "blogComments",
				`query($id: String!) { tenant(domain: "shop.example") { product(slug: $id) { id } } }`: "product",
				`query($id: String!) { tenant(domain: $id) { id } }`:                                   "tenant",
			} {
				variables, err := json.Marshal(map[string]string{"id": id})
				if err != nil {
					t.Fatal(err)
				}
				got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(document, string(variables)), "Accept",
					"application/graphql-response+json")
				if shoptest.WantGraphQL(t, got, 200, "NOT_FOUND"); t.Failed() {
					t.Fatalf("that was %s of %.20q", document, id)
				}
				r := shoptest.ResultOf(t, got)
				if data := string(r.Data); !strings.Contains(data, `"`+inside+`":null`) ||
					strings.Count(data, "null") != 1 ||
					r.Errors[0].Path[len(r.Errors[0].Path)-1] != inside {
					t.Errorf("got %s", got.Body)
				}
			}
		}
		got := p.Send(t, "POST", "/graphql",
			shoptest.GraphQLBody(`{ tenant(domain: "shop.example") { products(categoryId: "x") { total } `+
				`expertReviews(productId: "x") { id } } }`, ""))
		if string(got.Body) != `{"data":{"tenant":{"products":{"total":0},"expertReviews":[]}}}` {
			t.Errorf("got %s", got.Body)
		}
	})
}
