package catalog

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/fault"
)

// offersAtOnce is how many variants one statement reads.
const offersAtOnce = 200

// EachOffer calls some with the variants on sale of a shop, in the order in which they came on sale, each with its
// product, brand and category. It reads them in batches of at most mostOfferBytes, and holds one batch in memory while
// some runs.
func (r *Catalog) EachOffer(ctx context.Context, shop uuid.UUID, some func([]*ent.Variant) error) error {
	ctx = InTenant(ctx, shop)
	limit := offersAtOnce
	for after := (PageMark{}); ; {
		query := r.VariantsOnSale(ctx)
		if after != (PageMark{}) {
			query.Where(variant.ListedAtGTE(after.at),
				variant.Or(variant.ListedAtGT(after.at), variant.IDGT(after.id)))
		}
		found, err := readOffers(ctx, query.Order(variant.ByListedAt(), variant.ByID()).Limit(limit))
		if errors.Is(err, ErrOffersTooLarge) && limit > 1 {
			limit /= 2
			continue
		}
		if err != nil {
			return fmt.Errorf("read the offers of a shop: %w", err)
		}
		if len(found) == 0 {
			return nil
		}
		if err := some(found); err != nil || len(found) < limit {
			return err
		}
		last := found[len(found)-1]
		after = PageMark{*last.ListedAt, last.ID}
	}
}

// mostOfferBytes is the most bytes of a batch of offers: a malicious shop may have products of a megabyte
// each.
const mostOfferBytes = 4 << 20

// ErrOffersTooLarge means that fewer offers must be read at once.
var ErrOffersTooLarge = fault.New(fault.LimitExceeded, "the products are too large for one answer")

// readOffers reads offers with their products. It fails with ErrOffersTooLarge.
func readOffers(ctx context.Context, query *ent.VariantQuery) ([]*ent.Variant, error) {
	bytes := 0
	return query.WithProduct(func(q *ent.ProductQuery) { q.WithBrand().WithCategory() }).
		All(database.WithReadLimit(ctx, func(n int) error {
			if bytes += n; bytes > mostOfferBytes {
				return ErrOffersTooLarge
			}
			return nil
		}))
}

// OfferFilter narrows a list of offers.
type OfferFilter struct {
	Currencies    []string    // only offers in these
	IDs, Products []uuid.UUID // only these variants, and only variants of these products; nil means all
}

func (f OfferFilter) narrow(q *ent.VariantQuery) *ent.VariantQuery {
	q.Where(variant.PriceCurrencyIn(f.Currencies...))
	if f.IDs != nil {
		q.Where(variant.IDIn(f.IDs...))
	}
	if f.Products != nil {
		q.Where(variant.ProductIDIn(f.Products...))
	}
	return q
}

// Offers returns a page of the variants on sale of a shop, the newest first: those after a mark, or from an offset on.
// It fails with ErrOffersTooLarge.
func (r *Catalog) Offers(
	ctx context.Context, shop uuid.UUID, f OfferFilter, behind *PageMark, offset, limit int,
) ([]*ent.Variant, error) {
	query := f.narrow(r.VariantsOnSale(ctx))
	if behind != nil {
		query.Where(variant.ListedAtLTE(behind.at),
			variant.Or(variant.ListedAtLT(behind.at), variant.IDLT(behind.id)))
	}
	return readOffers(InTenant(ctx, shop), query.
		Order(variant.ByListedAt(sql.OrderDesc()), variant.ByID(sql.OrderDesc())).Offset(offset).Limit(limit))
}

// ProductIDs returns the ids of the published products with the given slugs.
func (r *Catalog) ProductIDs(ctx context.Context, shop uuid.UUID, slugs []string) ([]uuid.UUID, error) {
	if len(slugs) == 0 {
		return []uuid.UUID{}, nil
	}
	found, err := r.PublishedProducts(ctx).Where(product.SlugIn(slugs...)).Select(product.FieldID).
		All(InTenant(ctx, shop))
	return IDsOf(found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// CountOffers counts the variants on sale of a shop whose prices are in some currencies. The number is cached
// until the content changes.
func (r *Catalog) CountOffers(ctx context.Context, shop uuid.UUID, currencies [2]string) (int, error) {
	of := subject{tenant: shop, what: "offers", filter: currencies}
	return publicCount(ctx, r, of, func(ctx context.Context) (int, error) {
		return OfferFilter{Currencies: currencies[:]}.narrow(r.VariantsOnSale(ctx)).Count(ctx)
	})
}

// OfferMark returns the position of a variant on sale among offers.
func OfferMark(v *ent.Variant) PageMark { return PageMark{*v.ListedAt, v.ID} }
