package plan

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/goroutine"
)

// Fields are the fields of a type whose records are *R, by name.
type Fields[R any] map[string]Shape[*R]

// Shape makes what writes values of type V for a field that was selected; false: it cannot be planned.
type Shape[V any] func(c *compiler, f graphql.CollectedField) (values[V], bool)

// values writes values of type V. One of its functions is set.
type values[V any] struct {
	write func(w *Writer, value V)

	// load reads what must be read first, for all values at once. What it returns writes the i-th of them.
	load func(ctx context.Context, all []V) (column, error)

	apart bool // load may wait long and does not need what other fields load: it runs beside theirs
}

// column writes the i-th of some values.
type column func(w *Writer, i int)

// member is a field of a record.
type member[R any] struct {
	name []byte // as JSON, with the comma before it and the colon
	values[*R]
	beside bool // it is loaded while others are
}

// record makes what writes a record with the fields that are selected of f.
func (fields Fields[R]) record(c *compiler, f graphql.CollectedField) (values[*R], bool) {
	typ := f.Definition.Type.Name()
	names := namesOf(typ, f)
	selected := graphql.CollectFields(c.op, f.Selections, names)
	members := make([]member[R], len(selected))
	loaded, read := false, false
	for i, s := range selected {
		if c.left--; c.left < 0 || !slices.Contains(names, s.ObjectDefinition.Name) {
			return values[*R]{}, false
		}
		written, ok := fields.field(c, typ, s)
		if !ok {
			return values[*R]{}, false
		}
		members[i] = member[R]{name: append(AppendString([]byte{','}, s.Alias), ':'), values: written}
		if i == 0 {
			members[i].name = members[i].name[1:]
		}
		loaded = loaded || written.load != nil
		members[i].beside = written.apart && read // the first one needs no goroutine
		read = read || written.apart
	}
	if !loaded {
		return values[*R]{write: func(w *Writer, r *R) { writeMembers(w, members, r) }}, true
	}
	return values[*R]{load: func(ctx context.Context, all []*R) (column, error) {
		columns, err := loadMembers(ctx, members, all)
		return func(w *Writer, i int) { writeColumns(w, members, columns, all[i], i) }, err
	}}, true
}

// namesOf are the names by which selections may mean a type that a field gives: its own, and its interfaces'.
func namesOf(typ string, f graphql.CollectedField) []string {
	names := []string{typ}
	for _, selection := range f.Selections {
		var of *ast.Definition
		switch s := selection.(type) {
		case *ast.Field:
			of = s.ObjectDefinition
		case *ast.InlineFragment:
			of = s.ObjectDefinition
		case *ast.FragmentSpread:
			of = s.ObjectDefinition
		}
		if of != nil && of.Name == typ {
			return append(names, of.Interfaces...)
		}
	}
	return names
}

func (fields Fields[R]) field(c *compiler, typ string, f graphql.CollectedField) (values[*R], bool) {
	if f.Name == "__typename" {
		name := AppendString(nil, typ)
		return values[*R]{write: func(w *Writer, _ *R) { w.json = append(w.json, name...) }}, true
	}
	shape := fields[f.Name]
	if shape == nil {
		return values[*R]{}, false
	}
	return shape(c, f)
}

func writeMembers[R any](w *Writer, members []member[R], r *R) {
	w.json = append(w.json, '{')
	for i := range members {
		w.json = append(w.json, members[i].name...)
		members[i].write(w, r)
	}
	w.json = append(w.json, '}')
}

func writeColumns[R any](w *Writer, members []member[R], columns []column, r *R, i int) {
	w.json = append(w.json, '{')
	for k := range members {
		w.json = append(w.json, members[k].name...)
		if columns[k] != nil {
			columns[k](w, i)
		} else {
			members[k].write(w, r)
		}
	}
	w.json = append(w.json, '}')
}

// loadMembers loads the fields that are to be loaded of some records.
func loadMembers[R any](ctx context.Context, members []member[R], all []*R) ([]column, error) {
	columns, errs := make([]column, len(members)), make([]error, len(members))
	if len(all) == 0 {
		return columns, nil
	}
	var running goroutine.Group
	load := func(i int) {
		defer recovered(&errs[i])
		columns[i], errs[i] = members[i].load(ctx, all)
	}
	for i := range members {
		if members[i].beside {
			running.Start("loading", func() { load(i) })
		}
	}
	for i := range members {
		if members[i].load != nil && !members[i].beside {
			if load(i); errs[i] != nil {
				break
			}
		}
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// plan makes the plan of a field of the type: of a record, or a list of them.
func (fields Fields[R]) plan(c *compiler, f graphql.CollectedField) (render, bool) {
	one, ok := fields.record(c, f)
	typ := f.Definition.Type
	if !ok || typ.Elem != nil && typ.Elem.Elem != nil {
		return nil, false
	}
	elements := orNull(one, typ.Elem == nil || typ.Elem.NonNull)
	list, structs := listOf(elements, !typ.NonNull), listOfStructs(one, !typ.NonNull)
	return func(ctx context.Context, w *Writer, value any) error {
		switch value := value.(type) {
		case *R:
			if value == nil {
				return errNothing // null, which gqlgen writes where it may be
			}
			return one.writeOne(ctx, w, value)
		case R:
			return one.writeOne(ctx, w, &value)
		case []*R:
			return list.writeOne(ctx, w, value)
		case []R:
			return structs.writeOne(ctx, w, value)
		}
		return errValue
	}, true
}

// writeOne loads what must be loaded for a value and writes it.
func (v values[V]) writeOne(ctx context.Context, w *Writer, value V) error {
	if v.write != nil {
		v.write(w, value)
		return nil
	}
	written, err := v.load(ctx, []V{value})
	if err != nil {
		return err
	}
	written(w, 0)
	return nil
}
