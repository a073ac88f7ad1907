package derive

import (
	"context"
	"errors"
	"fmt"

	"storefront/ent"
)

// ErrNotRaised refuses a change of public content by who does not raise the content's version.
var ErrNotRaised = errors.New("derive: public content is changed in a context that does not promise to raise its version")

type promiseKey struct{}

// WillRaise returns a context in which public content may be changed: its owner calls Raise in the same transaction,
// last. Answers that are kept hold until the version rises.
func WillRaise(ctx context.Context) context.Context {
	return context.WithValue(ctx, promiseKey{}, true)
}

// Unseen returns a context in which records may be written that no public answer shows or counts, such as comments
// that wait for approval; the version stays.
func Unseen(ctx context.Context) context.Context { return context.WithValue(ctx, promiseKey{}, true) }

// private are the types of records that public answers do not show. The rest is public content.
var private = map[string]bool{
	ent.TypeAddress: true, ent.TypeCart: true, ent.TypeCartItem: true, ent.TypeContactSubmission: true,
	ent.TypeFavorite: true, ent.TypeIdempotencyKey: true, ent.TypeMembership: true, ent.TypeOneTimeCode: true,
	ent.TypeOrder: true, ent.TypeOrderEvent: true, ent.TypeOrderItem: true, ent.TypePartner: true,
	ent.TypePartnerKey: true, ent.TypePartnerMessage: true, ent.TypePayment: true, ent.TypeRateEvent: true,
	ent.TypeRateKey: true, ent.TypeRefreshToken: true, ent.TypeSession: true, ent.TypeSignInAddress: true,
	ent.TypeUser: true, ent.TypeStaffMember: true, ent.TypeAuditEntry: true, ent.TypeWebhookDelivery: true,
	ent.TypeWebhookEndpoint: true,
}

// Guard makes a client, and every transaction begun from it, refuse changes of public content by who neither
// raises its version nor says that nobody sees them.
func Guard(client *ent.Client) *ent.Client {
	client.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if !private[m.Type()] && !comesOrGoes(m) && ctx.Value(promiseKey{}) == nil {
				return nil, fmt.Errorf("%w: %s", ErrNotRaised, m.Type())
			}
			return next.Mutate(ctx, m)
		})
	})
	return client
}

// comesOrGoes reports whether a tenant is added or deleted: then no answer of it is kept, or none can be found.
func comesOrGoes(m ent.Mutation) bool {
	return m.Type() == ent.TypeTenant && m.Op().Is(ent.OpCreate|ent.OpDelete|ent.OpDeleteOne)
}
