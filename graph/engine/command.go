package engine

import (
	"context"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/document"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/wire"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Command is a document that the operator runs on a machine with the database.
type Command struct {
	Source    string
	Operation string            // its name; empty where the document has only one
	Domain    string            // of the shop of fields that name none; may be empty
	Values    map[string]string // of variables: lists and objects as JSON, all else as it is
	Offered   map[string]string // texts of variables that the document need not have
}

// Command runs a document with every permission of staff. The audit log records a command.
func (e *Engine) Command(ctx context.Context, c Command) Result {
	source := c.Source
	if c.Domain != "" {
		source = e.Documents.AtShop(source, c.Domain)
	}
	parsed, errs := e.Documents.ParseClient(source)
	if len(errs) > 0 {
		return Result{Errors: errs}
	}
	op, err := parsed.Operation(c.Operation)
	if err != nil {
		return Refused(err)
	}
	if op.Definition.Operation == ast.Subscription {
		return Refused(fault.New(fault.BadRequest, "subscriptions are answered at /graphql/stream"))
	}
	ctx = request.WithStaff(ctx, request.Staff{Role: record.Operator, SecondFactor: request.FactorProven})
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, "/graphql", http.NoBody)
	if err != nil {
		return Refused(err)
	}
	return e.Do(Call{
		Request: sent, Operation: op, Dialect: document.Dialect{Singles: true},
		Read: func() (Input, error) { return c.input(op) },
	})
}

// input returns the values of the variables of an operation.
func (c Command) input(op *document.Operation) (Input, error) {
	values := map[string]any{}
	declared := op.Definition.VariableDefinitions
	for name, text := range c.Offered {
		if declared.ForName(name) != nil {
			values[name] = document.Text(text)
		}
	}
	var bad fault.Fields
	for name, text := range c.Values {
		variable := declared.ForName(name)
		switch {
		case variable == nil:
			bad.Add(name, "is no variable of the document")
		case variable.Type.Elem != nil || variable.Definition.Kind == ast.InputObject:
			value, err := wire.ParseValue(text)
			if err != nil {
				bad.Add(name, "must be JSON")
			}
			values[name] = value
		default:
			values[name] = document.Text(text)
		}
	}
	return Input{Values: values, Faults: bad}, nil
}

// Messages returns what is wrong in words for a terminal, with the path of the field and the code of each.
func (r Result) Messages() []string {
	return convert.All(r.Errors, func(err *gqlerror.Error) string {
		text := err.Message
		if path := err.Path.String(); path != "" {
			text = path + ": " + text
		}
		return text + " (" + string(fault.From(err).Code) + ")"
	})
}
