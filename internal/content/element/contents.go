package element

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/stored"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// Contents reads records of a shop in the form in which staff edit them (package edit). It fails with NOT_FOUND for a
// record that the shop does not have.
type Contents struct {
	Client *ent.Client
	Tenant uuid.UUID
}

// Shop reads the shop itself.
func (c Contents) Shop(ctx context.Context) (*ShopContent, error) {
	row, err := c.Client.Tenant.Get(tenancy.In(ctx, c.Tenant), c.Tenant)
	if err != nil {
		return nil, err
	}
	return &ShopContent{row, stored.VersionOf(row.UpdatedAt)}, nil
}

// BusinessProfile reads the profile. It is empty if none was written.
func (c Contents) BusinessProfile(ctx context.Context) (*BusinessProfileContent, error) {
	row, err := c.Client.BusinessProfile.Query().Only(tenancy.In(ctx, c.Tenant))
	if ent.IsNotFound(err) {
		return &BusinessProfileContent{BusinessProfile: &ent.BusinessProfile{}}, nil
	}
	if err != nil {
		return nil, err
	}
	return &BusinessProfileContent{row, new(stored.VersionOf(row.UpdatedAt))}, nil
}

// Category reads a category with its own form.
func (c Contents) Category(ctx context.Context, kind record.EntityType, slug string) (*CategoryContent, error) {
	e := &reader{client: c.Client}
	if err := e.loadCategories(tenancy.In(ctx, c.Tenant)); err != nil {
		return nil, err
	}
	found := e.categories.BySlug(kind, slug)
	if found == nil {
		err := fault.New(fault.NotFound, "there is no such record")
		return nil, stored.NowCalled(tenancy.In(ctx, c.Tenant), c.Client, record.SlugCategory(kind), slug, err)
	}
	out := e.category(found)
	return &out, nil
}

// Brand reads a brand.
func (c Contents) Brand(ctx context.Context, slug string) (*BrandContent, error) {
	return readSlug[BrandContent](ctx, c, record.SlugBrand, slug, (*reader).brands)
}

// Product reads a product with its variants, on sale or not.
func (c Contents) Product(ctx context.Context, id uuid.UUID) (*ProductContent, error) {
	return readOne[ProductContent](ctx, c, sql.FieldEQ("id", id), (*reader).products)
}

// UserProduct reads a customer's listing.
func (c Contents) UserProduct(ctx context.Context, id uuid.UUID) (*UserProductContent, error) {
	return readOne[UserProductContent](ctx, c, sql.FieldEQ("id", id), (*reader).userProducts)
}

// Blog reads a blog.
func (c Contents) Blog(ctx context.Context, slug string) (*BlogContent, error) {
	return readSlug[BlogContent](ctx, c, record.SlugBlog, slug, (*reader).blogs)
}

// Portfolio reads a portfolio.
func (c Contents) Portfolio(ctx context.Context, slug string) (*PortfolioContent, error) {
	return readSlug[PortfolioContent](ctx, c, record.SlugPortfolio, slug, (*reader).portfolios)
}

// Sliders reads all sliders.
func (c Contents) Sliders(ctx context.Context) ([]*SliderContent, error) {
	return readAll[SliderContent](ctx, c, nil, (*reader).sliders)
}

// CategoryGroups reads all groups of categories.
func (c Contents) CategoryGroups(ctx context.Context) ([]*CategoryGroupContent, error) {
	return readAll[CategoryGroupContent](ctx, c, nil, (*reader).categoryGroups)
}

// BrandGroups reads all groups of brands.
func (c Contents) BrandGroups(ctx context.Context) ([]*BrandGroupContent, error) {
	return readAll[BrandGroupContent](ctx, c, nil, (*reader).brandGroups)
}

// StoreSpecials reads all special offers, whether they are active or not.
func (c Contents) StoreSpecials(ctx context.Context) ([]*StoreSpecialContent, error) {
	return readAll[StoreSpecialContent](ctx, c, nil, (*reader).specials)
}

// DeliveryMethods reads all delivery methods, active or not, oldest first.
func (c Contents) DeliveryMethods(ctx context.Context) ([]*DeliveryMethodContent, error) {
	return readAll[DeliveryMethodContent](ctx, c, nil, (*reader).deliveryMethods)
}

// TaxRates reads all tax rates, whether they hold or not, oldest first.
func (c Contents) TaxRates(ctx context.Context) ([]*TaxRateContent, error) {
	return readAll[TaxRateContent](ctx, c, nil, (*reader).taxRates)
}

// ProductPages reads the products of a shop page by page, as elements of a bundle. It holds no transaction
// between pages, so later pages may include concurrent changes.
type ProductPages struct{ e *reader }

// ProductPages begins the reading of products. It reads the categories, which the pages name.
func (c Contents) ProductPages(ctx context.Context) (*ProductPages, error) {
	e := &reader{client: c.Client}
	err := e.loadCategories(tenancy.In(ctx, c.Tenant))
	return &ProductPages{e}, err
}

// After returns up to most products of the context's shop with ids above after, in the order of their ids.
func (p *ProductPages) After(ctx context.Context, after uuid.UUID, most int) ([]ProductContent, error) {
	return p.e.productsAfter(ctx, after, most)
}

// readAll reads the elements of a section that match a condition. It reads versions first: a record that is
// changed meanwhile has an outdated version, so that an edit with it is refused.
func readAll[C any](
	ctx context.Context, c Contents, narrow func(*sql.Selector), section func(*reader, context.Context) error,
) ([]*C, error) {
	ctx = tenancy.In(ctx, c.Tenant)
	found := []*C{}
	e := &reader{client: c.Client, narrow: narrow}
	e.take = func(element any) error {
		one := element.(C)
		found = append(found, &one)
		return nil
	}
	if err := e.loadCategories(ctx); err != nil {
		return nil, err
	}
	return found, section(e, ctx)
}

func readOne[C any](
	ctx context.Context, c Contents, narrow func(*sql.Selector), section func(*reader, context.Context) error,
) (*C, error) {
	found, err := readAll[C](ctx, c, narrow, section)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "there is no such record")
	}
	return found[0], nil
}

// readSlug is readOne by slug. For a former slug the error has the present one.
func readSlug[C any](
	ctx context.Context, c Contents, kind record.SlugKind, slug string, section func(*reader, context.Context) error,
) (*C, error) {
	found, err := readOne[C](ctx, c, sql.FieldEQ("slug", slug), section)
	return found, stored.NowCalled(tenancy.In(ctx, c.Tenant), c.Client, kind, slug, err)
}
