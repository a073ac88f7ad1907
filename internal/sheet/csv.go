// Package sheet reads and writes what shops keep in spreadsheets, as CSV: products with their variants and offers both
// ways, orders and customers out. What is read becomes a bundle (package bundle), whose rules are the only ones.
package sheet

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// begins are the letters with which a spreadsheet takes a cell for a formula.
const begins = "=+-@\t\r\n＝＋－＠"

// safe returns a text as a cell that no spreadsheet takes for a formula: with an apostrophe in front, as people write
// it. shown takes it off again.
func safe(text string) string {
	if isFormula(text) || strings.HasPrefix(text, "'") && (isFormula(text[1:]) || strings.HasPrefix(text[1:], "'")) {
		return "'" + text
	}
	return text
}

// shown returns the text of a cell.
func shown(cell string) string {
	if rest, quoted := strings.CutPrefix(cell, "'"); quoted && (isFormula(rest) || strings.HasPrefix(rest, "'")) {
		return rest
	}
	return cell
}

func isFormula(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(begins, first)
}

// reader reads the rows of a sheet below its first one, which names the columns.
type reader struct {
	rows   *csv.Reader
	header []string
	row    int // the number of the row that was read last, as a spreadsheet counts
}

// mostColumns is how many a sheet may have.
const mostColumns = 300

// newReader reads the names of the columns. Cells stand apart by commas, semicolons or tabs.
func newReader(from io.Reader) (*reader, error) {
	text := bufio.NewReaderSize(from, 64<<10)
	begin, _ := text.Peek(len(byteOrderMark))
	switch {
	case bytes.Equal(begin, []byte(byteOrderMark)):
		_, _ = text.Discard(len(byteOrderMark)) // it is in the buffer
	case bytes.HasPrefix(begin, []byte{0xff, 0xfe}), bytes.HasPrefix(begin, []byte{0xfe, 0xff}):
		return nil, errors.New("the sheet is UTF-16; save it as CSV UTF-8")
	}
	line, err := text.Peek(64 << 10)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	r := &reader{rows: csv.NewReader(text)}
	r.rows.Comma = separator(line)
	r.rows.FieldsPerRecord = -1
	r.rows.ReuseRecord = true
	names, err := r.rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the sheet is empty; its first row names the columns")
	}
	if err != nil {
		return nil, fmt.Errorf("the names of the columns: %w", err)
	}
	for i, name := range names {
		name = strings.TrimSpace(shown(name))
		switch {
		case !utf8.ValidString(name):
			return nil, errors.New("the sheet is not UTF-8; save it as CSV UTF-8")
		case name == "" && i == len(names)-1: // of a separator at the end of the line
			continue
		case name == "":
			return nil, fmt.Errorf("column %d has no name", i+1)
		case slices.Contains(r.header, name):
			return nil, fmt.Errorf("there are two columns %s", name)
		case len(r.header) == mostColumns:
			return nil, fmt.Errorf("there are more than %d columns", mostColumns)
		}
		r.header = append(r.header, name)
	}
	r.row = 1
	return r, nil
}

// separator finds what stands most often between the names of the columns.
func separator(text []byte) rune {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	found, most := ',', 0
	for _, one := range ",;\t" {
		if n := bytes.Count(line, []byte(string(one))); n > most {
			found, most = one, n
		}
	}
	return found
}

// row is one row of a sheet: the texts of its cells by column.
type row struct {
	number int
	cells  map[string]string
}

// next reads the next row that is not empty. It returns io.EOF after the last.
func (r *reader) next() (row, error) {
	for {
		cells, err := r.rows.Read()
		if err != nil {
			return row{}, err
		}
		r.row++
		one := row{number: r.row, cells: make(map[string]string, len(cells))}
		for i, cell := range cells {
			text := strings.TrimSpace(shown(cell))
			switch {
			case !utf8.ValidString(text):
				return row{}, fmt.Errorf("row %d is not UTF-8; save the sheet as CSV UTF-8", r.row)
			case text == "":
			case i >= len(r.header):
				return row{}, fmt.Errorf("row %d has more cells than there are columns", r.row)
			default:
				one.cells[r.header[i]] = text
			}
		}
		if len(one.cells) > 0 {
			return one, nil
		}
	}
}

// writer writes a sheet as spreadsheets read it: UTF-8 with a byte order mark, lines that end with CR LF.
type writer struct{ rows *csv.Writer }

func newWriter(to io.Writer, header ...string) (*writer, error) {
	if _, err := io.WriteString(to, byteOrderMark); err != nil {
		return nil, err
	}
	w := &writer{csv.NewWriter(to)}
	w.rows.UseCRLF = true
	return w, w.rows.Write(header)
}

// write writes a row. Texts are made safe; numbers are not texts.
func (w *writer) write(cells ...any) error {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		switch cell := cell.(type) {
		case string:
			texts[i] = safe(cell)
		case *string:
			if cell != nil {
				texts[i] = safe(*cell)
			}
		case nil:
		default:
			texts[i] = fmt.Sprint(cell)
		}
	}
	return w.rows.Write(texts)
}

// end writes what is left, unless something failed before.
func (w *writer) end(err error) error {
	if err != nil {
		return err
	}
	w.rows.Flush()
	return w.rows.Error()
}
