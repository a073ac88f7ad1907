package graph

import (
	"context"
	"math"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/facets"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (r tenantResolver) Products(
	ctx context.Context, t *ent.Tenant, asked catalog.ProductArguments, page, pageSize int,
) (*facets.ProductPage, error) {
	products, filter, err := r.r.Catalog.Products(ctx, t, asked)
	counts := facets.OfProducts(r.r.Catalog, filter)
	return &facets.ProductPage{Page: list.NewPage(products, page, pageSize), Facets: counts}, err
}

func (r tenantResolver) ProductsConnection(
	ctx context.Context, t *ent.Tenant, asked catalog.ProductArguments, window list.Window,
) (*facets.ProductConnection, error) {
	products, filter, err := r.r.Catalog.Products(ctx, t, asked)
	if err != nil {
		return nil, err
	}
	c, err := list.Walk(ctx, products, window, list.DefaultSize)
	return &facets.ProductConnection{Connection: c, Facets: facets.OfProducts(r.r.Catalog, filter)}, err
}

func (r tenantResolver) Product(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Product, error) {
	if has(preview) {
		return previewed(ctx, r.r, t, shownPreview{record.SlugProduct, slug, *preview},
			func(ctx context.Context, id uuid.UUID, asked *selection.Set) (*ent.Product, error) {
				found, err := r.r.Store.Product.Query().Where(product.ID(id)).Collect(asked).Only(ctx)
				if err == nil {
					catalog.Preview(ctx, found)
				}
				return found, err
			}, func(p *ent.Product) string { return p.Slug })
	}
	found := r.r.Catalog.PublishedProducts(ctx).Where(product.Slug(search.Slug(slug)))
	one, err := catalog.CollectProducts(ctx, found, selection.Of(ctx)).Only(tenancy.In(ctx, t.ID))
	return one, r.r.Catalog.Moved(ctx, t, record.SlugProduct, slug, err)
}

func (productResolver) RatingAverage(_ context.Context, p *ent.Product) (*float64, error) {
	if p.RatingCount == 0 {
		return nil, nil
	}
	mean := math.Round(10*float64(p.RatingSum)/float64(p.RatingCount)) / 10
	return &mean, nil
}

func (r productResolver) Variants(ctx context.Context, products []*ent.Product) ([][]*ent.Variant, error) {
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	found, err := r.r.Catalog.VariantsOf(ctx, products).Order(variant.ByID()).
		Collect(selection.Of(ctx).And("product_id")).All(tenancy.In(ctx, products[0].TenantID))
	return list.Group(ids, found, func(v *ent.Variant) uuid.UUID { return v.ProductID }), err
}

// CheapestVariant returns the variant on sale that costs the least of each product. Only ids of the others
// are read.
func (r productResolver) CheapestVariant(ctx context.Context, products []*ent.Product) ([]*ent.Variant, error) {
	ctx = tenancy.In(ctx, products[0].TenantID)
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	priced, err := r.r.Catalog.VariantsOf(ctx, products).Where(variant.PriceNotNil()).
		Order(variant.ByPrice(), variant.ByID()).Select(variant.FieldID, variant.FieldProductID).All(ctx)
	if err != nil {
		return nil, err
	}
	first := map[uuid.UUID]uuid.UUID{}
	for _, v := range priced {
		if _, ok := first[v.ProductID]; !ok {
			first[v.ProductID] = v.ID
		}
	}
	cheapest := convert.All(ids, func(id uuid.UUID) uuid.UUID { return first[id] })
	found, err := r.r.Catalog.VariantsOf(ctx, products).Where(variant.IDIn(cheapest...)).
		Collect(selection.Of(ctx)).All(ctx)
	return inOrder(ctx, cheapest, found, func(v *ent.Variant) uuid.UUID { return v.ID }), err
}

func (r productResolver) Comments(ctx context.Context, products []*ent.Product) ([][]*ent.Comment, error) {
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	return r.r.Catalog.CommentsOn(ctx, products[0].TenantID, record.Product, ids, 0)
}

func (r productResolver) ExpertReviews(
	ctx context.Context, products []*ent.Product,
) ([][]*ent.ExpertReview, error) {
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	return r.r.Catalog.ReviewsOf(ctx, products[0].TenantID, ids, 0)
}

func (r productResolver) CommentsConnection(
	ctx context.Context, products []*ent.Product, window list.Window,
) ([]*api.CommentConnection, error) {
	ids := convert.All(products, func(p *ent.Product) uuid.UUID { return p.ID })
	return r.r.Catalog.CommentConnections(ctx, products[0].TenantID, record.Product, ids, window)
}
