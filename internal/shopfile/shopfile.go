// Package shopfile moves a whole shop from one installation to another, as a file: its content, customers, orders and
// all else that it has, between databases of the same kind or of two.
//
// The shop is closed meanwhile (Close), so that nothing is written that the file has not; it is open where it arrives,
// and stays closed where it was. Which rows travel follows from ent's schema: those that refer to the shop, and the
// accounts of the persons that these refer to. Ids stay as they are, so that links, orders and caches of clients do.
// Accounts are one for a whole installation: a person whose cell number has an account where the shop arrives keeps
// that one, and all that is theirs in the shop is tied to it.
//
// The file is lines of JSON: a header, then for each table its columns and its rows, each an array, and at the end what
// has to be found where it is written: numbers of rows, sums of orders, payments and stock, and a checksum of the lines
// before.
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

// format is the version of the form of files.
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

// migration is the newest migration of this program, on either kind of database.
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

// cell returns what a value of a kind is scanned into, and a function that gives it as it stands in a file.
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

// scanned is a cell of one type; null stays null.
func scanned[T any](show func(T) any) (into any, value func() any) {
	var it *T
	return &it, func() any {
		if it == nil {
			return nil
		}
		return show(*it)
	}
}

// read is the opposite of cell: it reads a value of a file.
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
