package derive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/request"
)

// ErrNotLocked refuses a change of public content in a transaction that does not hold the lock of the shop's
// content.
var ErrNotLocked = errors.New("derive: public content is changed without the lock of the shop's content")

// locked is what a transaction holds (transaction.Hold): the lock of the content of a shop, or, with uuid.Nil, of some
// shop.
type locked struct{ shop uuid.UUID }

// Lock makes the other writers of a shop's content wait until tx ends: staff, imports, moves of categories
// and the erasing of customers. From then on content may be changed in tx. It must be the
// first statement of the transaction, so that derived data is computed from what all earlier writers left.
// The caller calls Raise last. A transaction of SQLite locks the whole file.
func Lock(ctx context.Context, tx *ent.Tx, shop uuid.UUID) error {
	if tx.Raw().Dialect() == dialect.Postgres {
		const text = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
		if _, err := tx.ExecContext(ctx, text, "content "+shop.String()); err != nil {
			return fmt.Errorf("wait for other writers of the shop's content: %w", err)
		}
	}
	transaction.Hold(tx, locked{shop})
	transaction.Hold(tx, locked{uuid.Nil})
	return nil
}

// InShop runs work in a transaction that holds the lock of a shop's content, in a context of the shop.
func InShop(ctx context.Context, client *ent.Client, shop uuid.UUID,
	work func(context.Context, *ent.Tx) error) error {
	ctx = tenancy.In(ctx, shop)
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		if err := Lock(ctx, tx, shop); err != nil {
			return err
		}
		return work(ctx, tx)
	})
}

// free marks a context in which content may be changed without its lock, and why.
type free int

const (
	invisible free = iota // no public answer shows or counts what is written
	alone                 // nobody else writes
	common                // what belongs to all shops
)

// Unseen returns a context for writing records that no public answer shows or counts, such as comments that
// wait for approval; the version stays the same.
func Unseen(ctx context.Context) context.Context { return marked(ctx, invisible) }

// Alone returns a context in which any content may be changed, for tests: nobody else writes.
func Alone(ctx context.Context) context.Context { return marked(ctx, alone) }

// WillRaise returns a context in which locations, which belong to no shop, may be changed. The caller raises
// the versions of all shops last in the same transaction.
func WillRaise(ctx context.Context) context.Context { return marked(ctx, common) }

// marked returns a context with the reason why content may be changed without the lock.
func marked(ctx context.Context, why free) context.Context {
	return request.With(ctx, func(r *request.Request) { r.Unlocked = why })
}

// isLocked reports whether the content of a tenant may be changed in tx, of any tenant if it is uuid.Nil.
func isLocked(ctx context.Context, tx ent.Raw, tenant uuid.UUID) bool {
	if why, ok := request.Of(ctx).Unlocked.(free); ok && why != common {
		return true
	}
	return transaction.Holds(tx, locked{tenant})
}

// private are the types of records that public answers do not show. All others are public content.
var private = map[string]bool{
	ent.TypeAddress: true, ent.TypeCart: true, ent.TypeCartItem: true, ent.TypeContactSubmission: true,
	ent.TypeFavorite: true, ent.TypeIdempotencyKey: true, ent.TypeMembership: true, ent.TypeOneTimeCode: true,
	ent.TypeOrder: true, ent.TypeOrderCharge: true, ent.TypeOrderEvent: true, ent.TypeOrderItem: true,
	ent.TypePartner: true, ent.TypeRefund: true,
	ent.TypePartnerKey: true, ent.TypePartnerMessage: true, ent.TypePayment: true, ent.TypeRateEvent: true,
	ent.TypeRateKey: true, ent.TypeSession: true, ent.TypeSignInAddress: true,
	ent.TypeUser: true, ent.TypeStaffMember: true, ent.TypeStaffInvitation: true, ent.TypeAuditEntry: true,
	ent.TypeFileRemoval: true, ent.TypeMediaFile: true, ent.TypeReceipt: true,
	ent.TypeWebhookDelivery: true, ent.TypeWebhookEndpoint: true, ent.TypeAccessToken: true,
	ent.TypeAuthenticator: true, ent.TypeRecoveryCode: true,
}

// ofAllShops are the types of records that belong to no shop.
var ofAllShops = map[string]bool{ent.TypeLocation: true, ent.TypeInstallation: true}

// Guard makes a client, and every transaction begun from it, refuse changes of public content without the
// lock of the shop's content, unless the context exempts them.
func Guard(client *ent.Client) *ent.Client {
	client.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if !private[m.Type()] && !comesOrGoes(m) && !onlyRaises(m) && !mayChange(ctx, m) {
				return nil, fmt.Errorf("%w: %s", ErrNotLocked, m.Type())
			}
			return next.Mutate(ctx, m)
		})
	})
	return client
}

func mayChange(ctx context.Context, m ent.Mutation) bool {
	if ofAllShops[m.Type()] && request.Of(ctx).Unlocked == common {
		return true
	}
	in, ok := m.(interface{ Client() *ent.Client })
	return ok && isLocked(ctx, in.Client().Raw(), uuid.Nil)
}

// comesOrGoes reports whether a tenant is added or deleted: then there are no stored answers of it, or they
// are not found any more.
func comesOrGoes(m ent.Mutation) bool {
	return m.Type() == ent.TypeTenant && m.Op().Is(ent.OpCreate|ent.OpDelete|ent.OpDeleteOne)
}

// onlyRaises reports whether a mutation changes only the versions of tenants.
func onlyRaises(m ent.Mutation) bool {
	change, ok := m.(*ent.TenantMutation)
	if !ok || len(change.ClearedFields())+len(change.AddedFields()) != 1 {
		return false
	}
	return !slices.ContainsFunc(change.Fields(), func(name string) bool {
		return name != tenant.FieldContentVersion && name != tenant.FieldUpdatedAt
	})
}
