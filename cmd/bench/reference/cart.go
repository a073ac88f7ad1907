package reference

import (
	"encoding/json"
	"errors"
	"time"

	"storefront/cmd/internal/must"
	"storefront/internal/locale/money"
	"storefront/internal/record"
)

type cart struct {
	ID            string          `json:"id"`
	BusinessID    string          `json:"businessId"`
	Items         []cartItem      `json:"items"`
	TotalQuantity int             `json:"totalQuantity"`
	Subtotal      json.RawMessage `json:"subtotal"`
	PriceCurrency *string         `json:"priceCurrency"`
	UpdatedAt     time.Time       `json:"updatedAt"`
}

// line has the common members of lines of carts and of orders.
type line struct {
	ID                 string                 `json:"id"`
	StoreItemVariantID string                 `json:"storeItemVariantId"`
	ProductID          string                 `json:"productId"`
	ProductSlug        string                 `json:"productSlug"`
	TitleFa            string                 `json:"titleFa"`
	TitleEn            *string                `json:"titleEn"`
	Options            []record.VariantOption `json:"options"`
	SKU                string                 `json:"sku"`
	ImageURL           *string                `json:"imageUrl"`
	Quantity           int                    `json:"quantity"`
	UnitPrice          json.RawMessage        `json:"unitPrice"`
	LineTotal          json.RawMessage        `json:"lineTotal"`
}

type cartItem struct {
	line
	PriceCurrency     string  `json:"priceCurrency"`
	AvailableQuantity int     `json:"availableQuantity"`
	Warning           *string `json:"warning"`

	price, seen int64
	before      *int64 // compare_at_price
}

const mostUnits = 9999

var errUnavailable = errors.New("an item cannot be had as it was asked for")

type wanted struct {
	Variant  string `json:"storeItemVariantId"`
	Quantity int    `json:"quantity"`
}

// add adds units of a variant to a cart in one transaction, which locks the cart's row.
func add(t tx, o owner, in wanted) any {
	return added(t, o, in, func(c *cart) {
		mine := newID()
		t.row(`INSERT INTO carts (id, created_at, updated_at, checkouts, tenant_id, user_id)
			VALUES ($1, $2, $2, 0, $3, $4) ON CONFLICT (user_id, tenant_id)
			DO UPDATE SET updated_at = excluded.updated_at RETURNING id`,
			[]any{mine, t.at, o.business, o.user}, &c.ID)
		if c.ID == mine { // the first write makes the customer a member
			t.exec(`INSERT INTO memberships (id, created_at, updated_at, user_id, business_id)
				VALUES ($1, $2, $2, $3, $4) ON CONFLICT (user_id, business_id)
				DO UPDATE SET pending_until = NULL, updated_at = excluded.updated_at`,
				newID(), t.at, o.user, o.business)
		}
		t.exec(`INSERT INTO cart_items
			(id, created_at, updated_at, quantity, seen_price, seen_currency, tenant_id, cart_id, variant_id)
			SELECT CAST($1 AS `+t.h.uuidType+`), $2, $2, $3, v.price, v.price_currency, v.tenant_id, $4, v.id
			FROM variants v
			WHERE v.id = $5 AND v.tenant_id = $6 AND v.listed_at <= $2 AND v.price IS NOT NULL
			ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = cart_items.quantity + excluded.quantity,
			seen_price = excluded.seen_price, seen_currency = excluded.seen_currency, updated_at = excluded.updated_at`,
			newID(), t.at, in.Quantity, c.ID, in.Variant, o.business)
	})
}

// addGathered is add in as few round trips as PostgreSQL allows: one that finds the customer and writes, and
// one that reads the lines, because a statement does not see its own writes.
func addGathered(t tx, o owner, in wanted) any {
	return added(t, o, in, func(c *cart) {
		t.row(`WITH me AS (
			SELECT t.id FROM sessions s JOIN tenants t ON t.id = $1
			WHERE s.id = $2 AND s.user_id = $3 AND s.ended_at IS NULL AND s.expires_at > $4
		), locked AS (
			INSERT INTO carts (id, created_at, updated_at, checkouts, tenant_id, user_id)
			SELECT CAST($5 AS uuid), $4, $4, 0, me.id, $3 FROM me
			ON CONFLICT (user_id, tenant_id) DO UPDATE SET updated_at = excluded.updated_at RETURNING id, tenant_id
		), linked AS (
			INSERT INTO memberships (id, created_at, updated_at, user_id, business_id)
			SELECT CAST($6 AS uuid), $4, $4, $3, tenant_id FROM locked WHERE id = $5
			ON CONFLICT (user_id, business_id) DO UPDATE SET pending_until = NULL, updated_at = excluded.updated_at
		) INSERT INTO cart_items
			(id, created_at, updated_at, quantity, seen_price, seen_currency, tenant_id, cart_id, variant_id)
			SELECT CAST($7 AS uuid), $4, $4, $8, v.price, v.price_currency, v.tenant_id, locked.id, v.id
			FROM locked JOIN variants v ON v.tenant_id = locked.tenant_id
			WHERE v.id = $9 AND v.listed_at <= $4 AND v.price IS NOT NULL
			ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = cart_items.quantity + excluded.quantity,
			seen_price = excluded.seen_price, seen_currency = excluded.seen_currency, updated_at = excluded.updated_at
			RETURNING cart_id`,
			[]any{o.business, o.session, o.user, t.at, newID(), newID(), newID(), in.Quantity, in.Variant}, &c.ID)
	})
}

// added returns the answer with the cart to which work adds in a transaction.
func added(t tx, o owner, in wanted, work func(*cart)) any {
	var c cart
	t.write(func() {
		work(&c)
		c.read(t, o, in)
	})
	return struct {
		Message string `json:"message"`
		Cart    cart   `json:"cart"`
	}{"The item is in your cart.", c}
}

// read reads a cart after an addition, and fails if the addition is not allowed.
func (c *cart) read(t tx, o owner, in wanted) {
	c.Items = t.lines(o, c.ID)
	sum := int64(0)
	for i := range c.Items {
		item := &c.Items[i]
		if item.StoreItemVariantID == in.Variant && item.Quantity > item.AvailableQuantity ||
			item.PriceCurrency != c.Items[0].PriceCurrency {
			must.Do(errUnavailable)
		}
		c.TotalQuantity += item.Quantity
		sum += item.price * int64(item.Quantity)
		c.PriceCurrency = &item.PriceCurrency
	}
	c.BusinessID, c.UpdatedAt, c.Subtotal = o.business, t.at, price(&sum, c.PriceCurrency)
}

// lines reads a cart with today's prices. It fails if a line is not on sale.
func (t tx) lines(o owner, id string) (all []cartItem) {
	args := []any{id, o.business}
	t.each(`SELECT i.id, i.variant_id, i.quantity, i.seen_price, v.sku, v.options, v.price, v.compare_at_price,
			v.price_currency, v.stock, v.max_order_quantity, v.image_url, v.listed_at, v.product_id, p.slug, p.title_fa,
			p.title_en, p.variations, p.images
		FROM cart_items i JOIN variants v ON v.id = i.variant_id AND v.tenant_id = i.tenant_id
		JOIN products p ON p.id = v.product_id
		WHERE i.cart_id = $1 AND i.tenant_id = $2 ORDER BY i.id`, args, func(scan func(...any) error) {
		var i cartItem
		var options, variations, images []byte
		var cost *int64
		var most *int
		var listed *time.Time
		must.Do(scan(&i.ID, &i.StoreItemVariantID, &i.Quantity, &i.seen, &i.SKU, &options, &cost, &i.before,
			&i.PriceCurrency, &i.AvailableQuantity, &most, &i.ImageURL, &listed, &i.ProductID, &i.ProductSlug,
			&i.TitleFa, &i.TitleEn, &variations, &images))
		if cost == nil || listed == nil || listed.After(t.at) {
			must.Do(errUnavailable)
		}
		i.price = *cost
		i.Options, i.ImageURL = optionsOf(options, variations), imageOf(i.ImageURL, images)
		if i.AvailableQuantity = min(i.AvailableQuantity, mostUnits); most != nil {
			i.AvailableQuantity = min(i.AvailableQuantity, *most)
		}
		i.UnitPrice = money.Amount{Minor: i.price, Currency: i.PriceCurrency}.AppendJSON(nil)
		i.LineTotal = money.Amount{Minor: i.price * int64(i.Quantity), Currency: i.PriceCurrency}.AppendJSON(nil)
		i.Warning = i.warning()
		all = append(all, i)
	})
	return all
}

func (i *cartItem) warning() *string {
	var w string
	switch {
	case i.Quantity > i.AvailableQuantity:
		w = "insufficient_stock"
	case i.price > i.seen:
		w = "price_changed"
	default:
		return nil
	}
	return &w
}
