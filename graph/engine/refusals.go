package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/request"
)

// refuse answers an operation with wrong values. Only callers who may ask for a field learn which of its
// values are wrong: credentials are checked first, then the role, then the values (contract 1.2).
//
// In a client's query the root fields whose values are right still run. A query without such a field, a
// mutation or a subscription does not run at all.
func (e *Engine) refuse(
	ctx context.Context, op *document.Operation, variables map[string]any, wrong document.Wrong,
) Result {
	whole := Refused(wrong.All.Err())
	if !op.RunsInPart(wrong) {
		return whole
	}
	refused, right, denied := refusals{}, false, gqlerror.List(nil)
	ctx = e.BeginRequest(ctx, e.Clock())
	for _, root := range op.RootFields(variables) {
		bad := op.WrongIn(root, variables, wrong)
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

// mayAsk fails unless the caller has the credentials and the role that a root field needs.
func (e *Engine) mayAsk(ctx context.Context, op *document.Operation, root *ast.Field, variables map[string]any) error {
	if !document.RequiresSignIn(root.Definition) {
		return nil
	}
	rule := root.Definition.Directives.ForName("staff")
	if rule == nil {
		_, err := request.CallerOf(ctx)
		return err
	}
	shop := op.ShopOf(root, variables)
	argument := func(name string) string {
		if id, ok := byDomain(ctx, shop); ok && name == shop.ID {
			return id.String()
		}
		return document.TextOf(root.Arguments.ForName(name), variables)
	}
	err := e.MayStaff(ctx, argument, rule.Arguments.ForName("may").Value.Raw)
	if fault.Is(err, fault.Forbidden) && shop.None {
		return nil // roles are per shop, and without a shop there is nothing to protect
	}
	return err
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

// present returns what Named does, as a GraphQL error.
func (e *Engine) present(ctx context.Context, err error) *gqlerror.Error {
	return document.ErrorOf(e.Named(ctx, err), graphql.GetPath(ctx))
}

// Named returns the fault that clients are shown for an error of a resolver, and logs what they are not
// shown.
func (e *Engine) Named(ctx context.Context, err error) *fault.Error {
	named := asSent(ctx, asFault(err))
	path := graphql.GetPath(ctx).String()
	switch {
	case named.Code == fault.Internal:
		if request.Of(ctx).Note.Fails() {
			e.Log.ErrorContext(ctx, "a resolver failed", "path", path, "error", err)
		}
	case named.Code == fault.Unavailable && !errors.Is(ctx.Err(), context.Canceled): // the client is still connected
		if request.Of(ctx).Note.Fails() {
			e.Log.WarnContext(ctx, "a field was not answered", "path", path, "error", err)
		}
	}
	return named
}

// asFault returns the fault in an error, as transaction.Fault does, or makes one of an error that gqlgen
// reported.
func asFault(err error) *fault.Error {
	_, known := errors.AsType[*fault.Error](err)
	if invalid, ok := errors.AsType[*gqlerror.Error](err); ok && !known && invalid.Err == nil {
		return fault.Foreign(fault.ValidationFailed, invalid.Message) // gqlgen could not read an argument
	}
	return transaction.Fault(err)
}
