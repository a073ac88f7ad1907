package database

import (
	"database/sql/driver"
	"io"
	"reflect"

	"storefront/internal/tracing"
)

// rows releases its prepared statement when it is closed. Where the driver's rows lack an optional
// interface, it answers as database/sql would.
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

func (r *rows) HasNextResultSet() bool {
	inner, ok := r.Rows.(driver.RowsNextResultSet)
	return ok && inner.HasNextResultSet()
}

func (r *rows) NextResultSet() error {
	if inner, ok := r.Rows.(driver.RowsNextResultSet); ok {
		return inner.NextResultSet()
	}
	return io.EOF
}

func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	if inner, ok := r.Rows.(driver.RowsColumnTypeScanType); ok {
		return inner.ColumnTypeScanType(i)
	}
	return reflect.TypeFor[any]()
}

func (r *rows) ColumnTypeDatabaseTypeName(i int) string {
	if inner, ok := r.Rows.(driver.RowsColumnTypeDatabaseTypeName); ok {
		return inner.ColumnTypeDatabaseTypeName(i)
	}
	return ""
}

func (r *rows) ColumnTypeLength(i int) (length int64, known bool) {
	if inner, ok := r.Rows.(driver.RowsColumnTypeLength); ok {
		return inner.ColumnTypeLength(i)
	}
	return 0, false
}

func (r *rows) ColumnTypeNullable(i int) (nullable, known bool) {
	if inner, ok := r.Rows.(driver.RowsColumnTypeNullable); ok {
		return inner.ColumnTypeNullable(i)
	}
	return false, false
}

func (r *rows) ColumnTypePrecisionScale(i int) (precision, scale int64, known bool) {
	if inner, ok := r.Rows.(driver.RowsColumnTypePrecisionScale); ok {
		return inner.ColumnTypePrecisionScale(i)
	}
	return 0, 0, false
}
