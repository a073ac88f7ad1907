package database

import (
	"context"
	"database/sql/driver"
)

// readLimitKey is the context key of a function that is called with the bytes of each row.
type readLimitKey struct{}

// WithReadLimit returns a context whose statements call count with the bytes of the texts in each row they read. A
// statement fails with count's error, before the row is in the memory of its reader.
func WithReadLimit(ctx context.Context, count func(bytes int) error) context.Context {
	return context.WithValue(ctx, readLimitKey{}, count)
}

// WithoutReadLimit returns a context for statements of ctx that are not to be counted.
func WithoutReadLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, readLimitKey{}, nil)
}

// HasReadLimit reports whether the statements of a context are counted.
func HasReadLimit(ctx context.Context) bool { return readLimit(ctx) != nil }

// readLimit returns the function of the context, or nil.
func readLimit(ctx context.Context) func(bytes int) error {
	count, _ := ctx.Value(readLimitKey{}).(func(bytes int) error)
	return count
}

// textBytes is the length of all texts in a row.
func textBytes(row []driver.Value) (n int) {
	for _, value := range row {
		switch value := value.(type) {
		case string:
			n += len(value)
		case []byte:
			n += len(value)
		}
	}
	return n
}
