// Package audit records the changes that staff make: who changed what, when, from what and to what (contract
// 3.6). A change and its record are one transaction.
package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Change is a change of one record.
type Change struct {
	Entry uuid.UUID // the id of an entry that Amend will change; uuid.Nil: a new one
	Kind  string    // what the record is, one of Kinds: "product"
	ID    uuid.UUID // the record's, or uuid.Nil where the change is not of one record
	// Name is what people call the record. If empty, it comes from the record's own columns, such as its title
	// or SKU. A person's name is their cell number, and is given only with Customer. NameEn is the English
	// name, if it differs.
	Name   string
	NameEn *string
	// Customer owns the order, listing, account or role. If it is uuid.Nil, the record's own column user_id
	// says who does, if it has one.
	Customer uuid.UUID
	// Before and After are the record: a row of the database, the Snapshot of one, or a value that encodes as a
	// JSON object. Before is nil for a new record, After for a deleted one. Only the members of a changed
	// record that differ are kept; without a difference nothing is recorded.
	Before, After any
}

// atOnce is how many entries one statement writes. SQLite's driver takes time quadratic in their number.
const atOnce = 50

// Record stores changes in the transaction that makes them. The context holds the member of staff or the program, and
// the business, put there by @staff; a command's context holds neither (request.WithStaff names the business only).
// action is the name of the mutation.
func Record(ctx context.Context, tx *ent.Tx, action string, changes ...Change) error {
	var entries []*ent.AuditEntryCreate
	names := shopNames{tx: tx}
	for _, c := range changes {
		entry, err := entryOf(ctx, &names, action, c)
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

// Amend sets the After of an entry of a business, for work with one entry and several transactions.
func Amend(ctx context.Context, tx *ent.Tx, business, entry uuid.UUID, after any) error {
	members, err := Snapshot(after)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE audit_entries SET after = $1 WHERE business_id = $2 AND id = $3",
		members.written(), business, entry)
	return err
}

// entryOf returns the entry of a change, or nil if nothing differs.
func entryOf(ctx context.Context, names *shopNames, action string, c Change) (*ent.AuditEntryCreate, error) {
	from, err := Snapshot(c.Before)
	if err != nil {
		return nil, err
	}
	to, err := Snapshot(c.After)
	if err != nil {
		return nil, err
	}
	if from != nil && to != nil &&
		maps.EqualFunc(from, to, func(was, is json.RawMessage) bool { return bytes.Equal(was, is) }) {
		return nil, nil
	}
	entry := names.tx.AuditEntry.Create().SetAction(action).SetKind(c.Kind)
	if c.Entry != uuid.Nil {
		entry.SetID(c.Entry)
	}
	if c.ID != uuid.Nil {
		entry.SetRecordID(c.ID)
	}
	name, err := names.of(ctx, c, to, from)
	if err != nil {
		return nil, err
	}
	if name != "" {
		entry.SetRecordName(name).SetSearchText(search.CompactAll(searched(c, name, to, from)...))
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
	}
	if by, ok := request.StaffOf(ctx); ok {
		if by.Business != uuid.Nil {
			entry.SetBusinessID(by.Business)
		}
		if by.User != uuid.Nil {
			entry.SetUserID(by.User).SetRole(by.Role)
		}
		if by.Program != nil {
			entry.SetTokenID(by.Program.Token)
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

// shopNames finds what people call the records of a shop in its language, which it reads once.
type shopNames struct {
	tx               *ent.Tx
	known, inEnglish bool
}

// of returns what people call the record of a change, or "" if it has no name.
func (s *shopNames) of(ctx context.Context, c Change, to, from Members) (string, error) {
	name, english := c.Name, c.Name
	english = cmp.Or(record.TextOf(c.NameEn), english)
	if name == "" {
		name, english = to.name()
	}
	if name == "" {
		name, english = from.name()
	}
	by, _ := request.StaffOf(ctx)
	if name == english || by.Business == uuid.Nil {
		return name, nil
	}
	if !s.known {
		shop, err := s.tx.Tenant.Get(ctx, by.Business)
		if err != nil {
			return "", err
		}
		s.known, s.inEnglish = true, shop.DefaultLocale == "en"
	}
	if s.inEnglish {
		return english, nil
	}
	return name, nil
}

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
