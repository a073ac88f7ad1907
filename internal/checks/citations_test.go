package checks_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contractFile has the headings that comments cite.
const contractFile = "docs/contract.md"

var (
	citation  = regexp.MustCompile(`(?i)\bcontract,? (?:part |section )?(\d+(?:\.\d+)*)`)
	elsewhere = regexp.MustCompile(`(?i)\bspec(?:ification)?(?:'s)? (?:part )?\d|\bdomain facts\b|` +
		`\bpart \d[\d.]* of the specification`)
	document = regexp.MustCompile(`[\w./-]+\.md\b`)
)

// TestCitations checks that "contract 3.2" in a comment names a heading of docs/contract.md, and that no
// comment sends its reader to a document that is not in the repository.
func TestCitations(t *testing.T) {
	headings := numbersOf(t, contractFile)
	cited := 0
	for _, name := range sources(t) {
		for _, text := range comments(t, name) {
			for _, found := range citation.FindAllStringSubmatch(text, -1) {
				if cited++; !slices.Contains(headings, found[1]) {
					t.Errorf("%s: %q: %s has no such heading", name, found[0], contractFile)
				}
			}
			if found := elsewhere.FindString(text); found != "" {
				t.Errorf("%s: %q is in no document of the repository; cite a heading of %s", name, found, contractFile)
			}
			for _, found := range document.FindAllString(text, -1) {
				if !isThere(found) && !isThere(filepath.Join(filepath.Dir(name), found)) {
					t.Errorf("%s: there is no %s", name, found)
				}
			}
		}
	}
	if cited < 20 {
		t.Errorf("only %d citations were found", cited)
	}
}

// sources returns the files whose comments people write: Go, GraphQL, YAML, the Makefile and the scripts.
func sources(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if entry.IsDir() {
			base := entry.Name()
			if name != "." && (base == "node_modules" || base == "testdata" || base == "bin" || base[0] == '.') {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go", ".graphql", ".yml", ".yaml":
			names = append(names, name)
		case "":
			if name == "Makefile" || filepath.Dir(name) == "scripts" {
				names = append(names, name)
			}
		}
		return nil
	})
	if err != nil || len(names) < 100 {
		t.Fatal(names, err)
	}
	return names
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// comments returns the comments of a file, each in one line without its markers. For a file that is not Go it
// returns the whole text, as the rest of it names no documents. It skips generated code.
func comments(t *testing.T, name string) (texts []string) {
	t.Helper()
	text := read(t, name)
	if filepath.Ext(name) != ".go" {
		return []string{oneLine(strings.ReplaceAll(text, "\n#", "\n"))}
	}
	if generated.MatchString(text) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Comments {
		texts = append(texts, oneLine(group.Text()))
	}
	return texts
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

var numbered = regexp.MustCompile(`(?m)^#{2,3} (\d+(?:\.\d+)?)\.? `)

// numbersOf returns the numbers of a document's headings.
func numbersOf(t *testing.T, name string) (numbers []string) {
	t.Helper()
	for _, found := range numbered.FindAllStringSubmatch(read(t, name), -1) {
		numbers = append(numbers, found[1])
	}
	if len(numbers) < 10 {
		t.Fatalf("%s has the headings %q", name, numbers)
	}
	return numbers
}

// read returns the text of a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func isThere(name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}
