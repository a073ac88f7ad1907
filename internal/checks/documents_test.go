package checks_test

import (
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"storefront/internal/config"
)

// documents returns the prose of the repository.
func documents(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "data/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		for _, one := range found {
			name, _ := filepath.Rel(root, one)
			names = append(names, name)
		}
	}
	return names
}

var (
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestLinks checks that links within the repository lead to files, and to headings, that are there.
func TestLinks(t *testing.T) {
	count := 0
	for _, name := range documents(t) {
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, name), ""), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			count++
			file, anchor, _ := strings.Cut(found[1], "#")
			target := path.Join(path.Dir(name), file)
			if file == "" {
				target = name
			}
			if !isThere(target) {
				t.Errorf("%s: %s leads nowhere", name, found[1])
			} else if anchor != "" && !slices.Contains(anchors(t, target), anchor) {
				t.Errorf("%s: %s leads to no heading", name, found[1])
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d links were found", count)
	}
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchors returns what the headings of a document are linked by.
func anchors(t *testing.T, name string) (all []string) {
	for _, found := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, name), ""), -1) {
		bare := notInAnchors.ReplaceAllString(strings.ToLower(found[1]), "")
		all = append(all, strings.ReplaceAll(bare, " ", "-"))
	}
	return all
}

var (
	section  = regexp.MustCompile(`(?m)^## `)
	fileName = regexp.MustCompile("(new )?`((?:[a-z0-9_-]+/)*[A-Za-z0-9_-]+\\.(?:go|graphql|md|json|txt))`")
)

// TestWalks checks that the files named in CONTRIBUTING.md exist, except those that a reader is to create.
func TestWalks(t *testing.T) {
	walks := section.Split(read(t, "CONTRIBUTING.md"), -1)
	if len(walks) < 7 {
		t.Fatalf("got %d sections of CONTRIBUTING.md, want 7 or more", len(walks))
	}
	for _, walk := range walks {
		title, _, _ := strings.Cut(walk, "\n")
		for _, found := range fileName.FindAllStringSubmatch(strings.ReplaceAll(walk, "\n", " "), -1) {
			made, name := found[1] != "", found[2]
			if !strings.Contains(name, "/") && !isThere(name) { // a file in a folder that was named before
				t.Errorf("%q names %s without its folder", title, name)
			} else if isThere(name) == made {
				t.Errorf("%q: got %s there %v, want %v", title, name, made, !made)
			}
		}
	}
}

var usage = regexp.MustCompile(`(?m)^  ([A-Z_]+)(?: \(-[a-z-]+\))?\n.*?(?:; sensible: (.*?))?(?: \(default (.*)\))?$`)

// TestEverySettingIsDocumented compares the tables of settings with what serve -h prints, with the defaults and what is
// sensible, in both directions.
func TestEverySettingIsDocumented(t *testing.T) {
	var printed strings.Builder
	_, _, err := config.Load("serve", []string{"-h"}, func(string) string { return "" }, &printed)
	settings := usage.FindAllStringSubmatch(printed.String(), -1)
	if !errors.Is(err, flag.ErrHelp) || len(settings) < 20 {
		t.Fatalf("%v, %d settings in\n%s", err, len(settings), &printed)
	}
	names := []string{}
	for _, setting := range settings {
		names = append(names, setting[1])
	}
	for _, name := range []string{contractFile, "docs/operations.md"} {
		rows := rowsOf(read(t, name), regexp.MustCompile("`([A-Z]+_[A-Z_]+)`"))
		for _, setting := range settings {
			row, ok := rows[setting[1]]
			if !ok {
				t.Errorf("%s: no table has a row of %s", name, setting[1])
			} else if sensible := setting[2]; name != contractFile && !strings.Contains(row, sensible) {
				t.Errorf("%s: the row of %s does not say what is sensible: %s", name, setting[1], sensible)
			} else if preset := setting[3]; preset != "" && !strings.Contains(row, "`"+preset+"`") {
				t.Errorf("%s: the row of %s does not name its default %s", name, setting[1], preset)
			}
		}
	}
	listed := regexp.MustCompile("(?m)^\\| `([A-Z]+_[A-Z_]+)` \\|.*\\|.*\\|$")
	for _, found := range listed.FindAllStringSubmatch(read(t, "docs/operations.md"), -1) {
		if !slices.Contains(names, found[1]) {
			t.Errorf("docs/operations.md: there is no setting %s", found[1])
		}
	}
}

// rowsOf returns the rows of tables by the names in their first cell.
func rowsOf(text string, name *regexp.Regexp) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(text) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(line, "|"), "|"); ok && strings.HasPrefix(line, "|") {
			for _, found := range name.FindAllStringSubmatch(first, -1) {
				rows[found[1]] = line
			}
		}
	}
	return rows
}

// TestEveryCommandIsDocumented compares the tables of commands with the commands.
func TestEveryCommandIsDocumented(t *testing.T) {
	commands := []string{}
	for _, row := range literals(t, "cmd/storefront/main.go", "commands") {
		commands = append(commands, row[0])
	}
	if len(commands) < 9 {
		t.Fatal(commands)
	}
	for _, name := range []string{"README.md", contractFile} {
		rows := rowsOf(read(t, name), regexp.MustCompile("`(?:storefront )?([a-z]+)\\b[^`]*`"))
		for _, command := range commands {
			if _, ok := rows[command]; !ok {
				t.Errorf("%s: no table has a row of storefront %s", name, command)
			}
		}
	}
	called := regexp.MustCompile("(?:^|[`/])storefront ([a-z]+)\\b")
	for _, name := range documents(t) {
		for _, found := range called.FindAllStringSubmatch(read(t, name), -1) {
			if !slices.Contains(commands, found[1]) {
				t.Errorf("%s: there is no command storefront %s", name, found[1])
			}
		}
	}
}

// TestContractListsTheRoutes compares contract 7 with the route table.
func TestContractListsTheRoutes(t *testing.T) {
	routes := []string{}
	for _, row := range literals(t, "rest/routes.go", "Routes") {
		routes = append(routes, row[0]+" "+row[1])
	}
	documented := []string{}
	for _, found := range regexp.MustCompile("`((?:GET|POST|PATCH|DELETE) /[^` ]*)`").
		FindAllStringSubmatch(read(t, contractFile), -1) {
		documented = append(documented, found[1])
	}
	for _, route := range routes {
		if !slices.Contains(documented, route) {
			t.Errorf("%s does not list %s", contractFile, route)
		}
	}
	for _, route := range documented {
		if !slices.Contains(routes, route) && !strings.HasSuffix(route, " /graphql") {
			t.Errorf("%s lists %s, which is no route", contractFile, route)
		}
	}
	if len(routes) < 50 {
		t.Errorf("only %d routes were found", len(routes))
	}
}

// TestContractListsTheCodes compares the table of errors with the codes.
func TestContractListsTheCodes(t *testing.T) {
	rows := rowsOf(read(t, contractFile), regexp.MustCompile("`([A-Z][A-Z_]+)`"))
	codes := regexp.MustCompile(`Code = "([A-Z_]+)"`).FindAllStringSubmatch(read(t, "internal/fault/fault.go"), -1)
	for _, code := range codes {
		if _, ok := rows[code[1]]; !ok {
			t.Errorf("%s: no table has a row of %s", contractFile, code[1])
		}
	}
	if len(codes) < 20 {
		t.Errorf("only %d codes were found", len(codes))
	}
}

// literals returns the string literals in each element of a list that a file declares.
func literals(t *testing.T, name, variable string) (rows [][]string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		declared, ok := n.(*ast.ValueSpec)
		if !ok || declared.Names[0].Name != variable || len(declared.Values) != 1 {
			return true
		}
		list, ok := declared.Values[0].(*ast.CompositeLit)
		if !ok {
			return false
		}
		for _, element := range list.Elts {
			var row []string
			for _, part := range element.(*ast.CompositeLit).Elts {
				if field, keyed := part.(*ast.KeyValueExpr); keyed {
					part = field.Value
				}
				if text, ok := part.(*ast.BasicLit); ok && text.Kind == token.STRING {
					value, _ := strconv.Unquote(text.Value)
					row = append(row, value)
				}
			}
			rows = append(rows, row)
		}
		return false
	})
	if len(rows) == 0 {
		t.Fatalf("%s declares no list %s", name, variable)
	}
	return rows
}
