package list

import (
	"context"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"storefront/internal/platform/convert"
	"storefront/internal/request"
)

// siblings are records that were loaded together but are in many places of the answer, such as related
// products in the lists of several products, or the nodes of a connection's edges. gqlgen calls a batch
// resolver once for each place; the first of these calls loads the field for all siblings.
type siblings struct {
	records any // a slice of pointers
	mu      sync.Mutex
	fields  map[string]any // by path, each a function that returns the field's values by record
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
	all := &siblings{records: records, fields: map[string]any{}}
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
	path := pathOf(ctx) // the same records may be below several fields, each with its own arguments
	all.mu.Lock()
	values, ok := all.fields[path].(func() (map[any]T, error))
	if !ok {
		values = sync.OnceValues(func() (map[any]T, error) {
			siblings := all.records.([]R)
			loaded, err := load(ctx, siblings)
			values := make(map[any]T, len(loaded))
			for i, value := range loaded {
				values[siblings[i]] = value
			}
			return values, err
		})
		all.fields[path] = values
	}
	all.mu.Unlock()
	of, err := values()
	if err != nil {
		return nil, err
	}
	return convert.All(records, func(r R) T { return of[r] }), nil
}
