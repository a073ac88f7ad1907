// Command ent generates package ent from the schemas, with the templates of ent/template. Run it in the folder ent.
//
// What of ent's output it changes afterwards names the issue of github.com/ent/ent that would end it, if there is one.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
	"golang.org/x/tools/imports"

	"storefront/ent/columns"
)

func main() {
	config := &gen.Config{
		Features: []gen.Feature{
			gen.FeatureModifier, gen.FeatureIntercept, gen.FeatureExecQuery, gen.FeatureUpsert,
			gen.FeatureVersionedMigration,
		},
	}
	declared, err := columns.Read("./schema")
	if err != nil {
		log.Fatalf("reading the schemas: %v", err)
	}
	functions := gen.MustParse(gen.NewTemplate("collect").Funcs(template.FuncMap{
		"goName":       goName,
		"flatten":      flatten,
		"recorded":     recorded,
		"needs":        needs,
		"neighbours":   neighbours,
		"reader":       reader,
		"readerOf":     readerOf,
		"edgeIndex":    edgeIndex,
		"default":      declared.Default,
		"validator":    declared.Validator,
		"onlyDefaults": columns.OnlyDefaults,
	}).ParseDir("./template"))
	withTemplates := func(c *gen.Config) error {
		c.Templates = append(c.Templates, functions)
		return nil
	}
	if err := entc.Generate("./schema", config, withTemplates); err != nil {
		log.Fatalf("generating package ent: %v", err)
	}
	if err := rewrite(); err != nil {
		log.Fatal(err)
	}
}

// rewrite changes what ent generates where its templates cannot be changed in part. Issue 4010, closed without a
// change, asks for less generated code; 1223 for enttest to be generated only where it is asked for.
func rewrite() error {
	if err := os.RemoveAll("enttest"); err != nil { // it opens databases by the client's field Schema
		return err
	}
	// Nothing uses that field, as the service migrates by files of SQL, and with it Atlas and what Atlas reads HCL and
	// YAML with are in the binary.
	err := replace("client.go", [][2]string{
		{"\t// Schema is the client for creating, migrating and dropping schema.\n\tSchema *migrate.Schema\n", ""},
		{"\tc.Schema = migrate.NewSchema(c.driver)\n", ""},
		{"\t\"storefront/ent/migrate\"\n", ""},
		// A method of config is compiled for each type that embeds it, which makes a thousand methods.
		{"(c *config) ExecContext(", "(c *Client) ExecContext("},
		{"(c *config) QueryContext(", "(c *Client) QueryContext("},
		{"(c *config) options(opts ...Option)", "options(c *config, opts []Option)"},
		{"cfg.options(opts...)", "options(&cfg, opts)"},
	})
	if err != nil {
		return err
	}
	const mutation = "Mutation struct {\n\tconfig\n"
	err = replace("mutation.go", [][2]string{{mutation, mutation + "\tleftOut\n"}})
	if err != nil {
		return err
	}
	// withHooks is compiled once, and not for each type of mutation.
	err = replace("ent.go", [][2]string{
		{"[V Value, M any, PM interface {\n\t*M\n\tMutation\n}](", "[V Value]("},
		{"mutation PM, hooks", "mutation Mutation, hooks"},
		{"\t\tmutationT, ok := any(m).(PM)\n\t\tif !ok {\n", "\t\tif m != mutation {\n"},
		{"\t\t// Set the mutation to the builder.\n\t\t*mutation = *mutationT\n", ""},
	})
	if err != nil {
		return err
	}
	if err := nameQueries(); err != nil {
		return err
	}
	return shortenStrings()
}

// selected has the methods that builders of selected columns need of their query, for a type Record.
const selected = `
// All reads records of which only the selected columns are set.
func (_s *RecordSelect) All(ctx context.Context) ([]*Record, error) { return _s.RecordQuery.All(ctx) }

// AllX is All, and panics on an error.
func (_s *RecordSelect) AllX(ctx context.Context) []*Record { return _s.RecordQuery.AllX(ctx) }

// Only reads the only record, of which only the selected columns are set.
func (_s *RecordSelect) Only(ctx context.Context) (*Record, error) { return _s.RecordQuery.Only(ctx) }

// OnlyX is Only, and panics on an error.
func (_s *RecordSelect) OnlyX(ctx context.Context) *Record { return _s.RecordQuery.OnlyX(ctx) }

// Select selects columns of the same records.
func (_s *RecordSelect) Select(fields ...string) *RecordSelect { return _s.RecordQuery.Select(fields...) }
`

// nameQueries makes the query a field of the builders of selected columns. ent embeds it, which gives them all of its
// methods: 2,000, of which few are called (issue 4010).
func nameQueries() error {
	builder := regexp.MustCompile(`(?m)^type (\w+)Select struct`)
	files, err := filepath.Glob("*_query.go")
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found := builder.FindSubmatch(text)
		if found == nil {
			return fmt.Errorf("%s has no builder of selected columns: does ent write it otherwise now?", file)
		}
		name, q := string(found[1]), string(found[1])+"Query"
		parts := [][2]string{{"\t*" + q + "\n\tselector\n}\n", "\t" + q + " *" + q + "\n\tselector\n}\n" +
			strings.ReplaceAll(selected, "Record", name)}}
		for _, member := range []string{"ctx", "driver", "inters", "prepareQuery", "modifiers"} {
			parts = append(parts, [2]string{"_s." + member, "_s." + q + "." + member})
		}
		if err := replace(file, parts); err != nil {
			return err
		}
	}
	return nil
}

// record is the declaration of a record's type.
var record = regexp.MustCompile(`(?m)^// \w+ is the model entity for the \w+ schema\.$`)

// printed is ent's method String of a record, which writes all columns that are not marked as sensitive.
var printed = regexp.MustCompile(`(?s)(func \(_m \*(\w+)\) String\(\) string) \{.*?\n\}\n`)

// shortenStrings lets the String methods of records write the id alone: nothing prints records but a log by mistake,
// and they hold personal data. No issue asks for that.
func shortenStrings() error {
	files, err := filepath.Glob("*.go")
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !record.Match(text) {
			continue
		}
		if !printed.Match(text) {
			return fmt.Errorf("%s has no method String of the form expected: does ent write it otherwise now?", name)
		}
		text = printed.ReplaceAll(text, []byte("$1 { return fmt.Sprintf(\"$2(id=%v)\", _m.ID) }\n"))
		if text, err = imports.Process(name, text, nil); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// replace replaces parts of a generated file: each of the first texts by the second.
func replace(file string, parts [][2]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if !bytes.Contains(text, []byte(part[0])) {
			return fmt.Errorf("%s does not hold %q: does ent write it otherwise now?", file, part[0])
		}
		text = bytes.ReplaceAll(text, []byte(part[0]), []byte(part[1]))
	}
	return os.WriteFile(file, text, 0o644)
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

// needs gives what each GraphQL field of a type reads: columns, those of neighbours by path.
func needs(node *gen.Type) map[string][]string {
	all := map[string][]string{"id": {}, "__typename": {}}
	for _, f := range node.Fields {
		all[graphqlName(f.Name)] = []string{f.Name}
	}
	flat, _ := node.Annotations["Flat"].(map[string]any)
	for name, path := range flat {
		all[name] = []string{path.(string)}
	}
	reads, _ := node.Annotations["Reads"].(map[string]any)
	for name, paths := range reads {
		all[name] = []string{}
		for _, path := range paths.([]any) {
			all[name] = append(all[name], path.(string))
		}
	}
	for _, f := range node.Fields { // a resolver that needs a column asks for it by its name
		if _, taken := all[f.Name]; !taken {
			all[f.Name] = []string{f.Name}
		}
	}
	return all
}

// neighbours gives the edges of a type to at most one record, whose id the type has in a column.
func neighbours(node *gen.Type) (edges []*gen.Edge, err error) {
	for _, e := range node.Edges {
		if !e.Unique {
			continue
		}
		if e.Field() == nil || !e.Type.ID.IsUUID() || owned(e.Type) && !owned(node) {
			return nil, fmt.Errorf("%s.%s cannot be joined", node.Name, e.Name)
		}
		edges = append(edges, e)
	}
	return edges, nil
}

func owned(node *gen.Type) bool {
	return slices.ContainsFunc(node.Fields, func(f *gen.Field) bool { return f.Name == "tenant_id" })
}

// reader gives the function of package loading that reads a column.
func reader(f *gen.Field) (string, error) {
	switch {
	case f.IsJSON():
		return "JSON", nil
	case f.IsString(), f.IsEnum():
		return "Text", nil
	case f.IsInt(), f.IsInt64():
		return "Int", nil
	case f.IsBool():
		return "Bool", nil
	case f.IsTime():
		return "Time", nil
	case f.IsUUID():
		return "ID", nil
	case f.IsBytes():
		return "Bytes", nil
	}
	return "", fmt.Errorf("column %s is of a type that package loading does not read", f.Name)
}

// readerOf gives the function of package loading that reads a computed value.
func readerOf(goType string) (string, error) {
	switch strings.TrimPrefix(goType, "*") {
	case "int", "int64":
		return "Int", nil
	case "bool":
		return "Bool", nil
	}
	return "", fmt.Errorf("package loading does not read a computed %s", goType)
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

// edgeIndex gives the place of an edge among those of its type.
func edgeIndex(node *gen.Type, edge *gen.Edge) int { return slices.Index(node.Edges, edge) }
