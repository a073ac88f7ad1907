package cart

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// Cart is a cart as its owner sees it. Its JSON is that of the API, in the details of PRICE_CHANGED.
type Cart struct {
	ID            uuid.UUID     `json:"id"` // of its owner: the same before and after its row is made
	BusinessID    uuid.UUID     `json:"businessId"`
	Items         []*Item       `json:"items"`
	TotalQuantity int           `json:"totalQuantity"`
	Subtotal      *money.Amount `json:"subtotal"` // nil if above money.Max
	PriceCurrency *string       `json:"priceCurrency"`
	UpdatedAt     *time.Time    `json:"updatedAt"`
	Lines         []*Line       `json:"-"`
}

// Item is a line of a cart as its owner sees it. A line that cannot be bought has no price.
type Item struct {
	BusinessID         uuid.UUID              `json:"-"`
	ID                 uuid.UUID              `json:"id"`
	StoreItemVariantID uuid.UUID              `json:"storeItemVariantId"`
	ProductID          uuid.UUID              `json:"productId"`
	ProductSlug        string                 `json:"productSlug"`
	TitleFa            string                 `json:"titleFa"`
	TitleEn            *string                `json:"titleEn"`
	Options            []record.VariantOption `json:"options"`
	Sku                *string                `json:"sku"`
	ImageURL           *string                `json:"imageUrl"`
	Image              *record.Media          `json:"-"` // at ImageURL
	Quantity           int                    `json:"quantity"`
	UnitPrice          *money.Amount          `json:"unitPrice"`
	LineTotal          *money.Amount          `json:"lineTotal"` // nil if above money.Max
	PriceCurrency      string                 `json:"priceCurrency"`
	AvailableQuantity  int                    `json:"availableQuantity"`
	Warning            *record.CartWarning    `json:"warning"`
}

// shownID returns the id under which a cart is shown. It follows from the owner, so that a client's cache
// recognizes an empty cart when it is filled. The ids of rows differ; those of older rows are random.
func (o Owner) shownID() uuid.UUID {
	if o.Guest != "" {
		return uuid.NewSHA1(o.Business, []byte(o.Guest))
	}
	return uuid.NewSHA1(o.Business, o.User[:])
}

// shopCurrency returns the currency of an empty cart: that of the variant longest on sale in the shop, or nil
// if nothing is on sale. It fails with NOT_FOUND if there is no such business.
func (s *Service) shopCurrency(ctx context.Context, on database.Executor, owner Owner) (currency *string, err error) {
	found, err := readCurrency.Row(ctx, on, database.Values{"tenant": owner.Business, "at": s.clock.Now()}, &currency)
	if err == nil && !found {
		err = member.NoBusiness()
	}
	return currency, err
}

// showAny is show for a cart that may be empty.
func (s *Service) showAny(
	ctx context.Context, on database.Executor, owner Owner, at time.Time, lines []*Line,
) (*Cart, error) {
	for _, l := range lines {
		if l.OnSale {
			return s.show(owner, at, lines, nil), nil
		}
	}
	currency, err := s.shopCurrency(ctx, on, owner)
	return s.show(owner, at, lines, currency), err
}

// Show returns the lines of a locked cart as their owner sees them.
func (s *Service) Show(owner Owner, kept Kept, lines []*Line) *Cart {
	return s.show(owner, kept.UpdatedAt, lines, nil)
}

// show returns lines as their owner sees them. at is when they were written; zero if never. currency is the
// shop's (shopCurrency).
func (s *Service) show(owner Owner, at time.Time, lines []*Line, currency *string) *Cart {
	c := &Cart{
		ID: owner.shownID(), BusinessID: owner.Business, Items: make([]*Item, len(lines)), PriceCurrency: currency,
		Lines: lines,
	}
	if !at.IsZero() {
		at = at.UTC()
		c.UpdatedAt = &at
	}
	sum, inRange := int64(0), true
	for i, l := range lines {
		item := show(l)
		item.BusinessID = owner.Business
		c.Items[i] = item
		c.TotalQuantity += l.Quantity
		if item.UnitPrice == nil {
			continue
		}
		c.PriceCurrency = &l.Currency
		total, ok := l.Total()
		if ok && inRange {
			sum, ok = money.Plus(sum, total)
		}
		inRange = inRange && ok
	}
	if inRange {
		c.Subtotal = &money.Amount{Minor: sum, Currency: convert.Value(c.PriceCurrency)}
	}
	return c
}

func show(l *Line) *Item {
	item := &Item{
		ID: l.ID, StoreItemVariantID: l.Variant, ProductID: l.Product, ProductSlug: l.Slug, TitleFa: l.TitleFa,
		TitleEn: l.TitleEn,
		Options: l.Options, Sku: &l.Sku, ImageURL: l.ImageURL(), Image: l.Image, Quantity: l.Quantity,
		PriceCurrency: l.Currency, AvailableQuantity: l.Available, Warning: l.Warning(),
	}
	if item.Warning != nil && *item.Warning == record.Unavailable {
		return item
	}
	item.UnitPrice = &money.Amount{Minor: *l.Price, Currency: l.Currency}
	if total, ok := l.Total(); ok {
		item.LineTotal = &money.Amount{Minor: total, Currency: l.Currency}
	}
	return item
}
