package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/internal/fault"
	"storefront/internal/request"
)

// refuse answers an operation with wrong values. Only callers who may ask for a field learn which of its
// values are wrong: credentials are checked first, then the role, then the values (contract 1.2).
//
// In a client's query the root fields whose values are right still run. A query without such a field, a
// mutation or a subscription does not run at all.
func (e *Engine) refuse(ctx context.Context, op *Operation, variables map[string]any, wrong wrongValues) Result {
	whole := Refused(wrong.all.Err())
	if !op.fromClient || wrong.all.Full() || op.hasWrongConditions(wrong.ofVariables) {
		return whole
	}
	refused, right, denied := refusals{}, false, gqlerror.List(nil)
	ctx = e.BeginRequest(ctx, e.Clock())
	for _, root := range rootFields(op.Definition.SelectionSet, variables, map[string]bool{}) {
		bad := wrong.all
		if !wrong.beforeVariables {
			bad = op.wrongIn(root, variables, wrong.ofVariables)
		}
		if len(bad) == 0 {
			right = true
			continue
		}
		err := e.mayAsk(ctx, op, root, variables)
		if err != nil {
			denied = append(denied, e.present(graphql.WithFieldContext(ctx, contextOf(root)), err))
		}
		if known := refused[root.Alias]; known == nil || err != nil {
			refused[root.Alias] = &refusal{err, bad, root.Definition.Type.NonNull}
		}
	}
	switch {
	case len(refused) == 0 || denied == nil && (!right || op.Definition.Operation != ast.Query):
		return whole
	case op.Definition.Operation != ast.Query:
		return Result{Data: json.RawMessage("null"), Errors: denied} // as if each field had been resolved
	}
	_, data, errs := e.run(ctx, op, variables, refused)
	return Result{Data: data, Errors: errs}
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

// wrongIn returns the faults in the values of a field and of all fields below it.
func (op *Operation) wrongIn(root *ast.Field, variables map[string]any, ofVariables fault.Fields) fault.Fields {
	own := op.newOperation(op.Definition)
	own.collectDirectives(ast.SelectionSet{root}, map[string]bool{})
	bad := own.faults
	for _, wrong := range ofVariables {
		named := func(f fault.Field) bool { return f.Field == wrong.Field && f.Message == wrong.Message }
		if name, _, _ := strings.Cut(wrong.Field, "."); own.uses[name] > 0 && !slices.ContainsFunc(bad, named) {
			bad = append(bad, wrong)
		}
	}
	for _, p := range own.ordered {
		p.check(&bad, variables)
	}
	for _, shop := range own.shops {
		shop.check(&bad, variables)
	}
	return bad
}

// mayAsk fails unless the caller has the credentials and the role that a root field needs.
func (e *Engine) mayAsk(ctx context.Context, op *Operation, root *ast.Field, variables map[string]any) error {
	if signInOf(root.Definition) != signInRequired {
		return nil
	}
	rule := root.Definition.Directives.ForName("staff")
	if rule == nil {
		_, err := request.CallerOf(ctx)
		return err
	}
	argument := func(name string) string {
		if shop, ok := op.shopByDomain(ctx, root, variables); ok && name == op.declared.of(root.Definition).shopID {
			return shop.String()
		}
		return textOf(root.Arguments.ForName(name), variables)
	}
	err := e.MayStaff(ctx, argument, rule.Arguments.ForName("may").Value.Raw)
	if fault.Is(err, fault.Forbidden) && op.namesNoShop(root, variables) {
		return nil // roles are per shop, and without a shop there is nothing to protect
	}
	return err
}

// rootFields returns the root fields of a selection, including those of its fragments, without those that
// @skip and @include leave out.
func rootFields(selections ast.SelectionSet, variables map[string]any, seen map[string]bool) (fields []*ast.Field) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			if isIncluded(s.Directives, variables) {
				fields = append(fields, s)
			}
		case *ast.InlineFragment:
			if isIncluded(s.Directives, variables) {
				fields = append(fields, rootFields(s.SelectionSet, variables, seen)...)
			}
		case *ast.FragmentSpread:
			if isIncluded(s.Directives, variables) && !seen[s.Name] {
				seen[s.Name] = true
				fields = append(fields, rootFields(s.Definition.SelectionSet, variables, seen)...)
			}
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

// refusals are the root fields that are not resolved, by their names in the answer.
type refusals map[string]*refusal

type refusal struct {
	denied  error // which credentials or role the caller lacks, if any
	wrong   fault.Fields
	nonNull bool // data is null without the field
}

func (r *refusal) err() error {
	if r.denied != nil {
		return r.denied
	}
	return r.wrong.Err()
}

// resolveRoot resolves a root field unless it is refused.
func (r refusals) resolveRoot(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	root := graphql.GetRootFieldContext(ctx).Field
	refused := r[root.Alias]
	if refused == nil {
		return next(ctx)
	}
	graphql.AddError(graphql.WithFieldContext(ctx, contextOf(root.Field)), refused.err())
	return graphql.Null
}

// contextOf returns the context of a root field, which gives errors their path.
func contextOf(root *ast.Field) *graphql.FieldContext {
	return &graphql.FieldContext{Object: root.ObjectDefinition.Name, Field: graphql.CollectedField{Field: root}}
}

// within returns the data without the refused fields.
func (r refusals) within(data json.RawMessage) json.RawMessage {
	for _, refused := range r {
		if refused.nonNull {
			return json.RawMessage("null")
		}
	}
	return data
}
