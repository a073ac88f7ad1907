package list

import (
	"context"
	"sync"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/platform/convert"
)

// Resolvers marked `batch: true` in the schema resolve a field for all records of a list at once. These
// functions bring the loaded values into the order of those records.

// Group returns for each parent the loaded records that refer to it, in the order they were loaded. No list is nil:
// a client would see null.
func Group[T any](parents []uuid.UUID, loaded []T, parent func(T) uuid.UUID) [][]T {
	byParent := make(map[uuid.UUID][]T, len(parents))
	for _, id := range parents {
		byParent[id] = []T{}
	}
	for _, r := range loaded {
		byParent[parent(r)] = append(byParent[parent(r)], r)
	}
	return convert.All(parents, func(id uuid.UUID) []T { return byParent[id] })
}

// Arrange returns for each list of ids the loaded records with these ids, in its order. Ids that were not
// found are left out.
func Arrange[T any](lists [][]uuid.UUID, loaded []T, id func(T) uuid.UUID) [][]T {
	found := make(map[uuid.UUID]T, len(loaded))
	for _, r := range loaded {
		found[id(r)] = r
	}
	arranged := make([][]T, len(lists))
	for i, ids := range lists {
		for _, id := range ids {
			if r, ok := found[id]; ok {
				arranged[i] = append(arranged[i], r)
			}
		}
	}
	return arranged
}

// Flatten returns the distinct ids of all lists.
func Flatten(lists [][]uuid.UUID) []uuid.UUID {
	seen := map[uuid.UUID]bool{}
	var all []uuid.UUID
	for _, ids := range lists {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				all = append(all, id)
			}
		}
	}
	return all
}

// Tally is the number of records with a value in a column of ids, such as a brand; with null the id is nil.
type Tally struct {
	ID    *uuid.UUID `json:"id"`
	Count int        `json:"count"`
}

// TallyBy makes a statement count its records by a column, as Tally.
func TallyBy(column string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Select(sql.As(s.C(column), "id"), sql.As(sql.Count("*"), "count")).GroupBy(s.C(column))
	}
}

// Tallies returns the counts of ids, in their order.
func Tallies(ids []uuid.UUID, counted []Tally) []int {
	of := make(map[uuid.UUID]int, len(counted))
	for _, t := range counted {
		of[*t.ID] = t.Count
	}
	return convert.All(ids, func(id uuid.UUID) int { return of[id] })
}

// Pointers returns a pointer to each item of a list.
func Pointers[T any](items []T) []*T {
	all := make([]*T, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}

// FirstOfEach keeps the records that are among the first of one of several lists of a table. narrow makes a statement
// select the ids of one list, in its order and up to a number. So an index with that order is used for each list.
func FirstOfEach(lists int, narrow func(i int, t *sql.SelectTable, ids *sql.Selector)) func(*sql.Selector) {
	return func(s *sql.Selector) {
		among := make([]*sql.Predicate, lists)
		for i := range among {
			t := sql.Table(s.TableName()).As("branch")
			ids := sql.Dialect(s.Dialect()).Select(t.C("id")).From(t)
			narrow(i, t, ids)
			among[i] = sql.In(s.C("id"), sql.SelectExpr(sql.Raw("id")).From(ids.As("span")))
		}
		s.Where(sql.Or(among...))
	}
}

// Children reads and counts the lists of many parents, for all parents at once.
type Children[T any] struct {
	Load   func(ctx context.Context, part Span) ([][]T, error) // the span of each parent's list
	Totals func() ([]int, error)                               // of the lists; it is called for each of them
	mu     sync.Mutex
	loaded map[spanKey]func() ([][]T, error)
}

// spanKey identifies the spans of one connection: the one it shows, and those before and after it.
type spanKey struct {
	backward bool
	limit    int
}

// Read returns how the list of one parent is read.
func (c *Children[T]) Read(parent int) func(context.Context, Span) ([]T, error) {
	return func(ctx context.Context, part Span) ([]T, error) {
		c.mu.Lock()
		if c.loaded == nil {
			c.loaded = map[spanKey]func() ([][]T, error){}
		}
		key := spanKey{backward: part.backward, limit: part.Limit}
		if c.loaded[key] == nil {
			c.loaded[key] = sync.OnceValues(func() ([][]T, error) { return c.Load(ctx, part) })
		}
		load := c.loaded[key]
		c.mu.Unlock()
		return itemAt(load, parent)
	}
}

// Total counts the list of one parent.
func (c *Children[T]) Total(parent int) func(context.Context) (int, error) {
	return func(context.Context) (int, error) { return itemAt(c.Totals, parent) }
}

// itemAt returns one item of a list that is read.
func itemAt[T any](read func() ([]T, error), i int) (item T, err error) {
	items, err := read()
	if err != nil {
		return item, err
	}
	return items[i], nil
}
