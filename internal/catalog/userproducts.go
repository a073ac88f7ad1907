package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/location"
	"storefront/ent/predicate"
	"storefront/ent/userproduct"
	"storefront/internal/record"
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
		Where(userproduct.StatusEQ(userproduct.StatusPublished), userproduct.PublishedAtLTE(RequestTime(ctx)))
}

// UserProductArguments are the arguments of userProducts and userProductsConnection that choose records.
type UserProductArguments struct {
	Name, Q                       *string
	CategoryID, CityID, CountryID *uuid.UUID
	Condition                     *record.Condition
	Promoted                      *bool
	Categories                    []string
}

// userProductFilter narrows a list of customers' listings.
type userProductFilter struct {
	tenant      uuid.UUID
	categories  choice
	inListOrder bool // how it is read, see listingFilter
	words       searchWords
	category    optional[uuid.UUID]
	city        optional[uuid.UUID]
	country     optional[uuid.UUID]
	condition   optional[record.Condition]
	promoted    optional[bool]
}

func (a UserProductArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f userProductFilter, err error) {
	f = userProductFilter{
		tenant: t.ID, words: searchWordsOf(a.Name, a.Q), category: optionalOf(a.CategoryID), city: optionalOf(a.CityID),
		country: optionalOf(a.CountryID), condition: optionalOf(a.Condition), promoted: optionalOf(a.Promoted),
	}
	f.categories, err = r.someCategories(ctx, t, record.Product, a.Categories)
	f.categories.singleID(&f.category)
	return f, err
}

func (f userProductFilter) listings() listingFilter {
	return listedUnder(listing.KindUserProduct, f.category, optional[string]{}).
		orUnder(f.tenant, f.categories, choice{}, f.inListOrder)
}

// listedAlone reports whether the listings alone determine the records of the list.
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

// locatedAt keeps the listings at a node of the location tree, of any level, or below it. A listing may name
// only its city.
func locatedAt(place uuid.UUID) predicate.UserProduct {
	within := location.Or(
		location.ID(place), location.ParentID(place), location.HasParentWith(location.ParentID(place)))
	return userproduct.Or(
		userproduct.CountryID(place), userproduct.HasProvinceWith(within), userproduct.HasCityWith(within))
}

// UserProducts returns a shop's published customer listings, newest first.
func (r *Catalog) UserProducts(t *ent.Tenant, filter userProductFilter) List[*ent.UserProduct] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "userProducts.total", filter: filter},
		size: func(ctx context.Context) (int, error) {
			if filter.listedAlone() {
				return r.countAlone(ctx, filter.listings())
			}
			return filter.narrow(r.PublishedUserProducts(ctx)).Count(ctx)
		},
	}
	return List[*ent.UserProduct]{
		Order: filter.listings().newestFirst("userProducts"),
		Read: func(ctx context.Context, part Span) ([]*ent.UserProduct, error) {
			filter, err := filter, error(nil)
			if filter.categories.given {
				filter.inListOrder, err = isMany(ctx, total)
			}
			if err != nil {
				return nil, err
			}
			found := r.PublishedUserProducts(ctx)
			if filter.listedAlone() {
				found.Where(filter.listings().newest(part, RequestTime(part.published(ctx)))).
					Order(part.ofRecords().Sorted)
			} else {
				found = filter.narrow(r.PublishedUserProducts(part.published(ctx))).
					Where(part.Bounded).Order(part.Sorted).Limit(part.Limit)
				found.Modify(part.idsFirst(filter.words != ""))
			}
			return found.Collect(part.Columns).Modify(selectVersion(t.ID)).All(InTenant(ctx, t.ID))
		},
		version:  func(p *ent.UserProduct) int64 { return p.TenantVersion },
		tenant:   t.ID,
		Position: func(p *ent.UserProduct) Position { return Position{Time: p.PublishedAt, ID: p.ID} },
		Total:    total,
	}
}
