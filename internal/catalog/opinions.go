package catalog

import (
	"context"
	"errors"
	"sync"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/internal/catalog/selection"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/record"
)

// All opinions on a record may be too large for an answer, although none has more than 52 KB.
const (
	mostOpinionBytes = 12 << 20 // of all opinions on a record in one answer of REST
	newestOpinions   = 200      // are returned if all are larger
)

var errOpinionsTooLarge = errors.New("the opinions on a record are too large for one answer")

// BoundedOpinions returns what read gives for a record: all opinions on it, with most 0, or only the newest ones if all
// are too large. Documents of GraphQL clients have a limit of their own. The result is never nil, which is null in the
// answer.
func BoundedOpinions[T any](ctx context.Context, read func(ctx context.Context, most int) ([][]T, error)) ([]T, error) {
	bounded, bytes := ctx, 0
	if !database.HasReadLimit(ctx) {
		bounded = database.WithReadLimit(ctx, func(n int) error {
			if bytes += n; bytes > mostOpinionBytes {
				return errOpinionsTooLarge
			}
			return nil
		})
	}
	lists, err := read(bounded, 0)
	if errors.Is(err, errOpinionsTooLarge) {
		lists, err = read(ctx, newestOpinions)
	}
	if err != nil {
		return nil, err
	}
	return append([]T{}, lists[0]...), nil
}

func (r *Catalog) approvedComments(kind record.EntityType, ids []uuid.UUID) *ent.CommentQuery {
	return r.Store.Comment.Query().Where(
		comment.EntityTypeEQ(kind), comment.EntityIDIn(ids...), comment.StatusEQ(record.Approved))
}

// CommentConnections returns connections of the approved comments on each record of a kind. The spans of all
// records are read in one statement, and so are their numbers.
func (r *Catalog) CommentConnections(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, ids []uuid.UUID, w list.Window,
) ([]*list.Connection[*ent.Comment], error) {
	lists := list.Children[*ent.Comment]{
		Load: func(ctx context.Context, part list.Span) ([][]*ent.Comment, error) {
			spans := list.FirstOfEach(len(ids), func(i int, c *sql.SelectTable, comments *sql.Selector) {
				comments.Where(sql.And(
					sql.EQ(c.C(comment.FieldTenantID), tenant),
					sql.EQ(c.C(comment.FieldEntityType), kind),
					sql.EQ(c.C(comment.FieldEntityID), ids[i]),
					sql.EQ(c.C(comment.FieldStatus), record.Approved),
				)).Limit(part.Limit)
				part.Bounded(comments)
				part.Sorted(comments)
			})
			found, err := r.Store.Comment.Query().Where(spans).Order(part.Sorted).
				Collect(part.Columns.And("entity_id")).All(tenancy.In(ctx, tenant))
			return list.Group(ids, found, func(c *ent.Comment) uuid.UUID { return c.EntityID }), err
		},
		Totals: sync.OnceValues(func() ([]int, error) {
			var counted []list.Tally
			err := r.approvedComments(kind, ids).Modify(list.TallyBy(comment.FieldEntityID)).
				Scan(tenancy.In(ctx, tenant), &counted)
			return list.Tallies(ids, counted), err
		}),
	}
	connections := make([]*list.Connection[*ent.Comment], len(ids))
	for i := range ids {
		comments := list.List[*ent.Comment]{
			Order:    list.NewestMade("comments.newest"),
			Read:     lists.Read(i),
			Position: func(c *ent.Comment) list.Position { return list.Position{Time: c.CreatedAt, ID: c.ID} },
			Total:    lists.Total(i),
		}
		c, err := list.NewConnection(ctx, comments, w, list.DefaultSizeLarge)
		if err != nil {
			return nil, err
		}
		connections[i] = c
	}
	return connections, nil
}

// CommentsOn returns the approved comments on each record of a kind, newest first; most is their greatest
// number, 0 for all.
func (r *Catalog) CommentsOn(
	ctx context.Context, tenant uuid.UUID, kind record.EntityType, ids []uuid.UUID, most int,
) ([][]*ent.Comment, error) {
	query := r.approvedComments(kind, ids)
	if most > 0 {
		query.Limit(most)
	}
	found, err := query.
		Order(comment.ByCreatedAt(sql.OrderDesc()), comment.ByID(sql.OrderDesc())).
		Collect(selection.Of(ctx).And("entity_id")).All(tenancy.In(ctx, tenant))
	return list.Group(ids, found, func(c *ent.Comment) uuid.UUID { return c.EntityID }), err
}

// NewestReviews returns the newest approved reviews of each product, at most a given number of each.
func (r *Catalog) NewestReviews(
	ctx context.Context, tenant uuid.UUID, products []uuid.UUID, most int,
) ([]*ent.ExpertReview, error) {
	newest := func(s *sql.Selector) {
		s.OrderBy(sql.Desc(s.C(expertreview.FieldCreatedAt)), sql.Desc(s.C(expertreview.FieldID)))
	}
	some := list.FirstOfEach(len(products), func(i int, e *sql.SelectTable, reviews *sql.Selector) {
		reviews.Where(sql.And(
			sql.EQ(e.C(expertreview.FieldTenantID), tenant),
			sql.EQ(e.C(expertreview.FieldProductID), products[i]),
			sql.EQ(e.C(expertreview.FieldStatus), record.Approved),
		)).Limit(most)
		newest(reviews)
	})
	return r.Store.ExpertReview.Query().Where(some).Order(newest).All(tenancy.In(ctx, tenant))
}

// ReviewsOf returns the approved reviews of each product, newest first; most is their greatest number, 0 for all.
func (r *Catalog) ReviewsOf(
	ctx context.Context, tenant uuid.UUID, products []uuid.UUID, most int,
) ([][]*ent.ExpertReview, error) {
	query := r.Store.ExpertReview.Query().
		Where(expertreview.ProductIDIn(products...), expertreview.StatusEQ(record.Approved))
	if most > 0 {
		query.Limit(most)
	}
	found, err := query.
		Order(expertreview.ByCreatedAt(sql.OrderDesc()), expertreview.ByID(sql.OrderDesc())).
		Collect(selection.Of(ctx).And("product_id")).All(tenancy.In(ctx, tenant))
	return list.Group(products, found, func(e *ent.ExpertReview) uuid.UUID { return e.ProductID }), err
}
