package opinion

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/internal/content/derive"
	"storefront/internal/content/edit"
	"storefront/internal/customer/submission"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// atOnce is the most comments or reviews that one transaction changes.
const atOnce = 100

// Verdict is what staff decide on a comment or review.
type Verdict struct {
	Status record.Moderation
	Reason *string // why it is rejected
}

// same reports whether the verdict as leaves an opinion with verdict v unchanged. A rejection without a
// reason keeps the present reason.
func (v Verdict) same(as Verdict) bool {
	return v.Status == as.Status && (as.Reason == nil || v.Reason != nil && *v.Reason == *as.Reason)
}

// seen returns what the audit log shows of a comment or review.
func (v Verdict) seen() map[string]any {
	return map[string]any{"status": v.Status, "rejectionReason": v.Reason}
}

// Columns are the columns of comments and of reviews that a filter refers to.
var Columns = submission.Columns{
	Name: comment.FieldAuthorName, Email: comment.FieldAuthorEmail, Texts: []string{comment.FieldText},
}

// Change is a change of many comments or reviews.
type Change struct {
	Kind     Kind
	Action   string // in the audit log
	Business uuid.UUID
	Selected edit.Selection // by ids, or by a condition on the table of the kind
	To       *Verdict       // nil: they are deleted
}

// Left counts the selected opinions with ids after one.
func (s *Service) Left(ctx context.Context, c Change, after uuid.UUID) (int, error) {
	if c.Selected.IDs != nil {
		return len(c.Selected.IDsAfter(after)), nil
	}
	return c.Kind.count(tenancy.In(ctx, c.Business), s.Store, c.Selected.Beyond(after))
}

// Step changes up to atOnce selected opinions with ids after one, in one transaction.
func (s *Service) Step(ctx context.Context, c Change, after uuid.UUID) (done edit.Step, err error) {
	ctx = tenancy.In(ctx, c.Business)
	err = derive.InShop(ctx, s.Store, c.Business, func(ctx context.Context, tx *ent.Tx) error {
		done = edit.Step{}
		asked := c.Selected.IDsAfter(after)
		asked = asked[:min(len(asked), atOnce)]
		where := sql.FieldIn("id", asked...)
		if c.Selected.IDs == nil {
			where = c.Selected.Beyond(after)
		}
		found, err := c.Kind.read(ctx, tx, where)
		if err != nil {
			return err
		}
		for _, id := range asked {
			if !slices.ContainsFunc(found, func(o opinion) bool { return o.id == id }) {
				done.Faults = append(done.Faults, edit.Unchanged{Chosen: edit.Chosen{ID: id},
					Why: fault.New(fault.NotFound, "there is no such record")})
			}
			done.Last = id
		}
		if c.Selected.IDs == nil && len(found) > 0 {
			done.Last = found[len(found)-1].id
		}
		if c.To != nil {
			found = slices.DeleteFunc(found, func(o opinion) bool { return o.same(*c.To) })
		}
		if done.Changed = len(found); done.Changed == 0 {
			return nil
		}
		return c.write(ctx, tx, found)
	})
	return done, err
}

// write sets the status of the opinions, or deletes them. It also updates ratings and writes the audit log.
func (c Change) write(ctx context.Context, tx *ent.Tx, opinions []opinion) (err error) {
	ids := convert.All(opinions, func(o opinion) uuid.UUID { return o.id })
	about := convert.All(opinions, func(o opinion) uuid.UUID { return o.about })
	var after any
	if c.To != nil {
		after, err = c.To.seen(), c.Kind.set(ctx, tx, ids, *c.To)
	} else {
		err = c.Kind.delete(ctx, tx, ids)
	}
	if err != nil {
		return err
	}
	entries := convert.All(opinions, func(o opinion) audit.Change {
		return audit.Change{Kind: c.Kind.name, ID: o.id, Customer: convert.Value(o.by), Before: o.seen(), After: after}
	})
	if err := note(ctx, tx, c.Action, about, entries); err != nil {
		return err
	}
	if c.To == nil { // what staff said of a guest is found by the opinion alone
		if err := audit.Forget(ctx, tx, c.Business, uuid.Nil, ids...); err != nil {
			return err
		}
	}
	if c.Kind.rated {
		change := derive.Change{Rated: about}
		if _, err := derive.Records(ctx, tx, c.Business, change); err != nil {
			return err
		}
	}
	return derive.Raise(ctx, tx, c.Business)
}

// note writes changes of opinions to the audit log, each with the title of what the opinion is about.
func note(ctx context.Context, tx *ent.Tx, action string, about []uuid.UUID, entries []audit.Change) error {
	subjects, err := Subjects(ctx, tx.Client(), about)
	if err != nil {
		return err
	}
	for i, id := range about {
		entries[i].Name, entries[i].NameEn = subjects[id].TitleFa, subjects[id].TitleEn
	}
	return audit.Record(ctx, tx, action, entries...)
}

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
	return derive.InShop(ctx, s.Store, business, func(ctx context.Context, tx *ent.Tx) error {
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
