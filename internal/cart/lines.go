package cart

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cartitem"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/money"
	"storefront/internal/record"
)

// MostQuantity is the most units of a line.
const MostQuantity = 9999

// Line is a line of a cart, with what its variant is now. Amounts are of the smallest unit of Currency.
type Line struct {
	ID, Variant uuid.UUID
	Quantity    int
	SeenPrice   int64  // of one, when the line was last written
	Price       *int64 // of one, today; nil: ask
	Currency    string
	Available   int  // the most that the customer can have; 0 where it is not on sale
	OnSale      bool // published, on sale and with a price
	Sku         string
	Product     uuid.UUID
	Slug        string
	TitleFa     string
	TitleEn     *string
	ImageURL    *string
	Options     []record.VariantOption
	otherMoney  bool // not the currency of the cart's first line on sale
}

// Total is the price of the line today; ok is false when nobody could pay it: it has no price, or is above
// money.Max.
func (l *Line) Total() (minor int64, ok bool) {
	if l.Price == nil {
		return 0, false
	}
	return money.Times(*l.Price, l.Quantity)
}

// Warning is what speaks against buying the line as it stands; nil: nothing.
func (l *Line) Warning() *record.CartWarning {
	var w record.CartWarning
	switch {
	case !l.OnSale || l.otherMoney:
		w = record.Unavailable
	case l.Quantity > l.Available:
		w = record.InsufficientStock
	case *l.Price > l.SeenPrice:
		w = record.PriceChanged
	default:
		return nil
	}
	return &w
}

// lineRow is a line with its variant and product as the database gives them.
type lineRow struct {
	ID               uuid.UUID  `sql:"id"`
	VariantID        uuid.UUID  `sql:"variant_id"`
	Quantity         int        `sql:"quantity"`
	SeenPrice        int64      `sql:"seen_price"`
	Sku              string     `sql:"sku"`
	Options          []byte     `sql:"options"`
	Price            *int64     `sql:"price"`
	PriceCurrency    string     `sql:"price_currency"`
	Stock            int        `sql:"stock"`
	MaxOrderQuantity *int       `sql:"max_order_quantity"`
	ImageURL         *string    `sql:"image_url"`
	ListedAt         *time.Time `sql:"listed_at"`
	ProductID        uuid.UUID  `sql:"product_id"`
	Slug             string     `sql:"slug"`
	TitleFa          string     `sql:"title_fa"`
	TitleEn          *string    `sql:"title_en"`
	Variations       []byte     `sql:"variations"`
	Images           []byte     `sql:"images"`
}

// Lines reads the lines of a cart in the order in which they came, in one statement. store may be a
// transaction's.
func (s *Service) Lines(ctx context.Context, store *ent.Client, cart uuid.UUID) ([]*Line, error) {
	var rows []lineRow
	err := store.CartItem.Query().Where(cartitem.CartID(cart)).Modify(withVariants).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("the lines of a cart: %w", err)
	}
	lines := make([]*Line, len(rows))
	for i := range rows {
		if lines[i], err = s.line(&rows[i]); err != nil {
			return nil, err
		}
	}
	inOneCurrency(lines)
	return lines, nil
}

// withVariants joins each line with its variant and product, which are of the same tenant.
func withVariants(s *sql.Selector) {
	v, p := sql.Table(variant.Table), sql.Table(product.Table)
	s.Join(v).OnP(sql.And(
		sql.ColumnsEQ(s.C(cartitem.FieldVariantID), v.C(variant.FieldID)),
		sql.ColumnsEQ(s.C(cartitem.FieldTenantID), v.C(variant.FieldTenantID)),
	))
	s.Join(p).On(v.C(variant.FieldProductID), p.C(product.FieldID))
	s.Select(
		s.C(cartitem.FieldID), s.C(cartitem.FieldVariantID), s.C(cartitem.FieldQuantity),
		s.C(cartitem.FieldSeenPrice),
		v.C(variant.FieldSku), v.C(variant.FieldOptions), v.C(variant.FieldPrice), v.C(variant.FieldPriceCurrency),
		v.C(variant.FieldStock), v.C(variant.FieldMaxOrderQuantity), v.C(variant.FieldImageURL),
		v.C(variant.FieldListedAt),
		v.C(variant.FieldProductID), p.C(product.FieldSlug), p.C(product.FieldTitleFa), p.C(product.FieldTitleEn),
		p.C(product.FieldVariations), p.C(product.FieldImages),
	).OrderBy(s.C(cartitem.FieldID))
}

func (s *Service) line(r *lineRow) (*Line, error) {
	var chosen map[string]string
	var variations []record.Variation
	var images []record.Media
	for _, column := range []struct {
		text []byte
		into any
	}{{r.Options, &chosen}, {r.Variations, &variations}, {r.Images, &images}} {
		if err := json.Unmarshal(column.text, column.into); err != nil {
			return nil, fmt.Errorf("the variant of a line: %w", err)
		}
	}
	l := &Line{
		ID: r.ID, Variant: r.VariantID, Quantity: r.Quantity, SeenPrice: r.SeenPrice, Price: r.Price,
		Currency: r.PriceCurrency,
		Sku:      r.Sku, Product: r.ProductID, Slug: r.Slug, TitleFa: r.TitleFa, TitleEn: r.TitleEn,
		ImageURL: r.ImageURL, Options: record.OptionsOf(variations, chosen),
	}
	if l.ImageURL == nil {
		l.ImageURL = record.FirstURL(images)
	}
	l.OnSale = r.ListedAt != nil && !r.ListedAt.After(s.now()) && r.Price != nil
	if l.OnSale {
		l.Available = MostOrderable(r.Stock, r.MaxOrderQuantity)
	}
	return l, nil
}

// MostOrderable is how many units of a variant a customer can have.
func MostOrderable(stock int, maxOrder *int) int {
	most := min(stock, MostQuantity)
	if maxOrder != nil {
		most = min(most, *maxOrder)
	}
	return max(most, 0)
}

// inOneCurrency marks the lines that are not in the currency of the first line on sale: they cannot be paid
// together.
func inOneCurrency(lines []*Line) {
	currency := ""
	for _, l := range lines {
		switch {
		case !l.OnSale:
		case currency == "":
			currency = l.Currency
		case l.Currency != currency:
			l.otherMoney = true
		}
	}
}

// PriceRisen reports whether any price rose since its line was written.
func PriceRisen(lines []*Line) bool {
	return slices.ContainsFunc(lines, func(l *Line) bool {
		w := l.Warning()
		return w != nil &&
			*w == record.PriceChanged
	})
}

// See notes that the owner is told today's prices, and gives the cart as it was before that, warnings and
// all.
func (s *Service) See(ctx context.Context, tx *ent.Tx, of Owner, kept *ent.Cart,
	lines []*Line) (*Cart, error) {
	shown := s.show(of, &kept.ID, kept.UpdatedAt, lines)
	for _, l := range lines {
		if err := tx.CartItem.Update().Where(cartitem.ID(l.ID)).SetSeenPrice(*l.Price).Exec(ctx); err != nil {
			return nil, err
		}
	}
	return shown, nil
}
