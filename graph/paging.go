package graph

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
)

// maxPageSize is the most items a page has; more is read as this.
const maxPageSize = 100

// page is one page of a list, not read yet: items and total are each read when they are asked for, at the same time.
type page[T any] struct {
	number, size int
	list         func(ctx context.Context, offset, limit int) ([]T, error)
	total        func(ctx context.Context) (int, error)
}

// The pages of the lists.
type (
	ProductPage     struct{ page[*ent.Product] }
	VariantPage     struct{ page[*ent.Variant] }
	UserProductPage struct{ page[*ent.UserProduct] }
	BlogPage        struct{ page[*ent.Blog] }
	PortfolioPage   struct{ page[*ent.Portfolio] }
)

// Items reads the page. One past the end is empty, and costs no walk over what stands before it.
func (p *page[T]) Items(ctx context.Context) ([]T, error) {
	if p.number > 1 {
		total, err := p.total(ctx)
		if err != nil {
			return nil, err
		}
		if p.number > (total+p.size-1)/p.size {
			return []T{}, nil
		}
	}
	return p.list(ctx, (p.number-1)*p.size, p.size)
}

// Total counts the items of all pages.
func (p *page[T]) Total(ctx context.Context) (int, error) { return p.total(ctx) }

// Page is the page's number, counted from 1.
func (p *page[T]) Page() int { return p.number }

// PageSize is the most items a page has.
func (p *page[T]) PageSize() int { return p.size }

// total counts a list, once for each content version of its tenant. filter is a comparable value that no other list shares.
// scheduled says when the next record of the list's kind becomes public.
func (r *Resolver) total(ctx context.Context, tenant uuid.UUID, filter any, size func(context.Context) (int, error), scheduled func(context.Context) (time.Time, error)) (int, error) {
	ctx = in(ctx, tenant)
	return count(ctx, r, tenant, filter, func(ctx context.Context) (int, time.Time, error) {
		until, err := scheduled(ctx)
		if err != nil {
			return 0, time.Time{}, err
		}
		n, err := size(ctx)
		return n, until, err
	})
}
