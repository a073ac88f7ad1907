package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/list"
	"storefront/internal/record"
)

func (r tenantResolver) Comments(
	ctx context.Context, t *ent.Tenant, kind record.EntityType, id uuid.UUID,
) ([]*ent.Comment, error) {
	if err := r.r.Catalog.MustBePublished(ctx, t.ID, kind, id); err != nil {
		return nil, err
	}
	return catalog.BoundedOpinions(ctx, func(ctx context.Context, most int) ([][]*ent.Comment, error) {
		return r.r.Catalog.CommentsOn(ctx, t.ID, kind, []uuid.UUID{id}, most)
	})
}

func (r tenantResolver) CommentsConnection(
	ctx context.Context, t *ent.Tenant, kind record.EntityType, id uuid.UUID, window list.Window,
) (*api.CommentConnection, error) {
	if err := r.r.Catalog.MustBePublished(ctx, t.ID, kind, id); err != nil {
		return nil, err
	}
	connections, err := r.r.Catalog.CommentConnections(ctx, t.ID, kind, []uuid.UUID{id}, window)
	if err != nil {
		return nil, err
	}
	return connections[0], nil
}

func (r tenantResolver) BlogComments(ctx context.Context, t *ent.Tenant, blogID uuid.UUID) ([]*ent.Comment, error) {
	return r.Comments(ctx, t, record.Blog, blogID)
}

func (r tenantResolver) PortfolioComments(
	ctx context.Context, t *ent.Tenant, portfolioID uuid.UUID,
) ([]*ent.Comment, error) {
	return r.Comments(ctx, t, record.Portfolio, portfolioID)
}

// ExpertReviews returns the approved reviews of a published product, newest first; none for an unknown
// product.
func (r tenantResolver) ExpertReviews(
	ctx context.Context, t *ent.Tenant, productID uuid.UUID,
) ([]*ent.ExpertReview, error) {
	if err := r.r.Catalog.MustBePublished(ctx, t.ID, record.Product, productID); err != nil {
		return nil, ent.MaskNotFound(err)
	}
	return catalog.BoundedOpinions(ctx, func(ctx context.Context, most int) ([][]*ent.ExpertReview, error) {
		return r.r.Catalog.ReviewsOf(ctx, t.ID, []uuid.UUID{productID}, most)
	})
}
