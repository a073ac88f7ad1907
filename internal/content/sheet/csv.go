// Package sheet reads and writes shops' spreadsheets as CSV: products with their variants and offers are
// imported and exported, orders and customers only exported. An imported sheet becomes a bundle (package
// bundle), whose rules are the only ones.
package sheet

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"storefront/internal/fault"
)

const byteOrderMark = "\uFEFF"

// reader reads the rows of a sheet below its header. It adds errors of the text itself to the faults.
type reader struct {
	rows   *csv.Reader
	faults *Faults
	header []string
	top    int // the row of the header
	number int // of the row that was read last, as a spreadsheet counts
	line   int // on which that row ends
	most   int // rows; 0: any number
	read   int // rows below the first one that are not empty
}

const (
	mostColumns = 300   // that any sheet may have
	mostCells   = 4_000 // of a row
)

// newReader reads the header. Rows above it must be empty, except for one that names the separator: comma,
// semicolon or tab. It fails with *Faults for a text that is not a sheet.
func newReader(from io.Reader, faults *Faults) (*reader, error) {
	text := bufio.NewReaderSize(from, 64<<10)
	begin, _ := text.Peek(len(byteOrderMark))
	switch {
	case bytes.Equal(begin, []byte(byteOrderMark)):
		_, _ = text.Discard(len(byteOrderMark)) // it is in the buffer
	case bytes.HasPrefix(begin, []byte{0xff, 0xfe}), bytes.HasPrefix(begin, []byte{0xfe, 0xff}):
		return nil, refused(1, "", "is UTF-16; save the sheet as CSV UTF-8")
	}
	begin, err := text.Peek(64 << 10)
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull):
		return nil, err
	case bytes.IndexByte(begin, 0) >= 0:
		return nil, refused(1, "", "holds U+0000, as UTF-16 does; save the sheet as CSV UTF-8")
	case bytes.IndexByte(begin, '\r') >= 0 && bytes.IndexByte(begin, '\n') < 0:
		return nil, refused(1, "", "ends its lines with CR alone; save the sheet as CSV UTF-8")
	}
	r := &reader{faults: faults}
	comma := separator(begin)
	if said := separatorLine.FindSubmatch(begin); said != nil {
		comma, r.number = rune(said[1][0]), 1
		_, _ = text.Discard(len(said[0])) // it is in the buffer
	}
	r.rows = csv.NewReader(&bounded{from: text, comma: byte(comma)})
	r.rows.Comma = comma
	r.rows.FieldsPerRecord = -1
	r.rows.ReuseRecord = true
	var names []string
	for err = nil; err == nil && strings.TrimSpace(strings.Join(names, "")) == ""; {
		names, err = r.cells()
	}
	if errors.Is(err, io.EOF) && faults.any() {
		return nil, faults
	}
	if errors.Is(err, io.EOF) {
		return nil, refused(1, "", "is empty; the first row names the columns")
	}
	if err != nil {
		return nil, err
	}
	r.top = r.number
	for _, name := range names {
		name = columnAs(strings.TrimSpace(shown(name)))
		switch {
		case !utf8.ValidString(name):
			return nil, refused(r.top, "", "is not UTF-8; save the sheet as CSV UTF-8")
		case strings.Contains(name, "\r"):
			return nil, refused(r.top, "", "ends its lines with CR alone; save the sheet as CSV UTF-8")
		case name != "" && slices.Contains(r.header, name):
			return nil, refused(r.top, name, "stands there twice")
		}
		r.header = append(r.header, name)
	}
	return r, nil
}

// separatorLine is what some spreadsheets write above the header.
var separatorLine = regexp.MustCompile("(?i)^\"?sep=([,;\t])\"?\r?\n")

// separator returns the most frequent separator in the header.
func separator(text []byte) rune {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, " \r\n"), []byte("\n"))
	found, most := ',', 0
	for _, one := range ",;\t" {
		if n := bytes.Count(line, []byte(string(one))); n > most {
			found, most = one, n
		}
	}
	return found
}

// cells reads the next row that is not blank, and counts it and the blank lines before it. After a row whose
// end is unclear it returns io.EOF.
func (r *reader) cells() ([]string, error) {
	cells, err := r.rows.Read()
	if broken, ok := errors.AsType[*csv.ParseError](err); ok {
		at := r.number + broken.StartLine - r.line
		if errors.Is(err, csv.ErrBareQuote) {
			r.faults.add(at, "",
				"has a quotation mark within a cell that begins without one; nothing below it was read")
		} else {
			r.faults.add(at, "", "has a cell that ends without its quotation mark; nothing below it was read")
		}
		return nil, io.EOF
	}
	if errors.Is(err, errManyCells) {
		r.faults.add(r.number+1, "", "has more than %d cells; nothing below it was read", mostCells)
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	line, _ := r.rows.FieldPos(0)
	r.number += line - r.line
	r.line = line
	for _, cell := range cells {
		r.line += strings.Count(cell, "\n")
	}
	return cells, nil
}

// row is one row of a sheet: the texts of its cells by column.
type row struct {
	number int
	cells  map[string]string
}

// next reads the next row that is not empty. It returns io.EOF after the last.
func (r *reader) next() (row, error) {
	for {
		cells, err := r.cells()
		if err != nil {
			return row{}, err
		}
		one := row{number: r.number, cells: map[string]string{}}
		for i, cell := range cells {
			text := strings.TrimSpace(shown(cell))
			switch {
			case text == "":
			case i >= len(r.header):
				r.faults.add(r.number, "", "has more cells than there are columns")
			case r.header[i] == "":
				r.faults.add(r.number, "", "has a cell in column %d, which has no name", i+1)
			case !utf8.ValidString(text):
				r.faults.add(r.number, r.header[i], "is not UTF-8; save the sheet as CSV UTF-8")
			default:
				one.cells[r.header[i]] = text
			}
		}
		if len(one.cells) == 0 {
			continue
		}
		if r.read++; r.most > 0 && r.read > r.most {
			r.faults.add(r.number, "", "is one too many: a sheet has at most %d rows below the names of its columns",
				r.most)
			return row{}, io.EOF
		}
		return one, nil
	}
}

// refused returns the error of a text that is not a sheet, or has wrong columns. format must be a constant,
// as of fault.Say.
func refused(row int, column, format string, args ...any) error {
	return &Faults{List: []Fault{{Row: row, Column: column, Text: fault.Say(format, args...)}}}
}
