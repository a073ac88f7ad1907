package bundle

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
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
func readOutline(open Opener, faults *Faults) (*outline, error) {
	src, err := openSource(open)
	if errors.Is(err, errBOM) {
		faults.note(Fault{Message: "must not begin with a byte order mark", Line: 1, Column: 1})
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer src.Close()
	l := &looker{source: src, faults: faults}
	found, err := l.document()
	if err != nil && !l.noteSyntax(err) {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	return found, nil
}

// looker reads a bundle for its outline.
type looker struct {
	*source
	faults *Faults
}

// errNoted ends the reading at a fault that has been added.
var errNoted = errors.New("noted")

func (l *looker) document() (*outline, error) {
	l.permit(maxName)
	if kind := l.decoder.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		l.faults.note(Fault{Message: "must be a JSON object", Line: 1, Column: 1})
		return nil, errNoted
	}
	if _, err := l.decoder.ReadToken(); err != nil {
		return nil, err
	}
	found := &outline{sizes: map[string]int{}}
	seen := map[string]bool{}
	for l.decoder.PeekKind() != '}' {
		l.permit(maxName)
		token, err := l.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		here := l.here(name)
		if seen[name] {
			l.faults.add(here, "is there twice")
		}
		seen[name] = true
		size, err := l.member(here)
		if err != nil {
			return nil, err
		}
		if size >= 0 && !slices.Contains(found.sections, name) {
			found.sections, found.sizes[name] = append(found.sections, name), size
		}
		l.permit(maxName)
	}
	if _, err := l.decoder.ReadToken(); err != nil {
		return nil, err
	}
	for _, name := range []string{"format", "tenant"} {
		if !seen[name] {
			l.faults.addMissing(&node{line: 1, column: 1}, name)
		}
	}
	return found, l.end()
}

// member reads the value of a top-level member. It returns the number of elements of a section, and -1 for
// other members.
func (l *looker) member(here *node) (int, error) {
	kind := l.decoder.PeekKind()
	_, known := memberKinds[here.name]
	shape := shapeOf(here.name)
	switch {
	case kind == 'n' && here.name == "tenant":
		l.faults.add(here, "must not be null")
		fallthrough
	case kind == 'n' && known:
		return -1, l.skip()
	case here.name == "format":
		return -1, l.format(here)
	case !known:
		l.faults.add(here, "is not known")
		return -1, l.skip()
	case kind != shape:
		l.faults.add(here, "must be %s", shapes[shape])
		return -1, l.skip()
	case shape == '{':
		return 1, l.skip()
	}
	return l.elements(here)
}

func (l *looker) format(here *node) error {
	l.permit(maxName)
	raw, err := l.decoder.ReadValue()
	if err != nil {
		return err
	}
	if format, err := jsontext.AppendUnquote(nil, raw); err != nil || string(format) != Format {
		l.faults.add(here, "must be %q", Format)
		return errNoted // do not read a file of another format
	}
	return nil
}

// elements counts the items of a list.
func (l *looker) elements(here *node) (int, error) {
	if _, err := l.decoder.ReadToken(); err != nil {
		return 0, err
	}
	size := 0
	for ; l.decoder.PeekKind() != ']'; size++ {
		if err := l.skip(); err != nil {
			return 0, err
		}
		l.permit(maxName)
	}
	_, err := l.decoder.ReadToken()
	return size, err
}

// skip skips a value, which may be as large as an element.
func (l *looker) skip() error {
	l.permit(maxElement)
	return l.decoder.SkipValue()
}

// end checks that only white space follows the object.
func (l *looker) end() error {
	l.permit(anySize)
	_, err := l.decoder.ReadToken()
	switch {
	case err == io.EOF:
		return nil
	case err == nil || errors.As(err, new(*jsontext.SyntacticError)):
		line, column := l.position(l.decoder.InputOffset())
		l.faults.note(Fault{Message: "goes on after its JSON object", Line: line, Column: column})
		return errNoted
	}
	return err
}

// here returns the node of the member whose name was read last.
func (l *looker) here(name string) *node {
	line, column := l.position(l.decoder.InputOffset())
	return &node{parent: &node{}, name: name, index: -1, line: line, column: column}
}

// noteSyntax adds a fault for a decoder error about the text, and reports whether the error was one.
func (l *looker) noteSyntax(err error) bool {
	if errors.Is(err, errNoted) {
		return true
	}
	one := Fault{}
	if errors.Is(err, errTooLarge) {
		one.Path, one.Message = pathOf(l.decoder.StackPointer()),
			fmt.Sprintf("is too large: an element may have %d MiB", maxElement>>20)
		one.Line, one.Column = l.position(l.decoder.InputOffset())
	} else if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		one.Path, one.Message = pathOf(syntax.JSONPointer), "is not valid JSON: "+syntax.Err.Error()
		one.Line, one.Column = l.position(syntax.ByteOffset)
	} else if errors.Is(err, io.EOF) {
		one.Message, one.Line, one.Column = "is empty", 1, 1
	} else {
		return false
	}
	l.faults.note(one)
	return true
}

// pathOf returns a JSON pointer in the form of a Fault's path.
func pathOf(pointer jsontext.Pointer) string {
	n := &node{}
	for name := range pointer.Tokens() {
		child := &node{parent: n, name: name, index: -1}
		if i, err := strconv.Atoi(name); err == nil {
			child.index = i
		}
		n = child
	}
	return n.path()
}
