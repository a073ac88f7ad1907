package sheet

import (
	"errors"
	"io"
)

// errManyCells is the error of a row with too many cells.
var errManyCells = errors.New("a row has too many cells")

// bounded reads the text of a sheet until a row has more than mostCells cells: package csv holds all cells
// of a row before anybody can count them, and a row of separators needs a hundred times its bytes.
type bounded struct {
	from   io.Reader
	comma  byte
	cells  int // of the row so far, but one
	quoted bool
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	for i, c := range into[:n] {
		switch {
		case c == '"':
			b.quoted = !b.quoted
		case b.quoted:
		case c == '\n':
			b.cells = 0
		case c == b.comma:
			if b.cells++; b.cells > mostCells {
				return i, errManyCells
			}
		}
	}
	return n, err
}
