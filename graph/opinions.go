package graph

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/graph/model"
	"storefront/internal/audit"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/transaction"
)

// What staff see of a single comment or review, and the replies of staff.

// known returns *id, or uuid.Nil if id is nil.
func known(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// StaffComment returns a comment in any status.
func (q queryResolver) StaffComment(ctx context.Context, businessID, commentID uuid.UUID) (*ent.Comment, error) {
	return q.r.Store.Comment.Get(catalog.InTenant(ctx, businessID), commentID)
}

// StaffReview returns a review in any status.
func (q queryResolver) StaffReview(ctx context.Context, businessID, reviewID uuid.UUID) (*ent.ExpertReview, error) {
	return q.r.Store.ExpertReview.Get(catalog.InTenant(ctx, businessID), reviewID)
}

// Reply returns the shop's answer to the comment.
func (commentResolver) Reply(_ context.Context, c *ent.Comment) (*model.OpinionReply, error) {
	return shownReply(c.Reply, c.RepliedAt), nil
}

// Reply returns the shop's answer to the review.
func (expertReviewResolver) Reply(_ context.Context, e *ent.ExpertReview) (*model.OpinionReply, error) {
	return shownReply(e.Reply, e.RepliedAt), nil
}

func shownReply(text *string, at *time.Time) *model.OpinionReply {
	if text == nil {
		return nil
	}
	return &model.OpinionReply{Text: *text, CreatedAt: *at}
}

// Customer returns who wrote the comment.
func (r commentResolver) Customer(ctx context.Context, c *ent.Comment) (*ent.User, error) {
	return r.r.authorOf(ctx, c.UserID, c.Edges.User)
}

// Customer returns who wrote the review.
func (r expertReviewResolver) Customer(ctx context.Context, e *ent.ExpertReview) (*ent.User, error) {
	return r.r.authorOf(ctx, e.UserID, e.Edges.User)
}

// authorOf returns the customer with the id, or nil if the account is being closed. read is the customer if
// already read.
func (r *Resolver) authorOf(ctx context.Context, id *uuid.UUID, read *ent.User) (*ent.User, error) {
	if id != nil && read == nil {
		found, err := r.Store.User.Get(ctx, *id)
		if err != nil {
			return nil, ent.MaskNotFound(err)
		}
		read = found
	}
	if read == nil || read.ClosedAt != nil {
		return nil, nil
	}
	return read, nil
}

// replied returns what the audit log shows of an answer.
func replied(text *string) map[string]any { return map[string]any{"reply": text} }

// ReplyToComment writes the shop's public reply to a comment.
func (m mutationResolver) ReplyToComment(
	ctx context.Context, businessID, commentID uuid.UUID, text *string,
) (*model.CommentReplyPayload, error) {
	text = trimmed(text)
	payload := new(model.CommentReplyPayload)
	err := m.reply(ctx, businessID, func(ctx context.Context, tx *ent.Tx) (done answered, err error) {
		before, err := tx.Comment.Query().Where(comment.ID(commentID)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if err != nil {
			return done, err
		}
		change := tx.Comment.UpdateOneID(commentID).ClearReply().ClearRepliedAt()
		if text != nil {
			change = tx.Comment.UpdateOneID(commentID).SetReply(*text).SetRepliedAt(arrivalOf(ctx))
		}
		payload.Comment, err = change.Save(ctx)
		return answered{before.EntityID, audit.Change{Kind: "comment", ID: commentID, Customer: known(before.UserID),
			Before: replied(before.Reply), After: replied(text)}}, err
	})
	return payload, err
}

// ReplyToReview writes the shop's public reply to a review.
func (m mutationResolver) ReplyToReview(
	ctx context.Context, businessID, reviewID uuid.UUID, text *string,
) (*model.ReviewReplyPayload, error) {
	text = trimmed(text)
	payload := new(model.ReviewReplyPayload)
	err := m.reply(ctx, businessID, func(ctx context.Context, tx *ent.Tx) (done answered, err error) {
		before, err := tx.ExpertReview.Query().Where(expertreview.ID(reviewID)).Modify(database.ForNoKeyUpdate).
			Only(ctx)
		if err != nil {
			return done, err
		}
		change := tx.ExpertReview.UpdateOneID(reviewID).ClearReply().ClearRepliedAt()
		if text != nil {
			change = tx.ExpertReview.UpdateOneID(reviewID).SetReply(*text).SetRepliedAt(arrivalOf(ctx))
		}
		payload.Review, err = change.Save(ctx)
		return answered{before.ProductID, audit.Change{Kind: "review", ID: reviewID, Customer: known(before.UserID),
			Before: replied(before.Reply), After: replied(text)}}, err
	})
	return payload, err
}

// answered is an opinion that got a reply: its subject, and the change for the audit log.
type answered struct {
	about uuid.UUID
	audit.Change
}

// reply writes a reply to an opinion, and the entry of the audit log, in one transaction.
func (m mutationResolver) reply(
	ctx context.Context, business uuid.UUID, write func(ctx context.Context, tx *ent.Tx) (answered, error),
) error {
	action := graphql.GetFieldContext(ctx).Field.Name
	return transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(catalog.InTenant(ctx, business), tx, business)
		if err != nil {
			return err
		}
		done, err := write(ctx, tx)
		if err != nil {
			return err
		}
		subjects, err := subjectsOf(ctx, tx.Client(), []uuid.UUID{done.about})
		if err != nil {
			return err
		}
		done.Name, done.NameEn = subjects[done.about].TitleFa, subjects[done.about].TitleEn
		if err := audit.Record(ctx, tx, action, done.Change); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, business)
	})
}
