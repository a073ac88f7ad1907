// Package personal gives out what the service holds on a customer, and erases it (contract 3.10).
//
// An account is one for all shops, so there are two sizes of both. A shop's staff reach what their shop
// holds: orders, cart, favorites, listings, opinions, messages. Customers, and the operator's commands, reach
// the account with what every shop holds.
//
// All records of a customer refer to the row of the account, which Erase locks. A write at the same time is
// seen and erased with the rest, or waits and finds the account gone.
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
	"storefront/internal/fault"
	"storefront/internal/phone"
	"storefront/internal/record"
)

// customerOf finds a customer of a shop: a member, or somebody who has ordered there.
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

// ByCell finds the account of a cell number, in E.164 form.
func ByCell(ctx context.Context, store *ent.Client, cell string) (*ent.User, error) {
	who, err := store.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if ent.IsNotFound(err) {
		err = fault.New(fault.NotFound, "no account has this cell number")
	}
	return who, err
}

// shopsOf returns the shops that hold something of an account.
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

// writtenBy narrows comments or reviews to what a customer wrote while signed in, and to what was signed with an e-mail
// address, in any letter case; an empty one signs nothing.
func writtenBy(who uuid.UUID, email string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		wrote := sql.EQ(s.C("user_id"), who)
		if email != "" {
			wrote = sql.Or(wrote, sql.EqualFold(s.C("author_email"), strings.TrimSpace(email)))
		}
		s.Where(wrote)
	}
}

// messagesOf returns the messages to a shop that are signed so. Numbers and addresses are kept as they were
// written, so each is read.
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

// holdsAddress reports whether a text as people write it into a form, such as "Reza <reza@mail.example>",
// holds an e-mail address.
func holdsAddress(text, email string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`<>()[],;:"`, r)
	})
	return email != "" && slices.ContainsFunc(append(words, text), func(word string) bool {
		return strings.EqualFold(word, email)
	})
}

func trimmed(text *string) string { return strings.TrimSpace(record.TextOf(text)) }
