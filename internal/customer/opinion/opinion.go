// Package opinion has the rules of comments and expert reviews: who may send them, and what the shop's staff decide
// and answer (contract 3.1, 3.6).
package opinion

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/internal/customer/submission"
	"storefront/internal/database"
	"storefront/internal/record"
)

// Service reads and changes comments and reviews.
type Service struct {
	Store *ent.Client // guarded by tenancy.Guard
	Forms *submission.Service
}

// opinion is a comment or review.
type opinion struct {
	id, about uuid.UUID
	by        *uuid.UUID // the account of its author
	Verdict
}

// Kind is how comments or reviews are read and written.
type Kind struct {
	name   string // in the audit log
	rated  bool   // whether ratings of products depend on them
	read   func(ctx context.Context, tx *ent.Tx, where func(*sql.Selector)) ([]opinion, error)
	count  func(ctx context.Context, in *ent.Client, where func(*sql.Selector)) (int, error)
	set    func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, to Verdict) error
	delete func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error
}

// Comments and Reviews are the two kinds of opinions.
var (
	Comments = Kind{
		name: "comment",
		read: func(ctx context.Context, tx *ent.Tx, where func(*sql.Selector)) (found []opinion, err error) {
			rows, err := tx.Comment.Query().Where(where).Order(comment.ByID()).Limit(atOnce).
				Modify(database.ForNoKeyUpdate).All(ctx)
			for _, c := range rows {
				found = append(found, opinion{id: c.ID, about: c.EntityID, by: c.UserID,
					Verdict: Verdict{c.Status, c.RejectionReason}})
			}
			return found, err
		},
		count: func(ctx context.Context, in *ent.Client, where func(*sql.Selector)) (int, error) {
			return in.Comment.Query().Where(where).Count(ctx)
		},
		set: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, to Verdict) error {
			some := tx.Comment.Update().Where(comment.IDIn(ids...)).SetStatus(to.Status)
			if to.Reason == nil {
				return some.ClearRejectionReason().Exec(ctx)
			}
			return some.SetRejectionReason(*to.Reason).Exec(ctx)
		},
		delete: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
			_, err := tx.Comment.Delete().Where(comment.IDIn(ids...)).Exec(ctx)
			return err
		},
	}
	Reviews = Kind{
		name: "review", rated: true,
		read: func(ctx context.Context, tx *ent.Tx, where func(*sql.Selector)) (found []opinion, err error) {
			rows, err := tx.ExpertReview.Query().Where(where).Order(expertreview.ByID()).Limit(atOnce).
				Modify(database.ForNoKeyUpdate).All(ctx)
			for _, e := range rows {
				found = append(found, opinion{id: e.ID, about: e.ProductID, by: e.UserID,
					Verdict: Verdict{e.Status, e.RejectionReason}})
			}
			return found, err
		},
		count: func(ctx context.Context, in *ent.Client, where func(*sql.Selector)) (int, error) {
			return in.ExpertReview.Query().Where(where).Count(ctx)
		},
		set: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, to Verdict) error {
			some := tx.ExpertReview.Update().Where(expertreview.IDIn(ids...)).SetStatus(to.Status)
			if to.Reason == nil {
				return some.ClearRejectionReason().Exec(ctx)
			}
			return some.SetRejectionReason(*to.Reason).Exec(ctx)
		},
		delete: func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
			_, err := tx.ExpertReview.Delete().Where(expertreview.IDIn(ids...)).Exec(ctx)
			return err
		},
	}
)

// Subject is a record that an opinion is about.
type Subject struct {
	EntityType record.EntityType
	ID         uuid.UUID
	Slug       string
	TitleFa    string
	TitleEn    *string
}

// Subjects returns the products, blogs and portfolios with the given ids. The audit log names an opinion by
// its subject, not by its author's name or words, because the author may have these erased.
func Subjects(ctx context.Context, in *ent.Client, ids []uuid.UUID) (map[uuid.UUID]Subject, error) {
	found := map[uuid.UUID]Subject{}
	products, err := in.Product.Query().Where(product.IDIn(ids...)).
		Select(product.FieldSlug, product.FieldTitleFa, product.FieldTitleEn).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range products {
		found[p.ID] = Subject{record.Product, p.ID, p.Slug, p.TitleFa, p.TitleEn}
	}
	blogs, err := in.Blog.Query().Where(blog.IDIn(ids...)).
		Select(blog.FieldSlug, blog.FieldTitleFa, blog.FieldTitleEn).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range blogs {
		found[b.ID] = Subject{record.Blog, b.ID, b.Slug, b.TitleFa, b.TitleEn}
	}
	portfolios, err := in.Portfolio.Query().Where(portfolio.IDIn(ids...)).
		Select(portfolio.FieldSlug, portfolio.FieldTitleFa, portfolio.FieldTitleEn).All(ctx)
	for _, p := range portfolios {
		found[p.ID] = Subject{record.Portfolio, p.ID, p.Slug, p.TitleFa, p.TitleEn}
	}
	return found, err
}
