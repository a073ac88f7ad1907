package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/graph/model"
	"storefront/internal/catalog"
	"storefront/internal/contact"
	"storefront/internal/opinion"
	"storefront/internal/record"
)

// ModerationCounts counts the records that await approval.
func (q queryResolver) ModerationCounts(ctx context.Context, businessID uuid.UUID) (*model.ModerationCounts, error) {
	ctx = catalog.InTenant(ctx, businessID)
	comments, err := q.r.Store.Comment.Query().Where(comment.StatusEQ(record.Pending)).Count(ctx)
	if err != nil {
		return nil, err
	}
	reviews, err := q.r.Store.ExpertReview.Query().Where(expertreview.StatusEQ(record.Pending)).Count(ctx)
	return &model.ModerationCounts{Comments: comments, Reviews: reviews}, err
}

// moderatedComments returns a shop's comments of a status, the oldest first.
func (r *Resolver) moderatedComments(business uuid.UUID, status record.Moderation) catalog.List[*ent.Comment] {
	found := func() *ent.CommentQuery { return r.Store.Comment.Query().Where(comment.StatusEQ(status)) }
	read := func(ctx context.Context, part catalog.Span) ([]*ent.Comment, error) {
		some := found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit)
		if part.Columns.Has("customer") {
			some.WithUser()
		}
		return some.All(ctx)
	}
	count := func(ctx context.Context) (int, error) { return found().Count(ctx) }
	return catalog.ShopList(business, catalog.OldestMade("moderatedComments"), read, count,
		func(c *ent.Comment) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID })
}

// ModeratedCommentsConnection pages through a shop's comments of a status, the oldest first.
func (q queryResolver) ModeratedCommentsConnection(
	ctx context.Context, businessID uuid.UUID, status record.Moderation,
	first *int, after *string, last *int, before *string,
) (*catalog.CommentConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	return catalog.Walk(ctx, q.r.moderatedComments(businessID, status), window, catalog.DefaultSizeLarge)
}

// moderatedReviews returns a shop's reviews of a status, the oldest first.
func (r *Resolver) moderatedReviews(business uuid.UUID, status record.Moderation) catalog.List[*ent.ExpertReview] {
	found := func() *ent.ExpertReviewQuery {
		return r.Store.ExpertReview.Query().Where(expertreview.StatusEQ(status))
	}
	read := func(ctx context.Context, part catalog.Span) ([]*ent.ExpertReview, error) {
		some := found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit)
		if part.Columns.Has("customer") {
			some.WithUser()
		}
		return some.All(ctx)
	}
	count := func(ctx context.Context) (int, error) { return found().Count(ctx) }
	return catalog.ShopList(business, catalog.OldestMade("moderatedReviews"), read, count,
		func(e *ent.ExpertReview) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID })
}

// ModeratedReviewsConnection pages through a shop's reviews of a status, the oldest first.
func (q queryResolver) ModeratedReviewsConnection(
	ctx context.Context, businessID uuid.UUID, status record.Moderation,
	first *int, after *string, last *int, before *string,
) (*catalog.ExpertReviewConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	return catalog.Walk(ctx, q.r.moderatedReviews(businessID, status), window, catalog.DefaultSizeLarge)
}

// contactSubmissions returns the messages to a business, the oldest first.
func (r *Resolver) contactSubmissions(business uuid.UUID, handled *bool) catalog.List[*ent.ContactSubmission] {
	found := func() *ent.ContactSubmissionQuery {
		query := r.Store.ContactSubmission.Query()
		switch {
		case handled == nil:
		case *handled:
			query.Where(contactsubmission.HandledAtNotNil())
		default:
			query.Where(contactsubmission.HandledAtIsNil())
		}
		return query
	}
	read := func(ctx context.Context, part catalog.Span) ([]*ent.ContactSubmission, error) {
		return found().Where(part.Bounded).Order(part.Sorted).Offset(part.Offset).Limit(part.Limit).All(ctx)
	}
	count := func(ctx context.Context) (int, error) { return found().Count(ctx) }
	return catalog.ShopList(business, catalog.OldestMade("contactSubmissions"), read, count,
		func(c *ent.ContactSubmission) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID })
}

// ContactSubmissionsConnection pages through the messages to a business, the oldest first.
func (q queryResolver) ContactSubmissionsConnection(
	ctx context.Context, businessID uuid.UUID, handled *bool, first *int, after *string, last *int, before *string,
) (*catalog.ContactSubmissionConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	return catalog.Walk(ctx, q.r.contactSubmissions(businessID, handled), window, catalog.DefaultSizeLarge)
}

// About returns the record that each comment is about.
func (r commentResolver) About(ctx context.Context, comments []*ent.Comment) ([]*opinion.Subject, error) {
	return r.r.subjects(ctx, len(comments), func(i int) (uuid.UUID, uuid.UUID) {
		return comments[i].TenantID, comments[i].EntityID
	})
}

// About returns the product that each review is about.
func (r expertReviewResolver) About(
	ctx context.Context, reviews []*ent.ExpertReview,
) ([]*opinion.Subject, error) {
	return r.r.subjects(ctx, len(reviews), func(i int) (uuid.UUID, uuid.UUID) {
		return reviews[i].TenantID, reviews[i].ProductID
	})
}

// subjects returns the records that opinions of one shop are about, in the order of the opinions.
func (r *Resolver) subjects(
	ctx context.Context, n int, of func(i int) (tenant, about uuid.UUID),
) ([]*opinion.Subject, error) {
	subjects := make([]*opinion.Subject, n)
	if n == 0 {
		return subjects, nil
	}
	ids := make([]uuid.UUID, n)
	var tenant uuid.UUID
	for i := range ids {
		tenant, ids[i] = of(i)
	}
	ctx = catalog.InTenant(ctx, tenant)
	found, err := opinion.Subjects(ctx, r.Store, ids)
	for i, id := range ids {
		if about, ok := found[id]; ok {
			subjects[i] = &about
		}
	}
	return subjects, err
}

// MarkContacts marks messages to a business as done, or as waiting again.
func (m mutationResolver) MarkContacts(
	ctx context.Context, businessID uuid.UUID, ids []uuid.UUID, handled bool,
) (*model.ModerationPayload, error) {
	changed, err := m.r.contacts.Step(ctx, contact.Change{
		Action: "markContacts", Business: businessID, Where: sql.FieldIn(contactsubmission.FieldID, ids...),
		Handled: &handled, At: arrivalOf(ctx),
	})
	return &model.ModerationPayload{Changed: changed}, err
}
