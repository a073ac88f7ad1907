package document

import "strings"

// List returns the items of a member that is a list, and whether the member is given.
func (o *Object) List(name string, most int) ([]*Node, bool) {
	m := o.Value(name)
	if m == nil || !o.checkKind(m, m.Kind == '[', aList) {
		return nil, false
	}
	if len(m.Children) > most {
		o.Faults.Add(m, "must have at most %d items", most)
		return nil, false
	}
	return m.Children, true
}

// Objects returns the items of a list of objects, and whether the list is given. Other items are faults and
// left out.
func (o *Object) Objects(name string, most int) ([]*Object, bool) {
	items, ok := o.List(name, most)
	objects := make([]*Object, 0, len(items))
	for _, item := range items {
		if o.checkKind(item, item.Kind == '{', anObject) {
			objects = append(objects, &Object{Node: item, Faults: o.Faults, Strict: o.Strict})
		}
	}
	return objects, ok
}

// ListOf reads a list of objects, if it is given. read returns the value of an item.
func ListOf[T any](o *Object, name string, dst *[]T, most int, read func(item *Object) T) {
	items, ok := o.Objects(name, most)
	if !ok {
		return
	}
	values := make([]T, 0, len(items))
	for _, item := range items {
		values = append(values, read(item))
		item.RefuseUnknown()
	}
	PutDeep(o, dst, values)
}

// Inner returns a member that is an object, or nil if it is not given. null reports whether it is null.
func (o *Object) Inner(name string) (given *Object, null bool) {
	m := o.Find(name)
	switch {
	case m == nil:
		return nil, false
	case m.Kind == 'n':
		return nil, true
	case !o.checkKind(m, m.Kind == '{', anObject):
		return nil, false
	}
	return &Object{Node: m, Faults: o.Faults, Strict: o.Strict}, false
}

// Texts reads a list of texts.
func (o *Object) Texts(name string, dst *[]string, most, limit int, rules ...Rule) {
	items, ok := o.List(name, most)
	if !ok {
		return
	}
	texts := make([]string, 0, len(items))
	for _, item := range items {
		if text, ok := o.TextOf(item, 1, limit, rules...); ok {
			texts = append(texts, text)
		}
	}
	PutDeep(o, dst, texts)
}

// Key reads a member that identifies the items of a list.
func (o *Object) Key(name string, dst *string, seen map[string]bool, rules ...Rule) {
	o.Text(name, dst, KeyLimit, rules...)
	if *dst == "" {
		return
	}
	if seen[*dst] {
		o.Faults.Add(o.Find(name), "is the one of another item")
	}
	seen[*dst] = true
}

// TextsOf returns the distinct texts of a member of some objects, or of its items. It adds no faults; they
// are added when the members are read.
func TextsOf(batch []*Object, name string) (texts []string) {
	seen := map[string]bool{}
	for _, o := range batch {
		m := o.Member(name)
		if m == nil {
			continue
		}
		values := []*Node{m}
		if m.Kind == '[' {
			values = m.Children
		}
		for _, n := range values {
			text := strings.TrimSpace(n.Text)
			if n.Kind == '"' && !seen[text] && !HasNull(text) {
				seen[text] = true
				texts = append(texts, text)
			}
		}
	}
	return texts
}
