// Package document reads a shop's content as JSON: values with their positions in the file (Tree, Node), the members of
// an object into a record (Object), and the faults of both (Faults).
package document

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is a JSON value with its position in the file.
type Node struct {
	Kind         jsontext.Kind // one of n f t " 0 { [, or tooDeep
	Text         string        // a string without its quotes, or a number as it is written
	Children     []*Node       // members of an object, items of a list
	Parent       *Node         // nil for the bundle itself
	Name         string        // as a member
	Index        int           // as an item; -1 for members
	Line, Column int
	asked        bool // as a member: it is a known one
	Weight       int  // as an element: roughly how many records it counts for
}

// tooDeep is the kind of a value nested deeper than the format allows.
const tooDeep jsontext.Kind = '?'

// Member returns the member with a name, or nil if there is none.
func (n *Node) Member(name string) *Node {
	for _, m := range n.Children {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Path returns the path of a value from the bundle down, such as products[12].variants[0].price.
func (n *Node) Path() string { return n.pathBelow(nil) }

// pathBelow returns the path of a value from one of the values that contain it.
func (n *Node) pathBelow(top *Node) string {
	if n == top || n.Parent == nil {
		return ""
	}
	above := n.Parent.pathBelow(top)
	switch {
	case n.Index >= 0:
		return above + "[" + strconv.Itoa(n.Index) + "]"
	case !isPlain(n.Name):
		return above + "[" + strconv.Quote(truncate(n.Name, 64)) + "]"
	case above == "":
		return n.Name
	}
	return above + "." + n.Name
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

// Position is where a value begins in the file.
type Position struct {
	path         string
	line, column int
	element      int    // as in Fault
	inside       string // as in Fault
}

// PositionInFile returns the position of a value.
func (n *Node) PositionInFile() Position {
	at := Position{path: n.Path(), line: n.Line, column: n.Column, element: -1}
	var element *Node
	for up := n; up != nil; up = up.Parent {
		if up.Index >= 0 && up.Parent != nil {
			element = up
		}
	}
	if element != nil {
		at.element, at.inside = element.Index, n.pathBelow(element)
	}
	return at
}

// member returns the position of an absent member of an object.
func (at Position) member(name string) Position {
	at.path = strings.TrimPrefix(at.path+"."+name, ".")
	at.inside = strings.TrimPrefix(at.inside+"."+name, ".")
	return at
}

const (
	maxDepth = 8       // levels inside an element; the format has 6
	maxNodes = 100_000 // values inside an element
)

// Tree parses elements into nodes, one element after the other.
type Tree struct {
	Faults  *Faults
	decoder *jsontext.Decoder
	text    []byte
	nodes   int
	from    int // position of the last node: its byte in text, and its line and column in the file
	line    int
	column  int
}

// NewTree returns a parser that adds what is wrong to faults.
func NewTree(faults *Faults) *Tree {
	return &Tree{Faults: faults, decoder: jsontext.NewDecoder(bytes.NewReader(nil))}
}

// Parse parses text into nodes. text is valid JSON and begins at a line and column of the file. The value is
// the member name of parent, or the item index if that is not negative. Parse returns nil if there are too
// many values, after adding a fault.
func (t *Tree) Parse(text []byte, parent *Node, name string, index, line, column int) *Node {
	t.read(text, line, column)
	t.nodes = 0
	top := &Node{Parent: parent, Name: name, Index: index}
	if err := t.fill(top, 0); err != nil {
		t.Faults.AddError(top, err)
		return nil
	}
	return top
}

// read begins to read a text.
func (t *Tree) read(text []byte, line, column int) {
	t.decoder.Reset(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	t.text, t.from, t.line, t.column = text, 0, line, column
}

// fill reads the decoder's next value into n.
func (t *Tree) fill(n *Node, depth int) error {
	if t.nodes++; t.nodes > maxNodes {
		return ErrTooLarge
	}
	n.Kind = t.decoder.PeekKind()
	if n.Kind == '{' || n.Kind == '[' {
		if depth < maxDepth {
			return t.fillChildren(n, depth)
		}
		n.Kind = tooDeep
	}
	raw, err := t.decoder.ReadValue()
	if err != nil {
		return err
	}
	t.locate(n, int(t.decoder.InputOffset())-len(raw))
	switch n.Kind {
	case '"':
		text, err := jsontext.AppendUnquote(nil, raw)
		n.Text = string(text)
		return err
	case '0':
		n.Text = string(raw)
	case tooDeep:
		t.Faults.Add(n, "is nested too deep")
	}
	return nil
}

// fillChildren reads an object or a list.
func (t *Tree) fillChildren(n *Node, depth int) error {
	if _, err := t.decoder.ReadToken(); err != nil {
		return err
	}
	t.locate(n, int(t.decoder.InputOffset())-1)
	names := map[string]bool{} // of an object
	for kind := t.decoder.PeekKind(); kind != '}' && kind != ']'; kind = t.decoder.PeekKind() {
		child := &Node{Parent: n, Index: len(n.Children)}
		twice := false
		if n.Kind == '{' {
			token, err := t.decoder.ReadToken()
			if err != nil {
				return err
			}
			child.Name, child.Index = token.String(), -1
			twice = names[child.Name]
			names[child.Name] = true
		}
		if err := t.fill(child, depth+1); err != nil {
			return err
		}
		if twice {
			t.Faults.Add(child, "is there twice")
			continue
		}
		n.Children = append(n.Children, child)
	}
	_, err := t.decoder.ReadToken()
	return err
}

// locate sets the line and column of n. Nodes must come in the order of the text.
func (t *Tree) locate(n *Node, at int) {
	between := t.text[t.from:at]
	if last := bytes.LastIndexByte(between, '\n'); last >= 0 {
		t.line += bytes.Count(between, []byte{'\n'})
		t.column = len(between) - last
	} else {
		t.column += len(between)
	}
	t.from = at
	n.Line, n.Column = t.line, t.column
}

// HasNull reports whether a text has U+0000, which PostgreSQL cannot store.
func HasNull(text string) bool { return strings.IndexByte(text, 0) >= 0 }

// Strings yields the strings of a value and of all inside it, without the names of members.
func (n *Node) Strings() iter.Seq[string] {
	return func(yield func(string) bool) { n.strings(yield) }
}

func (n *Node) strings(yield func(string) bool) bool {
	if n.Kind == '"' && !yield(n.Text) {
		return false
	}
	return !slices.ContainsFunc(n.Children, func(child *Node) bool { return !child.strings(yield) })
}
