// Package derive keeps what is computed from a tenant's content beside that content: price ranges and
// ratings of products, the listing time and search text of variants, the inverted index of lists, and the
// content's version.
//
// Who changes content holds the lock of the shop's content (Lock): the Guard refuses others. Records is the
// last work of such a transaction, be it an import (internal/bundle) or an edit by staff: it computes from
// what it reads under the lock. Only rows that differ are written. Records that are new can be written with
// what Product, Variant and Listings compute of them. Raise alone is for changes of which nothing is derived,
// such as a variant that is sold out (internal/order).
package derive

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"
)

// Executor runs statements inside the transaction of the content's change; *ent.Tx is one.
type Executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Change names the products, user products, blogs and portfolios of a tenant that a transaction touched. One
// may be named more than once.
type Change struct {
	Added   []uuid.UUID // new in this transaction
	Changed []uuid.UUID // of which the content or variants changed, or which are deleted
	Offered []uuid.UUID // products of which nothing changed but the variants
	Rated   []uuid.UUID // products of which nothing changed but the reviews
	Listed  []uuid.UUID // of which nothing changed but what stands above their category
}

// Records brings everything up to date that is derived from the records of a change. Its work grows with
// their number, but no statement of it does. It refuses to be called without the lock of the tenant's content
// (Lock). Raise is to be called too, once in the transaction. dialectName is dialect.SQLite or
// dialect.Postgres.
func Records(ctx context.Context, tx Executor, dialectName string, tenant uuid.UUID, change Change) error {
	own, ok := spellings[dialectName]
	if !ok {
		return fmt.Errorf("derive: unknown dialect %q", dialectName)
	}
	if !isLocked(ctx, nil, tenant) {
		return ErrNotLocked
	}
	d := deriver{tx: tx, dialect: dialectName, tenant: tenant, own: own}
	const together = 500 // ids in one statement, whose time must stay short
	seen := map[uuid.UUID]bool{}
	for some := range slices.Chunk(unseen(change.Added, seen), together) {
		if err := d.derive(ctx, ofRecords(some), true); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(unseen(change.Changed, seen), together) {
		if err := d.derive(ctx, ofRecords(some), false); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(unseen(change.Offered, seen), together) {
		if err := d.offers(ctx, ofRecords(some)); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(unseen(change.Rated, seen), together) {
		if err := d.exec(ctx, "ratings", productsText(ofRecords(some), own.bytesOf)); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(unseen(change.Listed, seen), together) {
		if err := d.lists(ctx, ofRecords(some), false); err != nil {
			return err
		}
	}
	return nil
}

// unseen returns the ids that were not seen before, and notes them.
func unseen(ids []uuid.UUID, seen map[uuid.UUID]bool) (fresh []uuid.UUID) {
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			fresh = append(fresh, id)
		}
	}
	return fresh
}

// recordScope returns the condition that a row belongs to what is derived: it has the tenant, and a column
// holds the id of one of some records.
type recordScope func(table, column string) string

// ofRecords is the scope of some records. Ids are typed uuid.UUID, so they can stand in the text. IS TRUE
// keeps SQLite from going over all that the tenant has: it takes any equality of an index for better than a
// list of ids.
func ofRecords(ids []uuid.UUID) recordScope {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = "'" + id.String() + "'"
	}
	list := strings.Join(texts, ",")
	return func(table, column string) string {
		return table + "." + column + " IN (" + list + ") AND (" + table + ".tenant_id = $tenant) IS TRUE"
	}
}

// deriver works on one tenant.
type deriver struct {
	tx      Executor
	dialect string
	tenant  uuid.UUID
	own     spelling
}

// derive brings the records of a scope up to date. New ones stand in no list that they could have to leave.
func (d deriver) derive(ctx context.Context, s recordScope, isNew bool) error {
	if err := d.offers(ctx, s); err != nil {
		return err
	}
	return d.lists(ctx, s, isNew)
}

// offers brings up to date what a product says of its variants, and they of it.
func (d deriver) offers(ctx context.Context, s recordScope) error {
	if err := d.exec(ctx, "prices and ratings", productsText(s, d.own.bytesOf)); err != nil {
		return err
	}
	return d.exec(ctx, "variants", variantsText(s))
}

// lists brings the lists up to date in which the records of a scope stand.
func (d deriver) lists(ctx context.Context, s recordScope, isNew bool) error {
	if !isNew {
		err := d.exec(ctx, "lists that are left", facetsText(s, d.own.unnestedTags)+unlistText(s))
		if err != nil {
			return err
		}
	}
	return d.exec(ctx, "lists", facetsText(s, d.own.unnestedTags)+listText(isNew))
}

// Raising is the text of Raise for a statement that does more (database.Statement): $tenant is the tenant.
const Raising = `UPDATE tenants SET content_version = content_version + 1 WHERE id = $tenant`

var raise = strings.Replace(Raising, "$tenant", "$1", 1)

// Raise raises a tenant's content_version, as is needed after a change of which nothing is derived, but
// which lists show.
func Raise(ctx context.Context, tx Executor, tenant uuid.UUID) error {
	if _, err := tx.ExecContext(ctx, raise, tenant); err != nil {
		return fmt.Errorf("derive the content's version: %w", err)
	}
	return nil
}

func (d deriver) exec(ctx context.Context, what, text string) error {
	if _, err := d.tx.ExecContext(ctx, d.fill(text)); err != nil {
		return fmt.Errorf("derive %s: %w", what, err)
	}
	return nil
}

// fill names the tenant, whose id is a typed uuid.UUID, in a text.
func (d deriver) fill(text string) string {
	return strings.ReplaceAll(text, "$tenant", "'"+d.tenant.String()+"'")
}

// spelling is what the databases write differently.
type spelling struct {
	unnestedTags string                   // the elements of products.tag_keys as tag.value
	bytesOf      func(text string) string // the UTF-8 bytes of a text, whose order is the same everywhere
}

// SQLite keeps JSON as a blob, whose first bytes it could take for its own binary form.
var spellings = map[string]spelling{
	dialect.SQLite: {
		"json_each(CAST(p.tag_keys AS text)) AS tag",
		func(text string) string { return "CAST(" + text + " AS blob)" },
	},
	dialect.Postgres: {
		"jsonb_array_elements_text(p.tag_keys) AS tag(value)",
		func(text string) string { return "convert_to(" + text + ", 'UTF8')" },
	},
}
