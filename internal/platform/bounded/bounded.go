// Package bounded caches values in memory up to a total weight, such as their bytes. It evicts the values that are used
// least.
//
// It is one cache of otter's behind an interface: a package whose types hold an otter cache compiles all of otter once
// more.
package bounded

import (
	"context"

	"github.com/maypok86/otter/v2"
)

// Cache holds values by key. It may be used concurrently.
type Cache[V any] struct{ of values }

// values is what otter's cache does for Cache.
type values interface {
	get(key string) (any, bool)
	load(ctx context.Context, key string, load func(context.Context, string) (any, error)) (any, error)
	set(key string, value any)
	remove(key string)
	weight() uint64
	evict()
}

// New returns a cache of values that together weigh at most so much.
func New[V any](most uint64, weigh func(key string, value V) uint32) Cache[V] {
	return Cache[V]{open(most, func(key string, value any) uint32 { return weigh(key, value.(V)) })}
}

// Get returns the value of a key.
func (c Cache[V]) Get(key string) (value V, ok bool) {
	got, ok := c.of.get(key)
	if ok {
		value = got.(V)
	}
	return value, ok
}

// Load returns the value of a key, or loads and keeps it. Concurrent callers wait for one of them to load it. A value
// that was loaded with an error is not kept.
func (c Cache[V]) Load(ctx context.Context, key string, load func(context.Context) (V, error)) (value V, err error) {
	got, err := c.of.load(ctx, key, func(ctx context.Context, _ string) (any, error) { return load(ctx) })
	if err == nil {
		value = got.(V)
	}
	return value, err
}

// Set keeps a value. A value that weighs more than all values together may is evicted at once.
func (c Cache[V]) Set(key string, value V) { c.of.set(key, value) }

// Delete removes the value of a key.
func (c Cache[V]) Delete(key string) { c.of.remove(key) }

// Weight returns the weight of all values. Values that are still to be evicted count.
func (c Cache[V]) Weight() uint64 { return c.of.weight() }

// Evict evicts now what would be evicted soon.
func (c Cache[V]) Evict() { c.of.evict() }

type cache struct{ *otter.Cache[string, any] }

func open(most uint64, weigh func(string, any) uint32) values {
	return cache{otter.Must(&otter.Options[string, any]{MaximumWeight: most, Weigher: weigh})}
}

func (c cache) get(key string) (any, bool) { return c.GetIfPresent(key) }

func (c cache) load(ctx context.Context, key string, load func(context.Context, string) (any, error)) (any, error) {
	return c.Get(ctx, key, otter.LoaderFunc[string, any](load))
}

func (c cache) set(key string, value any) { c.Set(key, value) }
func (c cache) remove(key string)         { c.Invalidate(key) }
func (c cache) weight() uint64            { return c.WeightedSize() }
func (c cache) evict()                    { c.CleanUp() }
