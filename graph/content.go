package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/graph/model"
	"storefront/internal/record"
)

// What staff write of a shop's content: each is one element of a bundle (edits.go).

// UpdateShop changes the shop itself.
func (m mutationResolver) UpdateShop(
	ctx context.Context, businessID uuid.UUID, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "tenant", nil, input, expectedVersion)
}

// UpdateBusinessProfile changes the profile of the business.
func (m mutationResolver) UpdateBusinessProfile(
	ctx context.Context, businessID uuid.UUID, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "profile", nil, input, expectedVersion)
}

// CreateProduct adds a product with its variations and variants.
func (m mutationResolver) CreateProduct(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "products", map[string]string{"slug": slug}, input, nil)
}

// UpdateProduct changes a product with its variations and variants.
func (m mutationResolver) UpdateProduct(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "products", map[string]string{"slug": slug}, input, expectedVersion)
}

// DeleteProduct deletes a product with its variations and variants.
func (m mutationResolver) DeleteProduct(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "products", map[string]string{"slug": slug})
}

// CreateCategory adds a category with its technical form.
func (m mutationResolver) CreateCategory(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slug string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "categories",
		map[string]string{"entityType": string(entityType), "slug": slug}, input, nil)
}

// UpdateCategory changes a category with its technical form.
func (m mutationResolver) UpdateCategory(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slug string, input map[string]any,
	expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "categories",
		map[string]string{"entityType": string(entityType), "slug": slug}, input, expectedVersion)
}

// DeleteCategory deletes a category with its technical form.
func (m mutationResolver) DeleteCategory(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slug string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "categories", map[string]string{"entityType": string(entityType), "slug": slug})
}

// CreateBrand adds a brand.
func (m mutationResolver) CreateBrand(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "brands", map[string]string{"slug": slug}, input, nil)
}

// UpdateBrand changes a brand.
func (m mutationResolver) UpdateBrand(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "brands", map[string]string{"slug": slug}, input, expectedVersion)
}

// DeleteBrand deletes a brand.
func (m mutationResolver) DeleteBrand(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "brands", map[string]string{"slug": slug})
}

// CreateUserProduct adds a customer's listing.
func (m mutationResolver) CreateUserProduct(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "userProducts", map[string]string{"slug": slug}, input, nil)
}

// UpdateUserProduct changes a customer's listing.
func (m mutationResolver) UpdateUserProduct(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "userProducts", map[string]string{"slug": slug}, input, expectedVersion)
}

// DeleteUserProduct deletes a customer's listing.
func (m mutationResolver) DeleteUserProduct(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "userProducts", map[string]string{"slug": slug})
}

// CreateBlog adds a blog.
func (m mutationResolver) CreateBlog(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "blogs", map[string]string{"slug": slug}, input, nil)
}

// UpdateBlog changes a blog.
func (m mutationResolver) UpdateBlog(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "blogs", map[string]string{"slug": slug}, input, expectedVersion)
}

// DeleteBlog deletes a blog.
func (m mutationResolver) DeleteBlog(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "blogs", map[string]string{"slug": slug})
}

// CreatePortfolio adds a portfolio.
func (m mutationResolver) CreatePortfolio(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "portfolios", map[string]string{"slug": slug}, input, nil)
}

// UpdatePortfolio changes a portfolio.
func (m mutationResolver) UpdatePortfolio(
	ctx context.Context, businessID uuid.UUID, slug string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "portfolios", map[string]string{"slug": slug}, input, expectedVersion)
}

// DeletePortfolio deletes a portfolio.
func (m mutationResolver) DeletePortfolio(
	ctx context.Context, businessID uuid.UUID, slug string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "portfolios", map[string]string{"slug": slug})
}

// CreateSlider adds a slider of the home page.
func (m mutationResolver) CreateSlider(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "sliders", map[string]string{"key": key}, input, nil)
}

// UpdateSlider changes a slider of the home page.
func (m mutationResolver) UpdateSlider(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "sliders", map[string]string{"key": key}, input, expectedVersion)
}

// DeleteSlider deletes a slider of the home page.
func (m mutationResolver) DeleteSlider(
	ctx context.Context, businessID uuid.UUID, key string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "sliders", map[string]string{"key": key})
}

// CreateCategoryGroup adds a group of categories for the home page.
func (m mutationResolver) CreateCategoryGroup(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "categoryGroups", map[string]string{"key": key}, input, nil)
}

// UpdateCategoryGroup changes a group of categories for the home page.
func (m mutationResolver) UpdateCategoryGroup(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "categoryGroups", map[string]string{"key": key}, input, expectedVersion)
}

// DeleteCategoryGroup deletes a group of categories for the home page.
func (m mutationResolver) DeleteCategoryGroup(
	ctx context.Context, businessID uuid.UUID, key string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "categoryGroups", map[string]string{"key": key})
}

// CreateBrandGroup adds a group of brands for the home page.
func (m mutationResolver) CreateBrandGroup(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "brandGroups", map[string]string{"key": key}, input, nil)
}

// UpdateBrandGroup changes a group of brands for the home page.
func (m mutationResolver) UpdateBrandGroup(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "brandGroups", map[string]string{"key": key}, input, expectedVersion)
}

// DeleteBrandGroup deletes a group of brands for the home page.
func (m mutationResolver) DeleteBrandGroup(
	ctx context.Context, businessID uuid.UUID, key string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "brandGroups", map[string]string{"key": key})
}

// CreateStoreSpecial adds a special offer of the home page.
func (m mutationResolver) CreateStoreSpecial(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "specials", map[string]string{"key": key}, input, nil)
}

// UpdateStoreSpecial changes a special offer of the home page.
func (m mutationResolver) UpdateStoreSpecial(
	ctx context.Context, businessID uuid.UUID, key string, input map[string]any, expectedVersion *string,
) (*model.ContentPayload, error) {
	return m.edit(ctx, businessID, "specials", map[string]string{"key": key}, input, expectedVersion)
}

// DeleteStoreSpecial deletes a special offer of the home page.
func (m mutationResolver) DeleteStoreSpecial(
	ctx context.Context, businessID uuid.UUID, key string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "specials", map[string]string{"key": key})
}

// DeleteVariant deletes a variant.
func (m mutationResolver) DeleteVariant(
	ctx context.Context, businessID uuid.UUID, sku string,
) (*model.MessagePayload, error) {
	return m.remove(ctx, businessID, "variants", map[string]string{"sku": sku})
}
