// Package plan writes the values of fields as JSON, below gqlgen's execution and above the resolvers.
//
// gqlgen resolves each field of each record by itself, with a context, a few closures and often a goroutine.
// A plan is made once for a field of a parsed document, from the selections below it and a Table of how the
// fields of each type are read. It then writes all records of a value one after another; a field that is
// loaded is loaded for all of them at once, also where they stand in many lists.
//
// What has no plan is left to gqlgen: a selection with a directive or with a field that the table does not
// hold, and a value with a null where none may stand or with a resolver that fails, so that gqlgen reports
// the error at its place.
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

// render writes the value of a field. It fails where the value is for gqlgen to write.
type render func(ctx context.Context, w *Writer, value any) error

// FieldBytes is what a field of a plan takes in memory at most, on average over the fields of a plan.
const FieldBytes = 250

// Plans are the plans of a document.
type Plans struct {
	table Table
	log   *slog.Logger
	mu    sync.Mutex
	left  int      // fields that further plans may have
	known sync.Map // *ast.Field to *plan; nil where there is none
}

type plan struct {
	render render
	size   atomic.Int64 // bytes of the last value, to begin the next one with
}

// New makes the plans of a document. They have at most so many fields together; a field that would take more
// is left to gqlgen. Values that turn out to be for gqlgen are logged for those who debug.
func New(table Table, maxFields int, log *slog.Logger) *Plans {
	return &Plans{table: table, left: maxFields, log: log}
}

// JSON is the value of a field as JSON.
type JSON []byte

// MarshalGQL writes the value.
func (j JSON) MarshalGQL(w io.Writer) { _, _ = w.Write(j) }

// Resolve is a field middleware: it resolves a field, and gives its value as JSON where there is a plan. What
// is written is counted by grow, now and then, where grow is not nil; its error ends the writing and is
// returned.
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

// write writes a value. A resolver that panics does it again for gqlgen, which reports it.
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

// of gives the plan of a field; nil where it has none.
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

// whole reports whether all that is selected of a field stands in this one place of the document. Where it
// stands in several they are merged, and in another part of the answer they may be merged in another way.
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
