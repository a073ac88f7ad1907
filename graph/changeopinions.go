package graph

import (
	"bytes"
	"context"
	"slices"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/graph/model"
	"storefront/internal/audit"
	"storefront/internal/bundle"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/transaction"
)

// opinionsAtOnce is the most comments or reviews that one transaction changes.
const opinionsAtOnce = 100

// opinion is a comment or review.
type opinion struct {
	id, about uuid.UUID
	by        *uuid.UUID // the account of its author
	verdict
}

// verdict is what staff decide on a comment or review.
type verdict struct {
	status record.Moderation
	reason *string // why it is rejected
}

// same reports whether the verdict as leaves an opinion with verdict v unchanged. A rejection without a
// reason keeps the present reason.
func (v verdict) same(as verdict) bool {
	return v.status == as.status && (as.reason == nil || v.reason != nil && *v.reason == *as.reason)
}

// opinions is how comments or reviews are read and written.
type opinions struct {
	kind   string // in the audit log
	read   func(ctx context.Context, tx *ent.Tx, where func(*sql.Selector), most int) ([]opinion, error)
	count  func(ctx context.Context, where func(*sql.Selector)) (int, error)
	set    func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, to verdict) error
	delete func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error
	rated  bool // whether ratings of products depend on them
}

// ChangeComments approves, rejects or deletes many comments.
func (m mutationResolver) ChangeComments(
	ctx context.Context, businessID uuid.UUID, chosen model.OpinionSelection, change model.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*model.RecordsPayload, error) {
	return m.changeOpinions(ctx, businessID, m.comments(), chosen, change, after, countOnly)
}

// ChangeReviews approves, rejects or deletes many reviews.
func (m mutationResolver) ChangeReviews(
	ctx context.Context, businessID uuid.UUID, chosen model.OpinionSelection, change model.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*model.RecordsPayload, error) {
	return m.changeOpinions(ctx, businessID, m.reviews(), chosen, change, after, countOnly)
}

// comments returns how comments are read and written.
func (m mutationResolver) comments() opinions {
	return opinions{
		kind: "comment",
		read: func(ctx context.Context, tx *ent.Tx, where func(*sql.Selector), most int) (found []opinion, err error) {
			rows, err := tx.Comment.Query().Where(where).Order(comment.ByID()).Limit(most).
				Modify(database.ForNoKeyUpdate).All(ctx)
			for _, c := range rows {
				found = append(found, opinion{id: c.ID, about: c.EntityID, by: c.UserID,
					verdict: verdict{c.Status, c.RejectionReason}})
			}
			return found, err
		},
		count: func(ctx context.Context, where func(*sql.Selector)) (int, error) {
			return m.r.Store.Comment.Query().Where(where).Count(ctx)
		},
		set: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, to verdict) error {
			some := tx.Comment.Update().Where(comment.IDIn(ids...)).SetStatus(to.status)
			if to.reason == nil {
				return some.ClearRejectionReason().Exec(ctx)
			}
			return some.SetRejectionReason(*to.reason).Exec(ctx)
		},
		delete: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
			_, err := tx.Comment.Delete().Where(comment.IDIn(ids...)).Exec(ctx)
			return err
		},
	}
}

// reviews returns how reviews are read and written.
func (m mutationResolver) reviews() opinions {
	return opinions{
		kind: "review", rated: true,
		read: func(ctx context.Context, tx *ent.Tx, where func(*sql.Selector), most int) (found []opinion, err error) {
			rows, err := tx.ExpertReview.Query().Where(where).Order(expertreview.ByID()).Limit(most).
				Modify(database.ForNoKeyUpdate).All(ctx)
			for _, e := range rows {
				found = append(found, opinion{id: e.ID, about: e.ProductID, by: e.UserID,
					verdict: verdict{e.Status, e.RejectionReason}})
			}
			return found, err
		},
		count: func(ctx context.Context, where func(*sql.Selector)) (int, error) {
			return m.r.Store.ExpertReview.Query().Where(where).Count(ctx)
		},
		set: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, to verdict) error {
			some := tx.ExpertReview.Update().Where(expertreview.IDIn(ids...)).SetStatus(to.status)
			if to.reason == nil {
				return some.ClearRejectionReason().Exec(ctx)
			}
			return some.SetRejectionReason(*to.reason).Exec(ctx)
		},
		delete: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
			_, err := tx.ExpertReview.Delete().Where(expertreview.IDIn(ids...)).Exec(ctx)
			return err
		},
	}
}

func (m mutationResolver) changeOpinions(
	ctx context.Context, business uuid.UUID, of opinions, chosen model.OpinionSelection, change model.OpinionChange,
	after *uuid.UUID, countOnly bool,
) (*model.RecordsPayload, error) {
	ctx = catalog.InTenant(ctx, business)
	var bad fault.Fields
	fits, ids := opinionsChosen(chosen, &bad)
	to := verdictOf(change, &bad)
	from := begin(after, &bad)
	if err := bad.Err(); err != nil {
		return nil, err
	}
	action := graphql.GetFieldContext(ctx).Field.Name
	left := func(from uuid.UUID) []uuid.UUID {
		return slices.DeleteFunc(slices.Clone(ids),
			func(id uuid.UUID) bool { return bytes.Compare(id[:], from[:]) <= 0 })
	}
	beyond := func(from uuid.UUID) func(*sql.Selector) {
		return sql.AndPredicates(fits, sql.FieldGT("id", from))
	}
	step := func(from uuid.UUID) (done bundle.Step, err error) {
		err = transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
			done = bundle.Step{}
			ctx, err := derive.Lock(ctx, tx, business)
			if err != nil {
				return err
			}
			where := beyond(from)
			asked := left(from)
			if asked = asked[:min(len(asked), opinionsAtOnce)]; ids != nil {
				where = sql.FieldIn("id", asked...)
			}
			found, err := of.read(ctx, tx, where, opinionsAtOnce)
			if err != nil {
				return err
			}
			for _, id := range asked {
				if !slices.ContainsFunc(found, func(o opinion) bool { return o.id == id }) {
					done.Faults = append(done.Faults, bundle.Unchanged{Chosen: bundle.Chosen{ID: id},
						Why: fault.New(fault.NotFound, "there is no such record")})
				}
				done.Last = id
			}
			if ids == nil && len(found) > 0 {
				done.Last = found[len(found)-1].id
			}
			if to != nil {
				found = slices.DeleteFunc(found, func(o opinion) bool { return o.same(*to) })
			}
			if done.Changed = len(found); done.Changed == 0 {
				return nil
			}
			return of.change(ctx, tx, business, action, found, to)
		})
		return done, err
	}
	return m.r.steps(ctx, from, countOnly, step, func(from uuid.UUID) (int, error) {
		if ids != nil {
			return len(left(from)), nil
		}
		return of.count(ctx, beyond(from))
	})
}

// verdictOf returns the decision of staff, or nil if the opinions are to be deleted.
func verdictOf(change model.OpinionChange, bad *fault.Fields) *verdict {
	remove := change.Delete != nil && *change.Delete
	reason := trimmed(change.RejectionReason)
	if remove == (change.Status != nil) {
		bad.Add("change", "must have either a status or delete")
	}
	if reason != nil && (change.Status == nil || *change.Status != record.Rejected) {
		bad.Add("change.rejectionReason", "must not be there unless the status is rejected")
	}
	if change.Status == nil {
		return nil
	}
	return &verdict{*change.Status, reason}
}

// opinionsChosen returns which comments or reviews were selected: by a predicate, or by their sorted ids.
func opinionsChosen(chosen model.OpinionSelection, bad *fault.Fields) (fits func(*sql.Selector), ids []uuid.UUID) {
	if (chosen.Ids == nil) == (chosen.Filter == nil && chosen.Status == nil) {
		bad.Add("select", "must have either ids, or a status, a filter or both")
		return nil, nil
	}
	if chosen.Ids != nil {
		ids = idsOf(chosen.Ids, bad)
		slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
		return nil, slices.Compact(ids)
	}
	var all []func(*sql.Selector)
	if chosen.Status != nil {
		all = append(all, sql.FieldEQ(comment.FieldStatus, *chosen.Status))
	}
	if chosen.Filter != nil {
		all = append(all, conditionAt("select.filter", *chosen.Filter, bad,
			comment.FieldAuthorName, comment.FieldAuthorEmail, comment.FieldText))
	}
	return sql.AndPredicates(all...), nil
}

// change sets the status of the found opinions, or deletes them if to is nil. It also updates ratings and
// writes the audit log.
func (of opinions) change(
	ctx context.Context, tx *ent.Tx, business uuid.UUID, action string, found []opinion, to *verdict,
) error {
	ids := catalog.IDsOf(found, func(o opinion) uuid.UUID { return o.id })
	about := catalog.IDsOf(found, func(o opinion) uuid.UUID { return o.about })
	var after any
	var err error
	if to != nil {
		after, err = moderated(to.status, to.reason), of.set(ctx, tx, ids, *to)
	} else {
		err = of.delete(ctx, tx, ids)
	}
	if err != nil {
		return err
	}
	subjects, err := subjectsOf(ctx, tx.Client(), about)
	if err != nil {
		return err
	}
	entries := make([]audit.Change, len(found))
	for i, o := range found {
		entries[i] = audit.Change{Kind: of.kind, ID: o.id, Name: subjects[o.about].TitleFa,
			NameEn: subjects[o.about].TitleEn, Customer: known(o.by),
			Before: moderated(o.status, o.reason), After: after}
	}
	if err := audit.Record(ctx, tx, action, entries...); err != nil {
		return err
	}
	if of.rated {
		change := derive.Change{Rated: about}
		if err := derive.Records(ctx, tx, tx.Raw().Dialect(), business, change); err != nil {
			return err
		}
	}
	return derive.Raise(ctx, tx, business)
}
