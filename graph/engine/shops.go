package engine

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/graph/document"
	"storefront/internal/request"
)

// A field with @orDomain takes either the id or the domain of its shop. Resolvers get the id in both cases. The domains
// of an operation are looked up before it runs: a mutation with an Idempotency-Key holds a database connection while it
// runs, and a lookup at that time would wait for a second one.

// withShops returns a context with the ids of the shops that an operation identifies by domain.
func (e *Engine) withShops(
	ctx context.Context, op *document.Operation, variables map[string]any,
) (context.Context, error) {
	domains := op.ShopDomains(variables)
	if len(domains) == 0 {
		return ctx, nil
	}
	ids, err := e.ShopsAt(ctx, domains)
	return request.With(ctx, func(r *request.Request) { r.Shops = ids }), err
}

// byDomain returns the id of the shop that a field identifies by domain, and false if it gives no domain.
// For an unknown domain it returns uuid.Nil, which is refused like an unknown id after the caller is checked.
func byDomain(ctx context.Context, shop document.FieldShop) (uuid.UUID, bool) {
	known := request.Of(ctx).Shops
	return known[shop.Domain], known != nil && shop.Domain != ""
}

// NoShop is among the arguments of a field that may name a shop and names none. The id alone does not say so: a
// text that is not an id is read as uuid.Nil, too.
const NoShop = "no shop"

// giveShop sets the id of the shop among the arguments of the field that is about to be resolved.
func giveShop(ctx context.Context, op *document.Operation) {
	if !op.TakesShops() {
		return
	}
	field := graphql.GetFieldContext(ctx)
	shop := op.ShopOf(field.Field.Field, graphql.GetOperationContext(ctx).Variables)
	if id, ok := byDomain(ctx, shop); ok {
		field.Args[shop.ID] = id
	} else if shop.Optional && shop.None {
		field.Args[NoShop] = true
	}
}
