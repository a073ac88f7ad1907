package bundle

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/content/document"
)

// outline is the result of the first reading of a bundle: its members in the order of the file. That reading
// checks the whole text, so later readings find well-formed JSON.
type outline struct {
	sections []string       // the members that are given and not null, without format
	sizes    map[string]int // the number of their elements; 1 for an object
}

const (
	maxElement = 4 << 20  // bytes of an element, or of the tenant or profile
	maxName    = 64 << 10 // bytes of text between elements
	anySize    = 1 << 62  // no limit
)

// readOutline reads a whole bundle and adds the faults of its syntax and its top level. A syntax fault ends
// the reading. The error is only about reading.
func readOutline(open Opener, faults *document.Faults) (*outline, error) {
	src, err := document.OpenSource(open)
	if errors.Is(err, document.ErrBOM) {
		faults.Note(document.Fault{Message: "must not begin with a byte order mark", Line: 1, Column: 1})
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer src.Close()
	l := &looker{Source: src, faults: faults}
	found, err := l.document()
	if err != nil && !l.noteSyntax(err) {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	return found, nil
}

// looker reads a bundle for its outline.
type looker struct {
	*document.Source
	faults *document.Faults
}

// errNoted ends the reading at a fault that has been added.
var errNoted = errors.New("noted")

func (l *looker) document() (*outline, error) {
	l.Permit(maxName)
	if kind := l.Decoder.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		l.faults.Note(document.Fault{Message: "must be a JSON object", Line: 1, Column: 1})
		return nil, errNoted
	}
	if _, err := l.Decoder.ReadToken(); err != nil {
		return nil, err
	}
	found := &outline{sizes: map[string]int{}}
	seen := map[string]bool{}
	for l.Decoder.PeekKind() != '}' {
		l.Permit(maxName)
		token, err := l.Decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		here := l.here(name)
		if seen[name] {
			l.faults.Add(here, "is there twice")
		}
		seen[name] = true
		size, err := l.member(here)
		if err != nil {
			return nil, err
		}
		if size >= 0 && !slices.Contains(found.sections, name) {
			found.sections, found.sizes[name] = append(found.sections, name), size
		}
		l.Permit(maxName)
	}
	if _, err := l.Decoder.ReadToken(); err != nil {
		return nil, err
	}
	for _, name := range []string{"format", "tenant"} {
		if !seen[name] {
			l.faults.AddMissing(&document.Node{Line: 1, Column: 1}, name)
		}
	}
	return found, l.end()
}

// member reads the value of a top-level member. It returns the number of elements of a section, and -1 for
// other members.
func (l *looker) member(here *document.Node) (int, error) {
	kind := l.Decoder.PeekKind()
	_, known := needs[here.Name]
	shape := shapeOf(here.Name)
	switch {
	case kind == 'n' && here.Name == "tenant":
		l.faults.Add(here, "must not be null")
		fallthrough
	case kind == 'n' && known:
		return -1, l.skip()
	case here.Name == "format":
		return -1, l.format(here)
	case !known:
		l.faults.Add(here, "is not known")
		return -1, l.skip()
	case kind != shape:
		l.faults.Add(here, "must be %s", document.Shapes[shape])
		return -1, l.skip()
	case shape == '{':
		return 1, l.skip()
	}
	return l.elements(here)
}

func (l *looker) format(here *document.Node) error {
	l.Permit(maxName)
	raw, err := l.Decoder.ReadValue()
	if err != nil {
		return err
	}
	if format, err := jsontext.AppendUnquote(nil, raw); err != nil || string(format) != Format {
		l.faults.Add(here, "must be %q", Format)
		return errNoted // do not read a file of another format
	}
	return nil
}

// elements counts the items of a list.
func (l *looker) elements(here *document.Node) (int, error) {
	if _, err := l.Decoder.ReadToken(); err != nil {
		return 0, err
	}
	size := 0
	for ; l.Decoder.PeekKind() != ']'; size++ {
		if err := l.skip(); err != nil {
			return 0, err
		}
		l.Permit(maxName)
	}
	_, err := l.Decoder.ReadToken()
	return size, err
}

// skip skips a value, which may be as large as an element.
func (l *looker) skip() error {
	l.Permit(maxElement)
	return l.Decoder.SkipValue()
}

// end checks that only white space follows the object.
func (l *looker) end() error {
	l.Permit(anySize)
	_, err := l.Decoder.ReadToken()
	switch {
	case err == io.EOF:
		return nil
	case err == nil || errors.As(err, new(*jsontext.SyntacticError)):
		line, column := l.Position(l.Decoder.InputOffset())
		l.faults.Note(document.Fault{Message: "goes on after its JSON object", Line: line, Column: column})
		return errNoted
	}
	return err
}

// here returns the node of the member whose name was read last.
func (l *looker) here(name string) *document.Node {
	line, column := l.Position(l.Decoder.InputOffset())
	return &document.Node{Parent: &document.Node{}, Name: name, Index: -1, Line: line, Column: column}
}

// noteSyntax adds a fault for a decoder error about the text, and reports whether the error was one.
func (l *looker) noteSyntax(err error) bool {
	if errors.Is(err, errNoted) {
		return true
	}
	one := document.Fault{}
	if errors.Is(err, document.ErrTooLarge) {
		one.Path, one.Message = pathOf(l.Decoder.StackPointer()),
			fmt.Sprintf("is too large: an element may have %d MiB", maxElement>>20)
		one.Line, one.Column = l.Position(l.Decoder.InputOffset())
	} else if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		one.Path, one.Message = pathOf(syntax.JSONPointer), "is not valid JSON: "+syntax.Err.Error()
		one.Line, one.Column = l.Position(syntax.ByteOffset)
	} else if errors.Is(err, io.EOF) {
		one.Message, one.Line, one.Column = "is empty", 1, 1
	} else {
		return false
	}
	l.faults.Note(one)
	return true
}

// pathOf returns a JSON pointer in the form of a Fault's path.
func pathOf(pointer jsontext.Pointer) string {
	n := &document.Node{}
	for name := range pointer.Tokens() {
		child := &document.Node{Parent: n, Name: name, Index: -1}
		if i, err := strconv.Atoi(name); err == nil {
			child.Index = i
		}
		n = child
	}
	return n.Path()
}
