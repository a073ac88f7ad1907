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
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/database/versions"
	"storefront/internal/record"
	"storefront/internal/request"
	shops "storefront/internal/shop"
	"storefront/internal/shop/audit"
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

// Close closes a shop: from then on servers answer requests for it with SHOP_CLOSED. It reports whether the
// shop was open. Work that servers began before may go on for workEnds.
func Close(ctx context.Context, store *ent.Client, domain string) (shop *ent.Tenant, was bool, err error) {
	return set(ctx, store, domain, true)
}

// Open opens a shop that was closed, and reports whether it was.
func Open(ctx context.Context, store *ent.Client, domain string) (shop *ent.Tenant, was bool, err error) {
	return set(ctx, store, domain, false)
}

// set closes or opens a shop, and reports whether that changed it.
func set(ctx context.Context, store *ent.Client, domain string, closes bool) (
	shop *ent.Tenant, changed bool, err error,
) {
	found, err := shops.Find(ctx, store, domain)
	if err != nil {
		return nil, false, fmt.Errorf("find the shop %s: %w", domain, err)
	}
	err = derive.InShop(ctx, store, found.ID, func(ctx context.Context, tx *ent.Tx) error {
		before, err := tx.Tenant.Get(ctx, found.ID)
		if err != nil {
			return err
		}
		if changed = closes == (before.ClosedAt == nil); !changed {
			shop = before
			return nil
		}
		var at *time.Time
		change := tx.Tenant.UpdateOneID(found.ID)
		if closes {
			at = new(record.Now())
			change.SetClosedAt(*at)
		} else {
			change.ClearClosedAt()
		}
		if shop, err = change.Save(ctx); err != nil {
			return err
		}
		ctx = request.WithStaff(ctx, request.Staff{Business: found.ID})
		err = audit.Record(ctx, tx, "moveShop", audit.Change{ // the action closeShop is for its owner
			Kind: "tenant", ID: found.ID, Name: found.Domain,
			Before: closedAt{before.ClosedAt}, After: closedAt{at},
		})
		if err != nil {
			return err
		}
		return derive.Raise(ctx, tx, found.ID) // servers read the row again
	})
	return shop, changed, err
}

// closedAt is the form of closing and opening in the audit log.
type closedAt struct {
	ClosedAt *time.Time `json:"closedAt"`
}

// workEnds is how long after a shop was closed a server may still write to it: it notices within a second,
// and ends requests after eight.
const workEnds = 12 * time.Second

// WaitUntilQuiet returns once no request that began before a shop was closed can still write to it.
func WaitUntilQuiet(ctx context.Context, closed time.Time) error {
	select {
	case <-time.After(time.Until(closed.Add(workEnds))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
