// Package plan writes the values of fields as JSON, below gqlgen's execution and above the resolvers.
//
// gqlgen resolves each field of each record by itself, with a context, a few closures and often a goroutine.
// A plan is made once for a field of a parsed document, from the selections below it and a Table of how the
// fields of each type are read. It then writes all records of a value one after another. Fields that need
// loading are loaded for all records at once, even if these stand in many lists.
//
// The rest is left to gqlgen: a selection with a directive or with a field that the table lacks, and a value
// with a wrong null or with a resolver that fails, so that gqlgen reports the error at its place.
package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Table holds the types of a schema whose values plans can write, by name.
type Table map[string]Type

// Type is a type of the schema: Fields of its records.
type Type interface {
	plan(c *compiler, f graphql.CollectedField) (render, bool)
}

// render writes the value of a field. It fails if gqlgen has to write the value.
type render func(ctx context.Context, w *Writer, value any) error

// FieldBytes is an upper bound of the memory per field of a plan, on average, in bytes.
const FieldBytes = 250

// Plans are the plans of a document.
type Plans struct {
	table Table
	log   *slog.Logger
	mu    sync.Mutex
	left  int      // how many fields further plans may have
	known sync.Map // *ast.Field to *plan; nil where there is none
}

type plan struct {
	render render
	size   atomic.Int64 // bytes of the last value, for the next buffer
}

// New returns the plans of a document. Together they have at most maxFields fields; a field that would need
// more is left to gqlgen. Values that a plan could not write are logged at debug level.
func New(table Table, maxFields int, log *slog.Logger) *Plans {
	return &Plans{table: table, left: maxFields, log: log}
}

// JSON is the value of a field as JSON.
type JSON []byte

// MarshalGQL writes the value.
func (j JSON) MarshalGQL(w io.Writer) { _, _ = w.Write(j) }

// Resolve is a field middleware: it resolves a field, and returns its value as JSON if there is a plan. If
// grow is not nil, it is called with the number of bytes written since the last call; its error ends the
// writing and is returned.
func (p *Plans) Resolve(ctx context.Context, next graphql.Resolver, grow func(bytes int) error) (any, error) {
	value, err := next(ctx)
	if err != nil || value == nil {
		return value, err
	}
	made := p.of(ctx, graphql.GetFieldContext(ctx).Field)
	if made == nil {
		return value, nil
	}
	w := &Writer{json: make([]byte, 0, made.size.Load()), grow: grow}
	err = made.write(ctx, w, value)
	if errors.Is(err, errNothing) {
		return value, nil
	}
	if err != nil {
		p.log.DebugContext(ctx, "a planned field is left to gqlgen",
			"path", graphql.GetPath(ctx).String(), "error", err)
		return value, nil
	}
	if w.tooLarge != nil {
		return nil, w.tooLarge
	}
	made.size.Store(int64(len(w.json)))
	return JSON(w.json), nil
}

// write writes a value. If a resolver panics it returns an error, and gqlgen runs the resolver again and
// reports the panic.
func (p *plan) write(ctx context.Context, w *Writer, value any) (err error) {
	defer recovered(&err)
	if err := p.render(ctx, w, value); err != nil {
		return err
	}
	w.count()
	return w.err
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v", r)
	}
}

// of returns the plan of a field, or nil if it has none.
func (p *Plans) of(ctx context.Context, f graphql.CollectedField) *plan {
	if len(f.SelectionSet) == 0 || !whole(f) {
		return nil
	}
	if known, ok := p.known.Load(f.Field); ok {
		return known.(*plan)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.known.Load(f.Field); ok {
		return known.(*plan)
	}
	made := p.make(graphql.GetOperationContext(ctx), f)
	p.known.Store(f.Field, made)
	return made
}

// whole reports whether a field's selections stand in one place of the document. Selections in several places
// are merged, and may be merged differently in another part of the answer.
func whole(f graphql.CollectedField) bool {
	return len(f.Selections) == len(f.SelectionSet) && f.Selections[0] == f.SelectionSet[0]
}

func (p *Plans) make(op *graphql.OperationContext, f graphql.CollectedField) *plan {
	of := p.table[f.Definition.Type.Name()]
	if of == nil || conditional(f.Selections) {
		return nil
	}
	c := &compiler{op: op, table: p.table, left: p.left}
	written, ok := of.plan(c, f)
	if !ok {
		return nil
	}
	p.left = c.left
	return &plan{render: written}
}

// conditional reports whether selections have directives, whose variables differ from request to request.
func conditional(selections ast.SelectionSet) bool {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			if len(s.Directives) > 0 || conditional(s.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if len(s.Directives) > 0 || conditional(s.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread:
			if len(s.Directives) > 0 || conditional(s.Definition.SelectionSet) {
				return true
			}
		}
	}
	return false
}

// compiler makes one plan.
type compiler struct {
	op    *graphql.OperationContext
	table Table
	left  int // fields that it may have
}

var (
	errNothing = errors.New("plan: there is no record")
	errNull    = errors.New("plan: null where there must be a value")
	errValue   = errors.New("plan: a value of another type")
)
