package document

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// RunsInPart reports whether the root fields whose values are right may run although others are wrong: those of a
// client document whose wrong values are all known, each that of a field, and none in @skip or @include.
func (op *Operation) RunsInPart(wrong Wrong) bool {
	return op.FromClient && !wrong.All.Full() && !op.hasWrongConditions(wrong.ofVariables)
}

// hasWrongConditions reports whether a wrong value is that of a variable in @skip or @include, or that no
// field uses.
func (op *Operation) hasWrongConditions(ofVariables fault.Fields) bool {
	for _, wrong := range ofVariables {
		name, _, _ := strings.Cut(wrong.Field, ".")
		if op.inConditions[name] || op.uses[name] == 0 {
			return true
		}
	}
	return false
}

// WrongIn returns those faults that are in the values of a field and of all fields below it, and all where some were
// found before the variables were read.
func (op *Operation) WrongIn(root *ast.Field, variables map[string]any, wrong Wrong) fault.Fields {
	if wrong.beforeVariables {
		return wrong.All
	}
	own := op.newOperation(op.Definition)
	own.collectDirectives(ast.SelectionSet{root}, map[string]bool{})
	bad := own.faults
	for _, wrong := range wrong.ofVariables {
		named := func(f fault.Field) bool { return f.Field == wrong.Field && f.Message == wrong.Message }
		if name, _, _ := strings.Cut(wrong.Field, "."); own.uses[name] > 0 && !slices.ContainsFunc(bad, named) {
			bad = append(bad, wrong)
		}
	}
	own.checkPairs(&bad, variables)
	return bad
}

// RootFields returns the root fields that run, with those of fragments. The variables of @skip and @include must be
// right.
func (op *Operation) RootFields(variables map[string]any) []*ast.Field {
	return rootFields(op.Definition.SelectionSet, variables, map[string]bool{})
}

// rootFields returns the root fields of a selection, including those of its fragments, without those that
// @skip and @include leave out.
func rootFields(selections ast.SelectionSet, variables map[string]any, seen map[string]bool) (fields []*ast.Field) {
	for _, selection := range selections {
		switch p := partOf(selection); {
		case !isIncluded(p.directives, variables) || p.spread != "" && seen[p.spread]:
		case p.field != nil:
			fields = append(fields, p.field)
		default:
			seen[p.spread] = true
			fields = append(fields, rootFields(p.below, variables, seen)...)
		}
	}
	return fields
}

// isIncluded reports whether @skip and @include keep the selection that they stand at. Their variables must
// be valid.
func isIncluded(conditions ast.DirectiveList, variables map[string]any) bool {
	holds := func(name string) bool {
		value, err := conditions.ForName(name).Arguments.ForName("if").Value.Value(variables)
		return err == nil && value == true
	}
	return (conditions.ForName("skip") == nil || !holds("skip")) &&
		(conditions.ForName("include") == nil || holds("include"))
}
