package database

import "context"

// deferredWrite is a write that a joint transaction does at its end.
type deferredWrite struct {
	key    any
	values []any
	do     func(ctx context.Context, values []any) error
}

type skipDeferredKey struct{}

// SkipDeferred returns a context whose writes leave what BeforeCommit deferred where it is. Any other write has it done
// first, and so finds what it would find without a joint transaction.
func SkipDeferred(ctx context.Context) context.Context {
	return context.WithValue(ctx, skipDeferredKey{}, true)
}

// BeforeCommit leaves a write to the end of the joint transaction of ctx, where do is called once with all
// values of its key: rows that many want are then locked for a short time, and all of them in one order. It
// reports false, and the caller writes at once, where there is no such transaction. Reads do not see what is
// deferred.
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

// writeDeferred does the writes that were deferred.
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
