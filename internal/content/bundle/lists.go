package bundle

import "strings"

// list returns the items of a member that is a list, and whether the member is given.
func (o *object) list(name string, most int) ([]*node, bool) {
	m := o.given(name)
	if m == nil || !o.checkKind(m, m.kind == '[', aList) {
		return nil, false
	}
	if len(m.children) > most {
		o.faults.add(m, "must have at most %d items", most)
		return nil, false
	}
	return m.children, true
}

// objects returns the items of a list of objects, and whether the list is given. Other items are faults and
// left out.
func (o *object) objects(name string, most int) ([]*object, bool) {
	items, ok := o.list(name, most)
	objects := make([]*object, 0, len(items))
	for _, item := range items {
		if o.checkKind(item, item.kind == '{', anObject) {
			objects = append(objects, &object{node: item, faults: o.faults, strict: o.strict})
		}
	}
	return objects, ok
}

// listOf reads a list of objects, if it is given. read returns the value of an item.
func listOf[T any](o *object, name string, dst *[]T, most int, read func(item *object) T) {
	items, ok := o.objects(name, most)
	if !ok {
		return
	}
	values := make([]T, 0, len(items))
	for _, item := range items {
		values = append(values, read(item))
		item.refuseUnknown()
	}
	putDeep(o, dst, values)
}

// object returns a member that is an object, or nil if it is not given. null reports whether it is null.
func (o *object) object(name string) (given *object, null bool) {
	m := o.find(name)
	switch {
	case m == nil:
		return nil, false
	case m.kind == 'n':
		return nil, true
	case !o.checkKind(m, m.kind == '{', anObject):
		return nil, false
	}
	return &object{node: m, faults: o.faults, strict: o.strict}, false
}

// texts reads a list of texts.
func (o *object) texts(name string, dst *[]string, most, limit int, rules ...rule) {
	items, ok := o.list(name, most)
	if !ok {
		return
	}
	texts := make([]string, 0, len(items))
	for _, item := range items {
		if text, ok := o.string(item, 1, limit, rules...); ok {
			texts = append(texts, text)
		}
	}
	putDeep(o, dst, texts)
}

// key reads a member that identifies the items of a list.
func (o *object) key(name string, dst *string, seen map[string]bool, rules ...rule) {
	o.text(name, dst, keyLimit, rules...)
	if *dst == "" {
		return
	}
	if seen[*dst] {
		o.faults.add(o.find(name), "is the one of another item")
	}
	seen[*dst] = true
}

// textsOf returns the distinct texts of a member of some objects, or of its items. It adds no faults; they
// are added when the members are read.
func textsOf(batch []*object, name string) (texts []string) {
	seen := map[string]bool{}
	for _, o := range batch {
		m := o.member(name)
		if m == nil {
			continue
		}
		values := []*node{m}
		if m.kind == '[' {
			values = m.children
		}
		for _, n := range values {
			text := strings.TrimSpace(n.text)
			if n.kind == '"' && !seen[text] && !hasNull(text) {
				seen[text] = true
				texts = append(texts, text)
			}
		}
	}
	return texts
}
