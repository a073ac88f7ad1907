package sheet

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// writer writes a sheet for spreadsheets: UTF-8 with a byte order mark, lines that end with CR LF.
type writer struct {
	rows  *bufio.Writer
	still func(context.Context) error // called before each page; may be nil
}

// begin writes the header.
func (w *writer) begin(to io.Writer, header ...string) error {
	if _, err := io.WriteString(to, byteOrderMark); err != nil {
		return err
	}
	w.rows = bufio.NewWriter(to)
	for i, name := range header {
		header[i] = safe(name)
	}
	return w.line(header)
}

var withinQuotes = strings.NewReplacer(`"`, `""`, "\n", "\r\n")

// line writes the cells of a row. Unlike csv.Writer it keeps each CR in a cell: csv.Reader removes only one
// before a line feed.
func (w *writer) line(cells []string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = w.rows.WriteByte(',') // errors are sticky, so the last one is enough
		}
		if strings.ContainsAny(cell, "\",\r\n") || strings.TrimLeftFunc(cell, unicode.IsSpace) != cell {
			cell = `"` + withinQuotes.Replace(cell) + `"`
		}
		_, _ = w.rows.WriteString(cell)
	}
	_, err := w.rows.WriteString("\r\n")
	return err
}

// unchanged is text that is written without the ="…" protection, such as a phone number with blanks or a time.
type unchanged string

// write writes a row. It makes texts safe, not numbers.
func (w *writer) write(cells ...any) error {
	texts := make([]string, len(cells))
	for i, cell := range cells {
		switch cell := cell.(type) {
		case string:
			texts[i] = kept(cell)
		case *string:
			if cell != nil {
				texts[i] = kept(*cell)
			}
		case unchanged:
			texts[i] = safe(string(cell))
		case nil:
		default:
			texts[i] = fmt.Sprint(cell)
		}
	}
	return w.line(texts)
}

const (
	atOnce   = 200             // records are read at a time
	pageTime = 8 * time.Second // how long to wait for the database before each page
)

// pages reads all records in the order of their ids, a page at a time, and passes each to write. While a
// slow client receives the sheet, nothing is open in the database.
func pages[R any](
	ctx context.Context, still func(context.Context) error,
	read func(ctx context.Context, after uuid.UUID) ([]R, error), id func(R) uuid.UUID, write func(R) error,
) error {
	page := func(after uuid.UUID) ([]R, error) {
		ctx, stop := context.WithTimeout(ctx, pageTime)
		defer stop()
		if still != nil {
			if err := still(ctx); err != nil {
				return nil, err
			}
		}
		return read(ctx, after)
	}
	for after := uuid.Nil; ; {
		rows, err := page(after)
		if err != nil {
			return err
		}
		for _, one := range rows {
			if err := write(one); err != nil {
				return err
			}
		}
		if len(rows) < atOnce {
			return nil
		}
		after = id(rows[len(rows)-1])
	}
}
