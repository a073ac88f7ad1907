package graph

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (r tenantResolver) Categories(
	ctx context.Context, t *ent.Tenant, kind record.EntityType,
) ([]*ent.Category, error) {
	sel := selection.Of(ctx).And("parent_id", "position", "name", "entity_type")
	found, err := r.r.Store.Category.Query().Where(category.EntityTypeEQ(kind)).Order(category.ByID()).
		Collect(sel).All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found,
		func(c *ent.Category) int { return c.Position }, func(c *ent.Category) string { return c.Name })
	return parentsFirst(found), err
}

// parentsFirst sorts categories so that each follows its parent. Siblings keep their order.
func parentsFirst(categories []*ent.Category) []*ent.Category {
	children := make(map[uuid.UUID][]*ent.Category, len(categories))
	for _, c := range categories {
		parent := convert.Value(c.ParentID)
		children[parent] = append(children[parent], c)
	}
	ordered := make([]*ent.Category, 0, len(categories))
	var walk func(parent uuid.UUID)
	walk = func(parent uuid.UUID) {
		for _, c := range children[parent] {
			ordered = append(ordered, c)
			walk(c.ID)
		}
	}
	walk(uuid.Nil)
	return ordered
}

func (r categoryResolver) ItemCount(ctx context.Context, categories []*ent.Category) ([]int, error) {
	return r.r.Catalog.ItemsIn(ctx, categories)
}

func (r tenantResolver) Category(
	ctx context.Context, t *ent.Tenant, slug string, kind record.EntityType,
) (*ent.Category, error) {
	one, err := r.r.Store.Category.Query().Where(category.EntityTypeEQ(kind), category.Slug(search.Slug(slug))).
		Collect(selection.Of(ctx)).Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugCategory(kind), slug, err)
}

// Parent returns the parent of each category. Parents that were not joined are read in one statement.
func (r categoryResolver) Parent(ctx context.Context, categories []*ent.Category) ([]*ent.Category, error) {
	missing := func(c *ent.Category) *uuid.UUID {
		if c.Edges.Parent != nil {
			return nil
		}
		return c.ParentID
	}
	parents, err := referred(categories, missing, func(ids []uuid.UUID) (map[uuid.UUID]*ent.Category, error) {
		found, err := r.r.Store.Category.Query().Where(category.IDIn(ids...)).Collect(selection.Of(ctx)).
			All(tenancy.In(ctx, categories[0].TenantID))
		return convert.ByKey(found, func(c *ent.Category) uuid.UUID { return c.ID }), err
	})
	for i, c := range categories {
		parents[i] = cmp.Or(c.Edges.Parent, parents[i])
	}
	return parents, err
}

func (r categoryResolver) Children(ctx context.Context, categories []*ent.Category) ([][]*ent.Category, error) {
	ids := convert.All(categories, func(c *ent.Category) uuid.UUID { return c.ID })
	found, err := r.r.Store.Category.Query().Where(category.ParentIDIn(ids...)).Order(category.ByID()).
		Collect(selection.Of(ctx).And("parent_id", "position", "name")).
		All(tenancy.In(ctx, categories[0].TenantID))
	list.SortByPosition(found,
		func(c *ent.Category) int { return c.Position }, func(c *ent.Category) string { return c.Name })
	list.RememberSiblings(ctx, found)
	return list.Group(ids, found, func(c *ent.Category) uuid.UUID { return *c.ParentID }), err
}

func (r tenantResolver) Brands(ctx context.Context, t *ent.Tenant) ([]*ent.Brand, error) {
	found, err := r.r.Store.Brand.Query().Order(brand.ByID()).Collect(selection.Of(ctx).And("name")).
		All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found, list.NoPosition, func(b *ent.Brand) string { return b.Name })
	return found, err
}

func (r tenantResolver) Brand(ctx context.Context, t *ent.Tenant, slug string) (*ent.Brand, error) {
	one, err := r.r.Store.Brand.Query().Where(brand.Slug(search.Slug(slug))).Collect(selection.Of(ctx)).
		Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugBrand, slug, err)
}
