package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
)

// offerFilter chooses variants on sale.
type offerFilter struct {
	Currencies    []string    // only offers in these; nil means all, as it does below
	IDs, Products []uuid.UUID // only these variants, and only variants of these products
	NewestFirst   bool        // else in the order in which they came on sale
	After         *PageMark   // only those after this one in their order
	Offset        int
	Limit         int // 0: any number
}

func (f offerFilter) narrow(q *ent.VariantQuery) *ent.VariantQuery {
	if f.Currencies != nil {
		q.Where(variant.PriceCurrencyIn(f.Currencies...))
	}
	if f.IDs != nil {
		q.Where(variant.IDIn(f.IDs...))
	}
	if f.Products != nil {
		q.Where(variant.ProductIDIn(f.Products...))
	}
	switch after := f.After; {
	case after == nil:
	case f.NewestFirst:
		q.Where(variant.ListedAtLTE(after.at), variant.Or(variant.ListedAtLT(after.at), variant.IDLT(after.id)))
	default:
		q.Where(variant.ListedAtGTE(after.at), variant.Or(variant.ListedAtGT(after.at), variant.IDGT(after.id)))
	}
	return q
}

// mostOfferBytes is the most bytes of a batch of offers: a malicious shop may have products of a megabyte
// each. offersAtOnce is the most offers of one.
const (
	mostOfferBytes = 4 << 20
	offersAtOnce   = 200
)

// errOffersTooLarge means that fewer offers must be read at once.
var errOffersTooLarge = fault.New(fault.LimitExceeded, "the products are too large for one answer")

// eachOffer calls some with variants on sale of a shop, each with its product, brand and category. It reads them in
// batches, and holds one batch in memory while some runs.
func (r Records) eachOffer(
	ctx context.Context, shop uuid.UUID, f offerFilter, use func([]*ent.Variant) error,
) error {
	left := cmp.Or(f.Limit, math.MaxInt)
	for atOnce := offersAtOnce; left > 0; {
		asked := min(atOnce, left)
		bytes := 0
		bounded := database.WithReadLimit(tenancy.In(ctx, shop), func(n int) error {
			if bytes += n; bytes > mostOfferBytes {
				return errOffersTooLarge
			}
			return nil
		})
		order := sql.OrderAsc()
		if f.NewestFirst {
			order = sql.OrderDesc()
		}
		found, err := f.narrow(r.Catalog.VariantsOnSale(ctx)).Order(variant.ByListedAt(order), variant.ByID(order)).
			Offset(f.Offset).Limit(asked).
			WithProduct(func(q *ent.ProductQuery) { q.WithBrand().WithCategory() }).All(bounded)
		if errors.Is(err, errOffersTooLarge) && atOnce > 1 {
			atOnce /= 2
			continue
		}
		if err != nil {
			return fmt.Errorf("read the offers of a shop: %w", err)
		}
		if len(found) == 0 {
			return nil
		}
		if err := use(found); err != nil || len(found) < asked {
			return err
		}
		f.After, f.Offset, left = new(offerMark(found[len(found)-1])), 0, left-len(found)
	}
	return nil
}

// ProductIDs returns the ids of the published products with the given slugs.
func (r Records) ProductIDs(ctx context.Context, shop uuid.UUID, slugs []string) ([]uuid.UUID, error) {
	if len(slugs) == 0 {
		return []uuid.UUID{}, nil
	}
	found, err := r.Catalog.PublishedProducts(ctx).Where(product.SlugIn(slugs...)).Select(product.FieldID).
		All(tenancy.In(ctx, shop))
	return convert.All(found, func(p *ent.Product) uuid.UUID { return p.ID }), err
}

// countOffers counts the variants on sale of a shop whose prices are in some currencies. The number is cached
// until the content changes.
func (r Records) countOffers(ctx context.Context, shop uuid.UUID, currencies [2]string) (int, error) {
	return catalog.Counted(ctx, r.Catalog, shop, "offers", currencies, func(ctx context.Context) (int, error) {
		return offerFilter{Currencies: currencies[:]}.narrow(r.Catalog.VariantsOnSale(ctx)).Count(ctx)
	})
}

// offerMark returns the position of a variant on sale among offers.
func offerMark(v *ent.Variant) PageMark { return PageMark{*v.ListedAt, v.ID} }
