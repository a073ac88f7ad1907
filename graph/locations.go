package graph

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/location"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// Cities are the nodes of the location tree, countries first, then provinces, then cities, each by slug.
func (q queryResolver) Cities(
	ctx context.Context, level *record.LocationLevel, parentID *uuid.UUID, parentSlug *string,
) ([]*ent.Location, error) {
	if err := q.readsLocations(ctx); err != nil {
		return nil, err
	}
	nodes := q.store.Location.Query()
	if level != nil {
		nodes.Where(location.LevelEQ(*level))
	}
	if parentID != nil {
		nodes.Where(location.ParentID(*parentID))
	}
	if parentSlug != nil { // a city may have the slug of its province, but no nodes below it
		nodes.Where(location.HasParentWith(location.Slug(*parentSlug), location.LevelNEQ(record.City)))
	}
	found, err := nodes.Collect(selection.Of(ctx).And("level", "slug")).All(ctx)
	slices.SortFunc(found, func(a, b *ent.Location) int {
		return cmp.Or(cmp.Compare(depth[a.Level], depth[b.Level]), cmp.Compare(a.Slug, b.Slug))
	})
	return found, err
}

var depth = map[record.LocationLevel]int{record.Country: 0, record.Province: 1, record.City: 2}

// City is one node of the location tree, of any level.
func (q queryResolver) City(ctx context.Context, id uuid.UUID) (*ent.Location, error) {
	if err := q.readsLocations(ctx); err != nil {
		return nil, err
	}
	return q.store.Location.Query().Where(location.ID(id)).Collect(selection.Of(ctx)).Only(ctx)
}
