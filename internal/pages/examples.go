package pages

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

//go:embed examples
var exampleFiles embed.FS

// Example is a tab of the playground: a document to try on the demo shops.
type Example struct {
	Title      string   `json:"title"`
	Query      string   `json:"query"`
	Variables  string   `json:"variables"`  // JSON; the page fills in the ids
	Operations []string `json:"operations"` // names of the operations in the document
}

// IDs is the query that finds the ids for the examples' variables. A variable "$tenant.id" names a path in
// its answer. The ids cannot be written into the examples, as every import creates new ones.
//
//go:embed examples/ids.graphql
var IDs string

// Examples returns the examples of the folder in the order of their file names. NN-NAME.graphql holds a
// document whose first line is a comment with the title, and NN-NAME.json the variables of all its
// operations.
func Examples() ([]Example, error) {
	files, err := fs.Glob(exampleFiles, "examples/*-*.graphql")
	if err != nil {
		return nil, err
	}
	var examples []Example
	for _, file := range files {
		query, err := exampleFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		variables, err := exampleFiles.ReadFile(strings.TrimSuffix(file, ".graphql") + ".json")
		if err != nil {
			return nil, err
		}
		document, err := parser.ParseQuery(&ast.Source{Name: file, Input: string(query)})
		if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(string(query), "\n")
		title, found := strings.CutPrefix(first, "# ")
		if !found {
			return nil, fmt.Errorf("%s does not begin with its title", file)
		}
		example := Example{Title: title, Query: string(query), Variables: strings.TrimSpace(string(variables))}
		for _, operation := range document.Operations {
			example.Operations = append(example.Operations, operation.Name)
		}
		examples = append(examples, example)
	}
	return examples, nil
}
