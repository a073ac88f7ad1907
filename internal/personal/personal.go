// Package personal exports what the service stores about a customer, and erases it (contract 3.10).
//
// An account serves all shops, so both come in two sizes. Staff reach what their shop stores: orders, cart,
// favorites, listings, opinions, messages. Customers, and the operator's commands, reach the account with
// what every shop stores.
//
// All records of a customer refer to the row of the account, which erasing locks. A concurrent write is
// either erased with the rest, or waits and then finds the account deleted.
package personal

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/contactsubmission"
	"storefront/ent/membership"
	"storefront/ent/predicate"
	"storefront/ent/user"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/phone"
	"storefront/internal/record"
)

// customerOf returns a customer of a shop: a member, or a person who has ordered there.
func customerOf(ctx context.Context, store *ent.Client, shop, id uuid.UUID) (*ent.User, error) {
	who, err := store.User.Get(ctx, id)
	if ent.IsNotFound(err) {
		return nil, unknown()
	}
	if err != nil {
		return nil, err
	}
	known, err := store.Membership.Query().
		Where(membership.UserID(id), membership.BusinessID(shop), membership.PendingUntilIsNil()).Exist(ctx)
	if err == nil && !known {
		err = unknown()
	}
	return who, err
}

func unknown() error { return fault.New(fault.NotFound, "the shop has no such customer") }

// ByCell returns the account of a cell number, in E.164 form.
func ByCell(ctx context.Context, store *ent.Client, cell string) (*ent.User, error) {
	who, err := store.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if ent.IsNotFound(err) {
		err = fault.New(fault.NotFound, "no account has this cell number")
	}
	return who, err
}

// actsFor returns a context for work in a shop: that of the operator who calls, or else of no person.
func actsFor(ctx context.Context, shop uuid.UUID) context.Context {
	by, _ := auth.StaffOf(ctx)
	by.Business = shop
	return auth.WithStaff(ctx, by)
}

// shopsOf returns the shops that store something about an account.
func shopsOf(ctx context.Context, store *ent.Client, who uuid.UUID) (shops []uuid.UUID, err error) {
	rows, err := store.QueryContext(ctx, `SELECT business_id FROM memberships WHERE user_id = $1
		UNION SELECT tenant_id FROM orders WHERE user_id = $1 UNION SELECT tenant_id FROM carts WHERE user_id = $1
		UNION SELECT tenant_id FROM favorites WHERE user_id = $1
		UNION SELECT tenant_id FROM user_products WHERE user_id = $1
		UNION SELECT tenant_id FROM media_files WHERE user_id = $1
		UNION SELECT tenant_id FROM comments WHERE user_id = $1
		UNION SELECT tenant_id FROM expert_reviews WHERE user_id = $1
		ORDER BY 1`, who)
	if err != nil {
		return nil, fmt.Errorf("find the shops of a customer: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var shop uuid.UUID
		if err := rows.Scan(&shop); err != nil {
			return nil, fmt.Errorf("find the shops of a customer: %w", err)
		}
		shops = append(shops, shop)
	}
	return shops, rows.Err()
}

// writtenBy selects the comments or reviews that a customer wrote while signed in, and those signed with an
// e-mail address, in any letter case; an empty one matches nothing.
func writtenBy(who uuid.UUID, email string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		wrote := sql.EQ(s.C("user_id"), who)
		if email != "" {
			wrote = sql.Or(wrote, sql.EqualFold(s.C("author_email"), strings.TrimSpace(email)))
		}
		s.Where(wrote)
	}
}

// messagesOf returns the messages to a shop with a signature. Numbers and addresses are stored as they were
// typed, so each message is parsed.
func messagesOf(ctx context.Context, store *ent.Client, under signature) ([]uuid.UUID, error) {
	cell, email := under.cell, under.email
	if cell == "" && email == "" {
		return nil, nil
	}
	given := []predicate.ContactSubmission{contactsubmission.CellNumberNotNil()}
	if email != "" {
		given = append(given, contactsubmission.EmailContainsFold(email))
	}
	sent, err := store.ContactSubmission.Query().Where(contactsubmission.Or(given...)).
		Select(contactsubmission.FieldID, contactsubmission.FieldEmail, contactsubmission.FieldCellNumber).All(ctx)
	var ids []uuid.UUID
	for _, one := range sent {
		if holdsAddress(trimmed(one.Email), email) || cell != "" && phone.IsIn(trimmed(one.CellNumber), cell) {
			ids = append(ids, one.ID)
		}
	}
	return ids, err
}

// holdsAddress reports whether a free text, such as "Reza <reza@mail.example>", contains an e-mail address.
func holdsAddress(text, email string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`<>()[],;:"`, r)
	})
	return email != "" && slices.ContainsFunc(append(words, text), func(word string) bool {
		return strings.EqualFold(word, email)
	})
}

func trimmed(text *string) string { return strings.TrimSpace(record.TextOf(text)) }
