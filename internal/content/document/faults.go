package document

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"storefront/internal/fault"
)

// Fault is one error in a bundle.
type Fault struct {
	Path    string // of the member or element: products[12].variants[0].price; empty for the file itself
	Message string // reads after the path: "must not be negative"
	Line    int    // from 1; 0 if the fault has no position in the file
	Column  int    // from 1, in bytes
	Element int    // the index of the element that has the fault; -1: it is not inside of a list of elements
	Inside  string // the part of Path inside of that element; empty for the element itself
	text    fault.Text
}

// Text returns the message in both languages.
func (f Fault) Text() fault.Text {
	if f.text.Format == "" {
		return fault.Words(f.Message)
	}
	return f.text
}

func (f Fault) String() string {
	text := f.Message
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Line > 0 {
		text += fmt.Sprintf(" (line %d, column %d)", f.Line, f.Column)
	}
	return text
}

// maxFaults is how many faults are listed, unless Faults.Most is another number. The rest is only counted.
const maxFaults = 100

// Faults is the error of a refused bundle. Nothing of it was written.
type Faults struct {
	List []Fault // the first ones found, in the order of the file
	More int     // beyond those in List

	Most int // that are listed; 0: maxFaults
}

func (f *Faults) Error() string {
	var text strings.Builder
	if total := f.Total(); total == 1 {
		text.WriteString("the bundle has a fault:")
	} else {
		fmt.Fprintf(&text, "the bundle has %d faults:", total)
	}
	for _, one := range f.List {
		text.WriteString("\n  " + one.String())
	}
	if f.More > 0 {
		fmt.Fprintf(&text, "\n  and %d more", f.More)
	}
	return text.String()
}

// Add adds a fault of a value of the file. format must be a constant, as for fault.Say.
func (f *Faults) Add(n *Node, format string, args ...any) {
	f.AddAt(n.PositionInFile(), format, args...)
}

// AddError adds the error of a rule as the fault of a value.
func (f *Faults) AddError(n *Node, err error) {
	text := fault.Words(err.Error())
	if said, ok := errors.AsType[wrong](err); ok {
		text = said.Text
	}
	f.AddText(n.PositionInFile(), err.Error(), text)
}

// AddMissing adds the fault that a member is absent.
func (f *Faults) AddMissing(n *Node, name string) {
	f.AddText(n.PositionInFile().member(name), "is missing", fault.Say("is required"))
}

// AddAt is Add for a position.
func (f *Faults) AddAt(at Position, format string, args ...any) {
	text := fault.Say(format, args...)
	f.AddText(at, text.String(), text)
}

// AddText adds a fault: message is what imports show, text what editors see, in both languages.
func (f *Faults) AddText(at Position, message string, text fault.Text) {
	f.Note(Fault{Path: at.path, Message: message, Line: at.line, Column: at.column, Element: at.element,
		Inside: at.inside, text: text})
}

// Fields returns the faults as the error of a request, or nil if there are none.
func (f *Faults) Fields() error {
	var bad fault.Fields
	for _, one := range f.List {
		bad.AddText(dotted(one.Path), one.text)
	}
	return bad.Err()
}

// ByElement returns the faults by the index of their element, with paths inside of it.
func (f *Faults) ByElement() map[int]*fault.Fields {
	bad := map[int]*fault.Fields{}
	for _, one := range f.List {
		if bad[one.Element] == nil {
			bad[one.Element] = new(fault.Fields)
		}
		bad[one.Element].AddText(dotted(one.Inside), one.text)
	}
	return bad
}

// dotted returns a path as errors of requests have it: variants.0.price.
func dotted(path string) string { return strings.NewReplacer("[", ".", "]", "").Replace(path) }

// Note adds a finished fault, or counts it if the list is full.
func (f *Faults) Note(add Fault) {
	if len(f.List) == cmp.Or(f.Most, maxFaults) {
		f.More++
		return
	}
	f.List = append(f.List, add)
}

// Join adds the faults of another list.
func (f *Faults) Join(others Faults) {
	for _, one := range others.List {
		f.Note(one)
	}
	f.More += others.More
}

// Total returns the number of faults.
func (f *Faults) Total() int { return len(f.List) + f.More }

// Any reports whether there are faults.
func (f *Faults) Any() bool { return len(f.List) > 0 }

// Err returns f as an error, or nil if it has no faults.
func (f *Faults) Err() error {
	if !f.Any() {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f
}
