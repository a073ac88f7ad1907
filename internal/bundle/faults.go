package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with a bundle.
type Fault struct {
	Path    string // of the member or element: products[12].variants[0].price; empty for the file itself
	Message string // reads after the path: "must not be negative"
	Line    int    // from 1; 0 when the place is not in the file
	Column  int    // from 1, in bytes
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

// maxFaults are listed; of the others only the number is told.
const maxFaults = 100

// Faults is the error of a bundle that is refused. Nothing of it was written.
type Faults struct {
	List []Fault // the first ones found, in the order of the file
	More int     // beyond those in List
}

func (f *Faults) Error() string {
	var text strings.Builder
	if total := len(f.List) + f.More; total == 1 {
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

// add notes what is wrong with a value of the file.
func (f *Faults) add(n *node, format string, args ...any) { f.addAt(n.placeInFile(), format, args...) }

// addMissing notes that a member is not there.
func (f *Faults) addMissing(n *node, name string) {
	at := n.placeInFile()
	at.path = strings.TrimPrefix(at.path+"."+name, ".")
	f.addAt(at, "is missing")
}

func (f *Faults) addAt(at place, format string, args ...any) {
	f.note(Fault{Path: at.path, Message: fmt.Sprintf(format, args...), Line: at.line, Column: at.column})
}

func (f *Faults) note(one Fault) {
	if len(f.List) == maxFaults {
		f.More++
		return
	}
	f.List = append(f.List, one)
}

// join adds the faults in others.
func (f *Faults) join(others Faults) {
	for _, one := range others.List {
		f.note(one)
	}
	f.More += others.More
}

func (f *Faults) any() bool { return len(f.List) > 0 }

// err is nil for none.
func (f *Faults) err() error {
	if !f.any() {
		return nil
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f
}
