package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tree holds the names of the repository that a document may mention.
type tree struct {
	exists   func(path string) bool
	targets  []string                   // of the Makefile
	declared map[string]map[string]bool // top-level names, methods and fields by package name
	anywhere map[string]bool            // the same of all packages
}

var (
	inBackquotes = regexp.MustCompile("`([^`\n]+)`")
	pathWord     = regexp.MustCompile(`^[\w.@-]+(/[\w.@-]+)+/?$`)
	fileWord     = regexp.MustCompile(`^[\w-]+\.(go|graphql|md|json|txt|yml|tsx?|tmpl|mjs)$`)
	memberWord   = regexp.MustCompile(`^([A-Za-z]\w*)((?:\.[A-Za-z]\w*)+)$`)
	makeWord     = regexp.MustCompile(`^(?:go )?make ([a-z][a-z-]*)\b`)
	newFile      = regexp.MustCompile("\\b[Nn]ew `[^`]+`")
)

// untrue returns the words in backquotes of a text that look like a path, a make target or a Go name, and name none of
// the tree. A file may be named without its folder after the folder or another file in it.
func (r tree) untrue(text string) (words []string) {
	text = newFile.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
	folders := []string{"."} // that were named so far
	for _, found := range inBackquotes.FindAllStringSubmatch(strings.ReplaceAll(text, "\n", " "), -1) {
		word := strings.TrimSuffix(found[1], "()")
		switch {
		case strings.ContainsAny(word, "…*:"), strings.Contains(word, "NAME"): // a pattern, a header or a module
		case makeWord.MatchString(word):
			if !slices.Contains(r.targets, makeWord.FindStringSubmatch(word)[1]) {
				words = append(words, word)
			}
		case pathWord.MatchString(word):
			if folders = append(folders, word, path.Dir(word)); !r.exists(word) && !isModule(word) {
				words = append(words, word)
			}
		case fileWord.MatchString(word):
			if !slices.ContainsFunc(folders, func(in string) bool { return r.exists(path.Join(in, word)) }) {
				words = append(words, word)
			}
		case r.exists(word):
		case memberWord.MatchString(word):
			if parts := strings.Split(word, "."); !r.declares(parts[0], parts[1:]) {
				words = append(words, word)
			}
		}
	}
	return words
}

// isModule reports whether a word is the path of another Go module, which begins with a host.
func isModule(word string) bool {
	host, _, _ := strings.Cut(word, "/")
	return strings.Contains(host, ".") && host[0] != '.'
}

// declares reports whether a package declares the names of a word such as order.Service.Checkout. Where no package of
// the tree has that name, the word begins with a variable, and the last of its names has to be declared somewhere.
func (r tree) declares(of string, names []string) bool {
	declared, isPackage := r.declared[of]
	if !isPackage {
		return r.anywhere[names[len(names)-1]]
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !declared[name] })
}

// readTree reads the names of the repository.
func readTree(t *testing.T) tree {
	r := tree{exists: isThere, declared: map[string]map[string]bool{}, anywhere: map[string]bool{}}
	for _, found := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		r.targets = append(r.targets, found[1])
	}
	for _, name := range sources(t) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", read(t, name), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		of := strings.TrimSuffix(file.Name.Name, "_test")
		if r.declared[of] == nil {
			r.declared[of] = map[string]bool{}
		}
		for _, name := range namesOf(file) {
			r.declared[of][name], r.anywhere[name] = true, true
		}
	}
	return r
}

// namesOf returns what a file declares: top-level names, methods and fields.
func namesOf(file *ast.File) (names []string) {
	for _, declared := range file.Decls {
		ast.Inspect(declared, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names = append(names, n.Name.Name)
				return false
			case *ast.TypeSpec:
				names = append(names, n.Name.Name)
			case *ast.ValueSpec:
				for _, name := range n.Names {
					names = append(names, name.Name)
				}
				return false
			case *ast.Field:
				for _, name := range n.Names {
					names = append(names, name.Name)
				}
			}
			return true
		})
	}
	return names
}

// TestWordsAreThere checks that what the guides for engineers name in backquotes is in the tree.
func TestWordsAreThere(t *testing.T) {
	r := readTree(t)
	for _, name := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		for _, word := range r.untrue(read(t, name)) {
			t.Errorf("%s: there is no %s in the tree", name, word)
		}
	}
}

// TestUntrueWords checks what is found, and what is not.
func TestUntrueWords(t *testing.T) {
	cart := map[string]bool{"Owner": true, "View": true}
	r := tree{
		exists:   func(name string) bool { return name == "rest/routes.go" || name == "graph" },
		targets:  []string{"generate"},
		declared: map[string]map[string]bool{"cart": cart},
		anywhere: cart,
	}
	for text, want := range map[string]string{
		"`rest/routes.go`, then `routes.go`, `make generate`, `cart.Owner`, `c.View`, `/graphql/stream`": "",
		"`rest/gone.go`":                      "rest/gone.go",
		"`routes.go`":                         "routes.go",
		"a new `graph/coupon.go`":             "",
		"`make gone`":                         "make gone",
		"`cart.Gone` and `m.gone`":            "cart.Gone m.gone",
		"`golang.org/x/crypto` and `cart\n.`": "",
		"```\n`cart.Gone`\n```":               "",
	} {
		if got := strings.Join(r.untrue(text), " "); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
