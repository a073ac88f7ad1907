package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/internal/api"
	"storefront/internal/content/edit"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/member"
	"storefront/internal/customer/opinion"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/locale/search"
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
	return list.NewConnection(ctx, list.RowList(businessID, list.OldestMade("moderatedComments"),
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
	return list.NewConnection(ctx, list.RowList(businessID, list.OldestMade("moderatedReviews"), found,
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
	return list.NewConnection(ctx, list.RowList(businessID, list.OldestMade("contactSubmissions"), found,
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

func (m mutationResolver) ChangeComments(
	ctx context.Context, businessID uuid.UUID, chosen api.OpinionSelection, change api.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*api.RecordsPayload, error) {
	return m.changeOpinions(ctx, businessID, opinionsChange{opinion.Comments, chosen, change}, after, countOnly)
}

func (m mutationResolver) ChangeReviews(
	ctx context.Context, businessID uuid.UUID, chosen api.OpinionSelection, change api.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*api.RecordsPayload, error) {
	return m.changeOpinions(ctx, businessID, opinionsChange{opinion.Reviews, chosen, change}, after, countOnly)
}

// opinionsChange is what staff want done to opinions of a kind.
type opinionsChange struct {
	kind   opinion.Kind
	chosen api.OpinionSelection
	change api.OpinionChange
}

func (m mutationResolver) changeOpinions(
	ctx context.Context, business uuid.UUID, wanted opinionsChange, after *uuid.UUID, countOnly bool,
) (*api.RecordsPayload, error) {
	var bad fault.Fields
	many := opinion.Change{
		Kind: wanted.kind, Action: graphql.GetFieldContext(ctx).Field.Name, Business: business,
		Selected: opinionsChosen(wanted.chosen, &bad), To: verdictOf(wanted.change, &bad),
	}
	from := begin(after, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	return m.r.recordsPayload(ctx, edit.Steps{
		After: from, CountOnly: countOnly, Clock: m.r.clock,
		Step: func(after uuid.UUID) (edit.Step, error) { return m.r.opinions.Step(ctx, many, after) },
		Left: func(after uuid.UUID) (int, error) { return m.r.opinions.Left(ctx, many, after) },
	})
}

// verdictOf returns the decision of staff, or nil if the opinions are to be deleted.
func verdictOf(change api.OpinionChange, bad *fault.Fields) *opinion.Verdict {
	remove := change.Delete != nil && *change.Delete
	reason := search.Trimmed(change.RejectionReason)
	if remove == (change.Status != nil) {
		bad.Add("change", "must have either a status or delete")
	}
	if reason != nil && (change.Status == nil || *change.Status != record.Rejected) {
		bad.Add("change.rejectionReason", "must not be there unless the status is rejected")
	}
	if change.Status == nil {
		return nil
	}
	return &opinion.Verdict{Status: *change.Status, Reason: reason}
}

// opinionsChosen returns which comments or reviews were selected.
func opinionsChosen(chosen api.OpinionSelection, bad *fault.Fields) (selected edit.Selection) {
	if (chosen.Ids == nil) == (chosen.Filter == nil && chosen.Status == nil) {
		bad.Add("select", "must have either ids, or a status, a filter or both")
		return selected
	}
	if chosen.Ids != nil {
		return edit.Selection{IDs: idsOf(chosen.Ids, bad)}
	}
	var all []func(*sql.Selector)
	if chosen.Status != nil {
		all = append(all, sql.FieldEQ(comment.FieldStatus, *chosen.Status)) // reviews have it by the same name
	}
	if chosen.Filter != nil {
		all = append(all, chosen.Filter.Where("select.filter", opinion.Columns, bad))
	}
	return edit.Selection{Where: sql.AndPredicates(all...)}
}
