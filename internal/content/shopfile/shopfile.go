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
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/internal/database/versions"
)

const format = "storefront-shop/1"

type header struct {
	Format    string    `json:"format"`
	Migration string    `json:"migration"` // the newest of the program that has written it
	Domain    string    `json:"domain"`
	Shop      uuid.UUID `json:"shop"`
	ClosedAt  time.Time `json:"closedAt"`
}

type section struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

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

// forms parse the values of a file, by their kinds. JSON and bytes are texts in it.
var forms = map[field.Type]func(text json.RawMessage) (any, error){
	field.TypeUUID: parsed[uuid.UUID], field.TypeTime: parsed[time.Time], field.TypeString: parsed[string],
	field.TypeEnum: parsed[string], field.TypeBytes: parsed[[]byte], field.TypeInt: parsed[int64],
	field.TypeInt64: parsed[int64], field.TypeBool: parsed[bool],
	field.TypeJSON: func(text json.RawMessage) (any, error) {
		value, err := parsed[string](text)
		if inner, is := value.(string); is {
			if !json.Valid([]byte(inner)) {
				return nil, errors.New("is no JSON")
			}
			return json.RawMessage(inner), nil
		}
		return value, err
	},
}

// parsed returns a value, or nil for null.
func parsed[T any](text json.RawMessage) (any, error) {
	var value *T
	if err := json.Unmarshal(text, &value); err != nil || value == nil {
		return nil, err
	}
	return *value, nil
}
