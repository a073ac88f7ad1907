package cart

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cartitem"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

// mostQuantity is the greatest quantity of a line.
const mostQuantity = 9999

// Line is a line of a cart with the present state of its variant. Amounts are in the smallest unit of
// Currency, but for SeenPrice.
type Line struct {
	ID, Variant  uuid.UUID
	Quantity     int
	SeenPrice    int64  // of one, when the line was last written
	SeenCurrency string // the currency of SeenPrice
	CompareAt    *int64 // the former price of one; nil: none
	Available    int    // the most that the customer can order; 0 if not on sale
	Limited      bool   // by the most units of an order, not by the stock
	OnSale       bool   // published, on sale and with a price
	Sku          string
	Product      uuid.UUID
	Slug         string
	TitleFa      string
	TitleEn      *string
	Image        *record.Media
	Options      []record.VariantOption
	otherMoney   bool // not the currency of the cart's first line on sale
	Looked
}

// Looked is what a checkout reads before it sells a variant, besides its stock and whether the shop is open. On
// PostgreSQL the variant is not locked by then, so move_stock compares all of it when it takes the stock.
type Looked struct {
	Price    *int64     `json:"price"` // of one, today; nil: price on request
	Currency string     `json:"currency"`
	Listed   *time.Time `json:"listed"` // since when it is on sale, and its product published; nil: it is not
	Most     *int       `json:"most"`   // units of an order; nil: any number
	Weight   *int       `json:"weight"` // grams of one; nil: the shop's usual weight
	Tax      *string    `json:"tax"`    // category of its taxes; nil: record.StandardTax
}

// Total returns today's price of the line. ok is false if the line has no price or its total is above
// money.Max.
func (l *Line) Total() (minor int64, ok bool) {
	if l.Price == nil {
		return 0, false
	}
	return money.Times(*l.Price, l.Quantity)
}

// Discount returns how much less the line costs today than at CompareAt, at most money.Max.
func (l *Line) Discount() int64 {
	if l.Price == nil || l.CompareAt == nil || *l.CompareAt <= *l.Price {
		return 0
	}
	if off, ok := money.Times(*l.CompareAt-*l.Price, l.Quantity); ok {
		return off
	}
	return money.Max
}

// ImageURL returns the address of Image.
func (l *Line) ImageURL() *string {
	if l.Image == nil {
		return nil
	}
	return &l.Image.URL
}

// Warning returns why the line should not or cannot be bought as it is, or nil.
func (l *Line) Warning() *record.CartWarning {
	if l.otherMoney {
		return new(record.Unavailable)
	}
	if w := l.shortage(); w != nil {
		return w
	}
	if l.inNewCurrency() || *l.Price > l.SeenPrice {
		return new(record.PriceChanged)
	}
	return nil
}

// inNewCurrency reports whether the variant has another currency than when the line was last written.
func (l *Line) inNewCurrency() bool { return l.SeenCurrency != l.Currency }

// shortage returns why the line cannot be bought as it is, in any cart, or nil if it can.
func (l *Line) shortage() *record.CartWarning {
	switch {
	case !l.OnSale:
		return new(record.Unavailable)
	case l.Quantity > l.Available && l.Limited:
		return new(record.MaxOrderQuantityExceeded)
	case l.Quantity > l.Available:
		return new(record.InsufficientStock)
	}
	return nil
}

// Lines reads the lines of a cart in the order in which they were added. It runs one statement.
func (s *Service) Lines(ctx context.Context, on database.Executor, owner Owner,
	cart uuid.UUID) (lines []*Line, err error) {
	err = readLines.Each(ctx, on, database.Values{"cart": cart, "tenant": owner.Business}, func(row *sql.Rows) error {
		var columns lineRow
		if err := row.Scan(columns.all()...); err != nil {
			return err
		}
		line, err := s.line(&columns)
		lines = append(lines, line)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the lines of a cart: %w", err)
	}
	inOneCurrency(lines)
	return lines, nil
}

// lineRow is a row of a line with its variant and product. All columns are null if there is no line (glance).
type lineRow struct {
	id, variant, product *uuid.UUID
	quantity, stock      *int
	seenPrice, price     *int64
	seenCurrency         *string
	compareAt            *int64
	sku, slug, titleFa   *string
	currency             *string
	titleEn, imageURL    *string
	tax                  *string
	maxOrder, weight     *int
	listedAt             *time.Time

	options, variations, images []byte

	gone []byte // record.GoneVariant; variant and all that is of it is null then
}

// all returns the scan targets for lineColumns.
func (r *lineRow) all() []any {
	return []any{
		&r.id, &r.variant, &r.quantity, &r.seenPrice, &r.seenCurrency, &r.sku, &r.options, &r.price,
		&r.compareAt, &r.currency, &r.stock, &r.maxOrder, &r.weight, &r.tax, &r.imageURL,
		&r.listedAt, &r.product, &r.slug, &r.titleFa,
		&r.titleEn, &r.variations, &r.images, &r.gone,
	}
}

// line returns the line of a row. It has no id if the row has none.
func (s *Service) line(r *lineRow) (*Line, error) {
	if r.variant == nil {
		return r.ofGone()
	}
	var chosen map[string]string
	var variations []record.Variation
	var images []record.Media
	for _, column := range []struct {
		text []byte
		into any
	}{{r.options, &chosen}, {r.variations, &variations}, {r.images, &images}} {
		if err := json.Unmarshal(column.text, column.into); err != nil {
			return nil, fmt.Errorf("the variant of a line: %w", err)
		}
	}
	l := &Line{
		Variant: *r.variant, Quantity: *r.quantity, SeenPrice: *r.seenPrice,
		SeenCurrency: *cmp.Or(r.seenCurrency, r.currency),
		CompareAt:    r.compareAt,
		Looked:       Looked{r.price, *r.currency, r.listedAt, r.maxOrder, r.weight, r.tax},
		Sku:          *r.sku, Product: *r.product, Slug: *r.slug, TitleFa: *r.titleFa, TitleEn: r.titleEn,
		Image: record.First(images), Options: record.OptionsOf(variations, chosen),
	}
	if r.id != nil {
		l.ID = *r.id
	}
	if r.imageURL != nil {
		l.Image = record.WithURL(images, *r.imageURL, l.Variant.String())
	}
	l.OnSale = r.listedAt != nil && !r.listedAt.After(s.clock.Now()) && r.price != nil
	if l.OnSale {
		l.Available = mostOrderable(*r.stock, r.maxOrder)
		l.Limited = r.maxOrder != nil && *r.maxOrder <= *r.stock
	}
	return l, nil
}

// ofGone returns the line of a row whose variant no longer exists, as it was when the variant was deleted.
func (r *lineRow) ofGone() (*Line, error) {
	var was record.GoneVariant
	if err := json.Unmarshal(r.gone, &was); err != nil {
		return nil, fmt.Errorf("the deleted variant of a line: %w", err)
	}
	return &Line{
		ID: *r.id, Variant: was.ID, Quantity: *r.quantity, SeenPrice: *r.seenPrice,
		SeenCurrency: *cmp.Or(r.seenCurrency, &was.Currency), Looked: Looked{Currency: was.Currency}, Sku: was.Sku,
		Product: was.Product, Slug: was.Slug, TitleFa: was.TitleFa, TitleEn: was.TitleEn, Image: was.Image,
		Options: was.Options,
	}, nil
}

// mostOrderable returns how many units of a variant a customer can order.
func mostOrderable(stock int, maxOrder *int) int {
	most := min(stock, mostQuantity)
	if maxOrder != nil {
		most = min(most, *maxOrder)
	}
	return max(most, 0)
}

// inOneCurrency marks the lines whose currency differs from that of the first line on sale: they cannot be
// paid together.
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

// PriceChanged reports whether any price rose or changed its currency since its line was written.
func PriceChanged(lines []*Line) bool {
	return slices.ContainsFunc(lines, func(l *Line) bool {
		w := l.Warning()
		return w != nil && *w == record.PriceChanged
	})
}

// See sets the prices of lines that the owner has seen to the current ones, records when, and returns the cart with the
// warnings that it had before.
func (s *Service) See(ctx context.Context, tx *ent.Tx, owner Owner, kept Kept, lines []*Line) (*Cart, error) {
	shown := s.Show(owner, kept, lines)
	for _, l := range lines {
		err := tx.CartItem.Update().Where(cartitem.ID(l.ID)).
			SetSeenPrice(*l.Price).SetSeenCurrency(l.Currency).Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	_, err := setRepriced.Of(tx.Raw()).Exec(ctx, tx.Raw(), database.Values{
		"cart": kept.ID, "tenant": owner.Business, "now": time.Now(),
	})
	return shown, err
}

// Short is a line whose quantity cannot be ordered, in the details of INSUFFICIENT_STOCK,
// MAX_ORDER_QUANTITY_EXCEEDED and ITEM_UNAVAILABLE.
type Short struct {
	StoreItemVariantID uuid.UUID `json:"storeItemVariantId"`
	Requested          int       `json:"requested"`
	Available          int       `json:"available"`
}

// Check fails unless all lines can be bought: with ITEM_UNAVAILABLE, INSUFFICIENT_STOCK or
// MAX_ORDER_QUANTITY_EXCEEDED, the first of these that applies to a line. The details name every short line.
func Check(lines []*Line) error { return checkEach(lines, (*Line).Warning) }

// checkEach is Check with the given rule for faulty lines.
func checkEach(lines []*Line, against func(*Line) *record.CartWarning) error {
	var short []Short
	gone, scarce := false, false
	for _, l := range lines {
		w := against(l)
		if w == nil || *w == record.PriceChanged {
			continue
		}
		available := l.Available
		switch *w {
		case record.Unavailable:
			gone, available = true, 0
		case record.InsufficientStock:
			scarce = true
		}
		short = append(short, Short{l.Variant, l.Quantity, available})
	}
	switch {
	case gone:
		return unavailable(short)
	case scarce:
		return withShort(short, fault.New(fault.InsufficientStock, "there is less of an item than asked for"))
	case len(short) > 0:
		return withShort(short, fault.New(fault.MaxOrderQuantityExceeded,
			"more of an item than may be ordered at once"))
	}
	return nil
}

func unavailable(short []Short) *fault.Error {
	return withShort(short, fault.New(fault.ItemUnavailable,
		"an item is not on sale any more, or has no price; take it out of the cart"))
}

func withShort(short []Short, e *fault.Error) *fault.Error {
	e.Details = short
	return e
}
