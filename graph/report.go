package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/catalog/selection"
	"storefront/internal/sale/report"
)

func (q queryResolver) ShopReport(
	ctx context.Context, request report.Request, businessID uuid.UUID,
) (*report.Report, error) {
	selected := selection.Of(ctx)
	request.Products, request.Categories = selected.Has("products"), selected.Has("categories")
	request.Provinces, request.Carts = selected.Has("provinces"), selected.Has("cartsLeft")
	return q.r.Reports.Of(ctx, businessID, request)
}
