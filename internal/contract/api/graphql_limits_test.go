// Package api_test checks the two interfaces themselves: HTTP, GraphQL, caching, hostile inputs, and the
// pages and tools that use them.
package api_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// repeat and numbered write the repeated parts of documents; %d in a part is its number.
func repeat(n int, part string) string { return strings.Repeat(part, n) }

func numbered(n int, part string) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, part, i)
	}
	return all.String()
}

// inShop returns a document about the shop.
func inShop(selections string) string {
	return `{ tenant(domain: "shop.example") { ` + selections + ` } }`
}

// nested returns a document of n nested fields.
func nested(depth int, wrap string) string {
	return strings.ReplaceAll(inShop(`products(pageSize: 1) { items { `+repeat(depth-4, wrap)+`id`+
		repeat(depth-4, " }")+` } }`), "RELATED", "related(first: 1)")
}

// TestGraphQLLimits sends documents on both sides of each limit.
func TestGraphQLLimits(t *testing.T) {
	const item = `{ items { id slug titleFa titleEn inStock } }`
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, c := range []struct{ name, document, variables, code string }{
			{name: "15 deep", document: nested(15, "RELATED { ")},
			{name: "16 deep", document: nested(16, "RELATED { "), code: "LIMIT_EXCEEDED"},
			{name: "16 deep in inline fragments", document: strings.ReplaceAll(nested(16, "RELATED { "), "id }",
				"... on Product { id } }"), code: "LIMIT_EXCEEDED"},
			{name: "16 deep by fragments",
				document: `{ tenant(domain: "shop.example") { products(pageSize: 1) { items { ...f } } ` +
					`} } fragment f on Product {` +
					strings.ReplaceAll(repeat(12, "RELATED { ")+"id"+repeat(12, " }"), "RELATED",
						"related(first: 1)") + `}`, code: "LIMIT_EXCEEDED"},
			{name: "deep in inline fragments alone",
				document: inShop(repeat(300, "... { ") + "id" + repeat(300, " }"))},
			{name: "30 aliases", document: `{ ` + numbered(30, ` a%d: __typename`) + ` }`},
			{name: "31 aliases", document: `{ ` + numbered(31, ` a%d: __typename`) + ` }`, code: "LIMIT_EXCEEDED"},
			{name: "31 aliases of fields", document: inShop(numbered(31, ` a%d: id`)), code: "LIMIT_EXCEEDED"},
			{name: "31 aliases of introspection", document: `{ __schema { types { ` +
				numbered(31, ` a%d: name`) + ` } } }`,
				code: "LIMIT_EXCEEDED"},
			{name: "31 aliases of the schema", document: `{ ` + numbered(31, ` a%d: __schema { description }`) + ` }`,
				code: "LIMIT_EXCEEDED"},
			{name: "aliases in fragments", document: inShop(`...f ...g ... { `+numbered(10, ` a%d: id`)+` }`) +
				` fragment f on Tenant { ` + numbered(11, ` b%d: id`) + ` } fragment g on Tenant { ` +
				numbered(10, ` c%d: id`) + ` }`, code: "LIMIT_EXCEEDED"},
			{name: "aliases that are left out", document: inShop(numbered(31, ` a%d: id @include(if: false)`)),
				code: "LIMIT_EXCEEDED"},
			{name: "a page of a hundred", document: inShop(`products(pageSize: 100) ` + item)},
			{name: "a page above a hundred counts as one of a hundred",
				document: inShop(`products(pageSize: 2147483647) ` +
					item)},
			{name: "pages in pages",
				document: inShop(`products(pageSize: 100) { items { related(first: 24) { related(first: 24) { ` +
					`id } } } }`), code: "LIMIT_EXCEEDED"},
			{name: "pages in pages of a few", document: inShop(`products(pageSize: 3) { items { related(first: 24) { ` +
				`related(first: 24) { id } } } }`)},
			{name: "pages in pages for ever", document: inShop(`products(pageSize: 100) { items { ` +
				repeat(200, `related(first: 24) { `) + `id` + repeat(200, ` }`) + ` } }`), code: "LIMIT_EXCEEDED"},
			{name: "one field again and again on a page", document: inShop(`products(pageSize: 100) { items { ` +
				repeat(501, ` __typename`) + ` } }`), code: "LIMIT_EXCEEDED"},
			{name: "left out by a directive, and counted",
				document: inShop(
					`products(pageSize: 100) { items { related(first: 24) @skip(if: true) { related(first: 24) { ` +
						`id } } } }`), code: "LIMIT_EXCEEDED"},
			{name: "a size in a variable", document: `query($n: Int!) ` +
				inShop(`products(pageSize: $n) { items { related(first: 24) { related(first: 24) { id } } } }`),
				variables: `{"n": 100}`, code: "LIMIT_EXCEEDED"},
			{name: "a small size in a variable", document: `query($n: Int!) ` +
				inShop(`products(pageSize: $n) { items { related(first: 24) { related(first: 24) { id } } } }`),
				variables: `{"n": 3}`},
			{name: "a size in a variable's default", document: `query($n: Int! = 100) ` +
				inShop(`products(pageSize: $n) { items { related(first: 24) { related(first: 24) { id } } } }`),
				code: "LIMIT_EXCEEDED"},
			{name: "a small size instead of the default", document: `query($n: Int! = 100) ` +
				inShop(`products(pageSize: $n) { items { related(first: 24) { related(first: 24) { id } } } }`),
				variables: `{"n": 3}`},
			{name: "a size left out", document: `query($n: Int) ` +
				inShop(`products(pageSize: $n) { items { related(first: 4) { related(first: 4) { id } } } }`),
				variables: `{}`},
			{name: "the schema's own default",
				document: inShop(`products { items {
					related { related { related { related { related { id } } } } } } }`),
				code: "LIMIT_EXCEEDED"},
			{name: "every location 31 times", document: `{ ` + numbered(30, ` a%d: cities { id parentId }`) + ` }`,
				code: "LIMIT_EXCEEDED"},
			{name: "every location", document: `{ cities { id slug name parentId level } }`},
			{name: "fragments that double on every level", document: `{ ...f0 }` + func() (all string) {
				for i := range 40 {
					all += fmt.Sprintf(` fragment f%d on Query { tenant(domain: "a") { id } ...f%d ...f%d }`,
						i, i+1, i+1)
				}
				return all + ` fragment f40 on Query { __typename }`
			}(), code: "LIMIT_EXCEEDED"},
			{name: "a field in too many places", document: `{ a: __schema { ...s } b: __schema { ...s } }
				fragment s on __Schema { a: types { ...t } b: types { ...t } c: types { ...t } d: types { ...t } }
				fragment t on __Type { a: fields { ...f } b: fields { ...f } c: fields { ...f } d: fields { ...f } }
				fragment f on __Field { a: type { ...n } b: type { ...n } }
				fragment n on __Type { name kind fields { ` +
				`name description type { name } } }`, code: "LIMIT_EXCEEDED"},
			{name: "introspection in circles",
				document: `{ __schema { types { fields { type { fields { type { fields { name } } } ` +
					`} } } } }`, code: "GRAPHQL_VALIDATION_FAILED"},
			{name: "introspection in circles of interfaces",
				document: `{ __schema { types { possibleTypes { interfaces { possibleTypes { name } } } } } }`,
				code:     "GRAPHQL_VALIDATION_FAILED"},
			{name: "introspection, deep and thin", document: `{ __type(name: "Query") { ` +
				repeat(400, `ofType { `) + `name` +
				repeat(400, ` }`) + ` } }`},
			{name: "wide introspection, whose answer is short",
				document: `{ __schema { types { fields {
					type { fields { args { name type { name kind } } ` +
					`name description } } } } } }`},
			{name: "many operations", document: numbered(300, ` query q%d { __typename }`), code: "BAD_REQUEST"},
			{name: "many operations that share a fragment", document: numbered(100, ` query q%d { ...f }`) +
				` fragment f on Query { ` + repeat(500, `__typename `) + ` }`, code: "LIMIT_EXCEEDED"},
			{name: "a chain of fragments", document: `{ ...f0 }` + func() (all string) {
				for i := range 200 {
					all += fmt.Sprintf(` fragment f%d on Query { ...f%d }`, i, i+1)
				}
				return all + ` fragment f200 on Query { __typename }`
			}(), code: "LIMIT_EXCEEDED"},
			{name: "one directive a thousand times", document: `{ __typename ` + repeat(900, `@include `) + ` }`,
				code: "GRAPHQL_VALIDATION_FAILED"},
			{name: "directives on many fields", document: `{ ` + repeat(200, `__typename @include(if: true) `) + ` }`},
			{name: "a long name", document: `{ ` + repeat(257, "x") + ` }`, code: "LIMIT_EXCEEDED"},
			{name: "a name of the longest kind", document: `query ` + repeat(256, "x") + ` { __typename }`},
		} {
			got := p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(c.document, c.variables))
			r := shoptest.ResultOf(t, got)
			codes := map[string]bool{}
			for _, e := range r.Errors {
				codes[e.Extensions.Code] = true
			}
			if got.Status != 200 || len(got.Body) > 1<<20 || c.code == "" && len(codes) > 0 || c.code != "" &&
				(len(codes) != 1 || !codes[c.code] || r.Data != nil) {
				t.Errorf("%s: want %q: %d %.300s", c.name, c.code, got.Status, got.Body)
			}
		}
	})
}

// TestGraphQLHostileVariables checks that errors are not many times longer than the request, and that
// invalid variables are request errors.
func TestGraphQLHostileVariables(t *testing.T) {
	const submit = `mutation($in: ContactInput!) { submitContact(domain: "shop.example", input: $in) { ` +
		`message } }`
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		long := repeat(250, "x")
		for name, body := range map[string]string{
			"unknown members": shoptest.GraphQLBody(submit, `{"in": {`+numbered(20_000, `"a%d":1,`)+`"b":1}}`),
			"under a long name": shoptest.GraphQLBody(strings.ReplaceAll(submit, "$in", "$"+long), `{"`+long+`": {`+
				numbered(20_000, `"a%d":1,`)+`"b":1}}`),
			"a list where one is": shoptest.GraphQLBody(submit, `{"in": [`+repeat(50_000, "1,")+`1]}`),
			"a list of many reviews": shoptest.GraphQLBody(`mutation($in: ExpertReviewInput!) { `+
				`createExpertReview(domain: `+
				`"shop.example", input: $in) { message } }`, `{"in": {"positivePoints": [`+repeat(50_000,
				"1,")+`1]}}`),
			"a variable used often": shoptest.GraphQLBody(`query($n: String) { tenant(domain: "shop.example") {`+
				repeat(150, ` products(name: $n) { total }`)+` } }`, `{"n": "`+repeat(200_000, "x")+`"}`),
			"wrong in many places": shoptest.GraphQLBody(`query(`+numbered(300,
				`$a%d: Int! `)+`) { __typename }`, ``),
			"defined again": shoptest.GraphQLBody(`query(`+repeat(400, `$a: Int `)+`) { __typename }`, ``),
			"a null for a size": shoptest.GraphQLBody(`query($n: Int = 100) `+inShop(`products(pageSize: $n) `+
				`{ total }`),
				`{"n": null}`),
			"a null for a directive": shoptest.GraphQLBody(`query($b: Boolean = true) { `+
				`__typename @skip(if: $b) cities(level: `+
				`country) @include(if: $b) { id } }`, `{"b": null}`),
		} {
			got := p.Send(t, "POST", "/graphql", body)
			r := shoptest.ResultOf(t, got)
			if got.Status != 200 || len(r.Errors) == 0 || len(r.Errors) > 20 || len(got.Body) > 128<<10 {
				t.Errorf("%s: %d, %d errors in %d bytes: %.300s", name, got.Status, len(r.Errors),
					len(got.Body), got.Body)
			}
			for _, e := range r.Errors {
				if e.Extensions.Code != "VALIDATION_FAILED" && e.Extensions.Code != "GRAPHQL_VALIDATION_FAILED" {
					t.Errorf("%s: %.300s", name, got.Body)
				}
			}
		}
	})
}
