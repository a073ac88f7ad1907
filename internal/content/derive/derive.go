// Package derive keeps what is computed from a tenant's content beside that content: price ranges and
// ratings of products, the listing time and search text of variants, the inverted index of lists, and the
// content's version.
//
// Code that changes content holds the lock of the shop's content (Lock); the Guard refuses other changes. At
// the end of such a transaction, of an import (internal/content/bundle) or of an edit by staff, Records computes the
// derived data from what it reads under the lock. It writes only rows that differ. New records can be
// written with what Product, Variant and Listings compute for them. Raise alone is for changes that nothing
// is derived from, such as a variant that is sold out (internal/sale/order).
package derive

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/internal/platform/convert"
)

// Change names the products, user products, blogs and portfolios of a tenant that a transaction touched. An
// id may occur more than once.
type Change struct {
	Changed []uuid.UUID // deleted, or changed themselves or in their variants
	Offered []uuid.UUID // products of which only the variants changed
	Rated   []uuid.UUID // products of which only the reviews changed
	Listed  []uuid.UUID // records of which only the ancestors of their category changed
}

// Records updates all data derived from the records of a change. Its work grows with their number, but no
// single statement does. It returns how many rows it has changed. It fails unless the transaction holds the lock of the
// tenant's content (Lock). Raise must be called as well, once in the transaction.
func Records(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, change Change) (rows int64, err error) {
	if !isLocked(ctx, tx.Raw(), tenant) {
		return 0, ErrNotLocked
	}
	d := &deriver{tx: tx, tenant: tenant, own: spellings[tx.Raw().Dialect()]}
	const together = 500 // ids in one statement, whose time must stay short
	seen := map[uuid.UUID]bool{}
	for _, part := range []struct {
		ids    []uuid.UUID
		update func(context.Context, recordScope) error
	}{
		{change.Changed, d.records}, {change.Offered, d.offers}, {change.Rated, d.products}, {change.Listed, d.lists},
	} {
		for some := range slices.Chunk(unseen(part.ids, seen), together) {
			if err := part.update(ctx, ofRecords(some)); err != nil {
				return d.rows, err
			}
		}
	}
	return d.rows, nil
}

// unseen returns the ids that are not in seen, and adds them to it.
func unseen(ids []uuid.UUID, seen map[uuid.UUID]bool) (fresh []uuid.UUID) {
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			fresh = append(fresh, id)
		}
	}
	return fresh
}

// recordScope returns the condition that a row belongs to the records to derive: the row is of the tenant,
// and column holds the id of one of the records.
type recordScope func(table, column string) string

// ofRecords returns the scope of the given records. Ids are typed uuid.UUID, so they can be part of the
// text. IS TRUE keeps SQLite from scanning all rows of the tenant: it prefers any indexed equality to a list
// of ids.
func ofRecords(ids []uuid.UUID) recordScope {
	texts := convert.All(ids, func(id uuid.UUID) string { return "'" + id.String() + "'" })
	list := strings.Join(texts, ",")
	return func(table, column string) string {
		return table + "." + column + " IN (" + list + ") AND (" + table + ".tenant_id = $tenant) IS TRUE"
	}
}

// deriver works on one tenant.
type deriver struct {
	tx     *ent.Tx
	tenant uuid.UUID
	own    spelling
	rows   int64 // that statements have changed
}

// records updates all that is derived from the records of a scope.
func (d *deriver) records(ctx context.Context, s recordScope) error {
	if err := d.offers(ctx, s); err != nil {
		return err
	}
	return d.lists(ctx, s)
}

// offers updates what a product's columns say about its variants, and the variants' about the product.
func (d *deriver) offers(ctx context.Context, s recordScope) error {
	if err := d.products(ctx, s); err != nil {
		return err
	}
	return d.exec(ctx, "variants", variantsText(s))
}

// products updates what a product's columns say about its variants and reviews.
func (d *deriver) products(ctx context.Context, s recordScope) error {
	return d.exec(ctx, "prices and ratings", productsText(s, d.own.bytesOf))
}

// lists updates the list entries of the records of a scope.
func (d *deriver) lists(ctx context.Context, s recordScope) error {
	if err := d.exec(ctx, "lists that are left", facetsText(s, d.own.unnestedTags)+unlistText(s)); err != nil {
		return err
	}
	return d.exec(ctx, "lists", facetsText(s, d.own.unnestedTags)+listText)
}

// Raising is the text of Raise as a part of a larger statement (database.Statement); $tenant is the tenant.
const Raising = `UPDATE tenants SET content_version = content_version + 1 WHERE id = $tenant`

var raise = strings.Replace(Raising, "$tenant", "$1", 1)

// Raise raises a tenant's content_version. It is needed after every change that public answers show, even if
// nothing is derived from it.
func Raise(ctx context.Context, tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, tenant uuid.UUID) error {
	if _, err := tx.ExecContext(ctx, raise, tenant); err != nil {
		return fmt.Errorf("derive the content's version: %w", err)
	}
	return nil
}

// RaiseSale raises the sale_version of the tenants that fulfil all conditions. It is needed after every change of what
// delivery costs, besides the lines of a cart: checkouts compare it. Above 0, REST answers have the members about it.
func RaiseSale(ctx context.Context, tx *ent.Tx, all ...predicate.Tenant) error {
	return tx.Tenant.Update().Where(all...).AddSaleVersion(1).Exec(ctx)
}

func (d *deriver) exec(ctx context.Context, what, text string) error {
	text = strings.ReplaceAll(text, "$tenant", "'"+d.tenant.String()+"'")
	result, err := d.tx.ExecContext(ctx, text)
	if err != nil {
		return fmt.Errorf("derive %s: %w", what, err)
	}
	n, err := result.RowsAffected()
	d.rows += n
	return err
}

// spelling holds the expressions that the databases write differently.
type spelling struct {
	unnestedTags string                   // the elements of products.tag_keys as tag.value
	bytesOf      func(text string) string // the UTF-8 bytes of a text, whose order is the same everywhere
}

// spellings are by dialect. SQLite keeps JSON as a blob here, whose first bytes it could take for its own
// binary form.
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
