package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"storefront/ent"
)

// cohort is products that were loaded together but stand in many lists, one for each product that they are related to.
// A batch resolver is called for each list; by the cohort, the first call loads for all of them.
type cohort struct {
	products []*ent.Product
	mu       sync.Mutex
	fields   map[string]*cohortField // by alias
}

// cohortField is one field of all products of a cohort.
type cohortField struct {
	once  sync.Once
	place map[*ent.Product]int
	value any // a slice
	err   error
}

// together notes products that were loaded for several lists.
func (s *scope) together(products []*ent.Product) {
	c := &cohort{products: products, fields: map[string]*cohortField{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range products {
		s.cohorts[p] = c
	}
}

func (s *scope) cohortOf(p *ent.Product) *cohort {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cohorts[p]
}

// field gives the place of the field being resolved.
func (c *cohort) field(ctx context.Context) *cohortField {
	alias := graphql.GetFieldContext(ctx).Field.Alias
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fields[alias] == nil {
		c.fields[alias] = &cohortField{}
	}
	return c.fields[alias]
}

// ofAll gives the value of the field being resolved for each product. It loads for the whole cohort of the products, once.
func ofAll[T any](ctx context.Context, products []*ent.Product, load func([]*ent.Product) ([]T, error)) ([]T, error) {
	c := scopeOf(ctx).cohortOf(products[0])
	if c == nil {
		return load(products)
	}
	f := c.field(ctx)
	f.once.Do(func() {
		f.value, f.err = load(c.products)
		f.place = make(map[*ent.Product]int, len(c.products))
		for i, p := range c.products {
			f.place[p] = i
		}
	})
	if f.err != nil {
		return nil, f.err
	}
	values := make([]T, len(products))
	for i, p := range products {
		values[i] = f.value.([]T)[f.place[p]]
	}
	return values, nil
}
