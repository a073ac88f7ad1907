package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/ent/predicate"
)

// kept lists, by the kind of the record, the members that stay when a customer is forgotten: those that the
// shop's books need, none with free text. Forget deletes all others.
var kept = map[string][]string{
	"order":       {"status", "reference"},
	"staffMember": {"role"},
	"customer":    {"erased", "exported"},
	"comment":     {"status"},
	"review":      {"status"},
}

// Forget removes a customer from the log of a business, or from all logs for uuid.Nil. Entries about the
// customer, or about one of the records, keep who did what to which record and when, but lose the content.
// records are the customer's records, for entries written by an older version; deleted listings and roles are
// recognized by the entries themselves.
func Forget(ctx context.Context, tx *ent.Tx, business, customer uuid.UUID, records ...uuid.UUID) error {
	found := tx.AuditEntry.Query().Where(auditentry.CustomerID(customer))
	if business != uuid.Nil {
		found.Where(auditentry.BusinessID(business))
	}
	entries, err := found.Order(auditentry.ByID()).All(ctx)
	if err != nil {
		return err
	}
	if business != uuid.Nil {
		shown, err := recordsOf(ctx, tx, business, customer)
		if err != nil {
			return err
		}
		records = append(slices.Clone(records), shown...)
	}
	for some := range slices.Chunk(records, atOnce) {
		more, err := tx.AuditEntry.Query().Where(auditentry.BusinessID(business), auditentry.RecordIDIn(some...),
			auditentry.CustomerIDIsNil()).Order(auditentry.ByID()).All(ctx)
		if err != nil {
			return err
		}
		entries = append(entries, more...)
	}
	for _, e := range entries {
		before, err := forgotten(e.Kind, e.Before)
		if err != nil {
			return err
		}
		after, err := forgotten(e.Kind, e.After)
		if err != nil {
			return err
		}
		var name *string
		text := ""
		switch e.Kind { // an order's number; the title of what an opinion is about
		case "order", "comment", "review":
			name, text = e.RecordName, e.SearchText
		}
		_, err = tx.ExecContext(ctx, `UPDATE audit_entries
			SET record_name = $1, search_text = $2, customer_id = NULL, before = $3, after = $4
			WHERE id = $5`, name, text, before, after, e.ID)
		if err != nil {
			return fmt.Errorf("audit: forget a customer: %w", err)
		}
	}
	return nil
}

// recordsOf returns the listings and roles that entries without a customer show as the customer's.
func recordsOf(ctx context.Context, tx *ent.Tx, business, customer uuid.UUID) (ids []uuid.UUID, err error) {
	entries, err := tx.AuditEntry.Query().Where(auditentry.BusinessID(business), auditentry.CustomerIDIsNil(),
		auditentry.KindIn("userProduct", "staffMember"), auditentry.RecordIDNotNil(),
		auditentry.Or(showsUser(auditentry.FieldBefore, customer), showsUser(auditentry.FieldAfter, customer)),
	).Select(auditentry.FieldRecordID).All(ctx)
	for _, e := range entries {
		ids = append(ids, *e.RecordID)
	}
	return ids, err
}

// showsUser matches entries whose members in a column name a user.
func showsUser(column string, user uuid.UUID) predicate.AuditEntry {
	return func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			members := b.Quote(column)
			if b.Dialect() == dialect.SQLite {
				members = "CAST(" + members + " AS text)"
			}
			b.WriteString(members + " ->> 'userId' = ").Arg(user.String())
		}))
	}
}

// forgotten returns the members of a record that are kept; nil if there was no record.
func forgotten(kind string, written json.RawMessage) (any, error) {
	if len(written) == 0 {
		return nil, nil
	}
	members, err := membersOf(written)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool { return !slices.Contains(kept[kind], name) })
	return members.written(), nil
}
