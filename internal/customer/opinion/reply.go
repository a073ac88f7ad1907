package opinion

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// ReplyToComment writes the shop's public reply to a comment; a nil text takes it away. It fails with CONFLICT if
// version is given and the present reply has another.
func (s *Service) ReplyToComment(
	ctx context.Context, business, id uuid.UUID, text, version *string, at time.Time,
) (replied *ent.Comment, err error) {
	err = s.reply(ctx, business, "replyToComment", func(ctx context.Context, tx *ent.Tx) (
		about uuid.UUID, c audit.Change, err error,
	) {
		before, err := tx.Comment.Query().Where(comment.ID(id)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if err == nil {
			err = fault.CheckVersion(version, record.TextVersion(before.Reply))
		}
		if err != nil {
			return about, c, err
		}
		change := tx.Comment.UpdateOneID(id).ClearReply().ClearRepliedAt()
		if text != nil {
			change = tx.Comment.UpdateOneID(id).SetReply(*text).SetRepliedAt(at)
		}
		replied, err = change.Save(ctx)
		return before.EntityID, answered("comment", id, before.UserID, before.Reply, text), err
	})
	return replied, err
}

// ReplyToReview writes the shop's public reply to a review; a nil text takes it away. It fails with CONFLICT if
// version is given and the present reply has another.
func (s *Service) ReplyToReview(
	ctx context.Context, business, id uuid.UUID, text, version *string, at time.Time,
) (replied *ent.ExpertReview, err error) {
	err = s.reply(ctx, business, "replyToReview", func(ctx context.Context, tx *ent.Tx) (
		about uuid.UUID, c audit.Change, err error,
	) {
		before, err := tx.ExpertReview.Query().Where(expertreview.ID(id)).Modify(database.ForNoKeyUpdate).Only(ctx)
		if err == nil {
			err = fault.CheckVersion(version, record.TextVersion(before.Reply))
		}
		if err != nil {
			return about, c, err
		}
		change := tx.ExpertReview.UpdateOneID(id).ClearReply().ClearRepliedAt()
		if text != nil {
			change = tx.ExpertReview.UpdateOneID(id).SetReply(*text).SetRepliedAt(at)
		}
		replied, err = change.Save(ctx)
		return before.ProductID, answered("review", id, before.UserID, before.Reply, text), err
	})
	return replied, err
}

// answered returns the entry of the audit log for a reply.
func answered(kind string, id uuid.UUID, by *uuid.UUID, before, after *string) audit.Change {
	return audit.Change{Kind: kind, ID: id, Customer: convert.Value(by),
		Before: map[string]any{"reply": before}, After: map[string]any{"reply": after}}
}

// reply writes a reply to an opinion, and the entry of the audit log, in one transaction. write returns the id of
// what the opinion is about.
func (s *Service) reply(
	ctx context.Context, business uuid.UUID, action string,
	write func(ctx context.Context, tx *ent.Tx) (about uuid.UUID, entry audit.Change, err error),
) error {
	return transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(tenancy.In(ctx, business), tx, business)
		if err != nil {
			return err
		}
		about, entry, err := write(ctx, tx)
		if err != nil {
			return err
		}
		if err := note(ctx, tx, action, []uuid.UUID{about}, []audit.Change{entry}); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, business)
	})
}
