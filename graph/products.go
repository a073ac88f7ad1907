package graph

import (
	"context"
	"math"
	"slices"

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
	ctx context.Context, t *ent.Tenant, args catalog.ProductArguments, page, pageSize int,
) (*facets.ProductPage, error) {
	products, filter, err := r.r.Catalog.Products(ctx, t, args)
	counts := facets.OfProducts(r.r.Catalog, filter)
	return &facets.ProductPage{Page: list.NewPage(products, page, pageSize), Facets: counts}, err
}

func (r tenantResolver) ProductsConnection(
	ctx context.Context, t *ent.Tenant, args catalog.ProductArguments, window list.Window,
) (*facets.ProductConnection, error) {
	products, filter, err := r.r.Catalog.Products(ctx, t, args)
	if err != nil {
		return nil, err
	}
	c, err := list.NewConnection(ctx, products, window, list.DefaultSize)
	return &facets.ProductConnection{Connection: c, Facets: facets.OfProducts(r.r.Catalog, filter)}, err
}

func (r tenantResolver) Product(
	ctx context.Context, t *ent.Tenant, slug string, preview *string,
) (*ent.Product, error) {
	if record.TextOf(preview) != "" {
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

// InStock reports for each product whether a variant on sale is in stock. It is computed, because stock changes all the
// time. Products that were joined to a variant were read without it.
func (r productResolver) InStock(ctx context.Context, products []*ent.Product) ([]bool, error) {
	if !slices.ContainsFunc(products, func(p *ent.Product) bool { return p.InStock == nil }) {
		return catalog.Computed(products, func(p *ent.Product) (uuid.UUID, *bool) { return p.ID, p.InStock })
	}
	var stocked []struct {
		ID uuid.UUID `json:"product_id"`
	}
	err := r.r.Catalog.VariantsOf(ctx, products).Where(variant.StockGT(0)).Unique(true).
		Select(variant.FieldProductID).Scan(tenancy.In(ctx, products[0].TenantID), &stocked)
	is := map[uuid.UUID]bool{}
	for _, s := range stocked {
		is[s.ID] = true
	}
	return convert.All(products, func(p *ent.Product) bool { return is[p.ID] }), err
}

func (blogResolver) CommentCount(_ context.Context, blogs []*ent.Blog) ([]int, error) {
	return catalog.Computed(blogs, func(b *ent.Blog) (uuid.UUID, *int) { return b.ID, b.CommentCount })
}

func (portfolioResolver) CommentCount(_ context.Context, portfolios []*ent.Portfolio) ([]int, error) {
	return catalog.Computed(portfolios, func(p *ent.Portfolio) (uuid.UUID, *int) { return p.ID, p.CommentCount })
}

// Related returns other published products of each product's category, newest first. Two statements serve all
// of them: the newest of every category, by the index of listings, and the products.
func (r productResolver) Related(
	ctx context.Context, products []*ent.Product, limit int,
) ([][]*ent.Product, error) {
	return r.r.Catalog.RelatedTo(ctx, products, limit)
}

func (r productResolver) TechnicalInfo(
	ctx context.Context, products []*ent.Product,
) ([]*catalog.TechnicalInfo, error) {
	return technicalInfo(ctx, r.r, products, func(p *ent.Product) (uuid.UUID, *uuid.UUID, record.Values) {
		return p.TenantID, p.CategoryID, p.Values
	})
}

func (r userProductResolver) TechnicalInfo(
	ctx context.Context, listings []*ent.UserProduct,
) ([]*catalog.TechnicalInfo, error) {
	return technicalInfo(ctx, r.r, listings, func(l *ent.UserProduct) (uuid.UUID, *uuid.UUID, record.Values) {
		return l.TenantID, l.CategoryID, l.Values
	})
}

func technicalInfo[R any](
	ctx context.Context, r *Resolver, records []R,
	valuesOf func(R) (shop uuid.UUID, category *uuid.UUID, _ record.Values),
) ([]*catalog.TechnicalInfo, error) {
	shop, _, _ := valuesOf(records[0])
	forms, err := r.Catalog.Forms(ctx, shop)
	infos := make([]*catalog.TechnicalInfo, len(records))
	for i, one := range records {
		_, category, values := valuesOf(one)
		infos[i] = catalog.TechnicalInfoOf(forms, category, values)
	}
	return infos, err
}

func (r userProductResolver) TechnicalValues(
	ctx context.Context, listings []*ent.UserProduct,
) ([][]*catalog.TechnicalValue, error) {
	infos, err := r.TechnicalInfo(ctx, listings)
	return convert.All(infos, func(info *catalog.TechnicalInfo) []*catalog.TechnicalValue { return info.Values }), err
}

// The lists of products below several categories or brands. A page of each of them is two statements for all together:
// one finds the ids of every page, and one reads the products.

func (r categoryResolver) Products(
	ctx context.Context, categories []*ent.Category, page, pageSize int, sort record.ProductSort,
) ([]*facets.ProductPage, error) {
	filters := convert.All(categories, catalog.ProductsIn)
	pages := r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
		counts, err := r.ItemCount(ctx, categories)
		for i := range counts {
			if categories[i].EntityType != record.Product {
				counts[i] = 0
			}
		}
		return counts, err
	})
	return r.r.withFacets(pages, filters), nil
}

func (r brandResolver) Products(
	ctx context.Context, brands []*ent.Brand, page, pageSize int, sort record.ProductSort,
) ([]*facets.ProductPage, error) {
	filters := convert.All(brands, catalog.ProductsOf)
	pages := r.r.Catalog.ProductPages(ctx, filters, sort, page, pageSize, func(ctx context.Context) ([]int, error) {
		return r.r.Catalog.CountOfBrands(ctx, brands)
	})
	return r.r.withFacets(pages, filters), nil
}

// withFacets returns the pages of the lists of filters, with what they count.
func (r *Resolver) withFacets(pages []*list.Page[*ent.Product], filters []catalog.Filter) []*facets.ProductPage {
	all := make([]*facets.ProductPage, len(pages))
	for i, page := range pages {
		all[i] = &facets.ProductPage{Page: page, Facets: facets.OfProducts(r.Catalog, filters[i])}
	}
	return all
}
