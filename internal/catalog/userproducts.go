package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/location"
	"storefront/ent/predicate"
	"storefront/ent/userproduct"
	"storefront/internal/catalog/selection"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The shapes of lists of customers' listings.
type (
	UserProductPage       = ListPage[*ent.UserProduct]
	UserProductConnection = Connection[*ent.UserProduct]
	UserProductEdge       = Edge[*ent.UserProduct]
)

// PublishedUserProducts returns the query that every public read of customers' listings starts from.
func (r *Catalog) PublishedUserProducts(ctx context.Context) *ent.UserProductQuery {
	return r.store.UserProduct.Query().
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

func (a UserProductArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (Filter, error) {
	f := Filter{
		list: userProductList, tenant: t.ID,
		words: searchWordsOf(a.Name, a.Q), category: optionalOf(a.CategoryID), city: optionalOf(a.CityID),
		country: optionalOf(a.CountryID), condition: optionalOf(a.Condition), promoted: optionalOf(a.Promoted),
	}
	return f, r.choose(ctx, t, &f, a.Categories, nil)
}

// locatedAt keeps the listings at a node of the location tree, of any level, or below it. A listing may name
// only its city.
func locatedAt(place uuid.UUID) predicate.UserProduct {
	within := location.Or(
		location.ID(place), location.ParentID(place), location.HasParentWith(location.ParentID(place)))
	return userproduct.Or(
		userproduct.CountryID(place), userproduct.HasProvinceWith(within), userproduct.HasCityWith(within))
}

// UserProducts returns a shop's published customer listings, newest first.
func (r *Catalog) UserProducts(filter Filter) List[*ent.UserProduct] {
	return publicList(r, filter, r.PublishedUserProducts,
		func(_ context.Context, q *ent.UserProductQuery, columns *selection.Set) { q.Collect(columns) },
		func(p *ent.UserProduct) int64 { return p.TenantVersion },
		func(p *ent.UserProduct) Position { return Position{Time: p.PublishedAt, ID: p.ID} })
}
