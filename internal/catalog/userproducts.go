package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/catalog/selection"
	"storefront/internal/list"
	"storefront/internal/record"
	"storefront/internal/request"
)

// PublishedUserProducts returns the query that every public read of customers' listings starts from.
func (r *Catalog) PublishedUserProducts(ctx context.Context) *ent.UserProductQuery {
	return r.Store.UserProduct.Query().
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtLTE(request.Of(ctx).Now))
}

// UserProductArguments are the arguments of userProducts and userProductsConnection that choose records.
type UserProductArguments struct {
	Name, Q                       *string
	CategoryID, CityID, CountryID *uuid.UUID
	Condition                     *record.Condition
	Promoted                      *bool
	Categories                    []string
}

// UserProducts returns a shop's published customer listings, newest first.
func (r *Catalog) UserProducts(
	ctx context.Context, t *ent.Tenant, a UserProductArguments,
) (list.List[*ent.UserProduct], error) {
	f := Filter{
		list: userProductList, tenant: t.ID,
		searched: searchFor(a.Name, a.Q), category: optionalOf(a.CategoryID), city: optionalOf(a.CityID),
		country: optionalOf(a.CountryID), condition: optionalOf(a.Condition), promoted: optionalOf(a.Promoted),
	}
	err := r.choose(ctx, t, &f, a.Categories, nil)
	return publicList(r, f, r.PublishedUserProducts,
		func(_ context.Context, q *ent.UserProductQuery, columns *selection.Set) { q.Collect(columns) },
		func(p *ent.UserProduct) int64 { return p.TenantVersion },
		func(p *ent.UserProduct) list.Position { return list.Position{Time: p.PublishedAt, ID: p.ID} }), err
}
