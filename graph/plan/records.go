package plan

import (
	"context"
	"reflect"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/platform/goroutine"
)

// Fields are the fields of a type, by name. P is a pointer to its records.
type Fields[P any] map[string]Field[P]

// records is a list of records of one type.
type records struct {
	list any // a []P
	n    int
	at   func(i int) any // a P
}

func recordsIn[P any](all []P) records {
	return records{list: all, n: len(all), at: func(i int) any { return all[i] }}
}

// member is a field of a record.
type member struct {
	name []byte // as JSON, with the comma before it and the colon
	reader
	beside bool // it is loaded while others are loaded
}

// record returns the reader of records with the fields selected below f. makerOf returns nil for a field that
// cannot be planned.
func (c *compiler) record(f graphql.CollectedField, makerOf func(name string) maker) (reader, bool) {
	typ := f.Definition.Type.Name()
	names := namesOf(typ, f)
	selected := graphql.CollectFields(c.op, f.Selections, names)
	members := make([]member, len(selected))
	loaded, read := false, false
	for i, s := range selected {
		if c.left--; c.left < 0 || !slices.Contains(names, s.ObjectDefinition.Name) {
			return reader{}, false
		}
		makeField := makerOf(s.Name)
		if s.Name == "__typename" {
			makeField = constant(AppendString(nil, typ))
		}
		if makeField == nil {
			return reader{}, false
		}
		made, ok := makeField(c, s)
		if !ok {
			return reader{}, false
		}
		members[i] = member{name: append(AppendString([]byte{','}, s.Alias), ':'), reader: made}
		if i == 0 {
			members[i].name = members[i].name[1:]
		}
		loaded = loaded || made.load != nil
		members[i].beside = made.apart && read // the first one needs no goroutine
		read = read || made.apart
	}
	if !loaded {
		return reader{write: func(w *Writer, record any) { writeMembers(w, members, record) }}, true
	}
	return reader{load: func(ctx context.Context, all records) (column, error) {
		columns, err := loadMembers(ctx, members, all)
		return func(w *Writer, i int) { writeColumns(w, members, columns, all, i) }, err
	}}, true
}

// constant returns the maker of a field with a constant value, given as JSON.
func constant(json []byte) maker {
	return func(*compiler, graphql.CollectedField) (reader, bool) {
		return reader{write: func(w *Writer, _ any) { w.json = append(w.json, json...) }}, true
	}
}

// namesOf returns the type conditions that fit the type of a field: its own name and those of its interfaces.
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

func writeMembers(w *Writer, members []member, record any) {
	w.json = append(w.json, '{')
	for i := range members {
		w.json = append(w.json, members[i].name...)
		members[i].write(w, record)
	}
	w.json = append(w.json, '}')
}

func writeColumns(w *Writer, members []member, columns []column, all records, i int) {
	record := all.at(i)
	w.json = append(w.json, '{')
	for k := range members {
		w.json = append(w.json, members[k].name...)
		if columns[k] != nil {
			columns[k](w, i)
		} else {
			members[k].write(w, record)
		}
	}
	w.json = append(w.json, '}')
}

// loadMembers loads the fields of records that need loading.
func loadMembers(ctx context.Context, members []member, all records) ([]column, error) {
	columns, errs := make([]column, len(members)), make([]error, len(members))
	if all.n == 0 {
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

func (fields Fields[P]) field(name string) maker { return fields[name].make }

// plan makes the plan of a field whose value is a record of the type, or a list of them.
func (fields Fields[P]) plan(c *compiler, f graphql.CollectedField) (render, bool) {
	one, ok := c.record(f, fields.field)
	typ := f.Definition.Type
	if !ok || typ.Elem != nil && typ.Elem.Elem != nil {
		return nil, false
	}
	record := orNull[P](one, typ.Elem == nil || typ.Elem.NonNull)
	list := listOf[P](record, !typ.NonNull)
	return func(ctx context.Context, w *Writer, value any) error {
		switch value := byAddress[P](value).(type) {
		case P:
			if isNil(value) {
				return errNothing // null; gqlgen writes it or reports that it is not allowed
			}
			return writeOne(ctx, w, record, value)
		case []P:
			return writeOne(ctx, w, list, value)
		}
		return errValue
	}, true
}

// byAddress returns the address of a struct, or the addresses of the structs of a slice. It returns other
// values unchanged.
func byAddress[P any](value any) any {
	record, of := reflect.TypeFor[P]().Elem(), reflect.ValueOf(value)
	switch {
	case of.Type() == record:
		at := reflect.New(record)
		at.Elem().Set(of)
		return at.Interface()
	case of.Kind() == reflect.Slice && of.Type().Elem() == record && !of.IsNil():
		all := make([]P, of.Len())
		for i := range all {
			all[i] = of.Index(i).Addr().Interface().(P)
		}
		return all
	case of.Kind() == reflect.Slice && of.Type().Elem() == record:
		return []P(nil)
	}
	return value
}

// writeOne loads what must be loaded for a value and writes it.
func writeOne[V any](ctx context.Context, w *Writer, v values, value V) error {
	if v.write != nil {
		v.write.(func(*Writer, V))(w, value)
		return nil
	}
	written, err := v.load(ctx, []V{value})
	if err != nil {
		return err
	}
	written(w, 0)
	return nil
}
