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

// userProductArguments are the arguments of userProducts and userProductsConnection that choose records.
type userProductArguments struct {
	name, q                       *string
	categoryID, cityID, countryID *uuid.UUID
	condition                     *record.Condition
	promoted                      *bool
}

// userProductFilter is what a list of customer listings is narrowed by.
type userProductFilter struct {
	words     searchWords
	category  optional[uuid.UUID]
	city      optional[uuid.UUID]
	country   optional[uuid.UUID]
	condition optional[record.Condition]
	promoted  optional[bool]
}

func (a userProductArguments) filter() userProductFilter {
	return userProductFilter{
		words: searchWordsOf(a.name, a.q), category: optionalOf(a.categoryID), city: optionalOf(a.cityID),
		country: optionalOf(a.countryID), condition: optionalOf(a.condition), promoted: optionalOf(a.promoted),
	}
}

func (f userProductFilter) listings() listingFilter {
	return listedUnder(listing.KindUserProduct, f.category, optional[string]{})
}

func (f userProductFilter) narrow(q *ent.UserProductQuery) *ent.UserProductQuery {
	q.Where(f.words.narrow, f.listings().narrow)
	for _, place := range []optional[uuid.UUID]{f.city, f.country} {
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

// locatedAt keeps the listings at a node of the location tree, of any level, or below it. A listing may
// name its city alone.
func locatedAt(place uuid.UUID) predicate.UserProduct {
	within := location.Or(
		location.ID(place), location.ParentID(place), location.HasParentWith(location.ParentID(place)))
	return userproduct.Or(
		userproduct.CountryID(place), userproduct.HasProvinceWith(within), userproduct.HasCityWith(within))
}

// userProducts are a shop's published customer listings, newest first.
func (r *Resolver) userProducts(t *ent.Tenant, filter userProductFilter) list[*ent.UserProduct] {
	return list[*ent.UserProduct]{
		order: filter.listings().newestFirst("userProducts"),
		read: func(ctx context.Context, part stretch) ([]*ent.UserProduct, error) {
			return filter.narrow(r.publishedUserProducts(part.published(ctx))).
				Where(part.bounded).Order(part.sorted).Limit(part.limit).
				Modify(part.idsFirst(filter.words)).
				Collect(part.columns).Modify(selectVersion(t.ID)).All(inTenant(ctx, t.ID))
		},
		version: func(p *ent.UserProduct) int64 { return p.TenantVersion },
		tenant:  t.ID,
		place:   func(p *ent.UserProduct) place { return place{time: p.PublishedAt, id: p.ID} },
		total: publicTotal{
			Resolver: r,
			subject:  subject{tenant: t.ID, what: "userProducts.total", filter: filter},
			size: func(ctx context.Context) (int, error) {
				return filter.narrow(r.publishedUserProducts(ctx)).Count(ctx)
			},
		},
	}
}

// UserProducts is a page of a shop's published customer listings, newest first.
func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, page, pageSize int, name, q *string, categoryID, cityID, countryID *uuid.UUID,
	condition *record.Condition, promoted *bool,
) (*UserProductPage, error) {
	asked := userProductArguments{
		name: name, q: q, categoryID: categoryID, cityID: cityID, countryID: countryID, condition: condition,
		promoted: promoted,
	}
	shown := pageOf(r.Resolver.userProducts(t, asked.filter()), page, pageSize)
	return &shown, nil
}

// UserProductsConnection walks a shop's published customer listings, newest first.
func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name, q *string,
	categoryID, cityID, countryID *uuid.UUID, condition *record.Condition, promoted *bool,
) (*UserProductConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := userProductArguments{
		name: name, q: q, categoryID: categoryID, cityID: cityID, countryID: countryID, condition: condition,
		promoted: promoted,
	}
	return walk(ctx, r.Resolver.userProducts(t, asked.filter()), window, defaultSize)
}

// UserProduct is a published customer listing of a shop.
func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string,
) (*ent.UserProduct, error) {
	return r.publishedUserProducts(ctx).Where(userproduct.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(inTenant(ctx, t.ID))
}

// Price is what the customer asks; nil: ask.
func (userProductResolver) Price(_ context.Context, p *ent.UserProduct) (*money.Amount, error) {
	return amount(p.Price, &p.PriceCurrency), nil
}
