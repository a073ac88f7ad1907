package bundle

import (
	"fmt"

	"storefront/internal/content/document"
)

// LeftOut is the error of an import that has written everything except elements that became invalid because
// the shop changed meanwhile.
type LeftOut struct{ *document.Faults }

func (l *LeftOut) Error() string {
	return "the shop was changed during the import, and what does not fit any more was left out; run it again: " +
		l.Faults.Error()
}

func (l *LeftOut) Unwrap() error { return l.Faults }

// Stopped is the error of an import that passed the check but did not write everything. What it wrote stays;
// another run writes the rest.
type Stopped struct {
	Done  Summary // the records it wrote, at least; unchanged ones are not counted
	Maybe bool    // more may be stored: the answer to the commit of its last transaction was lost
	Cause error
}

func (s *Stopped) Error() string {
	const again = "run it again, and it writes the rest, but a stock in it is set again, too: look first what orders " +
		"have taken meanwhile"
	switch {
	case s.Maybe:
		return fmt.Sprintf("the import was stopped, and its last part may be written; what it wrote stays (%s); %s: %v",
			s.Done.changes(), again, s.Cause)
	case s.Done.Changed():
		return fmt.Sprintf("the import was stopped; what it wrote stays (%s); %s: %v", s.Done.changes(), again, s.Cause)
	}
	return fmt.Sprintf("the import was stopped before it wrote anything; run it again: %v", s.Cause)
}

func (s *Stopped) Unwrap() error { return s.Cause }
