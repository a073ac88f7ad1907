// Package audit records the changes that staff make: who, when, what, from and to (contract 3.6). A change and its
// record are one transaction.
package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/auth"
)

// Record notes a change in the transaction that makes it. Whose change it is, and in which business, says the context,
// where @staff has put them; a command's context has nobody (auth.WithStaff names its business alone).
//
// action is the name of the mutation, kind what the record is ("product"), id the record's, or uuid.Nil where the change
// is not of one record. before and after are the record as JSON shows it: anything that is written as a JSON object.
// nil before means that the record is new, nil after that it is gone. Of a record that was changed only the members that
// differ are kept; a change of nothing is not recorded.
func Record(ctx context.Context, tx *ent.Tx, action, kind string, id uuid.UUID, before, after any) error {
	from, err := members(before)
	if err != nil {
		return err
	}
	to, err := members(after)
	if err != nil {
		return err
	}
	if from != nil && to != nil {
		for name, value := range from {
			if other, ok := to[name]; ok && bytes.Equal(value, other) {
				delete(from, name)
				delete(to, name)
			}
		}
		if len(from)+len(to) == 0 {
			return nil
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
	return entry.Exec(ctx)
}

// bookkeeping are the members of records that say nothing of what staff changed.
var bookkeeping = []string{"edges", "id", "tenant_id", "created_at", "updated_at"}

// members returns a record by its members, nil for none.
func members(of any) (map[string]json.RawMessage, error) {
	if of == nil {
		return nil, nil
	}
	text, err := json.Marshal(of)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	found := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	for _, name := range bookkeeping {
		delete(found, name)
	}
	return found, nil
}

// written writes members as one object, in the order of their names.
func written(of map[string]json.RawMessage) json.RawMessage {
	text, _ := json.Marshal(of) // they were read from JSON
	return text
}
