package audit

import (
	"context"
	"math/big"
	"slices"
	"strings"
)

// Order is an order as the database has it, with all that belongs to it.
type Order struct {
	ID, Shop, Status, Currency, Note       string // Note: the customer's
	Quantity, Subtotal, ChargeTotal, Total *big.Int
	Items                                  []Item
	Charges                                []Charge
	Payments                               []Payment
	History                                []string // statuses

	Due *big.Int // what the shop owes, as the service has stored it
}

// Item is a line of an order.
type Item struct {
	ID, Variant                    string
	Quantity, UnitPrice, LineTotal *big.Int
}

// Charge is what an order costs besides its lines, or less.
type Charge struct {
	ID, Kind, Item string // Item may be empty
	Amount         *big.Int
	Included       bool
	Rate           *big.Int // of a tax: parts per million
}

// Payment is what a customer declared, or a try at a gateway.
type Payment struct {
	ID, Status       string
	Account, Theirs  string // of a gateway: its account's row, its own reference
	Amount, Refunded *big.Int
	Counts, IsTest   bool
	Refunds          []Refund
}

// Refund is money of a payment that a shop gives back.
type Refund struct {
	ID, Status string
	Amount     *big.Int
}

// orderRows are the orders with their parts, one row each: the order first, events in their order.
const orderRows = `SELECT CAST(order_id AS TEXT), part, id, shop, a, b, c, n1, n2, n3, n4 FROM (
	SELECT id AS order_id, 0 AS part, created_at AS at, CAST(id AS TEXT) AS id, CAST(tenant_id AS TEXT) AS shop,
		status AS a, price_currency AS b, CAST(refund_due AS TEXT) || ' ' || COALESCE(customer_notes, '') AS c,
		total_quantity AS n1, subtotal AS n2, charge_total AS n3, total AS n4
		FROM orders
	UNION ALL SELECT order_id, 1, created_at, CAST(id AS TEXT), CAST(tenant_id AS TEXT),
		CAST(store_item_variant_id AS TEXT), '', '', quantity, unit_price, line_total, 0 FROM order_items
	UNION ALL SELECT order_id, 2, created_at, CAST(id AS TEXT), CAST(tenant_id AS TEXT),
		kind, COALESCE(CAST(item_id AS TEXT), ''), '', amount, CASE WHEN included THEN 1 ELSE 0 END,
		COALESCE(rate, 0), 0
		FROM order_charges
	UNION ALL SELECT order_id, 3, created_at, CAST(id AS TEXT), CAST(tenant_id AS TEXT),
		status, COALESCE(CAST(gateway_account_id AS TEXT), ''), COALESCE(theirs, ''), amount, refunded,
		CASE WHEN counts THEN 1 ELSE 0 END, CASE WHEN is_test THEN 1 ELSE 0 END FROM payments
	UNION ALL SELECT order_id, 4, created_at, CAST(id AS TEXT), CAST(tenant_id AS TEXT),
		CAST(payment_id AS TEXT), status, '', amount, 0, 0, 0 FROM refunds
	UNION ALL SELECT order_id, 5, at, CAST(id AS TEXT), CAST(tenant_id AS TEXT), status, '', '', 0, 0, 0, 0
		FROM order_events
) AS parts ORDER BY 1, part, at, id`

// Orders reads all orders, one at a time. A part without an order of its shop is an order without a status.
func Orders(ctx context.Context, db Database, read func(Order)) error {
	var o Order
	first := true
	err := each(ctx, db, orderRows, func(scan func(...any) error) error {
		var order, id, shop string
		var part int
		var texts [3]string
		var n [4]int64
		if err := scan(&order, &part, &id, &shop, &texts[0], &texts[1], &texts[2], &n[0], &n[1], &n[2],
			&n[3]); err != nil {
			return err
		}
		if first || order != o.ID || shop != o.Shop {
			if !first {
				read(o)
			}
			o, first = Order{ID: order, Shop: shop}, false
		}
		o.take(part, id, texts, [4]*big.Int{big.NewInt(n[0]), big.NewInt(n[1]), big.NewInt(n[2]), big.NewInt(n[3])})
		return nil
	})
	if !first && err == nil { // else it may lack rows
		read(o)
	}
	return err
}

// take adds a row of orderRows.
func (o *Order) take(part int, id string, texts [3]string, n [4]*big.Int) {
	a, b := texts[0], texts[1]
	isSet := func(n *big.Int) bool { return n.Sign() != 0 }
	switch part {
	case 0:
		o.Status, o.Currency = a, b
		o.Quantity, o.Subtotal, o.ChargeTotal, o.Total = n[0], n[1], n[2], n[3]
		due, note, _ := strings.Cut(texts[2], " ")
		o.Due, _ = new(big.Int).SetString(due, 10)
		o.Note = note
	case 1:
		o.Items = append(o.Items, Item{id, a, n[0], n[1], n[2]})
	case 2:
		o.Charges = append(o.Charges, Charge{id, a, b, n[0], isSet(n[1]), n[2]})
	case 3:
		o.Payments = append(o.Payments, Payment{ID: id, Status: a, Account: b, Theirs: texts[2],
			Amount: n[0], Refunded: n[1], Counts: isSet(n[2]), IsTest: isSet(n[3])})
	case 4:
		i := slices.IndexFunc(o.Payments, func(p Payment) bool { return p.ID == a })
		if i < 0 { // of another order's payment, which has no status here and breaks rule 2
			i, o.Payments = len(o.Payments), append(o.Payments, Payment{ID: a, Amount: n[3], Refunded: n[3]})
		}
		o.Payments[i].Refunds = append(o.Payments[i].Refunds, Refund{id, b, n[0]})
	case 5:
		o.History = append(o.History, a)
	}
}

var most = big.NewInt(1<<53 - 1)

// amounts is rule 1: an order's amounts are the sums of its rows.
func (b *book) amounts(o Order) {
	if o.Status == "" {
		b.add(1, "there are rows of the order %q of the shop %s, which does not exist", o.ID, o.Shop)
		return
	}
	lines := new(big.Int)
	variants := map[string]bool{}
	for _, i := range o.Items {
		cost := new(big.Int).Mul(i.Quantity, i.UnitPrice)
		lines.Add(lines, cost)
		if cost.Cmp(i.LineTotal) != 0 || i.UnitPrice.Sign() < 0 || i.Quantity.Sign() <= 0 ||
			i.Quantity.Cmp(big.NewInt(9999)) > 0 {
			b.add(1, "the line %s of the order %s has %v units at %v and costs %v", i.ID, o.ID, i.Quantity,
				i.UnitPrice, i.LineTotal)
		}
		if variants[i.Variant] {
			b.add(1, "the order %s has the variant %s in two lines", o.ID, i.Variant)
		}
		variants[i.Variant] = true
	}
	quantity := sum(o.Items, func(i Item) *big.Int { return i.Quantity })
	if len(o.Items) == 0 || quantity.Cmp(o.Quantity) != 0 || lines.Cmp(o.Subtotal) != 0 {
		b.add(1, "the order %s has %v units for %v, and its %d lines have %v for %v", o.ID, o.Quantity, o.Subtotal,
			len(o.Items), quantity, lines)
	}
	charges := sum(o.Charges, func(c Charge) *big.Int {
		if c.Included {
			return nil
		}
		return c.Amount
	})
	total := new(big.Int).Add(lines, charges)
	if charges.Cmp(o.ChargeTotal) != 0 || total.Cmp(o.Total) != 0 || total.Sign() < 0 || total.Cmp(most) > 0 {
		b.add(1, "the order %s costs %v with charges of %v, and its rows cost %v with charges of %v", o.ID, o.Total,
			o.ChargeTotal, total, charges)
	}
	for _, c := range o.Charges {
		isLess := c.Kind != "delivery" && c.Kind != "tax"
		if isLess && c.Amount.Sign() > 0 || !isLess && c.Amount.Sign() < 0 || c.Included && c.Kind != "tax" {
			b.add(1, "the charge %s of the order %s is %s of %v", c.ID, o.ID, c.Kind, c.Amount)
		}
		if c.Item != "" && !slices.ContainsFunc(o.Items, func(i Item) bool { return i.ID == c.Item }) {
			b.add(1, "the charge %s of the order %s is of a line of another order", c.ID, o.ID)
		}
		if c.Kind == "tax" {
			b.tax(o, c)
		}
	}
}

// counting are the statuses of payments in the order in which they count; those that are not here come last.
var counting = []string{"paid", "review", "refunded"}

func rank(p Payment) int {
	if i := slices.Index(counting, p.Status); i >= 0 {
		return i
	}
	return len(counting)
}

// payments is rule 2: one payment of an order counts and at most one is paid, and refunds are parts of a payment. In
// theirs it remembers which payment has the reference of a gateway's account.
func (b *book) payments(o Order, theirs map[string]string) {
	paid, counts := 0, 0
	for _, p := range o.Payments {
		if p.Status == "paid" {
			paid++
		}
		given := sum(p.Refunds, func(r Refund) *big.Int {
			if r.Status == "failed" {
				return nil
			}
			return r.Amount
		})
		isRight := p.Status != "" && given.Cmp(p.Refunded) == 0 && given.Cmp(p.Amount) <= 0 &&
			(given.Sign() == 0 || rank(p) < len(counting)) && (p.Status != "refunded" || given.Cmp(p.Amount) == 0)
		for _, r := range p.Refunds {
			isRight = isRight && r.Amount.Sign() > 0
		}
		if !isRight {
			b.add(2, "the payment %s of %v is %s, and %v of it was given back in refunds of %v", p.ID, p.Amount,
				p.Status, p.Refunded, given)
		}
		if p.Theirs != "" {
			if first, is := theirs[p.Account+" "+p.Theirs]; is {
				b.add(2, "the payments %s and %s have one reference of the gateway", first, p.ID)
			}
			theirs[p.Account+" "+p.Theirs] = p.ID
		}
		if !p.Counts {
			continue
		}
		counts++
		if o.Status == "cancelled" && p.Status == "pending" || o.Status != "cancelled" && p.Status == "cancelled" {
			b.add(2, "the order %s is %s, and its payment %s", o.ID, o.Status, p.Status)
		}
		if o.Total != nil && p.Amount.Cmp(o.Total) != 0 {
			b.add(2, "the order %s costs %v, and its payment is of %v", o.ID, o.Total, p.Amount)
		}
		if slices.ContainsFunc(o.Payments, func(other Payment) bool { return rank(other) < rank(p) }) {
			b.add(2, "the payment of the order %s that counts is %s, though another should", o.ID, p.Status)
		}
	}
	if counts != 1 || paid > 1 {
		b.add(2, "of the %d payments of the order %s %d count and %d are paid", len(o.Payments), o.ID, counts, paid)
	}
}

// next holds the statuses that may follow each status; "" is before the order exists.
var next = map[string][]string{
	"":           {"pending"},
	"pending":    {"confirmed", "cancelled"},
	"confirmed":  {"processing", "cancelled"},
	"processing": {"shipped", "cancelled"},
	"shipped":    {"delivered"},
	"delivered":  {},
	"cancelled":  {"cancelled"}, // money came late
}

// history is rule 8: an order went from its first status to its present one by legal steps.
func (b *book) history(o Order) {
	last := ""
	for _, status := range o.History {
		if !slices.Contains(next[last], status) {
			b.add(8, "the order %s went from %q to %q", o.ID, last, status)
		}
		last = status
	}
	if last != o.Status {
		b.add(8, "the order %s is %s, and its history ends with %q", o.ID, o.Status, last)
	}
}
