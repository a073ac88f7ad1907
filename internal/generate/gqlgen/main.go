// Command gqlgen generates the code for schema.graphql as the command gqlgen does, and graph/exec/plans_gen.go:
// the table of how plans read the fields of each type (package plan), one line per field,
// graph/resolvers_gen.go and internal/api/lists_gen.go. Run it in the module's folder.
//
// The line of a field follows from what gqlgen knows of it: where its value is found, and how it is
// marshaled. Fields that this command cannot read are left out, and so left to gqlgen.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/locale/bilingual"
)

const output = "graph/exec/plans_gen.go"

func main() {
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err == nil {
		err = cfg.LoadSchema()
	}
	if err == nil {
		err = writeLists(cfg)
	}
	if err == nil {
		err = api.Generate(cfg, api.AddPlugin(&plugin{pairs: map[string]pair{}}))
	}
	if err == nil {
		err = shorten(cfg.Exec.Filename)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// plugin is the gqlgen plugin that writes the table.
type plugin struct {
	pairs map[string]pair // the fields with @inLanguage, by type and name
}

// pair holds the names of the fields with the English and the Farsi text.
type pair struct{ en, fa string }

func (*plugin) Name() string { return "plans" }

// MutateSchema makes resolvers take only the id of a shop where a client may give its domain instead
// (@orDomain): the engine always sets the id. It removes the arguments of fields in two languages
// (@inLanguage): the code that chooses between the texts reads them itself.
func (p *plugin) MutateSchema(schema *ast.Schema) error {
	for _, of := range schema.Types {
		for _, f := range of.Fields {
			if en, fa, ok := bilingual.Pair(f); ok {
				p.pairs[of.Name+"."+f.Name] = pair{en, fa}
				f.Directives.ForName(inLanguage).Arguments, f.Arguments = nil, nil
			}
			for _, a := range f.Arguments {
				orDomain := a.Directives.ForName("orDomain")
				if orDomain == nil {
					continue
				}
				domain := orDomain.ArgumentMap(nil)["in"]
				if f.Arguments.ForName(domain.(string)) == nil || a.Type.NonNull {
					return fmt.Errorf("%s.%s: @orDomain names no argument, or the id is required", of.Name, f.Name)
				}
				a.Type = ast.NonNullNamedType(a.Type.NamedType, nil)
				f.Arguments = slices.DeleteFunc(slices.Clone(f.Arguments), func(other *ast.ArgumentDefinition) bool {
					return other.Name == domain
				})
			}
		}
	}
	schema.Directives[inLanguage].Arguments = nil
	delete(schema.Types, "Language")
	return nil
}

const inLanguage = "inLanguage"

// GenerateCode writes the table, before gqlgen writes its code.
func (p *plugin) GenerateCode(data *codegen.Data) error {
	if err := bundleArguments(data.Schema); err != nil {
		return err
	}
	t := table{pairs: p.pairs, imports: map[string]bool{
		"context": true, "storefront/graph/plan": true, "storefront/internal/list": true,
		"storefront/internal/locale/bilingual": true,
	}}
	for _, o := range data.Objects {
		shareResolvers(o)
		if err := t.texts(o); err != nil {
			return err
		}
		t.object(o)
	}
	text, err := format.Source(t.source())
	if err != nil {
		return fmt.Errorf("%w\n%s", err, t.source())
	}
	if err := os.WriteFile(output, text, 0o644); err != nil {
		return err
	}
	return writeResolvers(data.Objects)
}

// separateArguments stay separate parameters where a field has @goArguments.
var separateArguments = []string{"businessId", "page", "pageSize", "first", "after", "last", "before"}

// shareResolvers names the methods that resolve fields with @content. gqlgen declares a method for each of them;
// shorten leaves one declaration of each.
func shareResolvers(o *codegen.Object) {
	for _, f := range o.Fields {
		if said := f.FieldDefinition.Directives.ForName("content"); said != nil {
			f.GoFieldName = said.Arguments.ForName("by").Value.Raw
		}
	}
}

// bundleArguments makes the resolvers of fields with @goArguments take their arguments as one struct, and those of
// fields with @content as a map. To gqlgen each such field appears to have an input object with @inlineArguments; the
// public schema does not change.
func bundleArguments(schema *ast.Schema) error {
	bundled := &ast.Schema{Types: map[string]*ast.Definition{}}
	for _, of := range schema.Types {
		for _, f := range of.Fields {
			goType := &ast.Value{Kind: ast.StringValue, Raw: "map[string]any"}
			if said := f.Directives.ForName("goArguments"); said != nil {
				goType = said.Arguments.ForName("type").Value
			} else if f.Directives.ForName("content") == nil {
				continue
			}
			model := &ast.Directive{Name: "goModel", Arguments: ast.ArgumentList{{Name: "model", Value: goType}}}
			input := &ast.Definition{
				Kind: ast.InputObject, Name: of.Name + "." + f.Name, Directives: ast.DirectiveList{model},
			}
			for _, a := range f.Arguments {
				if !slices.Contains(separateArguments, a.Name) {
					input.Fields = append(input.Fields, &ast.FieldDefinition{Name: a.Name, Type: a.Type})
				}
			}
			bundled.Types[input.Name] = input
			if bundled.Types[of.Name] == nil {
				bundled.Types[of.Name] = &ast.Definition{Kind: of.Kind, Name: of.Name}
			}
			bundled.Types[of.Name].Fields = append(bundled.Types[of.Name].Fields, &ast.FieldDefinition{
				Name: f.Name,
				Arguments: ast.ArgumentDefinitionList{{
					Name: "asked", Type: ast.NamedType(input.Name, nil),
					Directives: ast.DirectiveList{{Name: "inlineArguments"}},
				}},
			})
		}
	}
	return codegen.ExpandInlineArguments(bundled)
}

// table is the table that is being written.
type table struct {
	pairs   map[string]pair
	imports map[string]bool // paths
	inBoth  bytes.Buffer    // how the texts of pairs are read
	types   bytes.Buffer    // the table's elements: a call for each type
	// what they call; one function for all types took a third of the package's compile time
	functions bytes.Buffer
}

func (t *table) source() []byte {
	var out bytes.Buffer
	out.WriteString("// Code generated by internal/generate/gqlgen, DO NOT EDIT.\n\npackage exec\n\nimport (\n")
	for _, path := range slices.Sorted(maps.Keys(t.imports)) {
		fmt.Fprintf(&out, "%q\n", path)
	}
	fmt.Fprintf(&out, `)

// PlannedFields is the table of the fields that plans can read, of all types that have any.
func PlannedFields(r ResolverRoot) plan.Table {
	return plan.Table{
		%s}
}

// Texts are the two texts of the fields with @inLanguage, by type and field.
var Texts = map[string]bilingual.Texts{
	%s}

%s`, t.types.Bytes(), t.inBoth.Bytes(), t.functions.Bytes())
	return out.Bytes()
}

// object writes the fields of a type. Types of a union are left to gqlgen. A type that implements an
// interface is planned where a field returns the type itself.
func (t *table) object(o *codegen.Object) {
	if o.Root || strings.HasPrefix(o.Name, "__") || slices.ContainsFunc(o.Implements, isUnion) ||
		slices.ContainsFunc(o.Directives, runs) {
		return
	}
	record, ok := types.Unalias(o.Type).(*types.Named)
	if !ok || !isStruct(record) {
		return
	}
	var lines []string
	for _, f := range o.Fields {
		if line, ok := t.field(f); ok {
			lines = append(lines, fmt.Sprintf("%q: %s,\n", f.Name, line))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(&t.types, "%q: fieldsOf%s(r),\n", o.Name, o.Name)
		const function = "func fieldsOf%s(r ResolverRoot) plan.Fields[*%s] {\nreturn plan.Fields[*%[2]s]{\n%s}\n}\n\n"
		fmt.Fprintf(&t.functions, function, o.Name, t.name(o.Type), strings.Join(lines, ""))
	}
}

func isUnion(d *ast.Definition) bool { return d.Kind == ast.Union }

// runs reports whether a directive acts when a request runs, in a way that plans do not.
func runs(d *codegen.Directive) bool { return !d.SkipRuntime && d.Name != inLanguage }

// field returns the expression of how a field is read, or false if it is left to gqlgen.
func (t *table) field(f *codegen.Field) (string, bool) {
	own, ok := t.ownField(f)
	if key := f.Object.Name + "." + f.Name; ok && t.pairs[key] != (pair{}) {
		return fmt.Sprintf("plan.InLanguage(Texts[%q], %s)", key, own), true
	}
	return own, ok
}

// ownField is field without @inLanguage.
func (t *table) ownField(f *codegen.Field) (string, bool) {
	if slices.ContainsFunc(f.Directives, runs) || f.IsReserved() || f.Stream || f.IsMap() || f.HasHaser ||
		f.VOkFunc {
		return "", false
	}
	shape, ok := t.shape(f.TypeReference)
	if !ok {
		return "", false
	}
	record := t.name(f.Object.Type)
	resolver := fmt.Sprintf("r.%s.%s", f.Object.Name, f.GoFieldName)
	switch {
	case f.IsBatch() && len(f.Args) > 0:
		const line = "plan.BatchWith(arguments.%s, " +
			"func(ctx context.Context, all []*%s, a map[string]any) ([]%s, error) {\n" +
			"return list.LoadForSiblings(ctx, all, func(ctx context.Context, all []*%[2]s) ([]%[3]s, error) {\n" +
			"return %s(ctx, all%s)\n})\n}, %s)"
		value := t.name(f.TypeReference.GO)
		return fmt.Sprintf(line, f.ArgsFunc(), record, value, resolver, t.arguments(f), shape), true
	case len(f.Args) > 0 && f.IsMethod() && !f.MethodHasContext && f.NoErr:
		const line = "plan.ValueWith(arguments.%s, func(of *%s, a map[string]any) %s {\nreturn of.%s(%s)\n}, %s)"
		value := t.name(f.TypeReference.GO)
		return fmt.Sprintf(line, f.ArgsFunc(), record, value, f.GoFieldName,
			strings.TrimPrefix(t.arguments(f), ", "), shape), true
	case len(f.Args) > 0:
		return "", false
	case f.IsBatch():
		const line = "plan.Batch(func(ctx context.Context, all []*%s) ([]%s, error) {\n" +
			"return list.LoadForSiblings(ctx, all, %s)\n}, %s)"
		return fmt.Sprintf(line, record, t.name(f.TypeReference.GO), resolver, shape), true
	case f.IsResolver:
		return fmt.Sprintf("plan.Computed(%s, %s)", resolver, shape), true
	case f.IsMethod() && f.MethodHasContext && !f.NoErr:
		return fmt.Sprintf("plan.Read((*%s).%s, %s)", record, f.GoFieldName, shape), true
	case f.IsMethod() && !f.MethodHasContext && f.NoErr:
		return fmt.Sprintf("plan.Value((*%s).%s, %s)", record, f.GoFieldName, shape), true
	case f.IsVariable() && f.TypeReference.Definition.Kind == ast.Object && isStruct(f.TypeReference.GO):
		value := t.name(f.TypeReference.GO) // by its address, so that it is not copied
		return fmt.Sprintf("plan.Value(func(of *%s) *%s { return &of.%s }, plan.Record[*%s](true))",
			record, value, f.GoFieldName, value), true
	case f.IsVariable():
		return fmt.Sprintf("plan.Value(func(of *%s) %s { return of.%s }, %s)",
			record, t.name(f.TypeReference.GO), f.GoFieldName, shape), true
	}
	return "", false
}

// arguments returns the arguments of a resolver's call, from the map in the variable a.
func (t *table) arguments(f *codegen.Field) string {
	var text strings.Builder
	for _, argument := range f.Args {
		fmt.Fprintf(&text, ", a[%q].(%s)", argument.Name, t.name(argument.TypeReference.GO))
	}
	return inWindow.ReplaceAllString(text.String(), windowOf)
}

// shape returns the expression of how values of a type are written, or false if plans cannot write them.
func (t *table) shape(ref *config.TypeReference) (string, bool) {
	if ref.GQL.Elem != nil {
		slice, ok := ref.GO.(*types.Slice)
		if !ok {
			return "", false
		}
		nullable := !ref.GQL.NonNull
		if ref.GQL.Elem.Elem == nil && ref.Definition.Kind == ast.Object && isStruct(slice.Elem()) {
			return fmt.Sprintf("plan.Structs[%s](%t)", t.name(slice.Elem()), nullable), true
		}
		element, ok := t.shape(ref.Elem())
		return fmt.Sprintf("plan.List(%s, %t)", element, nullable), ok
	}
	bare, pointer := ref.GO, false
	if p, ok := ref.GO.(*types.Pointer); ok {
		bare, pointer = p.Elem(), true
	}
	if ref.Definition.Kind == ast.Object {
		switch {
		case !isStruct(bare):
			return "", false
		case pointer:
			return fmt.Sprintf("plan.Record[*%s](%t)", t.name(bare), ref.GQL.NonNull), true
		}
		return fmt.Sprintf("plan.Struct[%s]()", t.name(bare)), true
	}
	scalar, ok := t.scalar(ref, bare)
	switch {
	case !ok:
		return "", false
	case pointer && ref.GQL.NonNull:
		return fmt.Sprintf("plan.Required(%s)", scalar), true
	case pointer:
		return fmt.Sprintf("plan.Optional(%s)", scalar), true
	}
	return scalar, true
}

// scalars are the shapes of scalars, by the function that marshals them.
var scalars = map[string]string{
	"graphql.MarshalString":       "plan.String",
	"graphql.MarshalID":           "plan.String",
	"graphql.MarshalInt":          "plan.Int",
	"graphql.MarshalInt64":        "plan.Int64",
	"graphql.MarshalBoolean":      "plan.Boolean",
	"graphql.MarshalFloatContext": "plan.Float",
	"api.MarshalID":               "plannedID",
	"api.MarshalTime":             "plannedTime",
	"api.MarshalAmount":           "plannedAmount",
	"api.MarshalJSON":             "plannedJSON",
}

// scalar returns the shape of a scalar or an enum.
func (t *table) scalar(ref *config.TypeReference, bare types.Type) (string, bool) {
	if ref.IsMarshaler && !ref.IsContext && !config.IsNilable(bare) {
		return fmt.Sprintf("plan.Marshaled[%s]()", t.name(bare)), true
	}
	if ref.Marshaler == nil || ref.HasEnumValues() || ref.CastType != nil {
		return "", false
	}
	marshaler := ref.Marshaler.Pkg().Name() + "." + ref.Marshaler.Name()
	shape, ok := scalars[marshaler]
	return shape, ok
}

// name returns the name of a type in package exec.
func (t *table) name(typ types.Type) string {
	return types.TypeString(typ, func(p *types.Package) string {
		if p.Path() == "storefront/graph/exec" {
			return ""
		}
		t.imports[p.Path()] = true
		return p.Name()
	})
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}
