package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/internal/catalog/selection"
	"storefront/internal/record"
	"storefront/internal/sale/report"
)

func (q queryResolver) ShopReport(
	ctx context.Context, businessID uuid.UUID, from, until *time.Time, interval record.Interval,
	calendar *record.Calendar, bestBy record.Rank, best int,
) (*report.Report, error) {
	asked := selection.Of(ctx)
	return q.r.Reports.Of(ctx, businessID, report.Request{
		From: from, Until: until, Interval: interval, Calendar: calendar, BestBy: bestBy, Best: best,
		Products: asked.Has("products"), Categories: asked.Has("categories"), Provinces: asked.Has("provinces"),
		Carts: asked.Has("cartsLeft"),
	})
}
