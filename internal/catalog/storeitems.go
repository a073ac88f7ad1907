package catalog

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/graph/model"
	"storefront/internal/record"
)

// The shapes of lists of variants.
type (
	VariantPage struct {
		ListPage[*ent.Variant]
		Facets *VariantFacets
	}
	VariantConnection struct {
		*Connection[*ent.Variant]
		Facets *VariantFacets
	}
	VariantEdge = Edge[*ent.Variant]
)

// VariantsOnSale returns the query that every public read of variants starts from.
func (r *Catalog) VariantsOnSale(ctx context.Context) *ent.VariantQuery {
	return r.store.Variant.Query().Where(variant.ListedAtLTE(RequestTime(ctx)))
}

// StoreItemArguments are the arguments of storeItems and storeItemsConnection that choose records.
type StoreItemArguments struct {
	CategoryID, BrandID, ProductID *uuid.UUID
	Categories, Brands             []string
	Options                        []*model.OptionFilter
	Name                           *string
	InStock, IsFestival            *bool
	MinPrice, MaxPrice             *model.Decimal
	Sort                           model.StoreItemSort
}

// variantFilter narrows a list of store items.
type variantFilter struct {
	tenant           uuid.UUID
	words            searchWords
	phrase           searchPhrase // if the list is sorted by relevance
	category         optional[uuid.UUID]
	categories       choice
	brand            optional[uuid.UUID]
	brands           choice
	product          optional[uuid.UUID]
	options          optionFilter
	inStock          optional[bool]
	isFestival       optional[bool]
	price            priceRange
	bySortIndex      bool // how it is read, see listingFilter
	inListOrder      bool // see listingFilter
	wordsInListOrder bool // see searchInListOrder
}

func (a StoreItemArguments) Filter(ctx context.Context, r *Catalog, t *ent.Tenant) (f variantFilter, err error) {
	f = variantFilter{
		tenant: t.ID, words: searchWordsOf(a.Name), category: optionalOf(a.CategoryID), brand: optionalOf(a.BrandID),
		product: optionalOf(a.ProductID), inStock: optionalOf(a.InStock), isFestival: optionalOf(a.IsFestival),
		options: optionFilterOf(a.Options),
	}
	if f.price, err = priceRangeOf(a.MinPrice, a.MaxPrice); err != nil {
		return f, err
	}
	if f.categories, err = r.someCategories(ctx, t, record.Product, a.Categories); err != nil {
		return f, err
	}
	if a.Sort == model.StoreItemSortRelevance {
		f.phrase = searchPhraseOf(a.Name)
	}
	f.brands, err = r.someBrands(ctx, t, a.Brands)
	f.categories.singleID(&f.category)
	f.brands.singleID(&f.brand)
	return f, err
}

// unsorted returns the filter without its order. It matches the same variants.
func (f variantFilter) unsorted() variantFilter {
	f.phrase = ""
	return f
}

// allButWords returns the filter without its search.
func (f variantFilter) allButWords() variantFilter {
	f.words, f.phrase = "", ""
	return f
}

func (f variantFilter) narrow(q *ent.VariantQuery) *ent.VariantQuery {
	return q.Where(f.conditions()...)
}

// conditions returns the predicates of the filter.
func (f variantFilter) conditions() []predicate.Variant {
	all := []predicate.Variant{f.words.narrow(f.wordsInListOrder), f.options.narrowVariants(f.inListOrder)}
	if f.categories.given {
		under := listingFilter{kind: listing.KindProduct}.orUnder(f.tenant, f.categories, choice{}, f.inListOrder)
		all = append(all, func(s *sql.Selector) {
			s.Where(under.underAny(s, under.anyOf[0], s.C(variant.FieldProductID), s.C(variant.FieldListedAt)))
		})
	}
	if f.brands.given {
		all = append(all, isAmong(variant.FieldProductBrandID, f.brands, f.inListOrder))
	}
	if f.category.given {
		all = append(all, f.inCategory)
	}
	if f.brand.given {
		all = append(all, f.ofBrand)
	}
	if f.product.given {
		all = append(all, variant.ProductID(f.product.value))
	}
	if f.inStock.given {
		all = append(all, sql.FieldEQ(record.InStock.Column, f.inStock.value))
	}
	if f.isFestival.given {
		all = append(all, variant.IsFestival(f.isFestival.value))
	}
	if f.price.min.given {
		all = append(all, variant.PriceMilliGTE(f.price.min.value))
	}
	if f.price.max.given {
		all = append(all, variant.PriceMilliLTE(f.price.max.value))
	}
	return all
}

// ofBrand keeps the variants of a brand's products. The subquery names the tenant too, since tenancy.Guard
// does not add it there, so that the index of products that begins with the tenant is used.
func (f variantFilter) ofBrand(s *sql.Selector) {
	p := sql.Table(product.Table)
	s.Where(sql.In(s.C(variant.FieldProductID), sql.Select(p.C(product.FieldID)).From(p).Where(sql.And(
		sql.EQ(p.C(product.FieldTenantID), f.tenant),
		sql.EQ(p.C(product.FieldBrandID), f.brand.value),
	))))
}

// inCategory keeps the variants of products that are listed under the category.
func (f variantFilter) inCategory(s *sql.Selector) {
	l := joinedListing()
	listed := sql.And(
		sql.ColumnsEQ(l.C(listing.FieldTenantID), s.C(variant.FieldTenantID)),
		sql.EQ(l.C(listing.FieldKind), listing.KindProduct),
		sql.EQ(l.C(listing.FieldFacet), FacetOfCategory(f.category.value)),
	)
	if !f.bySortIndex {
		s.Join(l).On(s.C(variant.FieldProductID), l.C(listing.FieldEntityID)).Where(listed)
		return
	}
	s.Where(sql.Exists(sql.Select(l.C(listing.FieldID)).From(l).Where(sql.And(
		listed,
		sql.ColumnsEQ(l.C(listing.FieldPublishedAt), s.C(variant.FieldListedAt)),
		sql.ColumnsEQ(l.C(listing.FieldEntityID), s.C(variant.FieldProductID)),
	))))
}

// newestFirst returns the order by the time from which a variant is on sale.
func (f variantFilter) newestFirst() SortOrder {
	o := SortOrder{Name: "storeItems.newest", Time: variant.FieldListedAt}
	if f.category.given { // the index that narrows the list has the same time
		o.split = true
		o.indexColumns = func() (time, id string) {
			return joinedListing().C(listing.FieldPublishedAt), sql.Table(variant.Table).C(variant.FieldID)
		}
	}
	return o
}

// variantSortKeys are the keys of all orders except newest first.
var variantSortKeys = map[model.StoreItemSort]sortKey[*ent.Variant]{
	model.StoreItemSortPriceAsc: {
		column: variant.FieldSortCheap,
		value:  func(v *ent.Variant) any { return v.SortCheap },
	},
	model.StoreItemSortPriceDesc: {
		column: variant.FieldSortDear,
		value:  func(v *ent.Variant) any { return v.SortDear },
	},
	model.StoreItemSortDiscount: {
		column: variant.FieldSortDiscount,
		value:  func(v *ent.Variant) any { return v.SortDiscount },
	},
}

// StoreItems returns a shop's variants on sale.
func (r *Catalog) StoreItems(t *ent.Tenant, filter variantFilter, sort model.StoreItemSort) List[*ent.Variant] {
	total := publicTotal{
		r:       r,
		subject: subject{tenant: t.ID, what: "storeItems.total", filter: filter.unsorted()},
		size:    func(ctx context.Context) (int, error) { return filter.narrow(r.VariantsOnSale(ctx)).Count(ctx) },
	}
	newest := List[*ent.Variant]{
		Order: filter.newestFirst(),
		Read: func(ctx context.Context, part Span) ([]*ent.Variant, error) {
			filter, err := filter, error(nil)
			if filter.category.given {
				filter.bySortIndex, err = readBySortIndex(ctx, part, total)
			}
			if err == nil && (filter.categories.given || filter.brands.given || filter.options != "") {
				filter.inListOrder, err = isMany(ctx, total)
			}
			if all := (variantFilter{tenant: filter.tenant}); err == nil && filter.words != "" &&
				filter.allButWords() == all {
				filter.wordsInListOrder, err = r.searchInListOrder(ctx, part, total, r.StoreItems(t, all, "").Total)
			}
			if err != nil {
				return nil, err
			}
			found := filter.narrow(r.VariantsOnSale(part.published(ctx))).
				Where(part.Bounded).Order(part.Sorted).Limit(part.Limit)
			found.Modify(part.idsFirst(filter.words != "" && !filter.wordsInListOrder))
			return found.Collect(part.Columns).Modify(selectVersion(t.ID)).All(InTenant(ctx, t.ID))
		},
		version:  func(v *ent.Variant) int64 { return v.TenantVersion },
		tenant:   t.ID,
		Position: func(v *ent.Variant) Position { return Position{Time: *v.ListedAt, ID: v.ID} },
		Total:    total,
	}
	if sort == model.StoreItemSortRelevance {
		return byRelevance(newest, "storeItems", filter.phrase, func(v *ent.Variant) string { return v.SearchText })
	}
	return sortBy(newest, "storeItems", sort, variantSortKeys)
}
