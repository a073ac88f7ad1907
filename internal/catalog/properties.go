package catalog

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/platform/convert"
	"storefront/internal/platform/share"
)

// Property is a property of products by which facets count, as it is kept.
type Property string

// The properties that facets count.
const (
	Categories Property = "categories"
	Brands     Property = "brands"
	Prices     Property = "prices"
	Options    Property = "options" // a variation each
	Answers    Property = "answers" // a field of the technical form each
)

// Without returns the filter without its conditions on a property; of options and answers, without those on a key.
func (f Filter) Without(p Property, key string) Filter {
	switch p {
	case Categories:
		f.category, f.categories = optional[uuid.UUID]{}, choice{}
	case Brands:
		f.brand, f.brands = optional[uuid.UUID]{}, choice{}
	case Prices:
		f.price = priceRange{}
	case Options:
		f.options = f.options.without(key)
	case Answers:
		f.values = f.values.without(key)
	}
	return f
}

// Column returns the column of the list that has a category or a brand.
func (f Filter) Column(p Property) string {
	if p == Categories {
		return f.list.category
	}
	return f.list.brand
}

// OptionKeys returns the keys of the variations on which there are conditions.
func (f Filter) OptionKeys() []string {
	return convert.All(f.options.list(), func(c keyCondition) string { return c.Key })
}

// Category returns the only category of the records, or nil.
func (f Filter) Category() *uuid.UUID {
	if f.category.given {
		return &f.category.value
	}
	return nil
}

// Tenant returns the id of the shop.
func (f Filter) Tenant() uuid.UUID { return f.tenant }

// Unranked returns the filter of the same list in another order than that of relevance.
func (f Filter) Unranked() Filter {
	f.phrase = ""
	return f
}

// CountList counts all records of a list by a property, on which its filter has no condition. Few such counts run at
// once.
func CountList[T any](
	ctx context.Context, r *Catalog, f Filter, by Property, count func(context.Context) (T, error),
) (T, error) {
	ScopeOf(ctx).note(f.tenant, (*reads).isCounted)
	return Counted(ctx, r, f.tenant, f.list.name+"."+string(by), f, inTurn(r.facetCounts, count))
}

// inTurn makes a count wait for a slot.
func inTurn[T any](turns *share.Slots, count func(context.Context) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (none T, err error) {
		if !keeps(ctx) { // a mutation may hold a connection, and so must not wait
			return count(ctx)
		}
		release, err := turns.Take(ctx)
		if err != nil {
			return none, err
		}
		defer release()
		return count(ctx)
	}
}
