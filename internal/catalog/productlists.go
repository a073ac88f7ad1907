package catalog

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// CountOfBrands counts the published products of each brand.
func (r *Catalog) CountOfBrands(ctx context.Context, brands []*ent.Brand) ([]int, error) {
	ids := convert.All(brands, func(b *ent.Brand) uuid.UUID { return b.ID })
	var counted []list.Tally
	err := r.PublishedProducts(ctx).Where(product.BrandIDIn(ids...)).Modify(list.TallyBy(product.FieldBrandID)).
		Scan(tenancy.In(ctx, brands[0].TenantID), &counted)
	return list.Tallies(ids, counted), err
}

// ProductPages returns a page of the list of each filter. count returns the totals of all lists.
func (r *Catalog) ProductPages(
	ctx context.Context, filters []Filter, sort record.ProductSort, page, pageSize int,
	count func(context.Context) ([]int, error),
) []*list.Page[*ent.Product] {
	pages := make([]*list.Page[*ent.Product], len(filters))
	totals := sync.OnceValues(func() ([]int, error) { return count(ctx) })
	lists := list.Children[*ent.Product]{
		Load: func(ctx context.Context, part list.Span) ([][]*ent.Product, error) {
			return r.productsWithin(ctx, filters, totals, part)
		},
		Totals: func() ([]int, error) {
			ScopeOf(ctx).note(filters[0].tenant, func(r *reads) { r.counted, r.unsure = true, true })
			return totals()
		},
	}
	for i, filter := range filters {
		l := r.products(filter, sort)
		if len(filters) > 1 {
			l.Read, l.Total = lists.Read(i), lists.Total(i)
		}
		pages[i] = list.NewPage(l, page, pageSize)
	}
	return pages
}

// listsInStatement is how many lists one statement reads: SQLite takes at most 500.
const listsInStatement = 100

func (r *Catalog) productsWithin(
	ctx context.Context, filters []Filter, totals func() ([]int, error), part list.Span,
) ([][]*ent.Product, error) {
	tenant := filters[0].tenant
	if part.Key != "" && filters[0].category.given {
		counts, err := totals()
		if err != nil {
			return nil, err
		}
		filters = slices.Clone(filters)
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
	public := r.PublishedProducts(ctx).Where(product.IDIn(list.Flatten(wanted)...))
	found, err := CollectProducts(ctx, public, part.Columns).Modify(selectVersion(tenant)).All(tenancy.In(ctx, tenant))
	list.RememberSiblings(ctx, found)
	return list.Arrange(wanted, found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// idsWithin finds the ids of a span of the list of each filter, in one statement. Package tenancy does not
// check it, so each list names the tenant.
func (r *Catalog) idsWithin(ctx context.Context, filters []Filter, part list.Span, into [][]uuid.UUID) error {
	build := sql.Dialect(r.Store.Raw().Dialect())
	columns := []string{"list", "k", "t", "id"}
	var all *sql.Selector
	for i, filter := range filters {
		p := build.Table(product.Table)
		one := build.Select().From(p).Where(sql.And(
			sql.EQ(p.C(product.FieldTenantID), filter.tenant),
			sql.EQ(p.C(product.FieldStatus), record.Published),
			sql.LTE(p.C(product.FieldPublishedAt), request.Of(published(ctx, part)).Now),
		))
		filter.Narrow(request.Of(ctx).Now)(one)
		part.Bounded(one)
		part.Sorted(one)
		key, time, id := part.ColumnsIn(one)
		if key == "" {
			key = time
		}
		one.AppendSelectExprAs(sql.Raw(strconv.Itoa(i)), "list").
			AppendSelectAs(key, "k").AppendSelectAs(time, "t").AppendSelectAs(id, "id").
			Limit(part.Limit).Offset(part.Offset)
		named := build.Select(columns...).From(one.As("one"))
		if all == nil {
			all = named
		} else {
			all.UnionAll(named)
		}
	}
	lists := build.Select("list", "id").From(all.As("lists")).OrderBy("list")
	switch {
	case part.Key == "":
	case part.Ascending:
		lists.OrderBy("k")
	default:
		lists.OrderBy(sql.Desc("k"))
	}
	text, values := lists.OrderBy(sql.Desc("t"), sql.Desc("id")).Query()
	err := database.EachRow(ctx, r.Store.Raw(), text, values, func(row *sql.Rows) error {
		var list int
		var id uuid.UUID
		err := row.Scan(&list, &id)
		into[list] = append(into[list], id)
		return err
	})
	if err != nil {
		return fmt.Errorf("find the products of lists: %w", err)
	}
	return nil
}
