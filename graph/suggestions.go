package graph

import (
	"context"

	"storefront/ent"
	"storefront/internal/catalog"
)

func (r tenantResolver) Suggestions(
	_ context.Context, t *ent.Tenant, prefix string, first int,
) (*catalog.Suggestions, error) {
	return r.r.Catalog.Suggestions(t.ID, prefix, first), nil
}
