package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// TestCostly checks the costs of the service's expensive fields: a document may not ask for facets in many
// aliases, but one page of a shop may have them.
func TestCostly(t *testing.T) {
	reader := newTestReader()
	aliased := func(n int, list string) string {
		var d strings.Builder
		for i := range n {
			fmt.Fprintf(&d, " a%d: %s", i, list)
		}
		return `{ tenant(domain: "x") {` + d.String() + ` } }`
	}
	const facets = `facets { categories { count } brands { count } prices { currency } fields { key } }`
	for document, fits := range map[string]bool{
		aliased(2, `products { items { id } `+facets+` }`):                                            true,
		aliased(29, `products { total facets { categories { count } } }`):                             false,
		aliased(29, `storeItems { facets { brands { count } } }`):                                     false,
		aliased(29, `products(name: "x", pageSize: 20) { total items { id titleFa } }`):               true,
		aliased(1, `blogs(pageSize: 100) { items { body comments { text } } }`):                       true,
		aliased(20, `blogs(pageSize: 100) { items { body } }`):                                        false,
		aliased(1, `products(pageSize: 100) { items { description expertReviews { text } } }`):        true,
		aliased(8, `products(pageSize: 100) { items { description variants { sku } } }`):              true,
		aliased(29, `products(values: [{key: "a"}], name: "b") { total items { description slug } }`): true,
		`{ __type(name: "Query") { name } }`:                                                          true,
	} {
		parsed, errs := reader.ParseClient(document)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", document, errs)
		}
		op, err := parsed.Operation("")
		if err != nil {
			t.Fatal(err)
		}
		err = op.WithinLimits(map[string]any{})
		if fits != (err == nil) || err != nil && !fault.Is(err, fault.LimitExceeded) {
			t.Errorf("%.90s…: %v", document, err)
		}
	}
}

// TestCost checks the cost of operations, in fields.
func TestCost(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		directive @listSize(assumedSize: Int!) on FIELD_DEFINITION
		type Query {
			plain: [Item]
			few(first: Int! = 8): [Item]
			page(pageSize: Int! = 12): Page
			connection(first: Int, after: String, last: Int, before: String): Connection
			cities: [Item] @listSize(assumedSize: 1000)
		}
		type Page { items: [Item] total: Int }
		type Connection { edges: [Edge] nodes: [Item] total: Int }
		type Edge { node: Item cursor: String }
		type Item { id: ID plain: [Item] connection(first: Int, last: Int): Connection }`})
	reader := NewReader(Options{Schema: schema, MaxPageSize: 100, SizeArguments: sizeArguments})
	for document, cost := range map[string]int{
		`{ plain { id } }`:                                                                1 + 10,
		`{ few { id } }`:                                                                  1 + 8,
		`{ few(first: 3) { id } }`:                                                        1 + 3,
		`{ cities { id } }`:                                                               1 + 1000,
		`{ page { total } }`:                                                              2,
		`{ page { items { id } } }`:                                                       2 + 12,
		`{ page(pageSize: 500) { items { id } } }`:                                        2 + 100,
		`{ page(pageSize: 5) { items { id plain { id } } } }`:                             2 + 5 + 5 + 50,
		`query($n: Int = 7) { page(pageSize: $n) { items { id } } }`:                      2 + 7,
		`{ connection(first: 20) { edges { node { id } cursor } } }`:                      2 + 20 + 20 + 20,
		`{ connection(last: 20) { nodes { id } total } }`:                                 3 + 20,
		`{ connection(first: 5, last: 20) { nodes { id } } }`:                             2 + 20,
		`{ connection(first: null, last: 20) { nodes { id } } }`:                          2 + 20,
		`{ connection { nodes { id } } }`:                                                 2 + 100,
		`{ connection(first: null) { nodes { id } } }`:                                    2 + 100,
		`query($n: Int) { connection(first: $n) { nodes { id } } }`:                       2 + 100,
		`{ connection(first: -5) { nodes { id } } }`:                                      2 + 1,
		`{ connection(first: 5) { edges { node { plain { id } } } } }`:                    2 + 5 + 5 + 50,
		`{ connection(first: 5) { nodes { connection(last: 6) { edges { cursor } } } } }`: 2 + 5 + 5 + 30,
		`{ plain { ...f ... { id } } } fragment f on Item { id }`:                         1 + 1 + 10 + 10,
		`{ plain { id @skip(if: true) a: __typename } }`:                                  1 + 20,
	} {
		parsed, errs := gqlparser.LoadQueryWithRules(schema, document, nil)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", document, errs)
		}
		m := measure{reader: reader, variables: map[string]any{}}
		for _, v := range parsed.Operations[0].VariableDefinitions {
			if v.DefaultValue != nil {
				m.variables[v.Variable] = int64(7)
			}
		}
		if m.selections(parsed.Operations[0].SelectionSet, 1, level{depth: 1}); m.cost != cost {
			t.Errorf("%s costs %d, want %d", document, m.cost, cost)
		}
	}
	// The product of page sizes does not overflow, however deep the fields.
	deep := "{" + strings.Repeat(" connection(first: 100) { nodes {", 20)[len(" "):] + " id" +
		strings.Repeat(" } }", 20) + " }"
	parsed, errs := gqlparser.LoadQueryWithRules(schema, deep, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	m := measure{reader: reader}
	if m.selections(parsed.Operations[0].SelectionSet, 1, level{depth: 1}); m.cost <= maxCost || m.cost > 100*maxCost {
		t.Errorf("costs %d", m.cost)
	}
}
