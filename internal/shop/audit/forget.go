package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/auditentry"
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
// records are those that the customer signed without the account; with uuid.Nil as the customer they alone are
// forgotten, such as opinions of guests that are deleted: no row will name their author.
func Forget(ctx context.Context, tx *ent.Tx, business, customer uuid.UUID, records ...uuid.UUID) error {
	found := tx.AuditEntry.Query().Where(auditentry.CustomerID(customer))
	if business != uuid.Nil {
		found.Where(auditentry.BusinessID(business))
	}
	entries, err := found.Order(auditentry.ByID()).All(ctx)
	if err != nil {
		return err
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

// forgotten returns the members of a record that are kept; nil if there was no record.
func forgotten(kind string, written json.RawMessage) (any, error) {
	if len(written) == 0 {
		return nil, nil
	}
	members, err := Snapshot(written)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool { return !slices.Contains(kept[kind], name) })
	return members.written(), nil
}
