package list

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database/tenancy"
)

// RowList is ShopList for the rows of a query, as they are.
func RowList[Q interface {
	Where(where ...P) Q
	All(ctx context.Context) ([]R, error)
	Count(ctx context.Context) (int, error)
}, R any, P ~func(*sql.Selector)](
	business uuid.UUID, o Order, query func() Q, createdAt func(R) (at time.Time, id uuid.UUID),
) List[R] {
	read := func(ctx context.Context, part Span) ([]R, error) { return query().Where(part.Part).All(ctx) }
	return ShopList(business, o, read, func(ctx context.Context) (int, error) { return query().Count(ctx) }, createdAt)
}

// ShopList returns a list of a shop's records for staff. It reads whole records, whatever fields are requested.
func ShopList[T any](
	business uuid.UUID, o Order, read func(ctx context.Context, part Span) ([]T, error),
	count func(ctx context.Context) (int, error), createdAt func(T) (at time.Time, id uuid.UUID),
) List[T] {
	return List[T]{
		Order: o,
		Read: func(ctx context.Context, part Span) ([]T, error) {
			return read(tenancy.In(ctx, business), part)
		},
		Total: func(ctx context.Context) (int, error) { return count(tenancy.In(ctx, business)) },
		Position: func(record T) Position {
			at, id := createdAt(record)
			return Position{Time: at, ID: id}
		},
	}
}
