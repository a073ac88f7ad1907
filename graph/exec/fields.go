package exec

import (
	"context"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
)

// internal/generate/gqlgen replaces code that gqlgen generates for each field by calls of these functions, which are
// compiled once.

// plainField makes the contexts of a field without arguments.
type plainField struct {
	object               string
	isMethod, isResolver bool
}

func (f plainField) context(_ context.Context, field graphql.CollectedField) (*graphql.FieldContext, error) {
	return &graphql.FieldContext{Object: f.object, Field: field, IsMethod: f.isMethod, IsResolver: f.isResolver}, nil
}

// fieldWithArguments makes the contexts of a field whose arguments args reads.
type fieldWithArguments struct {
	ec    *executionContext
	plain plainField
	args  func(context.Context, map[string]any) (map[string]any, error)
}

func (f fieldWithArguments) context(
	ctx context.Context, field graphql.CollectedField,
) (fc *graphql.FieldContext, err error) {
	fc, _ = f.plain.context(ctx, field)
	defer func() {
		if r := recover(); r != nil {
			err = f.ec.Recover(ctx, r)
			f.ec.Error(ctx, err)
		}
	}()
	ctx = graphql.WithFieldContext(ctx, fc)
	if fc.Args, err = f.args(ctx, field.ArgumentMap(f.ec.Variables)); err != nil {
		f.ec.Error(ctx, err)
	}
	return fc, err
}

// counted returns a function that runs f, and counts an answer that makes the object of out invalid: Null for a field
// that cannot be null, else RequiredNull.
//
//go:noinline
func (ec *executionContext) counted(
	out *graphql.FieldSet, invalid graphql.Marshaler, f func(context.Context) graphql.Marshaler,
) func(context.Context) graphql.Marshaler {
	return func(ctx context.Context) (res graphql.Marshaler) {
		defer func() {
			if r := recover(); r != nil {
				ec.Error(ctx, ec.Recover(ctx, r))
			}
		}()
		res = f(ctx)
		if res == invalid {
			atomic.AddUint32(&out.Invalids, 1)
		}
		return res
	}
}

// root returns a function that runs f as a field of the root.
//
//go:noinline
func (ec *executionContext) root(
	ctx context.Context, f func(context.Context) graphql.Marshaler,
) func(context.Context) graphql.Marshaler {
	return func(context.Context) graphql.Marshaler {
		return ec.OperationContext.RootResolverMiddleware(ctx, f)
	}
}

// count keeps the value of the field at i, and counts it if it makes the object of out invalid, as in counted.
func count(out *graphql.FieldSet, i int, value, invalid graphql.Marshaler) {
	out.Values[i] = value
	if value == invalid {
		atomic.AddUint32(&out.Invalids, 1)
	}
}
