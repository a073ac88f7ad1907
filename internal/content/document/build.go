package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Build returns the node of a value as package encoding/json would write it. The node is the member
// of parent with a name, or the item with an index if that is not negative. Build returns nil if there are too many
// values inside, after adding a fault.
func (t *Tree) Build(value any, parent *Node, name string, index int) *Node {
	t.nodes = 0
	top := &Node{Parent: parent, Name: name, Index: index}
	if err := t.build(reflect.ValueOf(value), top, 0); err != nil {
		t.Faults.AddError(top, err)
		return nil
	}
	return top
}

// build completes n by the kind and the content of a value.
func (t *Tree) build(value reflect.Value, n *Node, depth int) error {
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem() // invalid if it is nil
	}
	null := !value.IsValid() || slices.Contains(nullable, value.Kind()) && value.IsNil()
	if !null {
		if _, ok := value.Interface().(json.Marshaler); ok || slices.Contains(encoded, value.Kind()) {
			text, err := json.Marshal(value.Interface())
			if err != nil {
				return err
			}
			t.read(text, 0, 0)
			return t.fill(n, depth)
		}
	}
	if t.nodes++; t.nodes > maxNodes {
		return ErrTooLarge
	}
	if null {
		n.Kind = jsontext.KindNull
		return nil
	}
	switch value.Kind() {
	case reflect.Bool:
		n.Kind = jsontext.KindFalse
		if value.Bool() {
			n.Kind = jsontext.KindTrue
		}
	case reflect.String:
		n.Kind, n.Text = jsontext.KindString, value.String()
		if value.Type() == reflect.TypeFor[json.Number]() {
			n.Kind = jsontext.KindNumber
		}
	case reflect.Int, reflect.Int64:
		n.Kind, n.Text = jsontext.KindNumber, fmt.Sprint(value)
	case reflect.Slice, reflect.Map:
		if depth >= maxDepth {
			n.Kind = tooDeep
			t.Faults.Add(n, "is nested too deep")
			return nil
		}
		return t.buildChildren(value, n, depth)
	default:
		return fmt.Errorf("document: a value of type %s", value.Type())
	}
	return nil
}

// nullable are the kinds of values that are null if they are nil.
var nullable = []reflect.Kind{reflect.Slice, reflect.Map}

// encoded are the kinds of values whose text package encoding/json makes.
var encoded = []reflect.Kind{reflect.Struct, reflect.Float64}

// buildChildren adds the items of a list, or the members of a map in the order of their names.
func (t *Tree) buildChildren(value reflect.Value, n *Node, depth int) error {
	n.Kind = jsontext.KindBeginArray
	children := make([]reflect.Value, value.Len())
	if value.Kind() == reflect.Map {
		n.Kind = jsontext.KindBeginObject
		names := value.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for i, name := range names {
			n.Children = append(n.Children, &Node{Parent: n, Name: name.String(), Index: -1})
			children[i] = value.MapIndex(name)
		}
	} else {
		for i := range children {
			n.Children = append(n.Children, &Node{Parent: n, Index: i})
			children[i] = value.Index(i)
		}
	}
	for i, child := range n.Children {
		if err := t.build(children[i], child, depth+1); err != nil {
			return err
		}
	}
	return nil
}
