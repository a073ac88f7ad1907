package bundle

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

// maxFaults is how many faults are listed, unless Faults.most is another number. The rest is only counted.
const maxFaults = 100

// Faults is the error of a refused bundle. Nothing of it was written.
type Faults struct {
	List []Fault // the first ones found, in the order of the file
	More int     // beyond those in List

	most int // that are listed; 0: maxFaults
}

func (f *Faults) Error() string {
	var text strings.Builder
	if total := f.total(); total == 1 {
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

// add adds a fault of a value of the file. format must be a constant, as for fault.Say.
func (f *Faults) add(n *node, format string, args ...any) {
	f.addAt(n.positionInFile(), format, args...)
}

// addError adds the error of a rule as the fault of a value.
func (f *Faults) addError(n *node, err error) {
	text := fault.Words(err.Error())
	if said, ok := errors.AsType[wrong](err); ok {
		text = said.Text
	}
	f.addText(n.positionInFile(), err.Error(), text)
}

// addMissing adds the fault that a member is absent.
func (f *Faults) addMissing(n *node, name string) {
	at := n.positionInFile()
	at.path = strings.TrimPrefix(at.path+"."+name, ".")
	f.addText(at, "is missing", fault.Say("is required"))
}

func (f *Faults) addAt(at position, format string, args ...any) {
	text := fault.Say(format, args...)
	f.addText(at, text.String(), text)
}

// addText adds a fault: message is what imports show, text what editors see, in both languages.
func (f *Faults) addText(at position, message string, text fault.Text) {
	f.note(Fault{Path: at.path, Message: message, Line: at.line, Column: at.column, text: text})
}

// fields returns the faults as the error of a request.
func (f *Faults) fields() error {
	var bad fault.Fields
	for _, one := range f.List {
		bad.AddText(strings.NewReplacer("[", ".", "]", "").Replace(one.Path), one.text)
	}
	return bad.Err()
}

func (f *Faults) note(one Fault) {
	if len(f.List) == cmp.Or(f.most, maxFaults) {
		f.More++
		return
	}
	f.List = append(f.List, one)
}

// join adds the faults of another list.
func (f *Faults) join(others Faults) {
	for _, one := range others.List {
		f.note(one)
	}
	f.More += others.More
}

func (f *Faults) total() int { return len(f.List) + f.More }

func (f *Faults) any() bool { return len(f.List) > 0 }

// err returns f as an error, or nil if it has no faults.
func (f *Faults) err() error {
	if !f.any() {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f
}
