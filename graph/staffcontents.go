package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/content/element"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// The content of a shop as staff write it: each field returns an element of a bundle, the form that edits.go
// takes.

func (r *Resolver) contents(business uuid.UUID) element.Contents {
	return element.Contents{Client: r.Store, Tenant: business}
}

func (q queryResolver) StaffShop(ctx context.Context, businessID uuid.UUID) (*element.ShopContent, error) {
	return q.r.contents(businessID).Shop(ctx)
}

func (q queryResolver) StaffBusinessProfile(
	ctx context.Context, businessID uuid.UUID,
) (*element.BusinessProfileContent, error) {
	return q.r.contents(businessID).BusinessProfile(ctx)
}

func (q queryResolver) StaffCategory(
	ctx context.Context, businessID uuid.UUID, kind record.EntityType, slug string,
) (*element.CategoryContent, error) {
	return q.r.contents(businessID).Category(ctx, kind, search.Slug(slug))
}

func (q queryResolver) StaffBrand(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*element.BrandContent, error) {
	return q.r.contents(businessID).Brand(ctx, search.Slug(slug))
}

func (q queryResolver) StaffBlog(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*element.BlogContent, error) {
	return q.r.contents(businessID).Blog(ctx, search.Slug(slug))
}

func (q queryResolver) StaffPortfolio(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*element.PortfolioContent, error) {
	return q.r.contents(businessID).Portfolio(ctx, search.Slug(slug))
}

func (q queryResolver) StaffTaxRates(ctx context.Context, businessID uuid.UUID) ([]*element.TaxRateContent, error) {
	return q.r.contents(businessID).TaxRates(ctx)
}

func (q queryResolver) StaffDeliveryMethods(
	ctx context.Context, businessID uuid.UUID,
) ([]*element.DeliveryMethodContent, error) {
	return q.r.contents(businessID).DeliveryMethods(ctx)
}

func (q queryResolver) StaffSliders(ctx context.Context, businessID uuid.UUID) ([]*element.SliderContent, error) {
	return q.r.contents(businessID).Sliders(ctx)
}

func (q queryResolver) StaffCategoryGroups(
	ctx context.Context, businessID uuid.UUID,
) ([]*element.CategoryGroupContent, error) {
	return q.r.contents(businessID).CategoryGroups(ctx)
}

func (q queryResolver) StaffBrandGroups(
	ctx context.Context, businessID uuid.UUID,
) ([]*element.BrandGroupContent, error) {
	return q.r.contents(businessID).BrandGroups(ctx)
}

func (q queryResolver) StaffStoreSpecials(
	ctx context.Context, businessID uuid.UUID,
) ([]*element.StoreSpecialContent, error) {
	return q.r.contents(businessID).StoreSpecials(ctx)
}

func (r staffProductResolver) Content(ctx context.Context, p *api.StaffProduct) (*element.ProductContent, error) {
	return r.r.contents(p.Product.TenantID).Product(ctx, p.Product.ID)
}

func (r staffListingResolver) Content(
	ctx context.Context, l *api.StaffListing,
) (*element.UserProductContent, error) {
	return r.r.contents(l.Listing.TenantID).UserProduct(ctx, l.Listing.ID)
}

func (userProductContentResolver) Status(
	_ context.Context, c *element.UserProductContent,
) (api.ListingStatus, error) {
	return api.ListingStatus(c.Status), nil
}
