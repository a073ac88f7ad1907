package graph

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/internal/record"
)

// The lists of products below several categories or brands. A page of each of them is two statements for all together:
// one finds the ids of every page, and one reads the products.

// Products are the products of each category and all below it.
func (r categoryResolver) Products(
	ctx context.Context, categories []*ent.Category, page, pageSize int, sort ProductSort,
) ([]*ProductPage, error) {
	return loadForSiblings(ctx, categories, func(categories []*ent.Category) ([]*ProductPage, error) {
		filters := make([]productFilter, len(categories))
		for i, c := range categories {
			filters[i] = productsIn(c)
		}
		return r.r.catalog.productPages(filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
			counts, err := r.ItemCount(ctx, categories)
			for i := range counts {
				if categories[i].EntityType != record.Product {
					counts[i] = 0
				}
			}
			return counts, err
		}), nil
	})
}

// Products are the products of each brand.
func (r brandResolver) Products(
	ctx context.Context, brands []*ent.Brand, page, pageSize int, sort ProductSort,
) ([]*ProductPage, error) {
	return loadForSiblings(ctx, brands, func(brands []*ent.Brand) ([]*ProductPage, error) {
		filters := make([]productFilter, len(brands))
		for i, b := range brands {
			filters[i] = productsOf(b)
		}
		return r.r.catalog.productPages(filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
			return r.r.catalog.countOfBrands(ctx, brands)
		}), nil
	})
}

// countOfBrands counts the published products of each brand.
func (r *Catalog) countOfBrands(ctx context.Context, brands []*ent.Brand) ([]int, error) {
	ids := idsOf(brands, func(b *ent.Brand) uuid.UUID { return b.ID })
	var rows []struct {
		ID    uuid.UUID `json:"brand_id"`
		Count int
	}
	err := r.publishedProducts(ctx).Where(product.BrandIDIn(ids...)).GroupBy(product.FieldBrandID).Aggregate(ent.Count()).
		Scan(inTenant(ctx, brands[0].TenantID), &rows)
	of := map[uuid.UUID]int{}
	for _, row := range rows {
		of[row.ID] = row.Count
	}
	counts := make([]int, len(ids))
	for i, id := range ids {
		counts[i] = of[id]
	}
	return counts, err
}

// productPages gives a page of the list of each filter. count gives the totals of all.
func (r *Catalog) productPages(
	filters []productFilter, sort ProductSort, page, pageSize int, count func(context.Context) ([]int, error),
) []*ProductPage {
	pages := make([]*ProductPage, len(filters))
	if len(filters) == 1 {
		pages[0] = &ProductPage{
			ListPage: pageOf(r.products(filters[0], sort), page, pageSize), Facets: r.productFacets(filters[0]),
		}
		return pages
	}
	totals := &sharedTotals{read: count}
	stretches := childLists[*ent.Product]{load: func(ctx context.Context, part stretch) ([][]*ent.Product, error) {
		return r.productsWithin(ctx, filters, totals, part)
	}}
	for i, filter := range filters {
		l := r.products(filter, sort)
		l.read = func(ctx context.Context, part stretch) ([]*ent.Product, error) { return stretches.read(ctx, i, part) }
		l.total = publicTotals{r, filter.tenant, totals, i}
		pages[i] = &ProductPage{ListPage: pageOf(l, page, pageSize), Facets: r.productFacets(filter)}
	}
	return pages
}

// sharedTotals counts several lists together, once.
type sharedTotals struct {
	read func(context.Context) ([]int, error)
	once sync.Once
	all  []int
	err  error
}

func (t *sharedTotals) of(ctx context.Context) ([]int, error) {
	t.once.Do(func() { t.all, t.err = t.read(ctx) })
	return t.all, t.err
}

// publicTotals is one of several totals of public content.
type publicTotals struct {
	r      *Catalog
	tenant uuid.UUID
	all    *sharedTotals
	i      int
}

func (t publicTotals) count(ctx context.Context) (int, error) {
	scopeOf(ctx).showsCount(t.tenant)
	scopeOf(ctx).isUnsure(t.tenant)
	counts, err := t.all.of(ctx)
	if err != nil {
		return 0, err
	}
	return counts[t.i], nil
}

func (t publicTotals) known(context.Context) (int, bool) { return 0, false }

// listsInStatement is how many lists one statement reads: SQLite takes at most 500.
const listsInStatement = 100

// productsWithin reads a stretch of the list of each filter.
func (r *Catalog) productsWithin(
	ctx context.Context, filters []productFilter, totals *sharedTotals, part stretch,
) ([][]*ent.Product, error) {
	tenant := filters[0].tenant
	if part.key != "" && filters[0].category.given {
		counts, err := totals.of(ctx)
		if err != nil {
			return nil, err
		}
		for i := range filters {
			filters[i].bySortIndex = counts[i] >= manyListed
		}
	}
	wanted := make([][]uuid.UUID, len(filters))
	for from := 0; from < len(filters); from += listsInStatement {
		some := filters[from:min(from+listsInStatement, len(filters))]
		if err := r.idsWithin(ctx, some, part, wanted[from:]); err != nil {
			return nil, err
		}
	}
	found, err := collectProducts(ctx, r.publishedProducts(ctx).Where(product.IDIn(flatten(wanted)...)), part.columns).
		Modify(selectVersion(tenant)).All(inTenant(ctx, tenant))
	rememberSiblings(ctx, found)
	return arrange(wanted, found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// idsWithin finds the ids of a stretch of the list of each filter, in one statement. package tenancy does not see it:
// each list names the tenant.
func (r *Catalog) idsWithin(ctx context.Context, filters []productFilter, part stretch, into [][]uuid.UUID) error {
	build := sql.Dialect(r.store.Raw().Dialect())
	columns := []string{"list", "k", "t", "id"}
	var all *sql.Selector
	for i, filter := range filters {
		p := build.Table(product.Table)
		one := build.Select().From(p).Where(sql.And(
			sql.EQ(p.C(product.FieldTenantID), filter.tenant),
			sql.EQ(p.C(product.FieldStatus), record.Published),
			sql.LTE(p.C(product.FieldPublishedAt), requestTime(part.published(ctx))),
		))
		filter.listings().narrow(one)
		if filter.brand.given {
			one.Where(sql.EQ(p.C(product.FieldBrandID), filter.brand.value))
		}
		part.bounded(one)
		part.sorted(one)
		key, time, id := part.columnsIn(one)
		if key == "" {
			key = time
		}
		one.AppendSelectExprAs(sql.Raw(strconv.Itoa(i)), "list").
			AppendSelectAs(key, "k").AppendSelectAs(time, "t").AppendSelectAs(id, "id").
			Limit(part.limit).Offset(part.offset)
		named := build.Select(columns...).From(one.As("one"))
		if all == nil {
			all = named
		} else {
			all.UnionAll(named)
		}
	}
	lists := build.Select("list", "id").From(all.As("lists")).OrderBy("list")
	switch {
	case part.key == "":
	case part.ascending:
		lists.OrderBy("k")
	default:
		lists.OrderBy(sql.Desc("k"))
	}
	text, values := lists.OrderBy(sql.Desc("t"), sql.Desc("id")).Query()
	rows, err := r.store.QueryContext(ctx, text, values...)
	if err != nil {
		return fmt.Errorf("find the products of lists: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var list int
		var id uuid.UUID
		if err := rows.Scan(&list, &id); err != nil {
			return fmt.Errorf("find the products of lists: %w", err)
		}
		into[list] = append(into[list], id)
	}
	return errors.Join(rows.Err(), rows.Close())
}
