package store

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/derive"
)

// FinishUpgrade repeats the data steps of this version's migrations, for rows that servers of the previous
// version have written since: both run side by side while servers are replaced. It may be called at any time
// and any number of times.
func (s *Store) FinishUpgrade(ctx context.Context) error {
	for _, step := range []database.Step{
		derive.TextsAnew(s.Dialect),
		derive.NamesAnew(s.Dialect),
		statements("moves", movesAnew),
		statements("audit", customersOfEntries[s.Dialect]),
		statements("answers", forgetStaffAnswers),
		statements("slugs", forgetSlugs),
		statements("dates", undatedDrafts[s.Dialect]),
	} {
		if err := database.Repeat(ctx, s.DB, step); err != nil {
			return err
		}
	}
	return nil
}

// statements returns a step of plain SQL.
func statements(name, text string) database.Step {
	return database.Step{Name: name, Run: func(ctx context.Context, tx dialect.Tx) error {
		return tx.Exec(ctx, text, []any{}, nil)
	}}
}

// movesAnew makes the servers list the records of all subcategories again: a move that a server of the previous
// version began may have been interrupted.
const movesAnew = `UPDATE categories SET moving = true, moves = moves + 1 WHERE parent_id IS NOT NULL`

// forgetStaffAnswers deletes the stored answers to staff, which may hold secrets, but not the record that the
// requests were done.
const forgetStaffAnswers = `UPDATE idempotency_keys SET answer = NULL, size = 0
	WHERE answer IS NOT NULL AND user_id IN (SELECT user_id FROM staff_members)`

// undatedDrafts sets publishedAt to createdAt, which marks drafts without a date of their own. The version
// before set it to the time at which the request or import that created them began.
var undatedDrafts = map[string]string{
	dialect.SQLite:   undatedWithin("600000000"), // microseconds
	dialect.Postgres: undatedWithin("interval '10 minutes'"),
}

// undatedWithin is undatedDrafts for records that were created within some minutes after that time: a date that
// somebody chose is rarely so close.
func undatedWithin(minutes string) string {
	text := ""
	for _, table := range []string{"products", "blogs", "portfolios", "user_products"} {
		text += fmt.Sprintf(`
	UPDATE %s SET published_at = created_at WHERE status NOT IN ('published', 'archived')
		AND published_at < created_at AND published_at > created_at - %s;`, table, minutes)
	}
	return text
}

// forgetSlugs deletes former slugs whose record was deleted or which another record has now: servers of the
// version before do not maintain them.
var forgetSlugs = slugsOf("products", "kind = 'product'", "true") +
	slugsOf("user_products", "kind = 'userProduct'", "true") + slugsOf("blogs", "kind = 'blog'", "true") +
	slugsOf("portfolios", "kind = 'portfolio'", "true") + slugsOf("brands", "kind = 'brand'", "true") +
	slugsOf("categories", "kind LIKE 'category %'", "'category ' || entity_type = moved_slugs.kind")

// slugsOf is forgetSlugs for the records of a table, whose slugs have some kinds. ofKind is the condition
// that a record is of the slug's kind.
func slugsOf(table, kinds, ofKind string) string {
	return fmt.Sprintf(`
	DELETE FROM moved_slugs WHERE %[2]s AND (
		NOT EXISTS (SELECT 1 FROM %[1]s WHERE id = moved_slugs.record_id)
		OR EXISTS (SELECT 1 FROM %[1]s
			WHERE tenant_id = moved_slugs.tenant_id AND slug = moved_slugs.slug AND %[3]s));`,
		table, kinds, ofKind)
}

// customersOfEntries stores in entries of the audit log which customer's orders, listings and roles they are
// about. It clears the content of listings whose customer is gone.
var customersOfEntries = map[string]string{
	dialect.SQLite: fmt.Sprintf(namingCustomers,
		"COALESCE(CAST(before AS text) ->> 'userId', CAST(after AS text) ->> 'userId')"),
	dialect.Postgres: fmt.Sprintf(namingCustomers,
		"CAST(COALESCE(before ->> 'userId', after ->> 'userId') AS uuid)"),
}

const namingCustomers = `
	UPDATE audit_entries SET customer_id = (SELECT user_id FROM orders WHERE orders.id = record_id)
		WHERE kind = 'order' AND customer_id IS NULL;
	UPDATE audit_entries SET customer_id = (SELECT user_id FROM user_products WHERE user_products.id = record_id)
		WHERE kind = 'userProduct' AND customer_id IS NULL;
	UPDATE audit_entries SET customer_id = %[1]s WHERE kind IN ('staffMember', 'userProduct') AND customer_id IS NULL;
	UPDATE audit_entries SET customer_id = (SELECT other.customer_id FROM audit_entries AS other
			WHERE other.business_id = audit_entries.business_id AND other.record_id = audit_entries.record_id
				AND other.kind = 'userProduct' AND other.customer_id IS NOT NULL LIMIT 1)
		WHERE kind = 'userProduct' AND customer_id IS NULL;
	UPDATE audit_entries SET customer_id = NULL, record_name = NULL, search_text = '', before = NULL, after = NULL
		WHERE kind = 'userProduct' AND customer_id IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = customer_id)`
