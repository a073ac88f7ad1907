package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/tenant"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/seo"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// Fields for search engines: the address of a page, and its JSON-LD.

// pageOf returns the pages of a shop in the given language, or in the shop's own if locale is nil.
func (r *Resolver) pageOf(ctx context.Context, shop uuid.UUID, locale *api.Locale) (seo.Page, error) {
	type key struct{ shop uuid.UUID }
	row, err := catalog.Once(ctx, key{shop}, func() (*ent.Tenant, error) {
		return r.Store.Tenant.Query().Where(tenant.ID(shop)).Only(ctx)
	})
	if err != nil {
		return seo.Page{}, err
	}
	return seo.NewPage(row, string(convert.Value(locale))), nil
}

// canonicalURL returns the address of a record's page, or nil if it has no page.
func (r *Resolver) canonicalURL(
	ctx context.Context, shop uuid.UUID, kind record.PageKind, slug string, locale *api.Locale,
) (*string, error) {
	page, err := r.pageOf(ctx, shop, locale)
	if err != nil || !page.Has(kind) {
		return nil, err
	}
	address := page.Of(kind, slug)
	return &address, nil
}

func (r tenantResolver) CanonicalURL(ctx context.Context, t *ent.Tenant, locale *api.Locale) (*string, error) {
	return r.r.canonicalURL(ctx, t.ID, record.HomePage, "", locale)
}

func (r productResolver) CanonicalURL(ctx context.Context, p *ent.Product, locale *api.Locale) (*string, error) {
	return r.r.canonicalURL(ctx, p.TenantID, record.ProductPage, p.Slug, locale)
}

func (r categoryResolver) CanonicalURL(ctx context.Context, c *ent.Category, locale *api.Locale) (*string, error) {
	return r.r.canonicalURL(ctx, c.TenantID, record.CategoryPageOf(c.EntityType), c.Slug, locale)
}

func (r brandResolver) CanonicalURL(ctx context.Context, b *ent.Brand, locale *api.Locale) (*string, error) {
	return r.r.canonicalURL(ctx, b.TenantID, record.BrandPage, b.Slug, locale)
}

func (r userProductResolver) CanonicalURL(
	ctx context.Context, p *ent.UserProduct, locale *api.Locale,
) (*string, error) {
	return r.r.canonicalURL(ctx, p.TenantID, record.ListingPage, p.Slug, locale)
}

func (r blogResolver) CanonicalURL(ctx context.Context, b *ent.Blog, locale *api.Locale) (*string, error) {
	return r.r.canonicalURL(ctx, b.TenantID, record.BlogPage, b.Slug, locale)
}

func (r portfolioResolver) CanonicalURL(ctx context.Context, p *ent.Portfolio, locale *api.Locale) (*string, error) {
	return r.r.canonicalURL(ctx, p.TenantID, record.PortfolioPage, p.Slug, locale)
}

func (r tenantResolver) JSONLd(ctx context.Context, t *ent.Tenant, locale *api.Locale) (string, error) {
	page, err := r.r.pageOf(ctx, t.ID, locale)
	if err != nil {
		return "", err
	}
	profile, err := r.r.profileOf(ctx, t)
	if err != nil {
		return "", err
	}
	return page.Store(profile)
}

func (r blogResolver) JSONLd(ctx context.Context, b *ent.Blog, locale *api.Locale) (string, error) {
	page, err := r.r.pageOf(ctx, b.TenantID, locale)
	if err != nil {
		return "", err
	}
	return page.Article(b)
}

func (r productResolver) JSONLd(
	ctx context.Context, products []*ent.Product, locale *api.Locale,
) ([]string, error) {
	shop := products[0].TenantID
	page, err := r.r.pageOf(ctx, shop, locale)
	if err != nil {
		return nil, err
	}
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	onSale, err := r.r.Catalog.VariantsOf(ctx, products).Order(variant.ByID()).
		Select(variant.FieldProductID, variant.FieldSku, variant.FieldPrice, variant.FieldPriceCurrency,
			variant.FieldStock, variant.FieldOptions).All(tenancy.In(ctx, shop))
	if err != nil {
		return nil, err
	}
	said, err := r.r.Catalog.NewestReviews(ctx, shop, ids, seo.MostReviews)
	if err != nil {
		return nil, err
	}
	variants := list.Group(ids, onSale, func(v *ent.Variant) uuid.UUID { return v.ProductID })
	reviews := list.Group(ids, said, func(e *ent.ExpertReview) uuid.UUID { return e.ProductID })
	texts := make([]string, len(products))
	for i, p := range products {
		if texts[i], err = page.Product(p, variants[i], reviews[i]); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func (r productResolver) BreadcrumbsJSONLd(ctx context.Context, p *ent.Product, locale *api.Locale) (string, error) {
	page, err := r.r.pageOf(ctx, p.TenantID, locale)
	if err != nil {
		return "", err
	}
	steps, err := r.r.stepsTo(ctx, page, p.CategoryID)
	if err != nil {
		return "", err
	}
	return page.Trail(append(steps, seo.Step{
		Name: page.Title(p.TitleEn, p.TitleFa), Address: page.Of(record.ProductPage, p.Slug),
	})...)
}

func (r categoryResolver) BreadcrumbsJSONLd(
	ctx context.Context, c *ent.Category, locale *api.Locale,
) (string, error) {
	page, err := r.r.pageOf(ctx, c.TenantID, locale)
	if err != nil {
		return "", err
	}
	steps, err := r.r.stepsTo(ctx, page, &c.ID)
	if err != nil {
		return "", err
	}
	return page.Trail(steps...)
}

// stepsTo returns the ancestors of a category, and the category itself.
func (r *Resolver) stepsTo(ctx context.Context, page seo.Page, to *uuid.UUID) (steps []seo.Step, err error) {
	if to == nil {
		return nil, nil
	}
	type key struct{ shop uuid.UUID }
	all, err := catalog.Once(ctx, key{page.Shop.ID}, func() (map[uuid.UUID]*ent.Category, error) {
		found, err := r.Store.Category.Query().Select(category.FieldParentID, category.FieldEntityType,
			category.FieldSlug, category.FieldName, category.FieldNameFa).All(tenancy.In(ctx, page.Shop.ID))
		return convert.ByKey(found, func(c *ent.Category) uuid.UUID { return c.ID }), err
	})
	if err != nil {
		return nil, err
	}
	for c := all[*to]; c != nil && len(steps) < len(all); {
		steps = append([]seo.Step{{
			Name: page.Name(c.Name, c.NameFa), Address: page.Of(record.CategoryPageOf(c.EntityType), c.Slug),
		}}, steps...)
		if c.ParentID == nil {
			break
		}
		c = all[*c.ParentID]
	}
	return steps, nil
}
