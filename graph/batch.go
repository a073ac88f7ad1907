package graph

import (
	"context"
	"sync"

	"github.com/google/uuid"
)

// Resolvers marked `batch: true` in the schema answer for all records of a list at once. What follows brings what they
// loaded into the order of those records.

// idsOf gives the ids of records.
func idsOf[T any](records []T, id func(T) uuid.UUID) []uuid.UUID {
	ids := make([]uuid.UUID, len(records))
	for i, r := range records {
		ids[i] = id(r)
	}
	return ids
}

// group gives to each parent the loaded records that name it, in the order they were loaded; none is an empty list.
func group[T any](parents []uuid.UUID, loaded []T, parent func(T) uuid.UUID) [][]T {
	of := make(map[uuid.UUID][]T, len(parents))
	for _, r := range loaded {
		of[parent(r)] = append(of[parent(r)], r)
	}
	groups := make([][]T, len(parents))
	for i, id := range parents {
		groups[i] = of[id]
	}
	return groups
}

// arrange gives to each list of ids the loaded records it names, in its order; an id that was not found is left out.
func arrange[T any](lists [][]uuid.UUID, loaded []T, id func(T) uuid.UUID) [][]T {
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

func itemIDs[T any](records []T, ids func(T) []uuid.UUID) [][]uuid.UUID {
	lists := make([][]uuid.UUID, len(records))
	for i, r := range records {
		lists[i] = ids(r)
	}
	return lists
}

// flatten gives the distinct ids of all lists.
func flatten(lists [][]uuid.UUID) []uuid.UUID {
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

// pointers gives a pointer to each item of a list.
func pointers[T any](items []T) []*T {
	all := make([]*T, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}

// ofEach reads stretches of many lists, one of each parent, for all of them at once.
type ofEach[T any] struct {
	load   func(ctx context.Context, part stretch) ([][]T, error) // the stretch of each parent's list
	mu     sync.Mutex
	loaded map[side]func() ([][]T, error)
}

// side tells the stretches of one connection apart: the one it shows, and what lies on either side of it.
type side struct {
	backward bool
	limit    int
}

// of gives the stretch of one parent's list.
func (e *ofEach[T]) of(ctx context.Context, parent int, part stretch) ([]T, error) {
	e.mu.Lock()
	if e.loaded == nil {
		e.loaded = map[side]func() ([][]T, error){}
	}
	this := side{part.backward, part.limit}
	if e.loaded[this] == nil {
		e.loaded[this] = sync.OnceValues(func() ([][]T, error) { return e.load(ctx, part) })
	}
	load := e.loaded[this]
	e.mu.Unlock()
	lists, err := load()
	if err != nil {
		return nil, err
	}
	return lists[parent], nil
}
