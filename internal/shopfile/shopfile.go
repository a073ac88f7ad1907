// Package shopfile moves a whole shop from one installation to another, as a file: its content, customers,
// orders and everything else, between databases of the same or different kinds.
//
// The shop is closed meanwhile (Close), so that nothing is written that the file lacks; it is opened at its
// new place, and stays closed at the old one. Which rows are moved follows from ent's schema: those that
// refer to the shop, and the accounts of the persons that these refer to. Ids stay the same, so that links,
// orders and caches of clients stay valid. Accounts belong to a whole installation: a person whose cell
// number has an account at the new place keeps that one, and their data in the shop is linked to it.
//
// The file is lines of JSON: a header, then for each table its columns and its rows, each an array, and at
// the end a trailer to check the result with: numbers of rows, sums of orders, payments and stock, and a
// checksum of the lines before.
package shopfile

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/internal/database/versions"
)

// format is the version of the file format.
const format = "storefront-shop/1"

// header is the first line of a file.
type header struct {
	Format    string    `json:"format"`
	Migration string    `json:"migration"` // the newest of the program that has written it
	Domain    string    `json:"domain"`
	Shop      uuid.UUID `json:"shop"`
	ClosedAt  time.Time `json:"closedAt"`
}

// section is the line before the rows of a table.
type section struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

// trailer is the last line of a file.
type trailer struct {
	End    *Figures `json:"end"`
	SHA256 string   `json:"sha256"` // of all lines before
}

// migration returns the newest migration of this program that both kinds of database have.
func migration() (newest string, err error) {
	for _, kind := range []string{dialect.SQLite, dialect.Postgres} {
		names, err := fs.Glob(versions.Files, kind+"/*.sql")
		if err != nil {
			return "", err
		}
		for _, name := range names {
			newest = max(newest, path.Base(name))
		}
	}
	return newest, nil
}

// cell returns a destination for scanning a value of a kind, and a function that returns the value in the
// form of the file.
func cell(kind field.Type) (into any, value func() any, err error) {
	switch kind {
	case field.TypeUUID:
		into, value = scanned(func(id uuid.UUID) any { return id.String() })
	case field.TypeTime:
		into, value = scanned(func(at time.Time) any { return at.UTC().Format(time.RFC3339Nano) })
	case field.TypeString, field.TypeEnum:
		into, value = scanned(func(text string) any { return text })
	case field.TypeJSON:
		into, value = scanned(func(text []byte) any { return string(text) })
	case field.TypeBytes:
		into, value = scanned(func(some []byte) any { return base64.StdEncoding.EncodeToString(some) })
	case field.TypeInt, field.TypeInt64:
		into, value = scanned(func(n int64) any { return n })
	case field.TypeBool:
		into, value = scanned(func(is bool) any { return is })
	default:
		err = fmt.Errorf("a shop's file has no form for values of the type %v", kind)
	}
	return into, value, err
}

// scanned is cell for one type; null stays null.
func scanned[T any](show func(T) any) (into any, value func() any) {
	var it *T
	return &it, func() any {
		if it == nil {
			return nil
		}
		return show(*it)
	}
}

// read parses a value of a file; it is the inverse of cell.
func read(kind field.Type, text json.RawMessage) (any, error) {
	if string(text) == "null" {
		return nil, nil
	}
	switch kind {
	case field.TypeUUID:
		return parsed(text, uuid.Parse)
	case field.TypeTime:
		return parsed(text, func(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) })
	case field.TypeString, field.TypeEnum:
		return parsed(text, func(s string) (string, error) { return s, nil })
	case field.TypeJSON:
		return parsed(text, func(s string) (json.RawMessage, error) {
			if !json.Valid([]byte(s)) {
				return nil, errors.New("is no JSON")
			}
			return json.RawMessage(s), nil
		})
	case field.TypeBytes:
		return parsed(text, base64.StdEncoding.DecodeString)
	case field.TypeInt, field.TypeInt64:
		var n int64
		err := json.Unmarshal(text, &n)
		return n, err
	case field.TypeBool:
		var is bool
		err := json.Unmarshal(text, &is)
		return is, err
	}
	return nil, fmt.Errorf("a shop's file has no form for values of the type %v", kind)
}

func parsed[T any](text json.RawMessage, parse func(string) (T, error)) (any, error) {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	return parse(s)
}
