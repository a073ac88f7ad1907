package opinion

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/internal/customer/submission"
	"storefront/internal/database"
	"storefront/internal/event/outbox"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Comment is a visitor's comment on a published record.
type Comment struct {
	EntityType  record.EntityType
	EntityID    uuid.UUID
	AuthorName  string
	AuthorEmail *string
	Text        string
}

// SendComment stores a comment. Like every submission it is pending until the shop's staff approves it.
func (s *Service) SendComment(ctx context.Context, business uuid.UUID, sent Comment) (*ent.Comment, error) {
	return submission.Send(ctx, s.Forms, business, submission.Form[*ent.Comment]{
		Kind: "comments",
		Pending: func(ctx context.Context, tx *ent.Tx) (bool, error) {
			return tx.Comment.Query().Where(comment.StatusEQ(record.Pending)).Offset(submission.MostPending - 1).
				Exist(ctx)
		},
		Store: func(ctx context.Context, tx *ent.Tx) (*ent.Comment, error) {
			by, err := author(ctx, tx, business)
			if err != nil {
				return nil, err
			}
			return tx.Comment.Create().SetNillableUserID(by).
				SetEntityType(sent.EntityType).
				SetEntityID(sent.EntityID).
				SetAuthorName(strings.TrimSpace(sent.AuthorName)).
				SetNillableAuthorEmail(search.Trimmed(sent.AuthorEmail)).
				SetText(strings.TrimSpace(sent.Text)).
				Save(ctx)
		},
		Event: func(c *ent.Comment) outbox.Event {
			return submission.Event(record.CommentSubmitted, c.ID, c.CreatedAt, map[string]any{
				"businessId": business, "commentId": c.ID, "entityType": c.EntityType, "entityId": c.EntityID,
			})
		},
	})
}

// Review is a visitor's review of a published product.
type Review struct {
	ProductID      uuid.UUID
	AuthorName     string
	AuthorEmail    *string
	Rate           int // 1 to 10, 10 is best
	PositivePoints []string
	NegativePoints []string
	Text           string
}

// SendReview stores a review, which is pending until the shop's staff approves it.
func (s *Service) SendReview(ctx context.Context, business uuid.UUID, sent Review) (*ent.ExpertReview, error) {
	return submission.Send(ctx, s.Forms, business, submission.Form[*ent.ExpertReview]{
		Kind: "reviews",
		Pending: func(ctx context.Context, tx *ent.Tx) (bool, error) {
			return tx.ExpertReview.Query().Where(expertreview.StatusEQ(record.Pending)).
				Offset(submission.MostPending - 1).Exist(ctx)
		},
		Store: func(ctx context.Context, tx *ent.Tx) (*ent.ExpertReview, error) {
			by, err := author(ctx, tx, business)
			if err != nil {
				return nil, err
			}
			return tx.ExpertReview.Create().SetNillableUserID(by).
				SetProductID(sent.ProductID).
				SetAuthorName(strings.TrimSpace(sent.AuthorName)).
				SetNillableAuthorEmail(search.Trimmed(sent.AuthorEmail)).
				SetRate(sent.Rate).
				SetPositivePoints(eachTrimmed(sent.PositivePoints)).
				SetNegativePoints(eachTrimmed(sent.NegativePoints)).
				SetText(strings.TrimSpace(sent.Text)).
				Save(ctx)
		},
		Event: func(e *ent.ExpertReview) outbox.Event {
			return submission.Event(record.ReviewSubmitted, e.ID, e.CreatedAt, map[string]any{
				"businessId": business, "reviewId": e.ID, "productId": e.ProductID, "rate": e.Rate,
			})
		},
	})
}

// author returns the account of a signed-in customer of the shop, or nil for others. The account is locked,
// so that it is not erased before the transaction ends.
func author(ctx context.Context, tx *ent.Tx, business uuid.UUID) (*uuid.UUID, error) {
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return nil, nil // a visitor
	}
	held, err := tx.User.Query().Where(user.ID(caller.User), user.ClosedAtIsNil()).Modify(database.ForKeyShare).
		Select(user.FieldID).All(ctx)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	is, err := tx.Membership.Query().Where(membership.UserID(caller.User), membership.BusinessID(business),
		membership.PendingUntilIsNil()).Exist(ctx)
	if err != nil || !is {
		return nil, err
	}
	return &caller.User, nil
}

func eachTrimmed(texts []string) []string {
	return convert.All(texts, strings.TrimSpace)
}
