package graph

import (
	"context"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// cohort is records that were loaded together but stand in many places: products in many lists, one for each product that
// they are related to, or what each edge of a connection leads to. A batch resolver is called for each place; by the
// cohort, the first call loads for all of them.
type cohort struct {
	records any // a slice of pointers
	mu      sync.Mutex
	fields  map[string]*cohortField // by path
}

// cohortField is one field of all records of a cohort.
type cohortField struct {
	once  sync.Once
	place map[any]int
	value any // a slice
	err   error
}

// together notes records that were loaded together.
func together[R any](ctx context.Context, records []R) {
	c := &cohort{records: records, fields: map[string]*cohortField{}}
	s := scopeOf(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range records {
		s.cohorts[r] = c
	}
}

func (s *scope) cohortOf(record any) *cohort {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cohorts[record]
}

// field gives the place of the field being resolved. The same records may stand below several fields, each with arguments
// of its own.
func (c *cohort) field(ctx context.Context) *cohortField {
	path := pathOf(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fields[path] == nil {
		c.fields[path] = &cohortField{}
	}
	return c.fields[path]
}

// pathOf names the field being resolved by its aliases from the root on, without places in lists.
func pathOf(ctx context.Context) string {
	var path []string
	for f := graphql.GetFieldContext(ctx); f != nil; f = f.Parent {
		if f.Index == nil && f.Field.Field != nil {
			path = append(path, f.Field.Alias)
		}
	}
	return strings.Join(path, " ")
}

// ofAll gives the value of the field being resolved for each record. It loads for the whole cohort of the records, once.
func ofAll[R, T any](ctx context.Context, records []R, load func([]R) ([]T, error)) ([]T, error) {
	c := scopeOf(ctx).cohortOf(records[0])
	if c == nil {
		return load(records)
	}
	f := c.field(ctx)
	f.once.Do(func() {
		all := c.records.([]R)
		f.value, f.err = load(all)
		f.place = make(map[any]int, len(all))
		for i, r := range all {
			f.place[r] = i
		}
	})
	if f.err != nil {
		return nil, f.err
	}
	values := make([]T, len(records))
	for i, r := range records {
		values[i] = f.value.([]T)[f.place[r]]
	}
	return values, nil
}
