package catalog

import (
	"context"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/predicate"
	"storefront/ent/product"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Suggestions holds suggestions for the beginning of a name that a visitor has typed. Each list is read when
// a field asks for it.
type Suggestions struct {
	r      *Catalog
	tenant uuid.UUID
	prefix string
	first  int
}

// Suggestions returns the suggestions of a shop for prefix. Each list has at most first items.
func (r *Catalog) Suggestions(tenant uuid.UUID, prefix string, first int) *Suggestions {
	return &Suggestions{r: r, tenant: tenant, prefix: prefix, first: first}
}

// Products returns the products with the text as a SKU, then those whose first title begins with it, found by the index
// of titles. If they are few, it adds products whose other title begins with it, then those whose titles contain it.
func (s *Suggestions) Products(ctx context.Context) ([]*ent.Product, error) {
	begin, columns := search.Compact(s.prefix), selection.Of(ctx)
	if begin == "" {
		return []*ent.Product{}, nil
	}
	first, end := derive.TitlesFrom(begin)
	found := []*ent.Product{}
	const titles = 1
	for i, matches := range []predicate.Product{
		func(q *sql.Selector) { q.Where(searchPhrase(begin).named(q, s.tenant, request.Of(ctx).Now)) },
		func(q *sql.Selector) {
			product.SortTitleGTE(first)(q)
			product.SortTitleLT(end)(q)
		},
		product.SearchTextContains(" " + begin),
		product.SearchTextContains(begin),
	} {
		ids := convert.All(found, func(p *ent.Product) uuid.UUID { return p.ID })
		next := CollectProducts(ctx, s.r.PublishedProducts(ctx), columns).Where(matches, product.IDNotIn(ids...))
		if i == titles {
			next.Order(sql.OrderByField(product.FieldSortTitle).ToFunc())
		}
		more, err := next.Order(product.ByPublishedAt(sql.OrderDesc()), product.ByID(sql.OrderDesc())).
			Limit(s.first - len(found)).Modify(selectVersion(s.tenant)).All(tenancy.In(ctx, s.tenant))
		if found = append(found, more...); err != nil || len(found) == s.first {
			return found, err
		}
	}
	return found, nil
}

// Categories returns the categories of products with a matching name.
func (s *Suggestions) Categories(ctx context.Context) ([]*ent.Category, error) {
	if search.Compact(s.prefix) == "" {
		return []*ent.Category{}, nil
	}
	found, err := s.r.Store.Category.Query().Where(category.EntityTypeEQ(record.Product)).Order(category.ByID()).
		Collect(selection.Of(ctx).And("name", "name_fa", "position")).All(tenancy.In(ctx, s.tenant))
	found = slices.DeleteFunc(found, func(c *ent.Category) bool { return !s.fit(c.Name, c.NameFa) })
	list.SortByPosition(found, func(c *ent.Category) int { return c.Position },
		func(c *ent.Category) string { return c.Name })
	return found[:min(len(found), s.first)], err
}

// Brands returns the brands with a matching name.
func (s *Suggestions) Brands(ctx context.Context) ([]*ent.Brand, error) {
	if search.Compact(s.prefix) == "" {
		return []*ent.Brand{}, nil
	}
	found, err := s.r.Store.Brand.Query().Order(brand.ByID()).Collect(selection.Of(ctx).And("name", "name_fa")).
		All(tenancy.In(ctx, s.tenant))
	found = slices.DeleteFunc(found, func(b *ent.Brand) bool { return !s.fit(b.Name, b.NameFa) })
	list.SortByPosition(found, list.NoPosition, func(b *ent.Brand) string { return b.Name })
	return found[:min(len(found), s.first)], err
}

// fit reports whether one of names, or a word of it, begins with the text.
func (s *Suggestions) fit(names ...string) bool {
	typed, begin := search.Fold(s.prefix), search.Compact(s.prefix)
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(search.Compact(name), begin) || strings.Contains(" "+search.Fold(name), " "+typed)
	})
}
