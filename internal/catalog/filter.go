package catalog

import (
	"context"
	"encoding/json"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/ent/location"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// listKind is a kind of records that have a public list.
type listKind struct {
	name       string            // of the list, as in cursors
	listed     listing.Kind      // of the records in the index of listings; variants are there by their products
	categories record.EntityType // of the categories
	id         string            // column with the id of the record in the index
	published  string            // column with the time in the index
	category   string            // column
	brand      string            // column
	price      string            // column for ranges of prices
}

var (
	productList = &listKind{name: "products", listed: listing.KindProduct, categories: record.Product,
		id: product.FieldID, published: product.FieldPublishedAt,
		category: product.FieldCategoryID, brand: product.FieldBrandID, price: product.FieldSortDear}
	storeItemList = &listKind{name: "storeItems", listed: listing.KindProduct, categories: record.Product,
		id: variant.FieldProductID, published: variant.FieldListedAt,
		category: variant.FieldProductCategoryID, brand: variant.FieldProductBrandID,
		price: variant.FieldPriceMilli} // in no index: with one, all variants of a range would be read and sorted
	userProductList = &listKind{name: "userProducts", listed: listing.KindUserProduct, categories: record.Product,
		id: userproduct.FieldID, published: userproduct.FieldPublishedAt}
	blogList = &listKind{name: "blogs", listed: listing.KindBlog, categories: record.Blog,
		id: blog.FieldID, published: blog.FieldPublishedAt}
	portfolioList = &listKind{name: "portfolios", listed: listing.KindPortfolio, categories: record.Portfolio,
		id: blog.FieldID, published: blog.FieldPublishedAt}
)

// Filter narrows a public list to the records that meet all conditions. It is comparable, so that requests with
// equal filters share one count.
type Filter struct {
	list   *listKind
	tenant uuid.UUID

	searched
	category, brand optional[uuid.UUID]
	tag             optional[string]
	choices
	options, values        conditions
	price                  priceRange
	product, city, country optional[uuid.UUID]
	blogType               optional[record.BlogType]
	condition              optional[record.Condition]
	promoted               optional[bool]
	inStore, inStock       optional[bool]
	isFestival             optional[bool]

	reading
}

type searched struct {
	words  searchWords
	sku    searchPhrase // of products: the search, which may be a SKU
	phrase searchPhrase // if the list is sorted by relevance
}

// choices are several values of a property each, any of which a record may have.
type choices struct{ categories, brands, tags choice }

// reading is how a list is read. It does not change which records are found.
type reading struct {
	// bySortIndex is whether the list is read along the index of its sort key, and each record looked up in
	// the listings. Otherwise the listings are read first.
	bySortIndex bool
	// inListOrder is the same for choices, for a list in any order: no index has the order of several categories.
	inListOrder bool
	held        heldWords
	indexed     bool // it is read by SQLite's index of words
	joinsFound  bool // it joins each product with its cheapest matching variant
}

// choose completes a filter by what its arguments name by slugs or ids.
func (r *Catalog) choose(ctx context.Context, t *ent.Tenant, f *Filter, categories, brands []string) (err error) {
	f.categories, err = r.choiceOfRecords(ctx, t, record.SlugCategory(f.list.categories), categories,
		func(ctx context.Context, slugs []string, found any) error {
			return r.Store.Category.Query().
				Where(category.EntityTypeEQ(f.list.categories), category.SlugIn(slugs...)).
				Select(category.FieldID, category.FieldSlug).Scan(ctx, found)
		})
	if err != nil {
		return err
	}
	f.brands, err = r.choiceOfRecords(ctx, t, record.SlugBrand, brands,
		func(ctx context.Context, slugs []string, found any) error {
			return r.Store.Brand.Query().Where(brand.SlugIn(slugs...)).Select(brand.FieldID, brand.FieldSlug).
				Scan(ctx, found)
		})
	f.categories.singleID(&f.category)
	f.brands.singleID(&f.brand)
	return err
}

// unsorted returns the filter without its ranking and the choice of how its list is read. It matches the same records.
func (f Filter) unsorted() Filter {
	f.phrase, f.reading = "", reading{}
	return f
}

// onlySearches reports whether the filter has no condition but a search.
func (f Filter) onlySearches() bool {
	f = f.unsorted()
	return f.words != "" && f == Filter{list: f.list, tenant: f.tenant, searched: f.searched}
}

// listedAlone reports whether the listings alone determine the records of the list.
func (f Filter) listedAlone() bool {
	return len(f.facets()) == 1 && f.list != storeItemList && !f.bySortIndex &&
		f.unsorted() == Filter{list: f.list, tenant: f.tenant, category: f.category, tag: f.tag}
}

// hasChoice reports whether the filter has a condition for which no index has the order of the list.
func (f Filter) hasChoice() bool {
	return f.categories.given || f.brands.given || f.tags.given || f.options != "" || f.asksVariants()
}

// Narrow keeps the records that match the filter at a time.
func (f Filter) Narrow(at time.Time) func(*sql.Selector) {
	return func(s *sql.Selector) {
		f.narrowToSearched(s, at)
		if f.indexed {
			f.narrowByIndex(s)
		}
		f.narrowToListed(s)
		f.values.narrowValues(s)
		if f.list == storeItemList {
			f.options.narrowVariants(s, f.inListOrder)
			f.narrowToBrandOfProduct(s)
		} else {
			f.brand.narrow(s, f.list.brand)
		}
		f.brands.narrow(s, f.list.brand, f.inListOrder)
		switch {
		case f.joinsFound:
			f.joinFound(s, at)
		case f.asksVariants():
			f.narrowByVariants(s, at)
		default:
			f.price.narrow(s, f.list.price)
		}
		f.product.narrow(s, variant.FieldProductID)
		f.inStore.narrow(s, product.FieldInStore)
		f.inStock.narrow(s, record.InStock.Column)
		f.isFestival.narrow(s, variant.FieldIsFestival)
		f.blogType.narrow(s, blog.FieldType)
		f.condition.narrow(s, userproduct.FieldCondition)
		f.promoted.narrow(s, userproduct.FieldPromoted)
		for _, place := range []optional[uuid.UUID]{f.city, f.country} {
			if place.given {
				locatedAt(place.value)(s)
			}
		}
	}
}

// narrowToBrandOfProduct keeps the variants of a brand's products. The subquery names the tenant too, since
// tenancy.Guard does not add it there, so that the index of products that begins with the tenant is used.
func (f Filter) narrowToBrandOfProduct(s *sql.Selector) {
	if !f.brand.given {
		return
	}
	p := sql.Table(product.Table)
	s.Where(sql.In(s.C(variant.FieldProductID), sql.Select(p.C(product.FieldID)).From(p).Where(sql.And(
		sql.EQ(p.C(product.FieldTenantID), f.tenant),
		sql.EQ(p.C(product.FieldBrandID), f.brand.value),
	))))
}

// priceRange holds the inclusive bounds of a price filter, in thousandths of the unit.
type priceRange struct{ min, max optional[int64] }

// priceRangeOf reads the bounds of a price filter. A minimum with more than three decimals is rounded up and
// a maximum down, which matches the same prices.
func priceRangeOf(lowest, highest *json.Number) (r priceRange, err error) {
	if r.min, err = thousandths(lowest, true); err != nil {
		return r, err
	}
	r.max, err = thousandths(highest, false)
	return r, err
}

func thousandths(price *json.Number, roundUp bool) (optional[int64], error) {
	if price == nil {
		return optional[int64]{}, nil
	}
	amount, err := money.ParseMilli(string(*price), roundUp)
	return optional[int64]{value: amount, given: true}, err
}

func (r priceRange) narrow(s *sql.Selector, column string) {
	if r.min.given || r.max.given { // negative in a sort key without a price
		s.Where(sql.GTE(s.C(column), max(r.min.value, 0)))
	}
	if r.max.given {
		s.Where(sql.LTE(s.C(column), r.max.value))
	}
}

// locatedAt keeps the listings at a node of the location tree, of any level, or below it. A listing may name
// only its city.
func locatedAt(place uuid.UUID) predicate.UserProduct {
	within := location.Or(
		location.ID(place), location.ParentID(place), location.HasParentWith(location.ParentID(place)))
	return userproduct.Or(
		userproduct.CountryID(place), userproduct.HasProvinceWith(within), userproduct.HasCityWith(within))
}
