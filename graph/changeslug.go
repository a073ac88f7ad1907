package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/graph/model"
	"storefront/internal/bundle"
	"storefront/internal/record"
)

// changeSlug gives a record another slug.
func (m mutationResolver) changeSlug(
	ctx context.Context, business uuid.UUID, change bundle.ChangeSlug,
) (*model.ContentPayload, error) {
	change.Action = graphql.GetFieldContext(ctx).Field.Name
	edited, err := change.Apply(ctx, m.r.Store, business)
	return &model.ContentPayload{ID: edited.ID, Version: edited.Version}, err
}

// ChangeCategorySlug gives a category another slug.
func (m mutationResolver) ChangeCategorySlug(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slug, to string,
) (*model.ContentPayload, error) {
	return m.changeSlug(ctx, businessID,
		bundle.ChangeSlug{Kind: record.SlugCategory(entityType), From: slug, To: to})
}

// ChangeProductSlug gives a product another slug.
func (m mutationResolver) ChangeProductSlug(
	ctx context.Context, businessID uuid.UUID, slug, to string,
) (*model.ContentPayload, error) {
	return m.changeSlug(ctx, businessID, bundle.ChangeSlug{Kind: record.SlugProduct, From: slug, To: to})
}

// ChangeBrandSlug gives a brand another slug.
func (m mutationResolver) ChangeBrandSlug(
	ctx context.Context, businessID uuid.UUID, slug, to string,
) (*model.ContentPayload, error) {
	return m.changeSlug(ctx, businessID, bundle.ChangeSlug{Kind: record.SlugBrand, From: slug, To: to})
}

// ChangeUserProductSlug gives a customer's listing another slug.
func (m mutationResolver) ChangeUserProductSlug(
	ctx context.Context, businessID uuid.UUID, slug, to string,
) (*model.ContentPayload, error) {
	return m.changeSlug(ctx, businessID, bundle.ChangeSlug{Kind: record.SlugUserProduct, From: slug, To: to})
}

// ChangeBlogSlug gives a blog another slug.
func (m mutationResolver) ChangeBlogSlug(
	ctx context.Context, businessID uuid.UUID, slug, to string,
) (*model.ContentPayload, error) {
	return m.changeSlug(ctx, businessID, bundle.ChangeSlug{Kind: record.SlugBlog, From: slug, To: to})
}

// ChangePortfolioSlug gives a portfolio another slug.
func (m mutationResolver) ChangePortfolioSlug(
	ctx context.Context, businessID uuid.UUID, slug, to string,
) (*model.ContentPayload, error) {
	return m.changeSlug(ctx, businessID, bundle.ChangeSlug{Kind: record.SlugPortfolio, From: slug, To: to})
}
