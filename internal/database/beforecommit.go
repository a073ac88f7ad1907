package database

import "context"

// deferredWrite is a write that a joint transaction does just before its commit.
type deferredWrite struct {
	key    any
	values []any
	do     func(ctx context.Context, values []any) error
}

type skipDeferredKey struct{}

// SkipDeferred returns a context whose writes leave the writes deferred by BeforeCommit pending. Any other
// write has them done first, and so sees their effect.
func SkipDeferred(ctx context.Context) context.Context {
	return context.WithValue(ctx, skipDeferredKey{}, true)
}

// BeforeCommit defers a write to the end of the joint transaction of ctx, where do is called once with all
// values of the same key. Contended rows are then locked only briefly, and always in the same order. Outside
// a joint transaction it reports false and the caller writes at once. Reads do not see deferred writes.
func BeforeCommit(ctx context.Context, key, value any, do func(ctx context.Context, values []any) error) bool {
	j := jointOf(ctx)
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, d := range j.deferred {
		if d.key == key {
			d.values = append(d.values, value)
			return true
		}
	}
	j.deferred = append(j.deferred, &deferredWrite{key, []any{value}, do})
	return true
}

// writeDeferred does the deferred writes.
func (j *Joint) writeDeferred() error {
	j.mu.Lock()
	deferred := j.deferred
	j.deferred = nil
	j.mu.Unlock()
	for _, d := range deferred {
		if err := d.do(SkipDeferred(j.within), d.values); err != nil {
			return err
		}
	}
	return nil
}
