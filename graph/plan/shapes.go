package plan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Shape is how values of type V are written.
type Shape[V any] struct {
	make func(c *compiler, f graphql.CollectedField) (values, bool) // false: it cannot be planned
}

// values writes values of some type V. One of its members is set.
type values struct {
	write any // a func(*Writer, V)

	// load reads what must be read first, for all values at once: a []V. It returns their column.
	load func(ctx context.Context, all any) (column, error)
}

// Leaf returns the shape of a scalar or an enum. appended appends a value to JSON.
//
//go:noinline
func Leaf[V any](appended func([]byte, V) []byte) Shape[V] {
	return leaf(func(w *Writer, v V) { w.json = appended(w.json, v) })
}

// Checked returns the shape of a scalar for which some values of its Go type are invalid. For these appended
// returns false, and gqlgen reports them.
//
//go:noinline
func Checked[V any](appended func([]byte, V) ([]byte, bool)) Shape[V] {
	return leaf(func(w *Writer, v V) {
		written, ok := appended(w.json, v)
		if !ok {
			w.fail(errValue)
			return
		}
		w.json = written
	})
}

//go:noinline
func leaf[V any](write func(*Writer, V)) Shape[V] {
	return Shape[V]{func(*compiler, graphql.CollectedField) (values, bool) { return values{write: write}, true }}
}

// Optional returns the shape of a scalar or an enum that may be null, which is a nil pointer.
//
//go:noinline
func Optional[V any](shape Shape[V]) Shape[*V] { return pointed(shape, false) }

// Required returns the shape of a scalar or an enum that is a pointer in Go but must not be null.
//
//go:noinline
func Required[V any](shape Shape[V]) Shape[*V] { return pointed(shape, true) }

//go:noinline
func pointed[V any](shape Shape[V], nonNull bool) Shape[*V] {
	return Shape[*V]{func(c *compiler, f graphql.CollectedField) (values, bool) {
		inner, ok := shape.make(c, f)
		write, _ := inner.write.(func(*Writer, V))
		return values{write: func(w *Writer, v *V) {
			if v == nil {
				w.null(nonNull)
				return
			}
			write(w, *v)
		}}, ok
	}}
}

// Record returns the shape of a record of a type of the table, as a pointer.
//
//go:noinline
func Record[P any](nonNull bool) Shape[P] {
	return Shape[P]{func(c *compiler, f graphql.CollectedField) (values, bool) {
		one, ok := recordsOf[P](c, f)
		return orNull[P](one, nonNull), ok
	}}
}

// Struct returns the shape of a record of a type of the table, as a struct.
//
//go:noinline
func Struct[R any]() Shape[R] {
	return Shape[R]{func(c *compiler, f graphql.CollectedField) (values, bool) {
		one, ok := recordsOf[*R](c, f)
		if one.write != nil {
			return values{write: func(w *Writer, r R) { one.write(w, &r) }}, ok
		}
		return values{load: func(ctx context.Context, all any) (column, error) {
			return one.load(ctx, recordsIn(pointers(all.([]R))))
		}}, ok
	}}
}

// List returns the shape of a list. If nullable, a nil slice is null instead of empty.
//
//go:noinline
func List[V any](shape Shape[V], nullable bool) Shape[[]V] {
	return Shape[[]V]{func(c *compiler, f graphql.CollectedField) (values, bool) {
		inner, ok := shape.make(c, f)
		return listOf[V](inner, nullable), ok
	}}
}

// Structs returns the shape of a list of records of a type of the table, as structs. If nullable, a nil slice
// is null instead of empty.
//
//go:noinline
func Structs[R any](nullable bool) Shape[[]R] {
	return Shape[[]R]{func(c *compiler, f graphql.CollectedField) (values, bool) {
		one, ok := recordsOf[*R](c, f)
		if one.write != nil {
			return values{write: func(w *Writer, list []R) {
				w.list(len(list), list == nil && nullable, func(i int) { one.write(w, &list[i]) })
			}}, ok
		}
		return values{load: func(ctx context.Context, lists any) (column, error) {
			all, parts := flatten(lists.([][]R), nullable)
			return parts.load(len(all), func() (column, error) { return one.load(ctx, recordsIn(pointers(all))) })
		}}, ok
	}}
}

// recordsOf returns the reader of the records that a field returns. P is their type in the table.
//
//go:noinline
func recordsOf[P any](c *compiler, f graphql.CollectedField) (reader, bool) {
	fields, ok := c.table[f.Definition.Type.Name()].(Fields[P])
	if !ok {
		return reader{}, false
	}
	return c.record(f, fields.field)
}

func pointers[R any](all []R) []*R {
	to := make([]*R, len(all))
	for i := range all {
		to[i] = &all[i]
	}
	return to
}
