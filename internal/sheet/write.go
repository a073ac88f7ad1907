package sheet

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
)

// writer writes a sheet as spreadsheets read it: UTF-8 with a byte order mark, lines that end with CR LF.
type writer struct {
	rows  *csv.Writer
	still func(context.Context) error // is asked before each page; nil: nobody is
}

// begin writes the names of the columns.
func (w *writer) begin(to io.Writer, header ...string) error {
	if _, err := io.WriteString(to, byteOrderMark); err != nil {
		return err
	}
	w.rows = csv.NewWriter(to)
	w.rows.UseCRLF = true
	for i, name := range header {
		header[i] = safe(name)
	}
	return w.rows.Write(header)
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

const (
	atOnce   = 200             // records are read at a time
	pageTime = 8 * time.Second // for which the database is waited for before each page
)

// pages reads all records in the order of their ids, some at a time, and gives each to write. While those who take the
// sheet are slow, nothing is open in the database.
func pages[R any](
	ctx context.Context, w *writer, read func(ctx context.Context, after uuid.UUID) ([]R, error), id func(R) uuid.UUID,
	write func(R) error,
) error {
	for after := uuid.Nil; ; {
		rows, err := page(ctx, w, after, read)
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

// page reads the records behind an id.
func page[R any](
	ctx context.Context, w *writer, after uuid.UUID, read func(ctx context.Context, after uuid.UUID) ([]R, error),
) ([]R, error) {
	ctx, stop := context.WithTimeout(ctx, pageTime)
	defer stop()
	if w.still != nil {
		if err := w.still(ctx); err != nil {
			return nil, err
		}
	}
	return read(ctx, after)
}
