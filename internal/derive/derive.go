// Package derive keeps what is computed from a tenant's content beside that content: price ranges and
// ratings of products, the listing time and search text of variants, the inverted index of lists, and the
// content's version.
//
// Its functions are the last work of a transaction that changes content, be it an import (internal/bundle)
// or an edit by staff. Only rows that differ are written. Raise alone is for changes of which nothing is
// derived, such as a variant that is sold out (internal/order).
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

// Tenant brings everything that is derived from one tenant's content up to date and raises the tenant's
// content_version by one, as is needed after a category got another parent. Its work grows with the tenant,
// but no statement of it does. dialectName is dialect.SQLite or dialect.Postgres.
func Tenant(ctx context.Context, tx Executor, dialectName string, tenant uuid.UUID) error {
	all, err := deriver{tx, dialectName, tenant}.records(ctx)
	if err != nil {
		return fmt.Errorf("derive: %w", err)
	}
	return Records(ctx, tx, dialectName, tenant, Change{Changed: all})
}

// Change names the products, user products, blogs and portfolios of a tenant that a transaction touched.
type Change struct {
	Added   []uuid.UUID // new in this transaction
	Changed []uuid.UUID // of which the content, variants or reviews changed, or which are deleted
}

// Records is Tenant for a change that touched nothing but some records; it does not do after a category got
// another parent. Its work grows with their number.
func Records(ctx context.Context, tx Executor, dialectName string, tenant uuid.UUID, change Change) error {
	const together = 500 // ids in one statement, whose time must stay short
	d := deriver{tx, dialectName, tenant}
	for some := range slices.Chunk(change.Added, together) {
		if err := d.derive(ctx, ofRecords(some), true); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(change.Changed, together) {
		if err := d.derive(ctx, ofRecords(some), false); err != nil {
			return err
		}
	}
	return d.raise(ctx)
}

// recordScope returns the condition that a row belongs to what is derived: its tenant is ours, and a column
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
}

// records returns the ids of all that is derived from or stands in a list.
func (d deriver) records(ctx context.Context) ([]uuid.UUID, error) {
	rows, err := d.tx.QueryContext(ctx, d.fill(`
SELECT id FROM products WHERE tenant_id = $tenant
UNION SELECT id FROM user_products WHERE tenant_id = $tenant
UNION SELECT id FROM blogs WHERE tenant_id = $tenant
UNION SELECT id FROM portfolios WHERE tenant_id = $tenant
UNION SELECT entity_id FROM listings WHERE tenant_id = $tenant`))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []uuid.UUID
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// derive brings the records of a scope up to date. New ones stand in no list that they could have to leave.
func (d deriver) derive(ctx context.Context, s recordScope, isNew bool) error {
	own, ok := spellings[d.dialect]
	if !ok {
		return fmt.Errorf("derive: unknown dialect %q", d.dialect)
	}
	if err := d.exec(ctx, "prices and ratings", productsText(s, own.bytesOf)); err != nil {
		return err
	}
	if err := d.exec(ctx, "variants", variantsText(s)); err != nil {
		return err
	}
	if !isNew {
		if err := d.exec(ctx, "lists that are left", facetsText(s, own.unnestedTags)+unlistText(s)); err != nil {
			return err
		}
	}
	return d.exec(ctx, "lists", facetsText(s, own.unnestedTags)+listText(isNew))
}

func (d deriver) raise(ctx context.Context) error { return Raise(ctx, d.tx, d.tenant) }

// Raise raises a tenant's content_version, as is needed after a change of which nothing is derived, but
// which lists show.
func Raise(ctx context.Context, tx Executor, tenant uuid.UUID) error {
	if _, err := tx.ExecContext(ctx, "UPDATE tenants SET content_version = content_version + 1 WHERE id = $1",
		tenant); err != nil {
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
