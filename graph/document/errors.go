package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"storefront/internal/fault"
)

// ErrorOf returns a fault as a GraphQL error, with code, errors and details in its extensions.
func ErrorOf(e *fault.Error, path ast.Path) *gqlerror.Error {
	extensions := map[string]any{"code": string(e.Code)}
	if len(e.Fields) > 0 {
		extensions["errors"] = e.Fields
	}
	if e.MovedTo != "" {
		extensions["movedTo"] = e.MovedTo
	}
	if e.Details != nil {
		extensions["details"] = e.Details
	}
	return &gqlerror.Error{Err: e, Message: e.Message, Path: path, Extensions: extensions}
}

// refusedFor returns the errors for a document that is refused.
func refusedFor(why *fault.Error) gqlerror.List { return gqlerror.List{ErrorOf(why, nil)} }

// firstDistinct returns the first distinct errors of a list, at most most of them.
func firstDistinct(errs gqlerror.List, most int) (distinct gqlerror.List) {
	type located struct {
		message      string
		line, column int
	}
	seen := map[located]bool{}
	for _, err := range errs {
		at := located{message: err.Message}
		if len(err.Locations) > 0 {
			at.line, at.column = err.Locations[0].Line, err.Locations[0].Column
		}
		if !seen[at] && len(distinct) < most {
			seen[at] = true
			distinct = append(distinct, err)
		}
	}
	return distinct
}

// shownValues returns the forms in which an error may quote a value of a document. Only texts count, and
// numbers as long as a code.
func shownValues(value lexer.Token) []string {
	switch value.Kind {
	case lexer.String, lexer.BlockString:
		text := ast.Value{Kind: ast.StringValue, Raw: value.Value}
		return []string{strconv.Quote(value.Value), text.String()}
	case lexer.Int, lexer.Float:
		if len(value.Value) >= 6 {
			return []string{value.Value}
		}
	}
	return nil
}

// withoutValues removes values from the messages of errors.
func withoutValues(values []string, errs gqlerror.List) gqlerror.List {
	if len(errs) == 0 {
		return errs
	}
	pairs := make([]string, 0, 2*len(values))
	for _, value := range values {
		pairs = append(pairs, value, "…")
	}
	hide := strings.NewReplacer(pairs...)
	for _, e := range errs {
		e.Message = hide.Replace(e.Message)
	}
	return errs
}

// withCode sets the code of errors of the document itself.
func withCode(code fault.Code, errs gqlerror.List) gqlerror.List {
	for _, e := range errs {
		e.Extensions = map[string]any{"code": string(code)}
		e.Err = fault.Foreign(code, e.Message)
	}
	return errs
}

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
