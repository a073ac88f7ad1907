package list

import (
	"context"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"storefront/internal/request"
)

// siblings are records that were loaded together but are in many places of the answer, such as related
// products in the lists of several products, or the nodes of a connection's edges. gqlgen calls a batch
// resolver once for each place; the first of these calls loads the field for all siblings.
type siblings struct {
	records any // a slice of pointers
	mu      sync.Mutex
	fields  map[string]*siblingsField // by path
}

// siblingsField is one field of all siblings.
type siblingsField struct {
	once   sync.Once
	index  map[any]int // the index of a record in values
	values any         // a slice
	err    error
}

// groups holds the records of a request that were loaded together.
type groups struct {
	mu sync.Mutex
	of map[any]*siblings
}

// RememberIn makes a request remember the records that are loaded together in it.
func RememberIn(r *request.Request) { r.Siblings = &groups{of: map[any]*siblings{}} }

func groupsOf(ctx context.Context) *groups { return request.Of(ctx).Siblings.(*groups) }

// RememberSiblings notes records that were loaded together.
func RememberSiblings[R any](ctx context.Context, records []R) {
	all := &siblings{records: records, fields: map[string]*siblingsField{}}
	g := groupsOf(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range records {
		g.of[r] = all
	}
}

// siblingsOf returns the siblings of records, or nil if they were not loaded together.
func siblingsOf[R any](g *groups, records []R) *siblings {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.of) == 0 {
		return nil
	}
	all := g.of[records[0]]
	for _, r := range records {
		if g.of[r] != all {
			return nil
		}
	}
	return all
}

// field returns the state of the field that is being resolved. The same records may be below several fields
// of a document, each with its own arguments.
func (s *siblings) field(ctx context.Context) *siblingsField {
	path := pathOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fields[path] == nil {
		s.fields[path] = &siblingsField{}
	}
	return s.fields[path]
}

// pathOf returns the path of the field that is being resolved: its aliases from the root on, without the
// indexes of lists.
func pathOf(ctx context.Context) string {
	var path []string
	for f := graphql.GetFieldContext(ctx); f != nil; f = f.Parent {
		if f.Index == nil && f.Field.Field != nil {
			path = append(path, f.Field.Alias)
		}
	}
	return strings.Join(path, " ")
}

// LoadForSiblings returns the values of the field that is being resolved for records. It calls load, a batch resolver,
// once for all siblings of the records. Package exec calls all of them by it.
func LoadForSiblings[R, T any](
	ctx context.Context, records []R, load func(context.Context, []R) ([]T, error),
) ([]T, error) {
	all := siblingsOf(groupsOf(ctx), records)
	if all == nil {
		return load(ctx, records)
	}
	f := all.field(ctx)
	f.once.Do(func() {
		siblings := all.records.([]R)
		f.values, f.err = load(ctx, siblings)
		f.index = make(map[any]int, len(siblings))
		for i, r := range siblings {
			f.index[r] = i
		}
	})
	if f.err != nil {
		return nil, f.err
	}
	values := make([]T, len(records))
	for i, r := range records {
		values[i] = f.values.([]T)[f.index[r]]
	}
	return values, nil
}
