package checks_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// refused are the phrases that are not plain English, each with what to write instead. A space in a phrase also matches
// a line break.
var refused = map[string]string{
	"reckon(s|ed|ing)?":        "compute, count",
	"is met":                   "occurs, is found",
	"are met":                  "occur, are found",
	"that there is none":       "that it does not exist",
	"that (is|are) none":       "invalid, that does not exist",
	"tells? (whether|which)":   "reports whether, says which",
	"as far as .{1,20} tell":   "as far as … knows",
	"passed over":              "skipped, ignored",
	"walked by":                "read by",
	"is told":                  "receives, reads",
	"are told":                 "receive, read",
	"of others":                "a noun: other customers', third parties'",
	"(the|its|their) like":     "such as, other",
	"as ever":                  "as before",
	"what (comes|came) of":     "the result of",
	"what (becomes|became) of": "the result of, the state of",
	"whatever (becomes|became|comes|came) of": "even if … fails",
	"now and then":                      "the interval",
	"sees? to (it|that)":                "makes sure",
	"whose (it|they) (is|are|was|were)": "a noun: the owner",
	"of now":                            "current",
	"of before":                         "earlier",
	"for (them|it|him|her) alone":       "private to",
	"(is|are|be) as none":               "is ignored, is as if absent",
	"(is|are|not) looked at":            "is checked, is ignored",
	"(is|are|stays?|still) good for":    "is valid for",
	"(stays?|still) good":               "stays valid",
	"what there is":                     "a noun: the records that exist",
	"in vain":                           "without success",
	"anew":                              "again",
	"of old":                            "former",
	"(is|are|be) had":                   "a verb that says what happens",
	"may be had":                        "is available",
	"do(es)? without":                   "does not need",
	"has to do with":                    "concerns",
	"may not know of":                   "does not know about",
	"thereby":                           "so, by this",
	"nothing but":                       "only",
}

var refusedPhrase = regexp.MustCompile(`(?i)\b(?:` +
	strings.ReplaceAll(strings.Join(slices.Sorted(maps.Keys(refused)), "|"), " ", `\s+`) + `)\b`)

// dialect returns the phrases of a text that are refused.
func dialect(text string) []string { return refusedPhrase.FindAllString(text, -1) }

var inCode = regexp.MustCompile("(?s)```.*?\n *```|`[^`]*`")

// TestPlainEnglish checks that documents, descriptions of the schema and comments have none of the refused phrases.
func TestPlainEnglish(t *testing.T) {
	texts := map[string][]string{"schema.graphql": {read(t, "schema.graphql")}}
	for _, name := range documents(t) {
		if name != "CHANGELOG.md" { // what was released stays as it was written
			texts[name] = []string{inCode.ReplaceAllString(read(t, name), "")}
		}
	}
	for _, name := range sources(t) {
		if filepath.Ext(name) == ".go" {
			texts[name] = comments(t, name)
		}
	}
	rows := regexp.MustCompile(`(?m)^\|.*$`) // of figures begin with the name of a measurement
	texts["docs/figures.md"] = []string{rows.ReplaceAllString(read(t, "docs/figures.md"), "")}
	for name, all := range texts {
		for _, text := range all {
			for _, phrase := range dialect(text) {
				t.Errorf("%s: %q is no plain English", name, oneLine(phrase))
			}
		}
	}
}

// TestDialect checks that a phrase is found across a line break and in capitals, and not within a word.
func TestDialect(t *testing.T) {
	for text, want := range map[string]int{
		"Those that are not there are passed over.":  1,
		"It says\nthat there\nis none. Walked by id": 2,
		"What becomes of an order, what came of it":  2,
		"Customers of the shop read their records.":  0,
		"the dead reckoner, of otherness":            0,
	} {
		if got := dialect(text); len(got) != want {
			t.Errorf("%q: got %q, want %d phrases", text, got, want)
		}
	}
}
