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
	"storefront/internal/platform/convert"
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
	return r.r.subjects(ctx, comments[0].TenantID, convert.All(comments, func(c *ent.Comment) uuid.UUID {
		return c.EntityID
	}))
}

func (r expertReviewResolver) About(
	ctx context.Context, reviews []*ent.ExpertReview,
) ([]*opinion.Subject, error) {
	return r.r.subjects(ctx, reviews[0].TenantID, convert.All(reviews, func(e *ent.ExpertReview) uuid.UUID {
		return e.ProductID
	}))
}

// subjects returns the records with the ids, which opinions of a shop are about, in their order.
func (r *Resolver) subjects(ctx context.Context, shop uuid.UUID, ids []uuid.UUID) ([]*opinion.Subject, error) {
	found, err := opinion.Subjects(tenancy.In(ctx, shop), r.Store, ids)
	return convert.All(ids, func(id uuid.UUID) *opinion.Subject {
		if about, ok := found[id]; ok {
			return &about
		}
		return nil
	}), err
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
