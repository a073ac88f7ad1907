package plan

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"storefront/internal/locale/bilingual"
	"storefront/internal/locale/language"
	"storefront/internal/platform/convert"
)

// Field is how one field of records is read and written. P is a pointer to the record.
//
// The type parameters of this package let the compiler check the table; inside, a Field holds only functions
// of any. A function that is generic over structs would be compiled for each type of the schema, and with two
// parameters for each pair of types. Over pointers it is compiled once.
type Field[P any] struct{ make maker }

// maker makes the reader of a selected field. It reports false if the field cannot be planned.
type maker func(c *compiler, f graphql.CollectedField) (reader, bool)

// reader reads and writes a field, or all selected fields, of records. One of its functions is set.
type reader struct {
	write func(w *Writer, record any)

	// load reads what must be read first, for all records at once. It returns the column of their values.
	load func(ctx context.Context, all records) (column, error)

	apart bool // load may take long and needs no other field: it runs concurrently
}

// column writes the i-th of some values.
type column func(w *Writer, i int)

// Value returns a field whose value the record holds.
//
//go:noinline
func Value[P, V any](get func(P) V, shape Shape[V]) Field[P] {
	return Field[P]{func(c *compiler, f graphql.CollectedField) (reader, bool) {
		inner, ok := shape.make(c, f)
		if write := inner.write; write != nil {
			write := write.(func(*Writer, V))
			return reader{write: func(w *Writer, record any) { write(w, get(record.(P))) }}, ok
		}
		return reader{load: func(ctx context.Context, all records) (column, error) {
			got := make([]V, all.n)
			for i, record := range all.list.([]P) {
				got[i] = get(record)
			}
			return inner.load(resolving(ctx, f, nil), got)
		}}, ok
	}}
}

// ValueWith returns a field with arguments whose value the record holds. Without arguments it is read as by
// Value.
//
//go:noinline
func ValueWith[P, V any](read Arguments, get func(P, map[string]any) V, shape Shape[V]) Field[P] {
	with := loaded(read, shape, func(_ context.Context, all []P, arguments map[string]any) ([]V, error) {
		return convert.All(all, func(record P) V { return get(record, arguments) }), nil
	})
	return Field[P]{func(c *compiler, f graphql.CollectedField) (reader, bool) {
		none, err := read(context.Background(), map[string]any{})
		if len(f.Arguments) > 0 || err != nil {
			return with.make(c, f)
		}
		return Value(func(record P) V { return get(record, none) }, shape).make(c, f)
	}}
}

// InLanguage returns a field that shows one of two texts if the request names a language (package bilingual), and
// otherwise the value of own.
//
//go:noinline
func InLanguage[P any](texts bilingual.Texts, own Field[P]) Field[P] {
	return Field[P]{func(c *compiler, f graphql.CollectedField) (reader, bool) {
		made, ok := own.make(c, f)
		choice, asks := bilingual.ChoiceOf(f.Field)
		if !asks || !ok {
			return made, ok
		}
		write := func(w *Writer, record any, in language.Language) {
			text := texts.In(in, record)
			if text == nil {
				w.null(f.Definition.Type.NonNull)
				return
			}
			w.json = AppendString(w.json, *text)
		}
		if in, fixed := choice.Fixed(); fixed {
			return reader{write: func(w *Writer, record any) { write(w, record, in) }}, true
		}
		return reader{load: func(ctx context.Context, all records) (column, error) {
			in, asked := choice.In(ctx)
			if !asked {
				return func(w *Writer, i int) { made.write(w, all.at(i)) }, nil
			}
			return func(w *Writer, i int) { write(w, all.at(i), in) }, nil
		}}, true
	}}
}

// Computed returns a field that is computed from each record.
//
//go:noinline
func Computed[P, V any](compute func(context.Context, P) (V, error), shape Shape[V]) Field[P] {
	return loaded[P](nil, shape, func(ctx context.Context, all []P, _ map[string]any) ([]V, error) {
		got := make([]V, len(all))
		for i, record := range all {
			var err error
			if got[i], err = compute(ctx, record); err != nil {
				return nil, err
			}
		}
		return got, nil
	})
}

// Read returns a field whose value is read for each record on its own, which may take long. Such fields of a
// record are read concurrently.
//
//go:noinline
func Read[P, V any](read func(P, context.Context) (V, error), shape Shape[V]) Field[P] {
	computed := Computed(func(ctx context.Context, record P) (V, error) { return read(record, ctx) }, shape)
	return Field[P]{func(c *compiler, f graphql.CollectedField) (reader, bool) {
		r, ok := computed.make(c, f)
		r.apart = true
		return r, ok
	}}
}

// Batch returns a field that is loaded for all records at once.
//
//go:noinline
func Batch[P, V any](load func(context.Context, []P) ([]V, error), shape Shape[V]) Field[P] {
	return loaded[P](nil, shape, func(ctx context.Context, all []P, _ map[string]any) ([]V, error) {
		return load(ctx, all)
	})
}

// Arguments reads the arguments of a field, as gqlgen's own function does.
type Arguments func(ctx context.Context, raw map[string]any) (map[string]any, error)

// BatchWith returns a field with arguments that is loaded for all records at once.
//
//go:noinline
func BatchWith[P, V any](
	read Arguments, load func(context.Context, []P, map[string]any) ([]V, error), shape Shape[V],
) Field[P] {
	return loaded(read, shape, load)
}

// loaded returns a field whose values a resolver loads. The resolver finds the field in its context.
//
//go:noinline
func loaded[P, V any](
	read Arguments, shape Shape[V], load func(context.Context, []P, map[string]any) ([]V, error),
) Field[P] {
	return Field[P]{func(c *compiler, f graphql.CollectedField) (reader, bool) {
		inner, ok := shape.make(c, f)
		return reader{load: func(ctx context.Context, all records) (column, error) {
			ctx, arguments, err := argumentsOf(ctx, f, read)
			if err != nil {
				return nil, err
			}
			got, err := load(ctx, all.list.([]P), arguments)
			if err != nil {
				return nil, err
			}
			if len(got) != all.n {
				return nil, fmt.Errorf("plan: %s has %d values for %d records", f.Name, len(got), all.n)
			}
			if inner.write != nil {
				write := inner.write.(func(*Writer, V))
				return func(w *Writer, i int) { write(w, got[i]) }, nil
			}
			return inner.load(ctx, got)
		}}, ok
	}}
}

// argumentsOf returns the arguments of a field and the context of its resolver.
func argumentsOf(
	ctx context.Context, f graphql.CollectedField, read Arguments,
) (context.Context, map[string]any, error) {
	if read == nil {
		return resolving(ctx, f, nil), nil, nil
	}
	arguments, err := read(ctx, f.ArgumentMap(graphql.GetOperationContext(ctx).Variables))
	return resolving(ctx, f, arguments), arguments, err
}

// resolving returns the context for a field's resolver and the resolvers below it.
func resolving(ctx context.Context, f graphql.CollectedField, arguments map[string]any) context.Context {
	return graphql.WithFieldContext(ctx,
		&graphql.FieldContext{Object: f.ObjectDefinition.Name, Field: f, Args: arguments, IsResolver: true})
}
