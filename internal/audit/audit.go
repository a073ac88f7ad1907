// Package audit records the changes that staff make: who, when, what, from and to (contract 3.6). A change and its
// record are one transaction.
package audit

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/auth"
)

// Change is a change of one record.
type Change struct {
	Kind string    // what the record is: "product"
	ID   uuid.UUID // the record's, or uuid.Nil where the change is not of one record
	// Name is what people call the record. Empty: what its own columns say, such as its title or SKU. A
	// person's is their cell number, and only where Customer says whose it is.
	Name string
	// Customer is whose order, listing, account or role it is. uuid.Nil: whom the record's own column user_id
	// says, if it has one.
	Customer uuid.UUID
	// Before and After are the record: a row of the database, what Snapshot made of one, or what is written as
	// a JSON object. Nil before means that the record is new, nil after that it is gone. Of a record that was
	// changed only the members that differ are kept; a change of nothing is not recorded.
	Before, After any
}

// atOnce is how many entries one statement writes.
const atOnce = 500

// Record notes changes in the transaction that makes them. Whose they are, and in which business, says the
// context, where @staff has put them; a command's context has nobody (auth.WithStaff names its business
// alone). action is the name of the mutation.
func Record(ctx context.Context, tx *ent.Tx, action string, changes ...Change) error {
	var entries []*ent.AuditEntryCreate
	for _, c := range changes {
		entry, err := entryOf(ctx, tx, action, c)
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

// entryOf makes an entry; nil for a change of nothing.
func entryOf(ctx context.Context, tx *ent.Tx, action string, c Change) (*ent.AuditEntryCreate, error) {
	from, err := membersOf(c.Before)
	if err != nil {
		return nil, err
	}
	to, err := membersOf(c.After)
	if err != nil {
		return nil, err
	}
	entry := tx.AuditEntry.Create().SetAction(action).SetKind(c.Kind)
	if c.ID != uuid.Nil {
		entry.SetRecordID(c.ID)
	}
	if name := cmp.Or(c.Name, to.name(), from.name()); name != "" {
		entry.SetRecordName(name)
	}
	if customer := cmp.Or(c.Customer, from.user(), to.user()); customer != uuid.Nil {
		entry.SetCustomerID(customer)
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
	if by, ok := auth.StaffOf(ctx); ok {
		if by.Business != uuid.Nil {
			entry.SetBusinessID(by.Business)
		}
		if by.User != uuid.Nil {
			entry.SetUserID(by.User).SetRole(by.Role)
		}
	}
	if from != nil {
		entry.SetBefore(from.written())
	}
	if to != nil {
		entry.SetAfter(to.written())
	}
	return entry, nil
}
