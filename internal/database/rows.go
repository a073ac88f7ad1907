package database

import (
	"context"
	"database/sql/driver"
	"io"

	"storefront/internal/platform/tracing"
)

// rows releases its prepared statement when it is closed.
type rows struct {
	driver.Rows
	conn  *conn
	st    *statement            // nil: not prepared
	count func(bytes int) error // of WithReadLimit; nil: no limit
	span  *tracing.Statement    // nil: none
	err   error                 // of Next
}

func (r *rows) Next(row []driver.Value) error {
	err := r.Rows.Next(row)
	if err == nil && r.count != nil {
		err = r.count(textBytes(row))
	}
	if r.span != nil && err == nil {
		r.span.Rows++
	} else if err != io.EOF {
		r.err = err
	}
	return err
}

func (r *rows) Close() error {
	if r.conn != nil {
		r.conn.open--
		r.conn = nil
		if r.st != nil {
			r.st.inUse = false
		}
		r.span.End(codeOf(r.err))
	}
	return r.Rows.Close()
}

// readLimitKey is the context key of a function that is called with the bytes of each row.
type readLimitKey struct{}

// WithReadLimit returns a context whose statements call count with the size of the texts in each row, in
// bytes. If count fails, so does the statement, before the row is handed on.
func WithReadLimit(ctx context.Context, count func(bytes int) error) context.Context {
	return context.WithValue(ctx, readLimitKey{}, count)
}

// WithoutReadLimit returns a context whose statements are not counted.
func WithoutReadLimit(ctx context.Context) context.Context { return WithReadLimit(ctx, nil) }

// HasReadLimit reports whether the statements of a context are counted.
func HasReadLimit(ctx context.Context) bool { return readLimit(ctx) != nil }

func readLimit(ctx context.Context) func(bytes int) error {
	count, _ := ctx.Value(readLimitKey{}).(func(bytes int) error)
	return count
}

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
