package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/element"
	"storefront/internal/content/sheet"
	"storefront/internal/content/stored"
	"storefront/internal/content/transfer"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
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

// Previews of records that need not be published (contract 3.6): how staff make them, and what their holders see.

func (m mutationResolver) PreviewContent(
	ctx context.Context, asked map[string]any, _ uuid.UUID,
) (*api.PreviewPayload, error) {
	_, section := contentField(ctx)
	kind := stored.SlugKind(section, nil)
	slug := search.Slug(asked["slug"].(string))
	scan, _ := m.r.staffRows(api.StaffRecordKind(kind), sql.FieldEQ("slug", slug))
	var found []*staffRow
	if err := scan(ctx, &found); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "there is no such record")
	}
	of := staff.PreviewOf{
		Kind: kind, ID: found[0].ID, Name: found[0].TitleFa, NameEn: found[0].TitleEn, Customer: found[0].UserID,
	}
	life := time.Duration(asked["expiresInSeconds"].(int)) * time.Second
	text, expires, err := m.r.Links.Preview(ctx, of, life)
	return &api.PreviewPayload{Preview: text, ExpiresAt: expires}, err
}

// shownPreview is a preview that somebody opens.
type shownPreview struct {
	kind       record.SlugKind
	slug, text string // of the record; the preview itself
}

// previewed returns the record that a preview shows, if slug is its present or a former slug.
func previewed[R any](
	ctx context.Context, r *Resolver, t *ent.Tenant, shown shownPreview,
	read func(ctx context.Context, id uuid.UUID, asked *selection.Set) (R, error), slugOf func(R) string,
) (found R, err error) {
	id, err := r.Links.Previewed(ctx, t.ID, shown.kind, shown.text)
	if err != nil {
		return found, err
	}
	found, err = read(tenancy.In(ctx, t.ID), id, selection.Of(ctx).And("slug", "tenant_id"))
	if ent.IsNotFound(err) {
		return found, staff.NoPreview()
	}
	if err != nil {
		return found, err
	}
	is, err := r.Catalog.WasCalled(ctx, t, shown.kind, id, slugOf(found), shown.slug)
	if err == nil && !is {
		err = staff.NoPreview()
	}
	return found, err
}

func exportPayload(l transfer.Link, err error) (*api.SheetExportPayload, error) {
	return &api.SheetExportPayload{URL: l.URL, ExpiresAt: l.Expires}, err
}

func importPayload(l transfer.Link, err error) (*api.SheetImportPayload, error) {
	return &api.SheetImportPayload{URL: l.URL, CheckURL: l.CheckURL(), ExpiresAt: l.Expires}, err
}

func (m mutationResolver) CreateProductExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Products))
}

func (m mutationResolver) CreateOfferExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Offers))
}

func (m mutationResolver) CreateOrderExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Orders))
}

func (m mutationResolver) CreateCustomerExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Customers))
}

func (m mutationResolver) CreateProductImport(ctx context.Context, _ uuid.UUID) (*api.SheetImportPayload, error) {
	return importPayload(m.r.Sheets.Import(ctx, sheet.Products))
}

func (m mutationResolver) CreateOfferImport(ctx context.Context, _ uuid.UUID) (*api.SheetImportPayload, error) {
	return importPayload(m.r.Sheets.Import(ctx, sheet.Offers))
}
