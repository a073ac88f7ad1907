// Package member links customers' accounts to shops. Registration (internal/customer/account) and the first write to
// a cart or to favorites make such links.
package member

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// Link makes a user an active member of a business, in the caller's transaction. A pending membership becomes
// active, with the present time as its created_at.
func Link(ctx context.Context, tx *ent.Tx, user, business uuid.UUID) error {
	return tx.Membership.Create().SetUserID(user).SetBusinessID(business).
		OnConflict(sql.ConflictColumns(membership.FieldUserID, membership.FieldBusinessID),
			sql.ResolveWith(func(u *sql.UpdateSet) {
				u.Set(membership.FieldCreatedAt, sql.Expr(createdAt)).SetExcluded(membership.FieldUpdatedAt).
					SetNull(membership.FieldPendingUntil).SetNull(membership.FieldAskedFrom)
			})).Exec(ctx)
}

// createdAt is the SQL expression for the created_at of a membership that exists when its user is linked.
const createdAt = "CASE WHEN memberships.pending_until IS NULL THEN memberships.created_at ELSE excluded.created_at END"

// Linking is the SQL of Link as a part of a larger statement (database.Statement): it links $user to the
// business $tenant at the time $at, with the id $membership if the link is new, provided that from has a
// row.
func Linking(from string) string {
	return `INSERT INTO memberships (id, user_id, business_id, created_at, updated_at)
		SELECT $membership, $user, $tenant, $at, $at ` + from + `
		ON CONFLICT (user_id, business_id)
		DO UPDATE SET created_at = ` + createdAt + `, pending_until = NULL, asked_from = NULL,
			updated_at = excluded.updated_at`
}

// CheckBusiness fails with NOT_FOUND unless there is a business with this id.
func CheckBusiness(ctx context.Context, store *ent.Client, business uuid.UUID) error {
	found, err := store.Tenant.Query().Where(tenant.ID(business)).Exist(ctx)
	if err == nil && !found {
		err = NoBusiness()
	}
	return err
}

// OpenShop returns a shop. It fails with NOT_FOUND if there is none, and with SHOP_CLOSED while it moves.
func OpenShop(ctx context.Context, store *ent.Client, business uuid.UUID) (*ent.Tenant, error) {
	shop, err := store.Tenant.Get(ctx, business)
	switch {
	case ent.IsNotFound(err):
		return nil, NoBusiness()
	case err == nil && shop.ClosedAt != nil:
		return nil, Closed()
	}
	return shop, err
}

// Closed returns the error of a shop that is closed while it moves to another installation.
func Closed() error {
	return fault.New(fault.ShopClosed, "this shop is closed for some minutes; try again later").After(time.Minute)
}

// Paused returns the error of a shop that its owner has closed to customers.
func Paused() error {
	// it is unknown when the shop opens, so a client that obeys should soon try again
	return fault.New(fault.ShopClosed, "this shop is closed").After(time.Minute)
}

// Closing is what of the shop $tenant CheckOpen takes: 0, 1 for a shop that its owner has closed, 2 for one that moves.
const Closing = `COALESCE((SELECT CASE WHEN closed_at IS NOT NULL THEN 2 WHEN paused_at IS NOT NULL THEN 1 ELSE 0 END
	FROM tenants WHERE id = $tenant), 0)`

// CheckOpen fails with SHOP_CLOSED for a shop that is closed.
func CheckOpen(closing int) error {
	switch closing {
	case 1:
		return Paused()
	case 2:
		return Closed()
	}
	return nil
}

// NoBusiness returns the error for an id that is not of a business.
func NoBusiness() error { return fault.New(fault.NotFound, "there is no such business") }

// SearchText makes the search_text of an account. Code that writes one of these columns also writes
// search_text.
func SearchText(firstName, lastName, email *string) string {
	return search.CompactAll(record.TextOf(firstName), record.TextOf(lastName), record.TextOf(email))
}

// In makes a query of accounts read their active membership of a shop, for Since.
func In(business uuid.UUID) func(*ent.UserQuery) {
	return func(q *ent.UserQuery) {
		q.WithMemberships(func(m *ent.MembershipQuery) {
			m.Where(membership.BusinessID(business), membership.PendingUntilIsNil())
		})
	}
}

// Since returns since when an account that was read with In is a member of the shop, or nil if it is not.
func Since(u *ent.User) *time.Time {
	if len(u.Edges.Memberships) == 0 {
		return nil
	}
	return &u.Edges.Memberships[0].CreatedAt
}

// CalledBy selects the accounts whose name, e-mail address or cell number contains each word of a search. An
// Iranian number is also found in its local form: 0912… is +98912….
func CalledBy(query *string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		search.FindsAll(s, query, func(piece string) *sql.Predicate {
			return sql.Or(search.Holds(s.C(user.FieldSearchText), piece), sql.P(func(b *sql.Builder) {
				cell := s.C(user.FieldCellNumber)
				b.WriteString("(").Ident(cell).WriteString(" || ' ' || REPLACE(").Ident(cell).
					WriteString(", '+98', '0')) LIKE ").Arg("%" + piece + "%")
			}))
		})
	}
}
