package selection

import (
	"context"
	"sync"

	"storefront/internal/request"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Memory stores the Sets of a document's fields for as long as the document itself is kept.
type Memory struct {
	mu     sync.RWMutex
	fields map[*ast.Field][]remembrance
	room   int // number of fields in further Sets that may be stored
}

// FieldBytes bounds the memory of each field in the Sets, with everything derived from them.
const FieldBytes = 250

// remembrance is the Set of a field together with its selections: through fragments a field may occur in
// several places, beside different selections of the same field.
type remembrance struct {
	selections ast.SelectionSet
	set        *Set
}

// MemoryFor returns a memory for a document, for Sets with a total of room fields. It returns nil if the
// Sets may differ between requests, by @skip or @include.
func MemoryFor(document *ast.QueryDocument, room int) *Memory {
	for _, operation := range document.Operations {
		if conditional(operation.SelectionSet) {
			return nil
		}
	}
	for _, fragment := range document.Fragments {
		if conditional(fragment.SelectionSet) {
			return nil
		}
	}
	return &Memory{fields: map[*ast.Field][]remembrance{}, room: room}
}

func conditional(selections ast.SelectionSet) bool {
	for _, selected := range selections {
		switch s := selected.(type) {
		case *ast.Field:
			if len(s.Directives) > 0 || conditional(s.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if len(s.Directives) > 0 || conditional(s.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread:
			if len(s.Directives) > 0 {
				return true
			}
		}
	}
	return false
}

// Remember returns a context in which the Sets of m's document are stored in m. A nil m stores nothing.
func Remember(ctx context.Context, m *Memory) context.Context {
	if m == nil {
		return ctx
	}
	return request.With(ctx, func(r *request.Request) { r.Selections = m })
}

// remembered returns the stored Set of a field of the running operation.
func remembered(ctx context.Context, field graphql.CollectedField) *Set {
	memory, _ := request.Of(ctx).Selections.(*Memory)
	if memory == nil {
		return collect(graphql.GetOperationContext(ctx), field.Selections)
	}
	if set := memory.find(field); set != nil {
		return set
	}
	set := collect(graphql.GetOperationContext(ctx), field.Selections)
	memory.mu.Lock()
	defer memory.mu.Unlock()
	if n := set.size() + len(field.Selections); n <= memory.room {
		memory.room -= n
		memory.fields[field.Field] = append(memory.fields[field.Field], remembrance{
			selections: field.Selections, set: set,
		})
	}
	return set
}

// size returns the number of fields in a set, nested ones included.
func (s *Set) size() (n int) {
	s.Each(func(_ string, sub *Set) { n += 1 + sub.size() })
	return n
}

func (m *Memory) find(field graphql.CollectedField) *Set {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, known := range m.fields[field.Field] {
		if same(known.selections, field.Selections) {
			return known.set
		}
	}
	return nil
}

// same reports whether two lists hold the same selections of one document.
func same(a, b ast.SelectionSet) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
