package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
)

// The lists that staff see are read as they stand: nothing of them is kept. Each is a page by number and, beside it, a
// connection, whose order is by what never changes of a record: who walks it while people buy is given each once.

// The pages that staff see.
type (
	ShopOrderPage         = ListPage[*ShopOrder]
	ShopCustomerPage      = ListPage[*ent.User]
	CommentPage           = ListPage[*ent.Comment]
	ExpertReviewPage      = ListPage[*ent.ExpertReview]
	ContactSubmissionPage = ListPage[*ent.ContactSubmission]
	WebhookDeliveryPage   = ListPage[*ent.WebhookDelivery]
	AuditPage             = ListPage[*ent.AuditEntry]
	StaffRecordPage       = ListPage[*StaffRecord]
	StaffVariantPage      = ListPage[*StaffVariant]
)

// newestMade and oldestMade order a list by when its records were made.
func newestMade(name string) order { return order{name: name, time: "created_at"} }
func oldestMade(name string) order { return order{name: name, time: "created_at", oldest: true} }

// shopList is a list of a shop's own records that only staff see, whole records whatever is asked for of them.
func shopList[T any](
	business uuid.UUID, o order, read func(ctx context.Context, part stretch) ([]T, error),
	count func(ctx context.Context) (int, error), made func(T) (at time.Time, id uuid.UUID),
) list[T] {
	return list[T]{
		order: o,
		read: func(ctx context.Context, part stretch) ([]T, error) {
			return read(inTenant(ctx, business), part)
		},
		total: freshTotal(func(ctx context.Context) (int, error) { return count(inTenant(ctx, business)) }),
		place: func(record T) place {
			at, id := made(record)
			return place{time: at, id: id}
		},
	}
}

// shopPage is a page of such a list.
func shopPage[T any](l list[T], page, pageSize int) (*ListPage[T], error) {
	shown := pageOf(l, page, pageSize)
	return &shown, nil
}
