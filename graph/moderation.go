package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/graph/model"
	"storefront/internal/audit"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/record"
	"storefront/internal/transaction"
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

// ModeratedComments returns a page of a shop's comments of a status, the oldest first.
func (q queryResolver) ModeratedComments(
	ctx context.Context, businessID uuid.UUID, status record.Moderation, page, pageSize int,
) (*catalog.CommentPage, error) {
	return catalog.FreshPage(ctx, q.r.moderatedComments(businessID, status), page, pageSize), nil
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

// ModeratedReviews returns a page of a shop's reviews of a status, the oldest first.
func (q queryResolver) ModeratedReviews(
	ctx context.Context, businessID uuid.UUID, status record.Moderation, page, pageSize int,
) (*catalog.ExpertReviewPage, error) {
	return catalog.FreshPage(ctx, q.r.moderatedReviews(businessID, status), page, pageSize), nil
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

// ContactSubmissions returns a page of the messages to a business, the oldest first.
func (q queryResolver) ContactSubmissions(
	ctx context.Context, businessID uuid.UUID, handled *bool, page, pageSize int,
) (*catalog.ContactSubmissionPage, error) {
	return catalog.FreshPage(ctx, q.r.contactSubmissions(businessID, handled), page, pageSize), nil
}

// ContactSubmissionsConnection pages through the messages to a business, the oldest first.
func (q queryResolver) ContactSubmissionsConnection(
	ctx context.Context, businessID uuid.UUID, handled *bool, first *int, after *string, last *int, before *string,
) (*catalog.ContactSubmissionConnection, error) {
	window := catalog.Window{First: first, Last: last, After: after, Before: before}
	return catalog.Walk(ctx, q.r.contactSubmissions(businessID, handled), window, catalog.DefaultSizeLarge)
}

// moderated returns what the audit log shows of a comment or review.
func moderated(status record.Moderation, reason *string) map[string]any {
	return map[string]any{"status": status, "rejectionReason": reason}
}

// ModerateComments approves or rejects comments.
func (m mutationResolver) ModerateComments(
	ctx context.Context, businessID uuid.UUID, ids []uuid.UUID, status record.Moderation,
) (*model.ModerationPayload, error) {
	ctx = catalog.InTenant(ctx, businessID)
	changed := 0
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, businessID)
		if err != nil {
			return err
		}
		found, err := tx.Comment.Query().Where(comment.IDIn(ids...), comment.StatusNEQ(status)).Order(comment.ByID()).
			Modify(database.ForNoKeyUpdate).All(ctx)
		if changed = len(found); err != nil || changed == 0 {
			return err
		}
		some := catalog.IDsOf(found, func(c *ent.Comment) uuid.UUID { return c.ID })
		err = tx.Comment.Update().Where(comment.IDIn(some...)).SetStatus(status).ClearRejectionReason().Exec(ctx)
		if err != nil {
			return err
		}
		subjects, err := subjectsOf(ctx, tx.Client(),
			catalog.IDsOf(found, func(c *ent.Comment) uuid.UUID { return c.EntityID }))
		if err != nil {
			return err
		}
		entries := make([]audit.Change, len(found))
		for i, c := range found {
			entries[i] = audit.Change{Kind: "comment", ID: c.ID, Name: subjects[c.EntityID].TitleFa,
				NameEn: subjects[c.EntityID].TitleEn, Customer: known(c.UserID),
				Before: moderated(c.Status, c.RejectionReason), After: moderated(status, nil)}
		}
		if err := audit.Record(ctx, tx, "moderateComments", entries...); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, businessID)
	})
	return &model.ModerationPayload{Changed: changed}, err
}

// ModerateReviews approves or rejects reviews and updates the ratings of their products.
func (m mutationResolver) ModerateReviews(
	ctx context.Context, businessID uuid.UUID, ids []uuid.UUID, status record.Moderation,
) (*model.ModerationPayload, error) {
	ctx = catalog.InTenant(ctx, businessID)
	changed := 0
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, businessID)
		if err != nil {
			return err
		}
		found, err := tx.ExpertReview.Query().Where(expertreview.IDIn(ids...), expertreview.StatusNEQ(status)).
			Order(expertreview.ByID()).Modify(database.ForNoKeyUpdate).All(ctx)
		if changed = len(found); err != nil || changed == 0 {
			return err
		}
		some := catalog.IDsOf(found, func(e *ent.ExpertReview) uuid.UUID { return e.ID })
		err = tx.ExpertReview.Update().Where(expertreview.IDIn(some...)).SetStatus(status).ClearRejectionReason().
			Exec(ctx)
		if err != nil {
			return err
		}
		subjects, err := subjectsOf(ctx, tx.Client(),
			catalog.IDsOf(found, func(e *ent.ExpertReview) uuid.UUID { return e.ProductID }))
		if err != nil {
			return err
		}
		entries := make([]audit.Change, len(found))
		for i, e := range found {
			entries[i] = audit.Change{Kind: "review", ID: e.ID, Name: subjects[e.ProductID].TitleFa,
				NameEn: subjects[e.ProductID].TitleEn, Customer: known(e.UserID),
				Before: moderated(e.Status, e.RejectionReason), After: moderated(status, nil)}
		}
		if err := audit.Record(ctx, tx, "moderateReviews", entries...); err != nil {
			return err
		}
		rated := derive.Change{Rated: catalog.IDsOf(found, func(e *ent.ExpertReview) uuid.UUID { return e.ProductID })}
		if err := derive.Records(ctx, tx, tx.Raw().Dialect(), businessID, rated); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, businessID)
	})
	return &model.ModerationPayload{Changed: changed}, err
}

// About returns the record that each comment is about.
func (r commentResolver) About(ctx context.Context, comments []*ent.Comment) ([]*model.OpinionSubject, error) {
	return r.r.subjects(ctx, len(comments), func(i int) (uuid.UUID, uuid.UUID) {
		return comments[i].TenantID, comments[i].EntityID
	})
}

// About returns the product that each review is about.
func (r expertReviewResolver) About(
	ctx context.Context, reviews []*ent.ExpertReview,
) ([]*model.OpinionSubject, error) {
	return r.r.subjects(ctx, len(reviews), func(i int) (uuid.UUID, uuid.UUID) {
		return reviews[i].TenantID, reviews[i].ProductID
	})
}

// subjects returns the records that opinions of one shop are about, in the order of the opinions.
func (r *Resolver) subjects(
	ctx context.Context, n int, of func(i int) (tenant, about uuid.UUID),
) ([]*model.OpinionSubject, error) {
	subjects := make([]*model.OpinionSubject, n)
	if n == 0 {
		return subjects, nil
	}
	ids := make([]uuid.UUID, n)
	var tenant uuid.UUID
	for i := range ids {
		tenant, ids[i] = of(i)
	}
	ctx = catalog.InTenant(ctx, tenant)
	found, err := subjectsOf(ctx, r.Store, ids)
	for i, id := range ids {
		if about, ok := found[id]; ok {
			subjects[i] = &about
		}
	}
	return subjects, err
}

// subjectsOf returns the products, blogs and portfolios with the given ids. The audit log names an opinion by
// its subject, not by its author's name or words, because the author may have these erased.
func subjectsOf(ctx context.Context, in *ent.Client, ids []uuid.UUID) (map[uuid.UUID]model.OpinionSubject, error) {
	found := map[uuid.UUID]model.OpinionSubject{}
	products, err := in.Product.Query().Where(product.IDIn(ids...)).
		Select(product.FieldSlug, product.FieldTitleFa, product.FieldTitleEn).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range products {
		found[p.ID] = model.OpinionSubject{EntityType: record.Product, ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa,
			TitleEn: p.TitleEn}
	}
	blogs, err := in.Blog.Query().Where(blog.IDIn(ids...)).
		Select(blog.FieldSlug, blog.FieldTitleFa, blog.FieldTitleEn).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range blogs {
		found[b.ID] = model.OpinionSubject{EntityType: record.Blog, ID: b.ID, Slug: b.Slug, TitleFa: b.TitleFa,
			TitleEn: b.TitleEn}
	}
	portfolios, err := in.Portfolio.Query().Where(portfolio.IDIn(ids...)).
		Select(portfolio.FieldSlug, portfolio.FieldTitleFa, portfolio.FieldTitleEn).All(ctx)
	for _, p := range portfolios {
		found[p.ID] = model.OpinionSubject{EntityType: record.Portfolio, ID: p.ID, Slug: p.Slug, TitleFa: p.TitleFa,
			TitleEn: p.TitleEn}
	}
	return found, err
}

// MarkContacts marks messages to a business as done, or as waiting again.
func (m mutationResolver) MarkContacts(
	ctx context.Context, businessID uuid.UUID, ids []uuid.UUID, handled bool,
) (*model.ModerationPayload, error) {
	ctx = catalog.InTenant(ctx, businessID)
	changed := 0
	err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		otherwise := contactsubmission.HandledAtIsNil()
		if !handled {
			otherwise = contactsubmission.HandledAtNotNil()
		}
		found, err := tx.ContactSubmission.Query().Where(contactsubmission.IDIn(ids...), otherwise).
			Order(contactsubmission.ByID()).Modify(database.ForNoKeyUpdate).All(ctx)
		if changed = len(found); err != nil || changed == 0 {
			return err
		}
		some := catalog.IDsOf(found, func(c *ent.ContactSubmission) uuid.UUID { return c.ID })
		update := tx.ContactSubmission.Update().Where(contactsubmission.IDIn(some...)).ClearHandledAt()
		if handled {
			update = tx.ContactSubmission.Update().Where(contactsubmission.IDIn(some...)).SetHandledAt(arrivalOf(ctx))
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
		seen := func(done bool) map[string]any { return map[string]any{"handled": done} }
		entries := make([]audit.Change, len(some)) // without a name: the sender may have theirs erased
		for i, id := range some {
			entries[i] = audit.Change{Kind: "contactSubmission", ID: id, Before: seen(!handled), After: seen(handled)}
		}
		return audit.Record(ctx, tx, "markContacts", entries...)
	})
	return &model.ModerationPayload{Changed: changed}, err
}
