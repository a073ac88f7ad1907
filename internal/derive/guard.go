package derive

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
)

// ErrNotLocked refuses a change of public content by a transaction that does not hold the lock of the shop's content.
var ErrNotLocked = errors.New("derive: public content is changed without the lock of the shop's content")

type lockKey struct{}

// held is the lock of a shop's content as the transaction of a context holds it.
type held struct {
	tenant uuid.UUID
	tx     any
}

// Lock makes the other writers of a shop's content wait until tx ends: members of staff, imports, moves of
// categories and the erasing of customers. It returns a context in which content may be changed in tx.
// Whatever is read before stays as it is, and what is derived is computed from what all earlier writers left:
// it is the first statement of a transaction. The caller calls Raise last. A transaction of SQLite has the
// whole file.
func Lock(ctx context.Context, tx *ent.Tx, shop uuid.UUID) (context.Context, error) {
	if err := lockIn(ctx, tx, tx.Raw().Dialect(), shop); err != nil {
		return ctx, err
	}
	return context.WithValue(ctx, lockKey{}, held{shop, tx.Raw()}), nil
}

// lockIn is Lock in a transaction of any kind.
func lockIn(ctx context.Context, tx Executor, dialectName string, shop uuid.UUID) error {
	if dialectName != dialect.Postgres {
		return nil
	}
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "content "+shop.String())
	if err != nil {
		return fmt.Errorf("wait for other writers of the shop's content: %w", err)
	}
	return nil
}

// free is the mark of a context in which content may be changed without its lock.
type free int

const (
	invisible free = iota // no public answer shows or counts what is written
	alone                 // nobody else writes
	common                // what belongs to all shops
)

// Unseen returns a context in which records may be written that no public answer shows or counts, such as comments
// that wait for approval; the version stays.
func Unseen(ctx context.Context) context.Context { return context.WithValue(ctx, lockKey{}, invisible) }

// Alone returns a context in which any content may be changed, for tests and migrations: nobody else writes,
// or the lock is held or tried in another way.
func Alone(ctx context.Context) context.Context { return context.WithValue(ctx, lockKey{}, alone) }

// WillRaise returns a context in which locations may be changed, which belong to no shop. Its owner raises
// the versions of all shops in the same transaction, last.
func WillRaise(ctx context.Context) context.Context { return context.WithValue(ctx, lockKey{}, common) }

// isLocked reports whether content may be changed in a transaction; nil: in any.
func isLocked(ctx context.Context, tx any, tenant uuid.UUID) bool {
	switch mark := ctx.Value(lockKey{}).(type) {
	case held:
		return (tx == nil || mark.tx == tx) && (tenant == uuid.Nil || mark.tenant == tenant)
	case free:
		return mark != common
	}
	return false
}

// private are the types of records that public answers do not show. The rest is public content.
var private = map[string]bool{
	ent.TypeAddress: true, ent.TypeCart: true, ent.TypeCartItem: true, ent.TypeContactSubmission: true,
	ent.TypeFavorite: true, ent.TypeIdempotencyKey: true, ent.TypeMembership: true, ent.TypeOneTimeCode: true,
	ent.TypeOrder: true, ent.TypeOrderEvent: true, ent.TypeOrderItem: true, ent.TypePartner: true,
	ent.TypePartnerKey: true, ent.TypePartnerMessage: true, ent.TypePayment: true, ent.TypeRateEvent: true,
	ent.TypeRateKey: true, ent.TypeRefreshToken: true, ent.TypeSession: true, ent.TypeSignInAddress: true,
	ent.TypeUser: true, ent.TypeStaffMember: true, ent.TypeStaffInvitation: true, ent.TypeAuditEntry: true,
	ent.TypeFileRemoval: true, ent.TypeMediaFile: true, ent.TypeReceipt: true,
	ent.TypeWebhookDelivery: true, ent.TypeWebhookEndpoint: true, ent.TypeAccessToken: true,
	ent.TypeAuthenticator: true, ent.TypeRecoveryCode: true,
}

// ofAllShops are the types of records that belong to no shop.
var ofAllShops = map[string]bool{ent.TypeLocation: true, ent.TypeInstallation: true}

// Guard makes a client, and every transaction begun from it, refuse changes of public content without the lock of the
// shop's content, unless the context says that nobody sees them.
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
	if ofAllShops[m.Type()] && ctx.Value(lockKey{}) == common {
		return true
	}
	in, ok := m.(interface{ Client() *ent.Client })
	return ok && isLocked(ctx, in.Client().Raw(), uuid.Nil)
}

// comesOrGoes reports whether a tenant is added or deleted: then no answer of it is kept, or none can be found.
func comesOrGoes(m ent.Mutation) bool {
	return m.Type() == ent.TypeTenant && m.Op().Is(ent.OpCreate|ent.OpDelete|ent.OpDeleteOne)
}

// onlyRaises reports whether nothing is changed but the versions of tenants.
func onlyRaises(m ent.Mutation) bool {
	if m.Type() != ent.TypeTenant || len(m.ClearedFields())+len(m.AddedFields()) != 1 {
		return false
	}
	for _, name := range m.Fields() {
		if name != tenant.FieldContentVersion && name != tenant.FieldUpdatedAt {
			return false
		}
	}
	return true
}
