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
	"storefront/internal/api"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/member"
	"storefront/internal/customer/opinion"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/record"
)

func (q queryResolver) ModerationCounts(ctx context.Context, businessID uuid.UUID) (*api.ModerationCounts, error) {
	ctx = tenancy.In(ctx, businessID)
	comments, err := q.r.Store.Comment.Query().Where(comment.StatusEQ(record.Pending)).Count(ctx)
	if err != nil {
		return nil, err
	}
	reviews, err := q.r.Store.ExpertReview.Query().Where(expertreview.StatusEQ(record.Pending)).Count(ctx)
	return &api.ModerationCounts{Comments: comments, Reviews: reviews}, err
}

func (q queryResolver) ModeratedCommentsConnection(
	ctx context.Context, businessID uuid.UUID, status record.Moderation, window list.Window,
) (*api.CommentConnection, error) {
	return list.Walk(ctx, list.RowList(businessID, list.OldestMade("moderatedComments"),
		func() *ent.CommentQuery {
			return q.r.Store.Comment.Query().Where(comment.StatusEQ(status)).WithUser(member.In(businessID))
		},
		func(c *ent.Comment) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID }), window, list.DefaultSizeLarge)
}

func (q queryResolver) ModeratedReviewsConnection(
	ctx context.Context, businessID uuid.UUID, status record.Moderation, window list.Window,
) (*api.ExpertReviewConnection, error) {
	found := func() *ent.ExpertReviewQuery {
		return q.r.Store.ExpertReview.Query().Where(expertreview.StatusEQ(status)).WithUser(member.In(businessID))
	}
	return list.Walk(ctx, list.RowList(businessID, list.OldestMade("moderatedReviews"), found,
		func(e *ent.ExpertReview) (time.Time, uuid.UUID) { return e.CreatedAt, e.ID }),
		window, list.DefaultSizeLarge)
}

func (q queryResolver) ContactSubmissionsConnection(
	ctx context.Context, businessID uuid.UUID, handled *bool, window list.Window,
) (*api.ContactSubmissionConnection, error) {
	found := func() *ent.ContactSubmissionQuery {
		query := q.r.Store.ContactSubmission.Query()
		switch {
		case handled == nil:
		case *handled:
			query.Where(contactsubmission.HandledAtNotNil())
		default:
			query.Where(contactsubmission.HandledAtIsNil())
		}
		return query
	}
	return list.Walk(ctx, list.RowList(businessID, list.OldestMade("contactSubmissions"), found,
		func(c *ent.ContactSubmission) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID }),
		window, list.DefaultSizeLarge)
}

func (r commentResolver) About(ctx context.Context, comments []*ent.Comment) ([]*opinion.Subject, error) {
	return r.r.subjects(ctx, len(comments), func(i int) (uuid.UUID, uuid.UUID) {
		return comments[i].TenantID, comments[i].EntityID
	})
}

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
	ctx = tenancy.In(ctx, tenant)
	found, err := opinion.Subjects(ctx, r.Store, ids)
	for i, id := range ids {
		if about, ok := found[id]; ok {
			subjects[i] = &about
		}
	}
	return subjects, err
}

func (m mutationResolver) MarkContacts(
	ctx context.Context, businessID uuid.UUID, ids []uuid.UUID, handled bool,
) (*api.ModerationPayload, error) {
	changed, err := m.r.contacts.Step(ctx, contact.Change{
		Action: "markContacts", Business: businessID, Where: sql.FieldIn(contactsubmission.FieldID, ids...),
		Handled: &handled, At: arrivalOf(ctx),
	})
	return &api.ModerationPayload{Changed: changed}, err
}
