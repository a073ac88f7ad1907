package database

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"time"

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

// Inspector is called before a statement is sent, with the name of its database: SQLite's file, PostgreSQL's
// name. If it returns an error, the statement is not sent.
type Inspector func(database, text string) error

// inspector is nil outside tests.
var inspector Inspector

// Inspect sets the inspector of all databases opened from now on. It does not see the statements of
// migrations. Tests call it before they open a database.
func Inspect(f Inspector) { inspector = f }

func inspectorOf(database string) func(text string) error {
	f := inspector
	if f == nil {
		return nil
	}
	return func(text string) error { return f(database, text) }
}

func (c *conn) inspected(text string) error {
	if c.of.inspect == nil {
		return nil
	}
	return c.of.inspect(text)
}

// Moment is a time that an SQL expression returns; null is the zero time. SQLite gives expressions no type, and so
// returns what it stores: microseconds since 1970.
type Moment struct{ time.Time }

// Scan implements sql.Scanner.
func (m *Moment) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		m.Time = time.Time{}
	case time.Time:
		m.Time = value.UTC()
	case int64:
		m.Time = time.UnixMicro(value).UTC()
	default:
		return fmt.Errorf("a moment is a %T", value)
	}
	return nil
}
