package store

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect"

	"storefront/internal/database"
	"storefront/internal/derive"
)

// FinishUpgrade does once more what migrations to this version did, for what servers of the version before have written
// since: they work beside those of this version while servers are replaced. It may be called at any time, and again.
func (s *Store) FinishUpgrade(ctx context.Context) error {
	for _, step := range []database.Step{
		derive.TextsAnew(s.Dialect),
		statements("moves", movesAnew),
		statements("audit", customersOfEntries[s.Dialect]),
		statements("answers", forgetStaffAnswers),
	} {
		if err := database.Repeat(ctx, s.DB, step); err != nil {
			return err
		}
	}
	return nil
}

// statements is a step of plain SQL.
func statements(name, text string) database.Step {
	return database.Step{Name: name, Run: func(ctx context.Context, tx dialect.Tx) error {
		return tx.Exec(ctx, text, []any{}, nil)
	}}
}

// movesAnew has the records of all categories below others listed once more, by the servers: a move that a
// server of the version before began may have been cut off.
const movesAnew = `UPDATE categories SET moving = true, moves = moves + 1 WHERE parent_id IS NOT NULL`

// forgetStaffAnswers takes away the stored answers to staff, which may hold secrets. That the requests were done stays.
const forgetStaffAnswers = `UPDATE idempotency_keys SET answer = NULL, size = 0
	WHERE answer IS NOT NULL AND user_id IN (SELECT user_id FROM staff_members)`

// customersOfEntries names in entries of the audit log whose orders, listings and roles they are about. What
// they say of listings whose customer is gone goes.
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
	UPDATE audit_entries SET customer_id = NULL, record_name = NULL, before = NULL, after = NULL
		WHERE kind = 'userProduct' AND customer_id IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = customer_id)`
