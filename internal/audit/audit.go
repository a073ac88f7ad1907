// Package audit records the changes that staff make: who, when, what, from and to (contract 3.6). A change and its
// record are one transaction.
package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/auth"
)

// Change is a change of one record; Record says what its members are.
type Change struct {
	Kind          string
	ID            uuid.UUID
	Before, After any
}

// atOnce is how many entries one statement writes.
const atOnce = 500

// RecordAll is Record for many changes by one action, in few statements.
func RecordAll(ctx context.Context, tx *ent.Tx, action string, changes []Change) error {
	var entries []*ent.AuditEntryCreate
	for _, c := range changes {
		entry, err := entryOf(ctx, tx, action, c.Kind, c.ID, c.Before, c.After)
		if err != nil {
			return err
		}
		if entry != nil {
			entries = append(entries, entry)
		}
	}
	for some := range slices.Chunk(entries, atOnce) {
		if err := tx.AuditEntry.CreateBulk(some...).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Record notes a change in the transaction that makes it. Whose change it is, and in which business, says the context,
// where @staff has put them; a command's context has nobody (auth.WithStaff names its business alone).
//
// action is the name of the mutation, kind what the record is ("product"), id the record's, or uuid.Nil where the change
// is not of one record. before and after are the record as JSON shows it: anything that is written as a JSON object.
// nil before means that the record is new, nil after that it is gone. Of a record that was changed only the members that
// differ are kept; a change of nothing is not recorded.
func Record(ctx context.Context, tx *ent.Tx, action, kind string, id uuid.UUID, before, after any) error {
	entry, err := entryOf(ctx, tx, action, kind, id, before, after)
	if err != nil || entry == nil {
		return err
	}
	return entry.Exec(ctx)
}

// entryOf makes an entry; nil for a change of nothing.
func entryOf(
	ctx context.Context, tx *ent.Tx, action, kind string, id uuid.UUID, before, after any,
) (*ent.AuditEntryCreate, error) {
	from, err := members(before)
	if err != nil {
		return nil, err
	}
	to, err := members(after)
	if err != nil {
		return nil, err
	}
	if from != nil && to != nil {
		for name, value := range from {
			if other, ok := to[name]; ok && bytes.Equal(value, other) {
				delete(from, name)
				delete(to, name)
			}
		}
		if len(from)+len(to) == 0 {
			return nil, nil
		}
	}
	entry := tx.AuditEntry.Create().SetAction(action).SetKind(kind)
	if by, ok := auth.StaffOf(ctx); ok {
		if by.Business != uuid.Nil {
			entry.SetBusinessID(by.Business)
		}
		if by.User != uuid.Nil {
			entry.SetUserID(by.User).SetRole(by.Role)
		}
	}
	if id != uuid.Nil {
		entry.SetRecordID(id)
	}
	if from != nil {
		entry.SetBefore(written(from))
	}
	if to != nil {
		entry.SetAfter(written(to))
	}
	return entry, nil
}

// bookkeeping are the columns of records that say nothing of what staff changed: they follow from others.
var bookkeeping = []string{
	"edges", "id", "tenant_id", "created_at", "updated_at", "content_version", "moving", "moves",
	"search_text", "title_text", "tag_keys", "sku_text", "price_milli", "price_min", "price_max", "in_store", "rating_sum",
	"rating_count", "listed_at", "product_category_id", "product_brand_id", "sort_cheap", "sort_dear", "sort_discount",
	"sort_rating", "sort_title",
}

// members returns a record by its members, which have the names of the API, nil for none.
func members(of any) (map[string]json.RawMessage, error) {
	if of == nil {
		return nil, nil
	}
	text, err := json.Marshal(of)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	columns := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &columns); err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	for _, name := range bookkeeping {
		delete(columns, name)
	}
	found := make(map[string]json.RawMessage, len(columns))
	for name, value := range columns {
		found[nameOf(name)] = value
	}
	return found, nil
}

// nameOf returns the name in the API of a column: titleFa of title_fa.
func nameOf(column string) string {
	words := strings.Split(column, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// written writes members as one object, in the order of their names.
func written(of map[string]json.RawMessage) json.RawMessage {
	text, _ := json.Marshal(of) // they were read from JSON
	return text
}
