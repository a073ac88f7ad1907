package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/location"
	"storefront/ent/predicate"
	"storefront/ent/userproduct"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// userProductArguments are the arguments of userProducts and userProductsConnection that choose records.
type userProductArguments struct {
	name, q                       *string
	categoryID, cityID, countryID *uuid.UUID
	condition                     *record.Condition
	promoted                      *bool
	categories                    []string
}

// userProductFilter is what a list of customer listings is narrowed by.
type userProductFilter struct {
	tenant     uuid.UUID
	categories choice
	walk       bool // how it is read, see listingFilter
	words      searchWords
	category   optional[uuid.UUID]
	city       optional[uuid.UUID]
	country    optional[uuid.UUID]
	condition  optional[record.Condition]
	promoted   optional[bool]
}

func (a userProductArguments) filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f userProductFilter, err error) {
	f = userProductFilter{
		tenant: t.ID, words: searchWordsOf(a.name, a.q), category: optionalOf(a.categoryID), city: optionalOf(a.cityID),
		country: optionalOf(a.countryID), condition: optionalOf(a.condition), promoted: optionalOf(a.promoted),
	}
	f.categories, err = r.someCategories(ctx, t, record.Product, a.categories)
	f.categories.singleID(&f.category)
	return f, err
}

func (f userProductFilter) listings() listingFilter {
	return listedUnder(listing.KindUserProduct, f.category, optional[string]{}).orUnder(f.tenant, f.categories, choice{}, f.walk)
}

// listedAlone reports whether the listings alone say which customer listings the list has.
func (f userProductFilter) listedAlone() bool {
	return f.listings().alone() && f == userProductFilter{tenant: f.tenant, category: f.category}
}

func (f userProductFilter) narrow(q *ent.UserProductQuery) *ent.UserProductQuery {
	q.Where(f.words.narrow(false), f.listings().narrow)
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
func (r *Catalog) userProducts(t *ent.Tenant, filter userProductFilter) list[*ent.UserProduct] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "userProducts.total", filter: filter},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.publishedUserProducts(ctx)).Count(ctx)
		},
	}
	return list[*ent.UserProduct]{
		order: filter.listings().newestFirst("userProducts"),
		read: func(ctx context.Context, part stretch) ([]*ent.UserProduct, error) {
			filter, err := filter, error(nil)
			if filter.categories.given {
				filter.walk, err = isMany(ctx, total)
			}
			if err != nil {
				return nil, err
			}
			found := r.publishedUserProducts(ctx)
			if filter.listedAlone() {
				found.Where(filter.listings().newest(part, requestTime(part.published(ctx)))).Order(part.ofRecords().sorted)
			} else {
				found = filter.narrow(r.publishedUserProducts(part.published(ctx))).
					Where(part.bounded).Order(part.sorted).Limit(part.limit)
				found.Modify(part.idsFirst(filter.words != ""))
			}
			return found.Collect(part.columns).Modify(selectVersion(t.ID)).All(inTenant(ctx, t.ID))
		},
		version: func(p *ent.UserProduct) int64 { return p.TenantVersion },
		tenant:  t.ID,
		place:   func(p *ent.UserProduct) place { return place{time: p.PublishedAt, id: p.ID} },
		total:   total,
	}
}

// UserProducts is a page of a shop's published customer listings, newest first.
func (r tenantResolver) UserProducts(
	ctx context.Context, t *ent.Tenant, page, pageSize int, name, q *string, categoryID *uuid.UUID,
	categories []string, cityID, countryID *uuid.UUID, condition *record.Condition, promoted *bool,
) (*UserProductPage, error) {
	asked := userProductArguments{
		name: name, q: q, categoryID: categoryID, cityID: cityID, countryID: countryID, condition: condition,
		promoted: promoted, categories: categories,
	}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	shown := pageOf(r.r.catalog.userProducts(t, filter), page, pageSize)
	return &shown, nil
}

// UserProductsConnection walks a shop's published customer listings, newest first.
func (r tenantResolver) UserProductsConnection(
	ctx context.Context, t *ent.Tenant, first *int, after *string, last *int, before *string, name, q *string,
	categoryID *uuid.UUID, categories []string, cityID, countryID *uuid.UUID, condition *record.Condition, promoted *bool,
) (*UserProductConnection, error) {
	window := window{first: first, last: last, after: after, before: before}
	asked := userProductArguments{
		name: name, q: q, categoryID: categoryID, cityID: cityID, countryID: countryID, condition: condition,
		promoted: promoted, categories: categories,
	}
	filter, err := asked.filter(ctx, r.r.catalog, t)
	if err != nil {
		return nil, err
	}
	return walk(ctx, r.r.catalog.userProducts(t, filter), window, defaultSize)
}

// UserProduct is a published customer listing of a shop.
func (r tenantResolver) UserProduct(
	ctx context.Context, t *ent.Tenant, slug string,
) (*ent.UserProduct, error) {
	return r.r.catalog.publishedUserProducts(ctx).Where(userproduct.Slug(lookupSlug(slug))).
		Collect(selection.Of(ctx)).Only(inTenant(ctx, t.ID))
}
