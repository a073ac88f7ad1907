package engine

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/request"
)

// present returns what Named does, as a GraphQL error.
func (e *Engine) present(ctx context.Context, err error) *gqlerror.Error {
	return asGraphQL(e.Named(ctx, err), graphql.GetPath(ctx))
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

// asGraphQL returns a fault as a GraphQL error, with code, errors and details in its extensions.
func asGraphQL(e *fault.Error, path ast.Path) *gqlerror.Error {
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

// translated returns errors in the language of the reader. Errors of the parser stay English: they are for
// the engineer who wrote the document.
func translated(reader *language.Reader, errs gqlerror.List) gqlerror.List {
	translated := make(gqlerror.List, len(errs))
	for i, e := range errs {
		translated[i] = e
		if known, ok := errors.AsType[*fault.Error](e); ok && !known.IsForeign() {
			translated[i] = asGraphQL(reader.Error(known), e.Path)
		}
	}
	return translated
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
