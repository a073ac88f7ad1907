package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/content/edit"
	"storefront/internal/record"
	"storefront/internal/request"
)

func (m mutationResolver) ReorderCategories(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slugs []string,
) (*api.MessagePayload, error) {
	order := edit.Reorder{Action: "reorderCategories", EntityType: entityType, First: slugs,
		Now: request.Of(ctx).Now}
	return messagePayload("They are in order.", order.Apply(ctx, m.r.Store, businessID))
}

func (m mutationResolver) ReorderSliders(
	ctx context.Context, businessID uuid.UUID, keys []string,
) (*api.MessagePayload, error) {
	order := edit.Reorder{Action: "reorderSliders", First: keys, Now: request.Of(ctx).Now}
	return messagePayload("They are in order.", order.Apply(ctx, m.r.Store, businessID))
}
