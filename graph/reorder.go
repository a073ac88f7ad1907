package graph

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/slider"
	"storefront/internal/api"
	"storefront/internal/content/bundle"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

func (m mutationResolver) ReorderCategories(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slugs []string,
) (*api.MessagePayload, error) {
	order := bundle.Reorder{Action: "reorderCategories", Section: "categories", Name: "slug", First: slugs,
		Key: map[string]string{"entityType": string(entityType)}, Now: request.Of(ctx).Now}
	err := order.Apply(ctx, m.r.Store, businessID, func(ctx context.Context, tx *ent.Tx) (beside []string, err error) {
		found, err := tx.Category.Query().Where(category.EntityTypeEQ(entityType)).Order(category.ByID()).
			Select(category.FieldSlug, category.FieldParentID, category.FieldPosition, category.FieldName).All(ctx)
		list.SortByPosition(found,
			func(c *ent.Category) int { return c.Position }, func(c *ent.Category) string { return c.Name })
		first := slices.IndexFunc(found, func(c *ent.Category) bool { return len(slugs) > 0 && c.Slug == slugs[0] })
		for _, c := range found {
			if first >= 0 && equal(c.ParentID, found[first].ParentID) {
				beside = append(beside, c.Slug)
			}
		}
		return beside, err
	})
	return messagePayload("They are in order.", err)
}

// equal reports whether two ids are the same, or both nil.
func equal(a, b *uuid.UUID) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func (m mutationResolver) ReorderSliders(
	ctx context.Context, businessID uuid.UUID, keys []string,
) (*api.MessagePayload, error) {
	order := bundle.Reorder{Action: "reorderSliders", Section: "sliders", Name: "key", First: keys,
		Now: request.Of(ctx).Now}
	err := order.Apply(ctx, m.r.Store, businessID, func(ctx context.Context, tx *ent.Tx) (beside []string, err error) {
		found, err := tx.Slider.Query().Order(slider.ByID()).Select(slider.FieldKey, slider.FieldPosition).All(ctx)
		list.SortByPosition(found,
			func(s *ent.Slider) int { return s.Position }, func(s *ent.Slider) string { return s.Key })
		return convert.All(found, func(one *ent.Slider) string { return one.Key }), err
	})
	return messagePayload("They are in order.", err)
}
