package orders

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/cart"
	"storefront/internal/demo/chance"
	"storefront/internal/record"
)

// fillCarts puts something into the cart of every third customer. The first one's has three lines, of which
// the last has a warning.
func (s shop) fillCarts(ctx context.Context, tx *ent.Tx, people []customer, goods []*good) error {
	r := chance.New("carts of " + s.domain)
	var heads []*ent.CartCreate
	var lines [][]*cart.Line
	for i, c := range people {
		if i%3 > 0 {
			continue
		}
		n := chance.Between(r, 1, 3)
		if i == 0 {
			n = 2
		}
		at := recentMoment(r)
		heads = append(heads, tx.Cart.Create().SetUserID(c.id).SetCreatedAt(at).SetUpdatedAt(at))
		lines = append(lines, s.take(r, goods, n, false))
	}
	bad, err := s.warning(ctx, tx, goods)
	if err != nil {
		return err
	}
	lines[0] = append(lines[0], bad)
	made, err := tx.Cart.CreateBulk(heads...).Save(ctx)
	if err != nil {
		return err
	}
	var items []*ent.CartItemCreate
	for i, kept := range made {
		for n, l := range lines[i] {
			id := record.StableID(n, fmt.Sprintf("line %d of cart %d of %s", n, i, s.domain))
			items = append(items, tx.CartItem.Create().SetID(id).SetCartID(kept.ID).SetVariantID(l.Variant).
				SetQuantity(l.Quantity).SetSeenPrice(l.SeenPrice).SetSeenCurrency(l.SeenCurrency))
		}
	}
	return tx.CartItem.CreateBulk(items...).Exec(ctx)
}

// warning returns a line that cannot be ordered as it is, and its cart warning.
func (s shop) warning(ctx context.Context, tx *ent.Tx, goods []*good) (*cart.Line, error) {
	if s.warns == record.PriceChanged {
		line := goods[0].of(1)
		line.SeenPrice -= line.SeenPrice / 10
		return line, nil
	}
	scarce, err := tx.Variant.Query().
		Where(variant.ListedAtLT(opening), variant.PriceGT(0), variant.StockGT(1), variant.MaxOrderQuantityIsNil()).
		WithProduct().Order(variant.ByStock(), variant.BySku()).First(ctx)
	if err != nil {
		return nil, err
	}
	line := lineOf(scarce)
	line.Quantity = scarce.Stock + 1
	return &line, nil
}

// keep gives every second customer favorites. One of the first customer's favorites is no longer published.
func (s shop) keep(ctx context.Context, tx *ent.Tx, people []customer, goods []*good) error {
	r := chance.New("favorites of " + s.domain)
	archived, err := tx.Product.Query().Where(product.StatusEQ(record.Archived)).
		Order(product.BySlug(sql.OrderAsc())).FirstID(ctx)
	if err != nil {
		return err
	}
	kept := []*ent.FavoriteCreate{tx.Favorite.Create().SetUserID(people[0].id).SetProductID(archived).
		SetCreatedAt(opening)}
	for i, c := range people {
		if i%2 > 0 {
			continue
		}
		n := chance.Between(r, 1, 5)
		if i == 0 {
			n = 4
		}
		for _, p := range drawGoods(r, goods, n) {
			kept = append(kept, tx.Favorite.Create().SetUserID(c.id).SetProductID(p.Product).
				SetCreatedAt(recentMoment(r)))
		}
	}
	return tx.Favorite.CreateBulk(kept...).Exec(ctx)
}

// drawGoods returns n random goods of different products.
func drawGoods(r *rand.Rand, goods []*good, n int) (drawn []*good) {
	had := map[string]bool{}
	for _, i := range r.Perm(len(goods)) {
		if g := goods[i]; len(drawn) < n && !had[g.Slug] {
			had[g.Slug] = true
			drawn = append(drawn, g)
		}
	}
	return drawn
}

// recentMoment returns a random moment in the demo's last two weeks.
func recentMoment(r *rand.Rand) time.Time {
	return chance.Now.Add(-time.Duration(r.Int64N(int64(14 * 24 * time.Hour)))).Truncate(time.Second)
}
