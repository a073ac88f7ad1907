package document

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostile returns documents of at most 2,000 tokens that are made to be expensive to read, by what they
// attack.
func hostile() map[string]string {
	many := func(n int, text string) string { return strings.Repeat(text, n) }
	numbered := func(n int, format string) string {
		var d strings.Builder
		for i := range n {
			fmt.Fprintf(&d, format, i)
		}
		return d.String()
	}
	chain := func(n int, body string) string { // n fragments, each with a body and a spread of the next
		var d strings.Builder
		d.WriteString("{ ...f0 }")
		for i := range n {
			fmt.Fprintf(&d, " fragment f%d on Query { %s ...f%d }", i, body, i+1)
		}
		fmt.Fprintf(&d, " fragment f%d on Query { __typename }", n)
		return d.String()
	}
	paths := func(levels, fields int) string { // many paths of the answer: each level multiplies them
		var d strings.Builder
		d.WriteString("{ __type(name: \"Query\") { ...f0 } }")
		for i := range levels {
			fmt.Fprintf(&d, " fragment f%d on __Type {", i)
			for j := range min(fields, 1800/levels/6) {
				fmt.Fprintf(&d, " a%d: ofType { ...f%d }", j, i+1)
			}
			d.WriteString(" }")
		}
		fmt.Fprintf(&d, " fragment f%d on __Type { name }", levels)
		return d.String()
	}
	name := strings.Repeat("x", 100_000)
	return map[string]string{
		"one field again and again":  "{" + many(1990, " __typename") + "}",
		"one field with arguments":   "{" + many(190, ` cities(level: city) { id }`) + "}",
		"one object again and again": "{" + many(490, " me { id }") + "}",
		"two levels again and again": "{" + many(30, " me {"+many(60, " id")+" }") + "}",
		"fields within inline fragments": "{" + many(220, " ... {") + many(1300, " __typename") +
			many(220, " }") + "}",
		"objects within inline fragments":  "{" + many(220, " ... {") + many(320, " me { id }") + many(220, " }") + "}",
		"inline fragments alone":           "{" + many(490, " ... {") + " __typename" + many(490, " }") + "}",
		"a chain of fragments":             chain(240, ""),
		"a chain of fragments with fields": chain(100, many(10, " __typename")),
		"a chain of wrong fields":          chain(120, many(8, " cites")),
		"a chain of wrong arguments":       chain(90, " cities(levels: city) { ids }"),
		"fragments that double":            chain(180, "...f180"),
		"fragments spread together": "{" + numbered(180, " ...f%d") + "}" +
			numbered(180, " fragment f%d on Query { me { id } }"),
		"fragments spread in many places": "{" + many(8, " me {"+numbered(60, " ...f%d")+" }") + "}" +
			numbered(60, " fragment f%d on User { id id }"),
		"operations that share a fragment": numbered(200, " query q%d { ...f }") +
			" fragment f on Query {" + many(700, " __typename") + " }",
		"operations that share wrong fields": numbered(200, " query q%d { ...f }") +
			" fragment f on Query {" + many(700, " cites") + " }",
		"operations that share a chain": numbered(100, " query q%d { ...f0 }") + chain(130, "")[len("{ ...f0 }"):],
		"unknown fields":                "{" + many(1990, " cites") + "}",
		"one long unknown field":        "{ " + name + " }",
		"long unknown fields":           "{" + many(1900, " "+name[:120]) + "}",
		"a long unknown type":           "query($a: " + name + ") { __typename }",
		"a long unknown argument":       "{ cities(" + name + ": 1) { id } }",
		"a long unknown enum":           "{ cities(level: " + name + ") { id } }",
		"directives":                    "{ __typename" + many(330, " @include(if: true)") + " }",
		"unknown directives":            "{ __typename" + many(990, " @a") + " }",
		"variables":                     "query(" + numbered(490, " $a%d: Int") + ") { __typename }",
		"one variable defined again":    "query(" + many(490, " $a: Int") + ") { __typename }",
		"one variable used again":       "query($a: String!) {" + many(190, " tenant(domain: $a) { id }") + " }",
		"a list":                        "{ cities(level: [" + many(1980, "1 ") + "]) { id } }",
		"a list of lists":               "{ cities(level: " + many(900, "[") + many(900, "]") + ") { id } }",
		"an object again and again":     "{ cities(level: {" + many(490, "a: {} ") + "}) { id } }",
		"objects in objects":            "{ cities(level: " + many(490, "{a: ") + "1" + many(490, "}") + ") { id } }",
		"deep fields": "{ tenant(domain: \"x\") { products {" +
			many(300, " items { related {") + " id" + many(300, " } }") + " } } }",
		"deep introspection": "{ __schema { types {" +
			many(300, " fields { type {") + " name" + many(300, " } }") + " } } }",
		"wide introspection": "{ __schema { types { fields { type { fields {" +
			numbered(600, " a%d: name") + " } } } } } }",
		"kinds of a type again and again": "{ __type(name: \"Query\") {" + many(650, " ofType {") + " name" +
			many(650, " }") + " } }",
		"long texts":                      "{" + many(100, ` city(id: "`+name[:2000]+`") { id }`) + "}",
		"long texts that are wrong":       "{" + many(100, ` cites(id: "`+name[:2000]+`") { id }`) + "}",
		"many short texts that are wrong": "{ cities(level: [" + numbered(1980, ` "%d"`) + "]) { id } }",
		"paths that double":               paths(180, 2),
		"paths that multiply":             paths(30, 12),
		"a comment":                       "#" + name + name + "\n{ __typename }",
	}
}

// TestHostileDocuments checks that each hostile document is read or refused quickly, and that the errors are
// short. On an idle machine it takes a hundredth of the time allowed here.
func TestHostileDocuments(t *testing.T) {
	const bound = 2 * time.Second
	reader := newTestReader()
	for name, document := range hostile() {
		begun := time.Now()
		parsed, errs := reader.ParseClient(document)
		if len(errs) == 0 {
			_, _ = parsed.Operation("")
		}
		if taken := time.Since(begun); taken > bound {
			t.Errorf("%s: %v", name, taken)
		}
		said := 0
		for _, err := range errs {
			said += len(err.Message)
		}
		if len(errs) > 20 || said > 64<<10 {
			t.Errorf("%s: %d errors of %d bytes", name, len(errs), said)
		}
	}
}

// BenchmarkHostileDocuments measures how long each hostile document takes to parse, validate and measure.
func BenchmarkHostileDocuments(b *testing.B) {
	reader := newTestReader()
	for name, document := range hostile() {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parsed, errs := reader.ParseClient(document)
				if len(errs) == 0 {
					_, _ = parsed.Operation("")
				}
			}
		})
	}
}
