package plan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Leaf is a scalar or an enum, as appended to JSON by a function.
func Leaf[V any](appended func([]byte, V) []byte) Shape[V] {
	return func(*compiler, graphql.CollectedField) (values[V], bool) {
		return values[V]{write: func(w *Writer, v V) { w.json = appended(w.json, v) }}, true
	}
}

// Checked is a scalar that some values of its Go type are not; those are for gqlgen to report.
func Checked[V any](appended func([]byte, V) ([]byte, bool)) Shape[V] {
	return func(*compiler, graphql.CollectedField) (values[V], bool) {
		return values[V]{write: func(w *Writer, v V) {
			written, ok := appended(w.json, v)
			if !ok {
				w.fail(errValue)
				return
			}
			w.json = written
		}}, true
	}
}

// Optional is a scalar or an enum that may be null: a nil pointer.
func Optional[V any](of Shape[V]) Shape[*V] { return pointed(of, false) }

// Required is a scalar or an enum that is a pointer in Go but must not be null.
func Required[V any](of Shape[V]) Shape[*V] { return pointed(of, true) }

func pointed[V any](of Shape[V], nonNull bool) Shape[*V] {
	return func(c *compiler, f graphql.CollectedField) (values[*V], bool) {
		inner, ok := of(c, f)
		return values[*V]{write: func(w *Writer, v *V) {
			switch {
			case v != nil:
				inner.write(w, *v)
			case nonNull:
				w.fail(errNull)
			default:
				w.json = append(w.json, "null"...)
			}
		}}, ok
	}
}

// Record is a record of a type of the table, a pointer.
func Record[R any](nonNull bool) Shape[*R] {
	return func(c *compiler, f graphql.CollectedField) (values[*R], bool) {
		fields, ok := c.table[f.Definition.Type.Name()].(Fields[R])
		if !ok {
			return values[*R]{}, false
		}
		one, ok := fields.record(c, f)
		return orNull(one, nonNull), ok
	}
}

// Struct is a record of a type of the table, a struct.
func Struct[R any]() Shape[R] {
	return func(c *compiler, f graphql.CollectedField) (values[R], bool) {
		fields, ok := c.table[f.Definition.Type.Name()].(Fields[R])
		if !ok {
			return values[R]{}, false
		}
		one, ok := fields.record(c, f)
		if one.write != nil {
			return values[R]{write: func(w *Writer, r R) { one.write(w, &r) }}, ok
		}
		return values[R]{load: func(ctx context.Context, all []R) (column, error) {
			return one.load(ctx, pointers(all))
		}}, ok
	}
}

// Structs is a list of records of a type of the table, structs. nullable: a nil slice is null, not empty.
func Structs[R any](nullable bool) Shape[[]R] {
	return func(c *compiler, f graphql.CollectedField) (values[[]R], bool) {
		fields, ok := c.table[f.Definition.Type.Name()].(Fields[R])
		if !ok {
			return values[[]R]{}, false
		}
		one, ok := fields.record(c, f)
		return listOfStructs(one, nullable), ok
	}
}

// List is a list. nullable: a nil slice is null, not empty.
func List[V any](of Shape[V], nullable bool) Shape[[]V] {
	return func(c *compiler, f graphql.CollectedField) (values[[]V], bool) {
		inner, ok := of(c, f)
		return listOf(inner, nullable), ok
	}
}
