package orders

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/address"
	"storefront/ent/membership"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/cart"
	"storefront/internal/record"
)

// customer is a customer with the address that orders are sent to.
type customer struct {
	id   uuid.UUID
	cell string
	home record.ShippingAddress
}

// customersOf returns the customers of a shop, in the order of their cell numbers, so that the first is the
// one of SignIn.
func customersOf(ctx context.Context, tx *ent.Tx, business uuid.UUID) ([]customer, error) {
	members, err := tx.Membership.Query().Where(membership.BusinessID(business)).WithUser().All(ctx)
	if err != nil {
		return nil, err
	}
	people := make([]customer, len(members))
	ids := make([]uuid.UUID, len(members))
	for i, m := range members {
		people[i], ids[i] = customer{id: m.UserID, cell: m.Edges.User.CellNumber}, m.UserID
	}
	homes, err := tx.Address.Query().Where(address.UserIDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range homes {
		of := slices.Index(ids, a.UserID)
		people[of].home = record.ShippingAddress{
			Province: a.Province, City: a.City, Address: a.Address, PostalCode: a.PostalCode, Landline: a.Landline,
		}
	}
	slices.SortFunc(people, func(a, b customer) int { return cmp.Compare(a.cell, b.cell) })
	return people, nil
}

// shown is the stock up to which public answers give the exact number. Orders leave more than that of every
// variant, so that no public answer depends on them.
const shown = 10

// good is a variant that is sold.
type good struct {
	cart.Line     // with no quantity yet
	left      int // units that may still be ordered
	most      int // units of a line
}

// of returns a line of the given quantity.
func (g *good) of(quantity int) *cart.Line {
	line := g.Line
	line.Quantity = quantity
	return &line
}

// goodsOf returns the variants with a large stock, in the order of their SKUs.
func goodsOf(ctx context.Context, tx *ent.Tx) ([]*good, error) {
	found, err := tx.Variant.Query().
		Where(variant.ListedAtLT(opening), variant.PriceGT(0), variant.StockGT(shown+1)).
		WithProduct(func(q *ent.ProductQuery) {
			q.Select(product.FieldSlug, product.FieldTitleFa, product.FieldTitleEn, product.FieldVariations,
				product.FieldImages)
		}).All(ctx)
	if err != nil {
		return nil, err
	}
	goods := make([]*good, len(found))
	for i, v := range found {
		goods[i] = &good{lineOf(v), v.Stock - shown - 1, cart.MostOrderable(v.Stock, v.MaxOrderQuantity)}
	}
	slices.SortFunc(goods, func(a, b *good) int { return cmp.Compare(a.Sku, b.Sku) })
	return goods, nil
}

// lineOf returns a cart line of a variant that has a price.
func lineOf(v *ent.Variant) cart.Line {
	p := v.Edges.Product
	image := record.First(p.Images)
	if v.ImageURL != nil {
		image = record.WithURL(p.Images, *v.ImageURL, v.ID.String())
	}
	return cart.Line{
		Variant: v.ID, SeenPrice: *v.Price, Price: v.Price, CompareAt: v.CompareAtPrice,
		Currency: v.PriceCurrency, SeenCurrency: v.PriceCurrency, Sku: v.Sku,
		Product: v.ProductID, Slug: p.Slug,
		TitleFa: p.TitleFa, TitleEn: p.TitleEn, Image: image, Options: record.OptionsOf(p.Variations, v.Options),
	}
}
