// Package derive keeps what is computed from a tenant's content beside that content: price ranges and ratings of products,
// the listing time and search text of variants, the inverted index of lists, and the content's version.
package derive

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"
)

// Execer runs a statement inside the transaction of the content's change; *ent.Tx is one.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Tenant brings everything that is derived from one tenant's content up to date and raises the tenant's content_version
// by one. It is the last work of every transaction that changes content. dialectName is dialect.SQLite or
// dialect.Postgres. Only rows that differ are written.
func Tenant(ctx context.Context, tx Execer, dialectName string, tenant uuid.UUID) error {
	unnested, ok := unnestedTags[dialectName]
	if !ok {
		return fmt.Errorf("derive: unknown dialect %q", dialectName)
	}
	fill := strings.NewReplacer("$tenant", "'"+tenant.String()+"'", "$tags", unnested)
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, fill.Replace(s.text)); err != nil {
			return fmt.Errorf("derive %s: %w", s.what, err)
		}
	}
	return nil
}

// unnestedTags is the one place where the databases differ: the elements of products.tag_keys as tag.value. SQLite keeps
// JSON as a blob, whose first bytes it could take for its own binary form.
var unnestedTags = map[string]string{
	dialect.SQLite:   "json_each(CAST(p.tag_keys AS text)) AS tag",
	dialect.Postgres: "jsonb_array_elements_text(p.tag_keys) AS tag(value)",
}

// statements are run in this order. A tenant's id is a typed uuid.UUID and stands in their text.
var statements = []struct{ what, text string }{
	{"prices and ratings", productsText},
	{"variants", variantsText},
	{"lists: what is gone", facetsText + unlistText},
	{"lists: what is new", facetsText + listText},
	{"the content's version", "UPDATE tenants SET content_version = content_version + 1 WHERE id = $tenant"},
}
