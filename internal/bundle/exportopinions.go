package bundle

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/internal/record"
)

func (e *exporter) comments(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.Comment, error) {
		return e.client.Comment.Query().Where(comment.IDGT(after)).Order(comment.ByID()).Limit(pageSize).All(ctx)
	}, func(row *ent.Comment) uuid.UUID { return row.ID }, func(rows []*ent.Comment) error {
		slugs, err := e.targets(ctx, rows)
		if err != nil {
			return err
		}
		for _, row := range rows {
			slug, ok := slugs[row.EntityID]
			if !ok {
				continue
			}
			if err := e.take(commentOut{
				EntityType:  row.EntityType,
				Entity:      slug,
				AuthorName:  row.AuthorName,
				AuthorEmail: row.AuthorEmail,
				Text:        row.Text,
				Status:      row.Status,
				opinionOut:  opinionOut{row.RejectionReason, row.Reply, utc(row.RepliedAt)},
				CreatedAt:   row.CreatedAt.UTC(),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// targets returns the slugs of the records that comments are on, by id. Records that are gone are left out.
func (e *exporter) targets(ctx context.Context, rows []*ent.Comment) (map[uuid.UUID]string, error) {
	ids := map[record.EntityType][]uuid.UUID{}
	for _, row := range rows {
		ids[row.EntityType] = append(ids[row.EntityType], row.EntityID)
	}
	slugs := map[uuid.UUID]string{}
	products, err := e.client.Product.Query().Where(e.among(product.FieldID, ids[record.Product])).
		Select(product.FieldSlug).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range products {
		slugs[one.ID] = one.Slug
	}
	blogs, err := e.client.Blog.Query().Where(e.among(blog.FieldID, ids[record.Blog])).Select(blog.FieldSlug).
		All(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range blogs {
		slugs[one.ID] = one.Slug
	}
	portfolios, err := e.client.Portfolio.Query().Where(e.among(portfolio.FieldID, ids[record.Portfolio])).
		Select(portfolio.FieldSlug).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range portfolios {
		slugs[one.ID] = one.Slug
	}
	return slugs, nil
}

func (e *exporter) reviews(ctx context.Context) error {
	return pages(func(after uuid.UUID) ([]*ent.ExpertReview, error) {
		return e.client.ExpertReview.Query().Where(expertreview.IDGT(after)).Order(expertreview.ByID()).Limit(pageSize).
			WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldSlug) }).All(ctx)
	}, func(row *ent.ExpertReview) uuid.UUID { return row.ID }, func(rows []*ent.ExpertReview) error {
		for _, row := range rows {
			if row.Edges.Product == nil {
				continue
			}
			if err := e.take(reviewOut{
				Product:        row.Edges.Product.Slug,
				AuthorName:     row.AuthorName,
				AuthorEmail:    row.AuthorEmail,
				Rate:           row.Rate,
				PositivePoints: row.PositivePoints,
				NegativePoints: row.NegativePoints,
				Text:           row.Text,
				Status:         row.Status,
				opinionOut:     opinionOut{row.RejectionReason, row.Reply, utc(row.RepliedAt)},
				CreatedAt:      row.CreatedAt.UTC(),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}
