package graph

import (
	"context"
	"errors"
	"sync"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/internal/database"
	"storefront/internal/record"
	"storefront/internal/selection"
)

// All opinions on a record may be more than an answer can hold, although each is bounded: none has more than
// 52 KB.
const (
	mostOpinionBytes = 12 << 20 // of all opinions on a record in one answer of REST
	newestOpinions   = 200      // are given where all are larger
)

var errOpinionsTooLarge = errors.New("the opinions on a record are too large for one answer")

// boundedOpinions calls read for all opinions on a record, most being 0, or for the newest ones where all are too
// large. The documents of GraphQL clients have a bound of their own.
func boundedOpinions[T any](ctx context.Context, read func(ctx context.Context, most int) ([]T, error)) ([]T, error) {
	if database.HasReadLimit(ctx) {
		return read(ctx, 0)
	}
	bytes := 0
	all, err := read(database.WithReadLimit(ctx, func(n int) error {
		if bytes += n; bytes > mostOpinionBytes {
			return errOpinionsTooLarge
		}
		return nil
	}), 0)
	if errors.Is(err, errOpinionsTooLarge) {
		return read(ctx, newestOpinions)
	}
	return all, err
}

// mustBePublished fails with NOT_FOUND for a record that a tenant does not publish.
func (r *Catalog) mustBePublished(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, id uuid.UUID,
) error {
	ctx = inTenant(ctx, tenant)
	var err error
	switch kind {
	case record.Product:
		_, err = r.publishedProducts(ctx).Where(product.ID(id)).OnlyID(ctx)
	case record.Blog:
		_, err = r.publishedBlogs(ctx).Where(blog.ID(id)).OnlyID(ctx)
	case record.Portfolio:
		_, err = r.publishedPortfolios(ctx).Where(portfolio.ID(id)).OnlyID(ctx)
	}
	return err
}

func (r *Catalog) approvedComments(kind record.EntityType, ids []uuid.UUID) *ent.CommentQuery {
	return r.store.Comment.Query().Where(
		comment.EntityTypeEQ(kind), comment.EntityIDIn(ids...), comment.StatusEQ(record.Approved))
}

// commentConnections pages through the approved comments on each record of a kind. A stretch of all of
// them is one statement, and so are their numbers.
func (r *Catalog) commentConnections(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, ids []uuid.UUID, w window,
) ([]*CommentConnection, error) {
	stretches := childLists[*ent.Comment]{load: func(ctx context.Context, part stretch) ([][]*ent.Comment, error) {
		found, err := r.commentsWithin(ctx, tenant, kind, ids, part)
		return group(ids, found, func(c *ent.Comment) uuid.UUID { return c.EntityID }), err
	}}
	numbers := sync.OnceValues(func() ([]int, error) { return r.countComments(ctx, tenant, kind, ids) })
	connections := make([]*CommentConnection, len(ids))
	for i := range ids {
		comments := list[*ent.Comment]{
			order: order{name: "comments.newest", time: comment.FieldCreatedAt},
			read:  func(ctx context.Context, part stretch) ([]*ent.Comment, error) { return stretches.read(ctx, i, part) },
			place: func(c *ent.Comment) place { return place{time: c.CreatedAt, id: c.ID} },
			total: freshTotal(func(context.Context) (int, error) {
				counts, err := numbers()
				if err != nil {
					return 0, err
				}
				return counts[i], nil
			}),
		}
		c, err := walk(ctx, comments, w, defaultSizeLarge)
		if err != nil {
			return nil, err
		}
		connections[i] = c
	}
	return connections, nil
}

// commentsWithin returns a stretch of the approved comments on each record of a kind, by the index that has
// their order.
func (r *Catalog) commentsWithin(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, ids []uuid.UUID, part stretch,
) ([]*ent.Comment, error) {
	return r.store.Comment.Query().Where(func(s *sql.Selector) {
		var any []*sql.Predicate
		for _, id := range ids {
			c := sql.Table(comment.Table).As("branch")
			branch := sql.Dialect(s.Dialect()).Select(c.C(comment.FieldID)).From(c).Where(sql.And(
				sql.EQ(c.C(comment.FieldTenantID), tenant),
				sql.EQ(c.C(comment.FieldEntityType), kind),
				sql.EQ(c.C(comment.FieldEntityID), id),
				sql.EQ(c.C(comment.FieldStatus), record.Approved),
			))
			part.bounded(branch)
			part.sorted(branch)
			any = append(any, sql.In(s.C(comment.FieldID), sql.SelectExpr(sql.Raw("id")).From(branch.Limit(part.limit).As("stretch"))))
		}
		s.Where(sql.Or(any...))
	}).Order(part.sorted).Collect(part.columns.And("entity_id")).All(inTenant(ctx, tenant))
}

// commentsOn returns the approved comments on each record of a kind, newest first; most bounds their number, 0
// does not.
func (r *Catalog) commentsOn(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, ids []uuid.UUID, most int,
) ([][]*ent.Comment, error) {
	query := r.approvedComments(kind, ids)
	if most > 0 {
		query.Limit(most)
	}
	found, err := query.
		Order(comment.ByCreatedAt(sql.OrderDesc()), comment.ByID(sql.OrderDesc())).
		Collect(selection.Of(ctx).And("entity_id")).All(inTenant(ctx, tenant))
	return group(ids, found, func(c *ent.Comment) uuid.UUID { return c.EntityID }), err
}

// commentsOnOne returns the approved comments on a record, newest first; an empty list, not nil, where there are
// none, because nil is null in the answer.
func (r *Catalog) commentsOnOne(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, id uuid.UUID,
) ([]*ent.Comment, error) {
	return boundedOpinions(ctx, func(ctx context.Context, most int) ([]*ent.Comment, error) {
		lists, err := r.commentsOn(ctx, tenant, kind, []uuid.UUID{id}, most)
		if err != nil {
			return nil, err
		}
		return append([]*ent.Comment{}, lists[0]...), nil
	})
}

// countComments counts the approved comments on each record of a kind.
func (r *Catalog) countComments(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, ids []uuid.UUID,
) ([]int, error) {
	var rows []struct {
		EntityID uuid.UUID `json:"entity_id"`
		Count    int
	}
	err := r.approvedComments(kind, ids).GroupBy(comment.FieldEntityID).Aggregate(ent.Count()).Scan(inTenant(ctx, tenant), &rows)
	of := make(map[uuid.UUID]int, len(rows))
	for _, row := range rows {
		of[row.EntityID] = row.Count
	}
	counts := make([]int, len(ids))
	for i, id := range ids {
		counts[i] = of[id]
	}
	return counts, err
}

// reviewsOf returns the approved reviews of each product, newest first; most bounds their number, 0 does not.
func (r *Catalog) reviewsOf(
	ctx context.Context, tenant uuid.UUID, products []uuid.UUID, most int,
) ([][]*ent.ExpertReview, error) {
	query := r.store.ExpertReview.Query().
		Where(expertreview.ProductIDIn(products...), expertreview.StatusEQ(record.Approved))
	if most > 0 {
		query.Limit(most)
	}
	found, err := query.
		Order(expertreview.ByCreatedAt(sql.OrderDesc()), expertreview.ByID(sql.OrderDesc())).
		Collect(selection.Of(ctx).And("product_id")).All(inTenant(ctx, tenant))
	return group(products, found, func(e *ent.ExpertReview) uuid.UUID { return e.ProductID }), err
}
