package document

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// TestMerging checks which fields of the same name merge.
func TestMerging(t *testing.T) {
	reader := newTestReader()
	const register = `mutation { register(input: {
		cellNumber: "+989121234567", password: "12345678", firstName: "a", lastName: "b", domain: "x"}) { %s } }`
	for document, merges := range map[string]bool{
		`{ __typename __typename a: __typename a: __typename }`:                                   true,
		`{ a: __typename a: me { id } }`:                                                          false,
		`{ city(id: "1") { id } city(id: "1") { name } }`:                                         true,
		`{ city(id: "1") { id } city(id: "2") { id } }`:                                           false,
		`query($a: ID!, $b: ID!) { city(id: $a) { id } city(id: $b) { id } }`:                     false,
		`{ cities { id } cities(level: city) { id } }`:                                            false,
		`{ cities(level: city, parentId: "1") { id } cities(parentId: "1", level: city) { id } }`: true,
		`{ city(id: "1") { a: id } ... { city(id: "1") { a: name } } }`:                           false,
		`{ city(id: "1") { ...f } city(id: "1") { a: name } } fragment f on Location { a: id }`:   false,
		`{ city(id: "1") { ...f } city(id: "1") { a: id } } fragment f on Location { a: id }`:     true,
		`{ city(id: "1") { ...f } ...g } fragment f on Location { a: id }
			fragment g on Query { city(id: "1") { ... { a: name } } }`: false,
		`query A { a: __typename } query B { a: __typename a: me { id } }`: false,
		// One of them may be null, and an ID is not a String.
		fmt.Sprintf(register, `... on Registered { a: accessToken } ... on LinkPending {
			a: message }`): false,
		fmt.Sprintf(register, `... on Registered { a: accessToken } ... on LinkPending {
			a: refreshToken }`): true,
		fmt.Sprintf(register, `... on Registered { user { a: id } } ... on LinkPending {
			user { a: firstName } }`): false,
		fmt.Sprintf(register, `... on Registered { user { a: lastName } } ... on LinkPending {
			user { a: firstName } }`): true,
		fmt.Sprintf(register, `... on Registered { user { a: lastName } } ... on Registered {
			user { a: firstName } }`): false,
		`mutation { createExpertReview(domain: "x", input: {productId: "a"}) { message }
			createExpertReview(domain: "x") }`: false,
	} {
		if _, errs := reader.ParseClient(document); (len(errs) == 0) != merges {
			t.Errorf("%s: %v", document, errs)
		}
	}
}

// TestMergingAgrees compares mergeable with gqlparser's own rule on random documents.
func TestMergingAgrees(t *testing.T) {
	const definitions = `
		interface Thing { id: ID! name: String thing(n: Int, m: In): Thing things: [Thing] }
		type A implements Thing { id: ID! name: String thing(n: Int, m: In): Thing things: [Thing] b: B
		same: Int! only: String }
		type B implements Thing { id: ID! name: String thing(n: Int, m: In): Thing things: [Thing]
		a: A same: Int only: Int }
		input In { a: Int b: [Int] }
		union Either = A | B
		type Query { thing(n: Int, m: In): Thing things: [Thing] either: Either a: A b: B }`
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: definitions})
	withoutOurs := rules.NewDefaultRules()
	withoutOurs.RemoveRule(rules.OverlappingFieldsCanBeMergedRule.Name)
	random := rand.New(rand.NewPCG(1, 2))
	agreed := map[bool]int{}
	for range 5000 {
		document := writing{random: random, schema: schema}.document()
		parsed, errs := gqlparser.LoadQueryWithRules(schema, document, withoutOurs)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", document, errs)
		}
		theirs := validator.ValidateWithRules(schema, parsed, rules.NewRules(rules.OverlappingFieldsCanBeMergedRule))
		ours := mergeable(schema, parsed)
		if agreed[ours == nil]++; (ours == nil) != (len(theirs) == 0) {
			t.Fatalf("ours says %v, theirs %v: %s", ours, theirs, document)
		}
	}
	if agreed[true] < 500 || agreed[false] < 500 {
		t.Errorf("the documents are too much alike: %v", agreed)
	}
}

// writing makes random documents that are valid except for fields that may not merge.
type writing struct {
	random    *rand.Rand
	schema    *ast.Schema
	fragments []fragment // that may be spread
	used      map[string]bool
}

type fragment struct{ name, on, text string }

func (w writing) document() string {
	w.used = map[string]bool{}
	for _, name := range []string{"f", "g", "h"} {
		on := []string{"Thing", "A", "B", "Query", "Either"}[w.random.IntN(5)]
		w.fragments = append(w.fragments, fragment{
			name, on, fmt.Sprintf(" fragment %s on %s %s", name, on, w.set(on, 2)),
		})
	}
	clear(w.used)
	text := w.set("Query", 3)
	for _, f := range slices.Backward(w.fragments) {
		if w.used[f.name] {
			text += f.text
			for _, other := range w.fragments {
				w.used[other.name] = w.used[other.name] || strings.Contains(f.text, "..."+other.name+" ")
			}
		}
	}
	return text
}

func (w writing) set(on string, depth int) string {
	text := "{ __typename"
	for range 1 + w.random.IntN(4) {
		text += " " + w.selection(on, depth)
	}
	return text + " }"
}

func (w writing) selection(on string, depth int) string {
	fields := w.schema.Types[on].Fields
	switch n := w.random.IntN(10); {
	case n == 0 && depth > 0, len(fields) == 0 && depth > 0:
		within := []string{"Thing", "A", "B", "Either"}[w.random.IntN(4)]
		if w.fits(on, within) {
			return "... on " + within + " " + w.set(within, depth-1)
		}
		return "... " + w.set(on, depth-1)
	case n < 4 && len(w.fragments) > 0:
		f := w.fragments[w.random.IntN(len(w.fragments))]
		if w.fits(on, f.on) {
			w.used[f.name] = true
			return "..." + f.name + " "
		}
	}
	if len(fields) == 0 {
		return "__typename"
	}
	field := fields[w.random.IntN(len(fields))]
	composite := w.schema.Types[field.Type.Name()].IsCompositeType()
	if strings.HasPrefix(field.Name, "__") || composite && depth == 0 {
		return "__typename"
	}
	text := field.Name
	if alias := w.random.IntN(12); alias < 3 {
		text = string(rune('x'+alias)) + ": " + text
	}
	if len(field.Arguments) > 0 {
		text += []string{
			"", "", "", "(n: 1)", "(m: {a: 1, b: [1, 2]})", "(m: {b: [1, 2], a: 1})", "(m: {b: [2, 1], a: 1})",
		}[w.random.IntN(7)]
	}
	if composite {
		text += " " + w.set(field.Type.Name(), depth-1)
	}
	return text
}

// fits reports whether a fragment on a type may be spread within another.
func (w writing) fits(parent, on string) bool {
	for _, one := range w.schema.GetPossibleTypes(w.schema.Types[parent]) {
		for _, other := range w.schema.GetPossibleTypes(w.schema.Types[on]) {
			if one == other {
				return true
			}
		}
	}
	return false
}
