package catalog

import (
	"storefront/ent"
	"storefront/internal/api"
	"storefront/internal/list"
)

// The lists of staff are never cached. Each is a connection, sorted by values that never change, so that a client
// that pages through it while people buy gets each record once.

// The types of these lists, and of the lists of customers' own records.
type (
	OrderPage      = list.Page[*ent.Order]
	FavoritePage   = list.Page[*ent.Favorite]
	OwnListingPage = list.Page[*api.OwnListing]

	ShopOrderConnection         = list.Connection[*api.ShopOrder]
	ShopCustomerConnection      = list.Connection[*ent.User]
	CommentConnection           = list.Connection[*ent.Comment]
	ExpertReviewConnection      = list.Connection[*ent.ExpertReview]
	ContactSubmissionConnection = list.Connection[*ent.ContactSubmission]
	WebhookDeliveryConnection   = list.Connection[*ent.WebhookDelivery]
	AuditEntryConnection        = list.Connection[*ent.AuditEntry]
	StaffRecordConnection       = list.Connection[*api.StaffRecord]
	StaffVariantConnection      = list.Connection[*api.StaffVariant]
	MediaFileConnection         = list.Connection[*ent.MediaFile]
	OrderConnection             = list.Connection[*ent.Order]

	ShopOrderEdge         = list.Edge[*api.ShopOrder]
	ShopCustomerEdge      = list.Edge[*ent.User]
	CommentEdge           = list.Edge[*ent.Comment]
	ExpertReviewEdge      = list.Edge[*ent.ExpertReview]
	ContactSubmissionEdge = list.Edge[*ent.ContactSubmission]
	WebhookDeliveryEdge   = list.Edge[*ent.WebhookDelivery]
	AuditEntryEdge        = list.Edge[*ent.AuditEntry]
	StaffRecordEdge       = list.Edge[*api.StaffRecord]
	StaffVariantEdge      = list.Edge[*api.StaffVariant]
	MediaFileEdge         = list.Edge[*ent.MediaFile]
	OrderEdge             = list.Edge[*ent.Order]
)
