package engine

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/request"
)

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
