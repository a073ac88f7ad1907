package document

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/fault"
)

// maxMerged is how many selections the check of a document may visit, over all paths of its answers.
const maxMerged = 50_000

// mergeable checks that fields with the same name in an answer can be merged (GraphQL, 5.3.2, Field Selection
// Merging). gqlparser's own rule compares such fields in pairs, and again on each level: a document of 2,000
// tokens can take it half a minute. Here each field is compared with the first of its name, once for each
// path of the answer.
//
// It fails with GRAPHQL_VALIDATION_FAILED for the first field that does not merge, and with LIMIT_EXCEEDED
// beyond maxMerged.
func mergeable(schema *ast.Schema, document *ast.QueryDocument) *gqlerror.Error {
	m := merging{schema: schema, left: maxMerged}
	for _, operation := range document.Operations {
		m.sets([]ast.SelectionSet{operation.SelectionSet}, false)
	}
	switch {
	case m.conflict != nil:
		return withCode(fault.DocumentInvalid, gqlerror.List{m.conflict})[0]
	case m.left <= 0:
		return refusedFor(fault.New(fault.LimitExceeded,
			"the document repeats too much; spread fewer fragments in one another"))[0]
	}
	return nil
}

// merging is the state of one check of a document.
type merging struct {
	schema   *ast.Schema
	left     int             // selections that may still be visited
	conflict *gqlerror.Error // the first that was found
}

// sameNamed holds the fields of one object of the answer, by their names there.
type sameNamed struct {
	names  []string // in the order of the document
	fields map[string][]*ast.Field
	seen   map[string]bool // fragments that are spread here
}

// sets checks selections that one object answers. With shapes, objects of different types answer them, and
// only the shapes of the answers must agree.
func (m *merging) sets(sets []ast.SelectionSet, shapes bool) {
	a := sameNamed{fields: map[string][]*ast.Field{}, seen: map[string]bool{}}
	for _, set := range sets {
		m.collect(&a, set)
	}
	for _, name := range a.names {
		if m.left <= 0 || m.conflict != nil {
			return
		}
		m.fields(a.fields[name], shapes)
	}
}

func (m *merging) collect(a *sameNamed, set ast.SelectionSet) {
	for _, selection := range set {
		if m.left--; m.left <= 0 {
			return
		}
		p := partOf(selection)
		if p.field == nil {
			if p.spread == "" || !a.seen[p.spread] {
				a.seen[p.spread] = true
				m.collect(a, p.below)
			}
			continue
		}
		name := p.field.Alias
		if a.fields[name] == nil {
			a.names = append(a.names, name)
		}
		a.fields[name] = append(a.fields[name], p.field)
	}
}

func (m *merging) fields(fields []*ast.Field, shapes bool) {
	first := fields[0]
	for _, field := range fields[1:] {
		if !m.sameShape(first.Definition.Type, field.Definition.Type) {
			m.refuse(field, "they return different types")
			return
		}
	}
	groups := [][]*ast.Field{fields}
	if !shapes {
		groups = ofOneObject(fields)
		for _, group := range groups {
			for _, field := range group[1:] {
				if field.Name != group[0].Name {
					m.refuse(field, "they are different fields")
				} else if !sameArguments(field.Arguments, group[0].Arguments) {
					m.refuse(field, "they have different arguments")
				}
			}
			m.below(group, false)
		}
	}
	if shapes || len(groups) > 1 {
		m.below(fields, true)
	}
}

// below checks the selections below fields.
func (m *merging) below(fields []*ast.Field, shapes bool) {
	var sets []ast.SelectionSet
	for _, field := range fields {
		if len(field.SelectionSet) > 0 {
			sets = append(sets, field.SelectionSet)
		}
	}
	if len(sets) > 0 {
		m.sets(sets, shapes)
	}
}

// ofOneObject groups fields by the object that answers them: for each type its own fields and those of
// interfaces.
func ofOneObject(fields []*ast.Field) (groups [][]*ast.Field) {
	var types []string
	byType := map[string][]*ast.Field{}
	var ofAll []*ast.Field
	for _, field := range fields {
		parent := field.ObjectDefinition
		if parent.Kind != ast.Object {
			ofAll = append(ofAll, field)
			continue
		}
		if byType[parent.Name] == nil {
			types = append(types, parent.Name)
		}
		byType[parent.Name] = append(byType[parent.Name], field)
	}
	if len(types) < 2 {
		return [][]*ast.Field{fields}
	}
	for _, name := range types {
		groups = append(groups, append(byType[name], ofAll...))
	}
	return groups
}

// sameShape reports whether values of two types have the same shape in the answer.
func (m *merging) sameShape(a, b *ast.Type) bool {
	if a.NonNull != b.NonNull || (a.Elem == nil) != (b.Elem == nil) {
		return false
	}
	if a.Elem != nil {
		return m.sameShape(a.Elem, b.Elem)
	}
	one, other := m.schema.Types[a.NamedType], m.schema.Types[b.NamedType]
	return one.Name == other.Name || one.IsCompositeType() && other.IsCompositeType()
}

func (m *merging) refuse(field *ast.Field, why string) {
	if m.conflict == nil {
		m.conflict = gqlerror.ErrorPosf(field.Position, `Fields "%s" conflict because %s. `+
			`Use different aliases on the fields to fetch both if this was intentional.`, field.Alias, why)
	}
}

func sameArguments(a, b ast.ArgumentList) bool {
	for _, argument := range a {
		other := b.ForName(argument.Name)
		if other == nil || !sameValue(argument.Value, other.Value) {
			return false
		}
	}
	return len(a) == len(b)
}

// sameValue reports whether two values are equal as written, apart from the order of an object's members.
func sameValue(a, b *ast.Value) bool {
	if a.Kind != b.Kind || a.Raw != b.Raw || len(a.Children) != len(b.Children) {
		return false
	}
	for i, child := range a.Children {
		other := b.Children[i].Value
		if a.Kind == ast.ObjectValue {
			other = b.Children.ForName(child.Name)
		}
		if other == nil || !sameValue(child.Value, other) {
			return false
		}
	}
	return true
}
