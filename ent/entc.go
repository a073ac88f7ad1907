//go:build ignore

// entc generates package ent from the schemas, with the templates of ent/template.
package main

import (
	"fmt"
	"log"
	"slices"
	"strings"
	"text/template"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

func main() {
	config := &gen.Config{
		Features: []gen.Feature{
			gen.FeatureModifier, gen.FeatureIntercept, gen.FeatureExecQuery, gen.FeatureUpsert, gen.FeatureLock,
			gen.FeatureVersionedMigration,
		},
	}
	functions := gen.MustParse(gen.NewTemplate("collect").Funcs(template.FuncMap{
		"first":       func(path string) string { name, _, _ := strings.Cut(path, "."); return name },
		"rest":        func(path string) string { _, rest, _ := strings.Cut(path, "."); return rest },
		"graphqlName": graphqlName,
		"goName":      goName,
		"column":      column,
		"flatten":     flatten,
		"recorded":    recorded,
	}).ParseDir("./template"))
	withTemplates := func(c *gen.Config) error {
		c.Templates = append(c.Templates, functions)
		return nil
	}
	if err := entc.Generate("./schema", config, withTemplates); err != nil {
		log.Fatalf("generating package ent: %v", err)
	}
}

// graphqlName gives the GraphQL name of a column: category_id is categoryId.
func graphqlName(column string) string {
	words := strings.Split(column, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// goName gives the Go name of a GraphQL field: brandId is BrandID.
func goName(field string) string {
	name := strings.ToUpper(field[:1]) + field[1:]
	return strings.NewReplacer("Id", "ID", "Url", "URL").Replace(name)
}

// column gives the Go constant of a type's column.
func column(node *gen.Type, name string) (string, error) {
	for _, f := range node.Fields {
		if f.Name == name {
			return node.Package() + "." + f.Constant(), nil
		}
	}
	return "", fmt.Errorf("%s has no column %q", node.Name, name)
}

// recorded gives the columns that SetRecord sets.
func recorded(node *gen.Type) (fields []*gen.Field) {
	derived, _ := node.Annotations["Derived"].([]any)
	for _, f := range node.Fields {
		if f.Name != "tenant_id" && f.Name != "updated_at" && !slices.Contains(derived, any(f.Name)) {
			fields = append(fields, f)
		}
	}
	return fields
}

// flattened is an accessor's way over unique edges to a column.
type flattened struct {
	Steps []step
	Value string // Go expression of what is returned
	Type  string // its Go type, always nullable
}

type step struct{ Var, From, Edge string }

// flatten follows a dotted path of unique edges, ending in a column, from a type.
func flatten(node *gen.Type, path string) (flattened, error) {
	var out flattened
	from := node.Receiver()
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		var next *gen.Edge
		for _, e := range node.Edges {
			if e.Name == name && e.Unique {
				next = e
			}
		}
		if next == nil {
			return out, fmt.Errorf("%s has no unique edge %q (%s)", node.Name, name, path)
		}
		out.Steps = append(out.Steps, step{Var: name, From: from, Edge: next.StructField()})
		from, node = name, next.Type
	}
	for _, f := range node.Fields {
		if f.Name != names[len(names)-1] {
			continue
		}
		out.Value, out.Type = from+"."+f.StructField(), "*"+f.Type.String()
		if !f.Nillable {
			out.Value = "&" + out.Value
		}
		return out, nil
	}
	return out, fmt.Errorf("%s has no column %q (%s)", node.Name, names[len(names)-1], path)
}
