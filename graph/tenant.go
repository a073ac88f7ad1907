package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/brandgroup"
	"storefront/ent/category"
	"storefront/ent/categorygroup"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

func (q queryResolver) Tenant(ctx context.Context, domain string) (*ent.Tenant, error) {
	return q.r.Catalog.ShopAt(ctx, domain)
}

func (r tenantResolver) BusinessInfo(ctx context.Context, t *ent.Tenant) (*api.BusinessInfo, error) {
	profile, err := r.r.profileOf(ctx, t)
	return &api.BusinessInfo{Name: t.Name, NameFa: t.NameFa, BusinessProfile: profile}, err
}

// profileOf returns the profile of a business, which is empty before it is written.
func (r *Resolver) profileOf(ctx context.Context, t *ent.Tenant) (*ent.BusinessProfile, error) {
	profile, err := r.Store.BusinessProfile.Query().Only(tenancy.In(ctx, t.ID))
	if ent.IsNotFound(err) {
		return &ent.BusinessProfile{}, nil
	}
	return profile, err
}

func (r tenantResolver) Sliders(ctx context.Context, t *ent.Tenant) ([]*ent.Slider, error) {
	sel := selection.Of(ctx).And("position", "key")
	found, err := r.r.Store.Slider.Query().Order(slider.ByID()).Collect(sel).All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found,
		func(s *ent.Slider) int { return s.Position }, func(s *ent.Slider) string { return s.Key })
	return found, err
}

func (r tenantResolver) CategoryGroups(ctx context.Context, t *ent.Tenant) ([]*ent.CategoryGroup, error) {
	found, err := r.r.Store.CategoryGroup.Query().Order(categorygroup.ByID()).
		Collect(selection.Of(ctx).And("title")).All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found, list.NoPosition, func(g *ent.CategoryGroup) string { return g.Title })
	return found, err
}

func (r tenantResolver) BrandGroups(ctx context.Context, t *ent.Tenant) ([]*ent.BrandGroup, error) {
	found, err := r.r.Store.BrandGroup.Query().Order(brandgroup.ByID()).
		Collect(selection.Of(ctx).And("title")).All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found, list.NoPosition, func(g *ent.BrandGroup) string { return g.Title })
	return found, err
}

func (r tenantResolver) StoreSpecials(ctx context.Context, t *ent.Tenant) ([]*ent.StoreSpecial, error) {
	at := request.Of(ctx).Now
	found, err := r.r.Store.StoreSpecial.Query().
		Where(
			storespecial.Or(storespecial.StartsAtIsNil(), storespecial.StartsAtLTE(at)),
			storespecial.Or(storespecial.EndsAtIsNil(), storespecial.EndsAtGT(at)),
		).
		Order(storespecial.ByID()).
		Collect(selection.Of(ctx).And("title")).All(tenancy.In(ctx, t.ID))
	list.SortByPosition(found, list.NoPosition, func(s *ent.StoreSpecial) string { return s.Title })
	return found, err
}

func (r categoryGroupResolver) Items(
	ctx context.Context, groups []*ent.CategoryGroup,
) ([][]*ent.Category, error) {
	ids := convert.All(groups, func(g *ent.CategoryGroup) []uuid.UUID { return g.ItemIds })
	found, err := r.r.Store.Category.Query().
		Where(category.IDIn(list.Flatten(ids)...), category.EntityTypeEQ(record.Product)).
		Collect(selection.Of(ctx)).All(tenancy.In(ctx, groups[0].TenantID))
	return list.Arrange(ids, found, func(c *ent.Category) uuid.UUID { return c.ID }), err
}

func (r brandGroupResolver) Items(ctx context.Context, groups []*ent.BrandGroup) ([][]*ent.Brand, error) {
	ids := convert.All(groups, func(g *ent.BrandGroup) []uuid.UUID { return g.ItemIds })
	found, err := r.r.Store.Brand.Query().Where(brand.IDIn(list.Flatten(ids)...)).
		Collect(selection.Of(ctx)).All(tenancy.In(ctx, groups[0].TenantID))
	return list.Arrange(ids, found, func(b *ent.Brand) uuid.UUID { return b.ID }), err
}

func (r storeSpecialResolver) Items(
	ctx context.Context, specials []*ent.StoreSpecial,
) ([][]*ent.Variant, error) {
	ids := convert.All(specials, func(s *ent.StoreSpecial) []uuid.UUID { return s.ItemIds })
	found, err := r.r.Catalog.VariantsOnSale(ctx).Where(variant.IDIn(list.Flatten(ids)...)).
		Collect(selection.Of(ctx)).All(tenancy.In(ctx, specials[0].TenantID))
	return list.Arrange(ids, found, func(v *ent.Variant) uuid.UUID { return v.ID }), err
}

func (r tenantResolver) Suggestions(
	_ context.Context, t *ent.Tenant, prefix string, first int,
) (*catalog.Suggestions, error) {
	return r.r.Catalog.Suggestions(t.ID, prefix, first), nil
}
