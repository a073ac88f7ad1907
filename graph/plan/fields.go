package plan

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
)

// Value is a field whose value the record holds.
func Value[R, V any](get func(*R) V, of Shape[V]) Shape[*R] {
	return func(c *compiler, f graphql.CollectedField) (values[*R], bool) {
		inner, ok := of(c, f)
		if inner.write != nil {
			return values[*R]{write: func(w *Writer, r *R) { inner.write(w, get(r)) }}, ok
		}
		return values[*R]{load: func(ctx context.Context, all []*R) (column, error) {
			got := make([]V, len(all))
			for i, r := range all {
				got[i] = get(r)
			}
			return inner.load(resolving(ctx, f, nil), got)
		}}, ok
	}
}

// Computed is a field that is computed of each record.
func Computed[R, V any](compute func(context.Context, *R) (V, error), of Shape[V]) Shape[*R] {
	return func(c *compiler, f graphql.CollectedField) (values[*R], bool) {
		return loaded(c, f, of, nil, func(ctx context.Context, all []*R, _ map[string]any) ([]V, error) {
			got := make([]V, len(all))
			for i, r := range all {
				var err error
				if got[i], err = compute(ctx, r); err != nil {
					return nil, err
				}
			}
			return got, nil
		})
	}
}

// Read is a field of which each record reads the value by itself, which may take long; such fields of a record
// are read at the same time.
func Read[R, V any](read func(*R, context.Context) (V, error), of Shape[V]) Shape[*R] {
	computed := Computed(func(ctx context.Context, r *R) (V, error) { return read(r, ctx) }, of)
	return func(c *compiler, f graphql.CollectedField) (values[*R], bool) {
		v, ok := computed(c, f)
		v.apart = true
		return v, ok
	}
}

// Batch is a field that is loaded for all records at once.
func Batch[R, V any](load func(context.Context, []*R) ([]V, error), of Shape[V]) Shape[*R] {
	return func(c *compiler, f graphql.CollectedField) (values[*R], bool) {
		return loaded(c, f, of, nil, func(ctx context.Context, all []*R, _ map[string]any) ([]V, error) {
			return load(ctx, all)
		})
	}
}

// Arguments reads the arguments of a field, as gqlgen's own function does.
type Arguments func(ctx context.Context, raw map[string]any) (map[string]any, error)

// BatchWith is a field with arguments that is loaded for all records at once.
func BatchWith[R, V any](
	read Arguments, load func(context.Context, []*R, map[string]any) ([]V, error), of Shape[V],
) Shape[*R] {
	return func(c *compiler, f graphql.CollectedField) (values[*R], bool) {
		return loaded(c, f, of, read, load)
	}
}

// loaded is a field whose values are loaded by a resolver, which finds the field in its context.
func loaded[R, V any](
	c *compiler, f graphql.CollectedField, of Shape[V], read Arguments,
	load func(context.Context, []*R, map[string]any) ([]V, error),
) (values[*R], bool) {
	inner, ok := of(c, f)
	return values[*R]{load: func(ctx context.Context, all []*R) (column, error) {
		var arguments map[string]any
		if read != nil {
			var err error
			arguments, err = read(ctx, f.ArgumentMap(graphql.GetOperationContext(ctx).Variables))
			if err != nil {
				return nil, err
			}
		}
		ctx = resolving(ctx, f, arguments)
		got, err := load(ctx, all, arguments)
		if err != nil {
			return nil, err
		}
		if len(got) != len(all) {
			return nil, fmt.Errorf("plan: %s has %d values for %d records", f.Name, len(got), len(all))
		}
		if inner.write != nil {
			return func(w *Writer, i int) { inner.write(w, got[i]) }, nil
		}
		return inner.load(ctx, got)
	}}, ok
}

// resolving is the context of a field's resolver and of what is resolved below.
func resolving(ctx context.Context, f graphql.CollectedField, arguments map[string]any) context.Context {
	return graphql.WithFieldContext(ctx,
		&graphql.FieldContext{Object: f.ObjectDefinition.Name, Field: f, Args: arguments, IsResolver: true})
}
