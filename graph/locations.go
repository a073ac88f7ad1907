package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/location"
	"storefront/internal/api"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/locations"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

func (q queryResolver) Cities(
	ctx context.Context, level *record.LocationLevel, parentID *uuid.UUID, parentSlug *string,
) ([]*ent.Location, error) {
	if err := q.r.Catalog.ReadsLocations(ctx); err != nil {
		return nil, err
	}
	nodes := q.r.Store.Location.Query()
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

func (q queryResolver) City(ctx context.Context, id uuid.UUID) (*ent.Location, error) {
	if err := q.r.Catalog.ReadsLocations(ctx); err != nil {
		return nil, err
	}
	return q.r.Store.Location.Query().Where(location.ID(id)).Collect(selection.Of(ctx)).Only(ctx)
}

func (m mutationResolver) CreateLocation(
	ctx context.Context, input api.LocationInput,
) (*api.LocationPayload, error) {
	made, err := locations.Add(ctx, m.r.Store, locations.New{
		Level: input.Level, Slug: input.Slug, Name: strings.TrimSpace(input.Name),
		NameFa: strings.TrimSpace(input.NameFa),
		Parent: search.Trimmed(input.ParentSlug), Code: search.Trimmed(input.Code),
	})
	if err != nil {
		return nil, err
	}
	return m.seenLocation(ctx, made, "The location is added.")
}

func (m mutationResolver) UpdateLocation(
	ctx context.Context, id uuid.UUID, input api.LocationChangeInput,
) (*api.LocationPayload, error) {
	changed, err := locations.Change(ctx, m.r.Store, id,
		search.Trimmed(input.Name), search.Trimmed(input.NameFa), search.Trimmed(input.Code))
	if err != nil {
		return nil, err
	}
	return m.seenLocation(ctx, changed, "The location is changed.")
}

func (m mutationResolver) seenLocation(
	ctx context.Context, l *ent.Location, said api.Message,
) (*api.LocationPayload, error) {
	found, err := m.r.Store.Location.Query().Where(location.ID(l.ID)).Collect(selection.Of(ctx, "location")).Only(ctx)
	return &api.LocationPayload{Message: said, Location: found}, err
}
