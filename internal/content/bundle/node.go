package bundle

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value with its position in the file.
type node struct {
	kind         jsontext.Kind // one of n f t " 0 { [, or tooDeep
	text         string        // a string without its quotes, or a number as it is written
	children     []*node       // members of an object, items of a list
	parent       *node         // nil for the bundle itself
	name         string        // as a member
	index        int           // as an item; -1 for members
	line, column int
	asked        bool // as a member: it is a known one
	weight       int  // as an element: roughly how many records it counts for
}

// tooDeep is the kind of a value nested deeper than the format allows.
const tooDeep jsontext.Kind = '?'

// member returns the member with a name, or nil if there is none.
func (n *node) member(name string) *node {
	for _, m := range n.children {
		if m.name == name {
			return m
		}
	}
	return nil
}

// path returns the path of a value from the bundle down, such as products[12].variants[0].price.
func (n *node) path() string {
	if n == nil || n.parent == nil {
		return ""
	}
	above := n.parent.path()
	switch {
	case n.index >= 0:
		return above + "[" + strconv.Itoa(n.index) + "]"
	case !isPlain(n.name):
		return above + "[" + strconv.Quote(truncate(n.name, 64)) + "]"
	case above == "":
		return n.name
	}
	return above + "." + n.name
}

// isPlain reports whether a member's name needs no quotes in a path.
func isPlain(name string) bool {
	for _, r := range name {
		if r != '_' && r != '-' && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') {
			return false
		}
	}
	return name != "" && len(name) <= 64
}

// truncate returns a text cut to at most limit characters.
func truncate(text string, limit int) string {
	for i := range text {
		if limit--; limit < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// position is where a value begins in the file.
type position struct {
	path         string
	line, column int
}

// positionInFile returns the position of a value.
func (n *node) positionInFile() position { return position{n.path(), n.line, n.column} }

const (
	maxDepth = 8       // levels inside an element; the format has 6
	maxNodes = 100_000 // values inside an element
)

// tree parses elements into nodes, one element after the other.
type tree struct {
	faults  *Faults
	decoder *jsontext.Decoder
	text    []byte
	nodes   int
	from    int // position of the last node: its byte in text, and its line and column in the file
	line    int
	column  int
}

func newTree(faults *Faults) *tree {
	return &tree{faults: faults, decoder: jsontext.NewDecoder(bytes.NewReader(nil))}
}

// parse parses text into nodes. text is valid JSON and begins at a line and column of the file. The value is
// the member name of parent, or the item index if that is not negative. parse returns nil if there are too
// many values, after adding a fault.
func (t *tree) parse(text []byte, parent *node, name string, index, line, column int) *node {
	t.decoder.Reset(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	t.text, t.nodes, t.from, t.line, t.column = text, 0, 0, line, column
	top := &node{parent: parent, name: name, index: index}
	if err := t.fill(top, 0); err != nil {
		t.faults.addError(top, err)
		return nil
	}
	return top
}

// fill reads the decoder's next value into n.
func (t *tree) fill(n *node, depth int) error {
	if t.nodes++; t.nodes > maxNodes {
		return errTooLarge
	}
	n.kind = t.decoder.PeekKind()
	if n.kind == '{' || n.kind == '[' {
		if depth < maxDepth {
			return t.fillChildren(n, depth)
		}
		n.kind = tooDeep
	}
	raw, err := t.decoder.ReadValue()
	if err != nil {
		return err
	}
	t.locate(n, int(t.decoder.InputOffset())-len(raw))
	switch n.kind {
	case '"':
		text, err := jsontext.AppendUnquote(nil, raw)
		n.text = string(text)
		return err
	case '0':
		n.text = string(raw)
	case tooDeep:
		t.faults.add(n, "is nested too deep")
	}
	return nil
}

// fillChildren reads an object or a list.
func (t *tree) fillChildren(n *node, depth int) error {
	if _, err := t.decoder.ReadToken(); err != nil {
		return err
	}
	t.locate(n, int(t.decoder.InputOffset())-1)
	names := map[string]bool{} // of an object
	for kind := t.decoder.PeekKind(); kind != '}' && kind != ']'; kind = t.decoder.PeekKind() {
		child := &node{parent: n, index: len(n.children)}
		twice := false
		if n.kind == '{' {
			token, err := t.decoder.ReadToken()
			if err != nil {
				return err
			}
			child.name, child.index = token.String(), -1
			twice = names[child.name]
			names[child.name] = true
		}
		if err := t.fill(child, depth+1); err != nil {
			return err
		}
		if twice {
			t.faults.add(child, "is there twice")
			continue
		}
		n.children = append(n.children, child)
	}
	_, err := t.decoder.ReadToken()
	return err
}

// locate sets the line and column of n. Nodes must come in the order of the text.
func (t *tree) locate(n *node, at int) {
	between := t.text[t.from:at]
	if last := bytes.LastIndexByte(between, '\n'); last >= 0 {
		t.line += bytes.Count(between, []byte{'\n'})
		t.column = len(between) - last
	} else {
		t.column += len(between)
	}
	t.from = at
	n.line, n.column = t.line, t.column
}

// hasNull reports whether a text has U+0000, which PostgreSQL cannot store.
func hasNull(text string) bool { return strings.IndexByte(text, 0) >= 0 }
