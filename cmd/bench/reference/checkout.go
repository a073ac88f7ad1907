package reference

import (
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"storefront/internal/money"
	ours "storefront/internal/order"
)

type wish struct {
	ShippingAddress address `json:"shippingAddress"`
	Payment         payment `json:"payment"`
	CustomerNotes   *string `json:"customerNotes"`
}

type address struct {
	Province   string  `json:"province"`
	City       string  `json:"city"`
	Address    string  `json:"address"`
	PostalCode *string `json:"postalCode"`
	Landline   *string `json:"landline"`
}

type payment struct {
	Type              string          `json:"type"`
	Status            string          `json:"status"`
	Amount            json.RawMessage `json:"amount"`
	PosType           *string         `json:"posType"`
	TransferAccount   *string         `json:"transferAccount"`
	TransferRefNumber *string         `json:"transferRefNumber"`
	GatewayType       *string         `json:"gatewayType"`
	Notes             *string         `json:"notes"`
}

type order struct {
	ID              string          `json:"id"`
	OrderNumber     string          `json:"orderNumber"`
	BusinessID      string          `json:"businessId"`
	Status          string          `json:"status"`
	Items           []orderItem     `json:"items"`
	TotalQuantity   int             `json:"totalQuantity"`
	Subtotal        json.RawMessage `json:"subtotal"`
	Total           json.RawMessage `json:"total"`
	PriceCurrency   string          `json:"priceCurrency"`
	ShippingAddress address         `json:"shippingAddress"`
	Payment         payment         `json:"payment"`
	CustomerNotes   *string         `json:"customerNotes"`
	CreatedAt       time.Time       `json:"createdAt"`
	UpdatedAt       time.Time       `json:"updatedAt"`
	History         []event         `json:"history"`
}

type orderItem struct {
	ID                 string          `json:"id"`
	StoreItemVariantID string          `json:"storeItemVariantId"`
	ProductID          string          `json:"productId"`
	ProductSlug        string          `json:"productSlug"`
	TitleFa            string          `json:"titleFa"`
	TitleEn            *string         `json:"titleEn"`
	Options            []option        `json:"options"`
	SKU                string          `json:"sku"`
	ImageURL           *string         `json:"imageUrl"`
	Quantity           int             `json:"quantity"`
	UnitPrice          json.RawMessage `json:"unitPrice"`
	LineTotal          json.RawMessage `json:"lineTotal"`
}

type event struct {
	Status string    `json:"status"`
	At     time.Time `json:"at"`
	Note   *string   `json:"note"`
}

// checkout makes an order of a cart: one transaction, a statement for each table that it writes.
func checkout(t tx, o owner, in wish) (any, error) {
	var made order
	err := t.write(func() error {
		var id string
		err := t.row(`SELECT id FROM carts WHERE user_id = $1 AND tenant_id = $2`+t.h.forUpdate, []any{o.user, o.business}, &id)
		if err != nil {
			return err
		}
		lines, err := t.lines(o, id)
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			return errors.New("the cart is empty")
		}
		total, quantity := int64(0), 0
		for _, l := range lines {
			if l.Warning != nil || l.PriceCurrency != lines[0].PriceCurrency {
				return errUnavailable
			}
			total += l.price * int64(l.Quantity)
			quantity += l.Quantity
		}
		if made, err = t.order(o, in, lines, total, quantity); err != nil {
			return err
		}
		if err := t.exec(`DELETE FROM cart_items WHERE cart_id = $1 AND tenant_id = $2`, id, o.business); err != nil {
			return err
		}
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		digest := sha256.Sum256(text)
		if err := t.exec(`UPDATE carts SET updated_at = $1, last_order_id = $2, last_checkout = $3, checkouts = checkouts + 1
			WHERE id = $4`, t.at, made.ID, digest[:], id); err != nil {
			return err
		}
		return t.takeStock(o, lines)
	})
	if err != nil {
		return nil, err
	}
	return struct {
		Message string `json:"message"`
		Order   order  `json:"order"`
	}{"Thank you. Your order is placed.", made}, nil
}

// order writes an order with its lines, payment and history.
func (t tx) order(o owner, in wish, lines []cartItem, total int64, quantity int) (made order, err error) {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	currency := lines[0].PriceCurrency
	sum := money.Amount{Minor: total, Currency: currency}.AppendJSON(nil)
	made = order{ID: newID(), OrderNumber: ours.NumberOf(random), BusinessID: o.business, Status: "pending",
		TotalQuantity: quantity, Subtotal: sum, Total: sum, PriceCurrency: currency, ShippingAddress: in.ShippingAddress,
		Payment: in.Payment, CustomerNotes: in.CustomerNotes, CreatedAt: t.at, UpdatedAt: t.at,
		History: []event{{"pending", t.at, nil}}}
	made.Payment.Status, made.Payment.Amount = "pending", sum
	to, err := json.Marshal(in.ShippingAddress)
	if err != nil {
		return made, err
	}
	if err := t.exec(`INSERT INTO orders (id, created_at, updated_at, order_number, status, total_quantity, subtotal, total, price_currency,
		shipping_address, customer_notes, tenant_id, user_id) VALUES ($1, $2, $2, $3, 'pending', $4, $5, $5, $6, $7, $8, $9, $10)`,
		made.ID, t.at, made.OrderNumber, quantity, total, currency, string(to), in.CustomerNotes, o.business, o.user); err != nil {
		return made, err
	}
	if made.Items, err = t.items(o, made.ID, lines); err != nil {
		return made, err
	}
	p := in.Payment
	if err := t.exec(`INSERT INTO payments (id, created_at, updated_at, type, status, amount, pos_type, transfer_account,
		transfer_ref_number, gateway_type, notes, tenant_id, order_id)
		VALUES ($1, $2, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11)`,
		newID(), t.at, p.Type, total, p.PosType, p.TransferAccount, p.TransferRefNumber, p.GatewayType, p.Notes, o.business,
		made.ID); err != nil {
		return made, err
	}
	return made, t.exec(`INSERT INTO order_events (id, created_at, updated_at, status, at, tenant_id, order_id)
		VALUES ($1, $2, $2, 'pending', $2, $3, $4)`, newID(), t.at, o.business, made.ID)
}

// items writes all lines of an order by one statement.
func (t tx) items(o owner, id string, lines []cartItem) (items []orderItem, err error) {
	text := `INSERT INTO order_items (created_at, updated_at, tenant_id, order_id, id, store_item_variant_id, product_id, product_slug,
		title_fa, title_en, options, sku, image_url, quantity, unit_price, line_total) VALUES `
	args := []any{t.at, o.business, id}
	for i, l := range lines {
		item := orderItem{newID(), l.StoreItemVariantID, l.ProductID, l.ProductSlug, l.TitleFa, l.TitleEn, l.Options, l.SKU,
			l.ImageURL, l.Quantity, l.UnitPrice, l.LineTotal}
		options, err := json.Marshal(l.Options)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text += ", "
		}
		text += "($1, $1, $2, $3"
		for _, v := range []any{item.ID, item.StoreItemVariantID, item.ProductID, item.ProductSlug, item.TitleFa, item.TitleEn,
			string(options), item.SKU, item.ImageURL, item.Quantity, l.price, l.price * int64(l.Quantity)} {
			args = append(args, v)
			text += fmt.Sprintf(", $%d", len(args))
		}
		text += ")"
		items = append(items, item)
	}
	return items, t.exec(text, args...)
}

// takeStock takes the units of all lines by one statement, which locks the variants in the order of their ids.
func (t tx) takeStock(o owner, lines []cartItem) error {
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b cartItem) int { return strings.Compare(a.StoreItemVariantID, b.StoreItemVariantID) })
	units, ids, args := "CASE id", "", []any{o.business}
	for i, l := range lines {
		args = append(args, l.StoreItemVariantID, l.Quantity)
		units += fmt.Sprintf(" WHEN $%d THEN CAST($%d AS bigint)", len(args)-1, len(args))
		if i > 0 {
			ids += ", "
		}
		ids += fmt.Sprintf("$%d", len(args)-1)
	}
	units += " END"
	st, err := t.statement("UPDATE variants SET stock = stock - " + units + " WHERE id IN (SELECT id FROM variants WHERE id IN (" + ids +
		") AND tenant_id = $1 ORDER BY id" + t.h.forUpdate + ") AND stock >= " + units + " RETURNING stock")
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(t, args...)
	if err != nil {
		return err
	}
	taken, ended, err := left(rows)
	if err != nil {
		return err
	}
	if taken < len(lines) {
		return errUnavailable
	}
	if !ended {
		return nil
	}
	return t.exec("UPDATE tenants SET content_version = content_version + 1 WHERE id = $1", o.business)
}

// left counts the rows of what is left in stock, and says whether nothing is left of one.
func left(rows *sql.Rows) (n int, ended bool, err error) {
	defer rows.Close()
	for rows.Next() {
		var stock int
		if err := rows.Scan(&stock); err != nil {
			return n, ended, err
		}
		n, ended = n+1, ended || stock == 0
	}
	return n, ended, rows.Err()
}
