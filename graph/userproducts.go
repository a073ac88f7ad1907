package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/location"
	"storefront/ent/predicate"
	"storefront/ent/userproduct"
	"storefront/internal/money"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// userProductFilter is what a list of customer listings is narrowed by.
type userProductFilter struct {
	words     words
	category  maybe[uuid.UUID]
	city      maybe[uuid.UUID]
	country   maybe[uuid.UUID]
	condition maybe[record.Condition]
	promoted  maybe[bool]
}

func (f userProductFilter) facets() facets {
	return under(listing.KindUserProduct, f.category, maybe[string]{})
}

func (f userProductFilter) narrow(q *ent.UserProductQuery) *ent.UserProductQuery {
	q.Where(f.words.narrow, f.facets().narrow)
	for _, place := range []maybe[uuid.UUID]{f.city, f.country} {
		if place.given {
			q.Where(locatedAt(place.value))
		}
	}
	if f.condition.given {
		q.Where(userproduct.ConditionEQ(f.condition.value))
	}
	if f.promoted.given {
		q.Where(userproduct.Promoted(f.promoted.value))
	}
	return q
}

// locatedAt keeps the listings at a node of the location tree, of any level, or below it. A listing may name its city alone.
func locatedAt(place uuid.UUID) predicate.UserProduct {
	within := location.Or(location.ID(place), location.ParentID(place), location.HasParentWith(location.ParentID(place)))
	return userproduct.Or(userproduct.CountryID(place), userproduct.HasProvinceWith(within), userproduct.HasCityWith(within))
}

// userProducts are a shop's published customer listings, newest first.
func (r *Resolver) userProducts(t *ent.Tenant, filter userProductFilter) (list[*ent.UserProduct], tally) {
	return list[*ent.UserProduct]{
		order: filter.facets().newest("userProducts"),
		read: func(ctx context.Context, part stretch) ([]*ent.UserProduct, error) {
			return filter.narrow(r.publishedUserProducts(part.shown(ctx))).Where(part.bounded).Order(part.sorted).Offset(part.offset).Limit(part.limit).
				Collect(part.columns).All(in(ctx, t.ID))
		},
		place: func(p *ent.UserProduct) place { return place{time: p.PublishedAt, id: p.ID} },
	}, tally{r, t.ID, filter, func(ctx context.Context) (int, error) { return filter.narrow(r.publishedUserProducts(ctx)).Count(ctx) }, r.nextUserProduct}
}

// UserProducts is a page of a shop's published customer listings, newest first.
func (r tenantResolver) UserProducts(ctx context.Context, t *ent.Tenant, number, size int, name, q *string, categoryID, cityID, countryID *uuid.UUID, condition *record.Condition, promoted *bool) (*UserProductPage, error) {
	l, n := r.Resolver.userProducts(t, userProductFilter{wordsOf(name, q), of(categoryID), of(cityID), of(countryID), of(condition), of(promoted)})
	return &UserProductPage{pageOf(l, n, number, size)}, nil
}

// UserProductsConnection walks a shop's published customer listings, newest first.
func (r tenantResolver) UserProductsConnection(ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name, q *string, categoryID, cityID, countryID *uuid.UUID, condition *record.Condition, promoted *bool) (*UserProductConnection, error) {
	l, n := r.Resolver.userProducts(t, userProductFilter{wordsOf(name, q), of(categoryID), of(cityID), of(countryID), of(condition), of(promoted)})
	c, err := walk(ctx, l, window{first, last, after, before}, defaultSize, n.total)
	return &UserProductConnection{c}, err
}

// UserProduct is a published customer listing of a shop.
func (r tenantResolver) UserProduct(ctx context.Context, t *ent.Tenant, slug string) (*ent.UserProduct, error) {
	return r.publishedUserProducts(ctx).Where(userproduct.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(in(ctx, t.ID))
}

// Price is what the customer asks; nil: ask.
func (userProductResolver) Price(_ context.Context, p *ent.UserProduct) (*money.Amount, error) {
	return amount(p.Price, &p.PriceCurrency), nil
}
