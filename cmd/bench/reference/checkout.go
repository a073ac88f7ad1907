package reference

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"storefront/cmd/internal/must"
	"storefront/internal/event/outbox"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	ours "storefront/internal/sale/order"
)

type wish struct {
	ShippingAddress record.ShippingAddress `json:"shippingAddress"`
	Payment         payment                `json:"payment"`
	CustomerNotes   *string                `json:"customerNotes"`
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
	ID              string                 `json:"id"`
	OrderNumber     string                 `json:"orderNumber"`
	BusinessID      string                 `json:"businessId"`
	Status          string                 `json:"status"`
	Items           []line                 `json:"items"`
	TotalQuantity   int                    `json:"totalQuantity"`
	Subtotal        json.RawMessage        `json:"subtotal"`
	Total           json.RawMessage        `json:"total"`
	PriceCurrency   string                 `json:"priceCurrency"`
	ShippingAddress record.ShippingAddress `json:"shippingAddress"`
	Payment         payment                `json:"payment"`
	CustomerNotes   *string                `json:"customerNotes"`
	CreatedAt       time.Time              `json:"createdAt"`
	UpdatedAt       time.Time              `json:"updatedAt"`
	History         []event                `json:"history"`
}

type event struct {
	Status string    `json:"status"`
	At     time.Time `json:"at"`
	Note   *string   `json:"note"`
}

// sale is the order of a cart in the making.
type sale struct {
	owner
	cart  string
	lines []cartItem
	total int64
	off   int64 // the total discount of the lines
	notes wish
	made  order
}

// checkout orders a cart in one transaction, with a statement for each table that it writes.
func checkout(t tx, o owner, in wish) any {
	return ordered(t, func(s *sale) {
		t.row(`SELECT id FROM carts WHERE user_id = $1 AND tenant_id = $2`+t.h.forUpdate,
			[]any{o.user, o.business}, &s.cart)
		s.fill(t, o, in)
		for _, write := range s.writes() {
			var q query
			t.exec(write(&q), q.args...)
		}
		var q query
		s.takeStock(t, s.stock(&q, t.h.forUpdate), q.args)
	})
}

// checkoutGathered is checkout in as few round trips as PostgreSQL allows: one that finds the customer and
// locks the cart, one for the lines, and one for all writes.
func checkoutGathered(t tx, o owner, in wish) any {
	return ordered(t, func(s *sale) {
		t.row(`SELECT c.id FROM carts c JOIN sessions s ON s.user_id = c.user_id
			WHERE c.user_id = $1 AND c.tenant_id = $2
			AND s.id = $3 AND s.ended_at IS NULL AND s.expires_at > $4 FOR UPDATE OF c`,
			[]any{o.user, o.business, o.session, t.at}, &s.cart)
		s.fill(t, o, in)
		var q query
		var with []string
		for i, write := range s.writes() {
			with = append(with, fmt.Sprintf("w%d AS (%s)", i, write(&q)))
		}
		s.takeStock(t, "WITH "+strings.Join(with, ", ")+" "+s.stock(&q, t.h.forUpdate), q.args)
	})
}

// ordered returns the answer with the order that work makes in a transaction.
func ordered(t tx, work func(*sale)) any {
	var s sale
	t.write(func() { work(&s) })
	return struct {
		Message string `json:"message"`
		Order   order  `json:"order"`
	}{"Thank you. Your order is placed.", s.made}
}

// fill reads the lines of the cart and sets the values of the order.
func (s *sale) fill(t tx, o owner, in wish) {
	s.owner, s.notes, s.lines = o, in, t.lines(o, s.cart)
	must.Hold(len(s.lines) > 0, "the cart is empty")
	s.made = order{ID: newID(), OrderNumber: ours.Number(), BusinessID: o.business, Status: "pending",
		PriceCurrency: s.lines[0].PriceCurrency, ShippingAddress: in.ShippingAddress, Payment: in.Payment,
		CustomerNotes: in.CustomerNotes, CreatedAt: t.at, UpdatedAt: t.at, History: []event{{"pending", t.at, nil}}}
	for _, l := range s.lines {
		if l.Warning != nil || l.PriceCurrency != s.made.PriceCurrency {
			must.Do(errUnavailable)
		}
		s.total += l.price * int64(l.Quantity)
		if l.before != nil && *l.before > l.price {
			s.off += (*l.before - l.price) * int64(l.Quantity)
		}
		s.made.TotalQuantity += l.Quantity
		sold := l.line
		sold.ID = newID()
		s.made.Items = append(s.made.Items, sold)
	}
	sum := money.Amount{Minor: s.total, Currency: s.made.PriceCurrency}.AppendJSON(nil)
	s.made.Subtotal, s.made.Total, s.made.Payment.Amount, s.made.Payment.Status = sum, sum, sum, "pending"
}

// writes returns the statements that write an order, except that of the stock.
func (s *sale) writes() []func(*query) string {
	m, p := &s.made, s.made.Payment
	var items [][]any
	for i, l := range s.lines {
		items = append(items, []any{m.Items[i].ID, m.CreatedAt, m.CreatedAt, s.business, m.ID, l.StoreItemVariantID,
			l.ProductID, l.ProductSlug, l.TitleFa, l.TitleEn, text(l.Options), l.SKU, l.ImageURL, l.Quantity, l.price,
			l.price * int64(l.Quantity)})
	}
	return []func(*query) string{
		insert(`orders (id, created_at, updated_at, order_number, status, total_quantity, subtotal, total, discount,
			price_currency, shipping_address, customer_notes, tenant_id, user_id, pay_code)`,
			[]any{m.ID, m.CreatedAt, m.CreatedAt, m.OrderNumber, m.Status, m.TotalQuantity, s.total, s.total, s.off,
				m.PriceCurrency, text(m.ShippingAddress), m.CustomerNotes, s.business, s.user,
				ours.Letters(20)}),
		insert(`order_items (id, created_at, updated_at, tenant_id, order_id, store_item_variant_id, product_id,
			product_slug, title_fa, title_en, options, sku, image_url, quantity, unit_price, line_total)`, items...),
		insert(`payments (id, created_at, updated_at, type, status, amount, pos_type, transfer_account,
			transfer_ref_number, gateway_type, notes, tenant_id, order_id)`,
			[]any{newID(), m.CreatedAt, m.CreatedAt, p.Type, p.Status, s.total, p.PosType, p.TransferAccount,
				p.TransferRefNumber, p.GatewayType, p.Notes, s.business, m.ID}),
		insert("shop_events (tenant_id, event_id, type, subject_id, day, payload, created_at)",
			[]any{s.business, newID(), "order_placed", m.ID, outbox.DayOf(m.CreatedAt), s.event(), m.CreatedAt}),
		insert(`order_events (id, created_at, updated_at, status, at, tenant_id, order_id)`,
			[]any{newID(), m.CreatedAt, m.CreatedAt, m.Status, m.CreatedAt, s.business, m.ID}),
		func(q *query) string {
			return `DELETE FROM cart_items WHERE cart_id = ` + q.add(s.cart) + ` AND tenant_id = ` + q.add(s.business)
		},
		func(q *query) string {
			digest := sha256.Sum256([]byte(text(s.notes)))
			return `UPDATE carts SET updated_at = ` + q.add(m.CreatedAt) + `, last_order_id = ` + q.add(m.ID) +
				`, last_checkout = ` + q.add(digest[:]) + `, checked_out_at = ` + q.add(m.CreatedAt) +
				`, checkouts = checkouts + 1 WHERE id = ` + q.add(s.cart)
		},
	}
}

// event returns the payload of the event that the order was placed, with all that webhooks are sent.
func (s *sale) event() string {
	type payload struct {
		Type string    `json:"type"`
		At   time.Time `json:"timestamp"`
		Data any       `json:"data"`
	}
	bare := s.made
	bare.ShippingAddress, bare.CustomerNotes, bare.History = record.ShippingAddress{}, nil, nil
	return text(payload{"order.placed", s.made.CreatedAt, bare})
}

// insert returns the statement that inserts rows into a table with its columns.
func insert(into string, rows ...[]any) func(*query) string {
	return func(q *query) string {
		values := make([]string, len(rows))
		for i, row := range rows {
			values[i] = "(" + q.list(row...) + ")"
		}
		return "INSERT INTO " + into + " VALUES " + strings.Join(values, ", ")
	}
}

// stock reduces the stock by the units of all lines. It locks the variants in the order of their ids.
func (s *sale) stock(q *query, forUpdate string) string {
	units, ids := "CASE id", make([]string, len(s.lines))
	for i, l := range s.lines {
		ids[i] = q.add(l.StoreItemVariantID)
		units += " WHEN " + ids[i] + " THEN CAST(" + q.add(l.Quantity) + " AS bigint)"
	}
	units += " END"
	return "UPDATE variants SET stock = stock - " + units + " WHERE id IN (SELECT id FROM variants WHERE id IN (" +
		strings.Join(ids, ", ") + ") AND tenant_id = " + q.add(s.business) + " ORDER BY id" + forUpdate +
		") AND stock >= " + units + " RETURNING stock"
}

// takeStock runs the statement of the stock. It fails if there is too little stock. It raises the content
// version if a variant is sold out, because lists show that.
func (s *sale) takeStock(t tx, text string, args []any) {
	taken, ended := 0, false
	t.each(text, args, func(scan func(...any) error) {
		var left int
		must.Do(scan(&left))
		taken, ended = taken+1, ended || left == 0
	})
	if taken < len(s.lines) {
		must.Do(errUnavailable)
	}
	if ended {
		t.exec("UPDATE tenants SET content_version = content_version + 1 WHERE id = $1", s.business)
	}
}

// text returns a value as JSON.
func text(v any) string {
	body, _ := json.Marshal(v) // structs of texts
	return string(body)
}
