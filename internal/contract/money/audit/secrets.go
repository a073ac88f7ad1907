package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
)

// Canary is a secret, card or cell number that may stand in its own columns alone, such as "users.cell_number".
type Canary struct {
	Text  string
	Homes []string
}

// Leaks checks rule 12 for a log, a file or an answer, which is named by where: no canary is in it, as it stands or
// encoded.
func Leaks(where string, content []byte, planted []Canary) error {
	var b book
	for _, c := range planted {
		text := []byte(c.Text)
		for _, form := range []string{c.Text, url.QueryEscape(c.Text), hex.EncodeToString(text),
			base64.StdEncoding.EncodeToString(text), base64.RawURLEncoding.EncodeToString(text)} {
			if bytes.Contains(content, []byte(form)) && !slices.Contains(c.Homes, where) {
				b.add(12, "%s contains %s", where, c.Text)
				break
			}
		}
	}
	return errors.Join(b.faults...)
}

// DatabaseLeaks checks rule 12 for every column of every table.
func DatabaseLeaks(ctx context.Context, db Database, planted []Canary) error {
	var names []string
	tables := `SELECT name FROM sqlite_master WHERE type = 'table'`
	postgres := each(ctx, db, `SELECT version()`, func(func(...any) error) error { return nil })
	if postgres == nil { // which SQLite calls otherwise
		tables = `SELECT table_name FROM information_schema.tables
			WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`
	}
	err := each(ctx, db, tables, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		names = append(names, name)
		return err
	})
	faults := []error{err}
	for _, name := range names {
		faults = append(faults, tableLeaks(ctx, db, name, planted))
	}
	return errors.Join(faults...)
}

func tableLeaks(ctx context.Context, db Database, table string, planted []Canary) error {
	rows, err := db.QueryContext(ctx, `SELECT * FROM "`+table+`"`)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		places[i] = &values[i]
	}
	texts := make([][]byte, len(columns))
	leaks := make([]error, len(columns))
	look := func(i int) {
		leaks[i] = cmp.Or(leaks[i], Leaks(table+"."+columns[i], texts[i], planted))
		texts[i] = texts[i][:0]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		for i, v := range values {
			if text, is := v.([]byte); is {
				v = string(text)
			}
			if texts[i] = fmt.Appendln(texts[i], v); len(texts[i]) > 1<<20 {
				look(i)
			}
		}
	}
	for i := range columns {
		look(i)
	}
	return errors.Join(append(leaks, rows.Err())...)
}
