package graph

import (
	"context"

	"storefront/ent"
)

// Related returns other published products of each product's category, newest first. Two statements serve all
// of them: the newest of every category, by the index of listings, and the products.
func (r productResolver) Related(
	ctx context.Context, products []*ent.Product, limit int,
) ([][]*ent.Product, error) {
	return r.r.Catalog.RelatedTo(ctx, products, limit)
}
