package catalog

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/api"
)

// The lists of staff are never cached. Each is a connection, sorted by values that never change, so that a client
// that pages through it while people buy gets each record once.

// The types of these lists, and of the lists of customers' own records.
type (
	OrderPage      = ListPage[*ent.Order]
	FavoritePage   = ListPage[*ent.Favorite]
	OwnListingPage = ListPage[*api.OwnListing]

	ShopOrderConnection         = Connection[*api.ShopOrder]
	ShopCustomerConnection      = Connection[*ent.User]
	CommentConnection           = Connection[*ent.Comment]
	ExpertReviewConnection      = Connection[*ent.ExpertReview]
	ContactSubmissionConnection = Connection[*ent.ContactSubmission]
	WebhookDeliveryConnection   = Connection[*ent.WebhookDelivery]
	AuditEntryConnection        = Connection[*ent.AuditEntry]
	StaffRecordConnection       = Connection[*api.StaffRecord]
	StaffVariantConnection      = Connection[*api.StaffVariant]
	MediaFileConnection         = Connection[*ent.MediaFile]
	OrderConnection             = Connection[*ent.Order]

	ShopOrderEdge         = Edge[*api.ShopOrder]
	ShopCustomerEdge      = Edge[*ent.User]
	CommentEdge           = Edge[*ent.Comment]
	ExpertReviewEdge      = Edge[*ent.ExpertReview]
	ContactSubmissionEdge = Edge[*ent.ContactSubmission]
	WebhookDeliveryEdge   = Edge[*ent.WebhookDelivery]
	AuditEntryEdge        = Edge[*ent.AuditEntry]
	StaffRecordEdge       = Edge[*api.StaffRecord]
	StaffVariantEdge      = Edge[*api.StaffVariant]
	MediaFileEdge         = Edge[*ent.MediaFile]
	OrderEdge             = Edge[*ent.Order]
)

// NewestMade sorts a list by the creation time of its records, newest first. name stands in cursors.
func NewestMade(name string) SortOrder { return SortOrder{Name: name, Time: "created_at"} }

// OldestMade sorts a list by the creation time of its records, oldest first. name stands in cursors.
func OldestMade(name string) SortOrder {
	return SortOrder{Name: name, Time: "created_at", oldest: true}
}

// Part makes a query read the records of the span, in its order.
func (p Span) Part(s *sql.Selector) {
	p.Bounded(s)
	p.Sorted(s)
	if s.Limit(p.Limit); p.Offset > 0 {
		s.Offset(p.Offset)
	}
}

// RowList is ShopList for the rows of a query, as they are.
func RowList[Q interface {
	Where(where ...P) Q
	All(ctx context.Context) ([]R, error)
	Count(ctx context.Context) (int, error)
}, R any, P ~func(*sql.Selector)](
	business uuid.UUID, o SortOrder, query func() Q, made func(R) (at time.Time, id uuid.UUID),
) List[R] {
	read := func(ctx context.Context, part Span) ([]R, error) { return query().Where(part.Part).All(ctx) }
	return ShopList(business, o, read, func(ctx context.Context) (int, error) { return query().Count(ctx) }, made)
}

// ShopList returns a list of a shop's records for staff. It reads whole records, whatever fields are
// requested.
func ShopList[T any](
	business uuid.UUID, o SortOrder, read func(ctx context.Context, part Span) ([]T, error),
	count func(ctx context.Context) (int, error), made func(T) (at time.Time, id uuid.UUID),
) List[T] {
	return List[T]{
		Order: o,
		Read: func(ctx context.Context, part Span) ([]T, error) {
			return read(InTenant(ctx, business), part)
		},
		Total: FreshTotal(func(ctx context.Context) (int, error) { return count(InTenant(ctx, business)) }),
		Position: func(record T) Position {
			at, id := made(record)
			return Position{Time: at, ID: id}
		},
	}
}
