package document

import (
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
