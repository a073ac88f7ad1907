package ledger

// rule is a statement about every record of a kind. Its query finds those that break it.
type rule struct{ says, breaks string }

var rules = []rule{
	{"no stock is below zero", `SELECT CAST(id AS TEXT) FROM variants WHERE stock < 0`},

	{"a line of an order costs its quantity times the price of one",
		`SELECT CAST(id AS TEXT) FROM order_items WHERE line_total <> quantity * unit_price OR quantity NOT ` +
			`BETWEEN 1 AND 9999 OR unit_price < 0`},
	{"an order has lines, and its quantity and amounts are their sums", `SELECT CAST(o.id AS TEXT) FROM orders o
		LEFT JOIN order_items i ON i.order_id = o.id
		GROUP BY o.id, o.total_quantity, o.subtotal, o.charge_total, o.total
		HAVING COUNT(i.id) = 0 OR o.total_quantity <> SUM(i.quantity) OR o.subtotal <> SUM(i.line_total)
			OR o.total <> o.subtotal + o.charge_total OR o.total NOT BETWEEN 0 AND 9007199254740991`},
	{"an order's charges add up", `SELECT CAST(o.id AS TEXT) FROM orders o
		LEFT JOIN order_charges c ON c.order_id = o.id AND NOT c.included
		GROUP BY o.id, o.charge_total HAVING o.charge_total <> COALESCE(SUM(c.amount), 0)`},
	{"an order has a variant in one line", `SELECT CAST(order_id AS TEXT) FROM order_items
		GROUP BY order_id, store_item_variant_id HAVING COUNT(*) > 1`},
	{"one payment of an order counts, of its total, which is cancelled with it",
		`SELECT CAST(o.id AS TEXT) FROM orders o
		LEFT JOIN payments p ON p.order_id = o.id AND p.counts AND p.amount = o.total
			AND (o.status <> 'cancelled' OR p.status <> 'pending') AND (o.status = 'cancelled' OR p.status <> ` +
			`'cancelled')
		GROUP BY o.id HAVING COUNT(p.id) <> 1`},
	{"the payment of an order that counts is the paid one, else one in review, else the refunded one",
		`SELECT CAST(p.order_id AS TEXT) FROM payments p WHERE p.counts AND EXISTS (SELECT 1 FROM payments o
			WHERE o.order_id = p.order_id AND ` + rank("o") + ` < ` + rank("p") + `)`},
	{"what was given back of a payment is the sum of its refunds that did not fail",
		`SELECT CAST(p.id AS TEXT) FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id AND r.status <> 'failed'
		GROUP BY p.id, p.refunded, p.amount, p.status
		HAVING p.refunded <> COALESCE(SUM(r.amount), 0) OR p.refunded NOT BETWEEN 0 AND p.amount
			OR p.status = 'refunded' AND p.refunded <> p.amount`},
	{"an order's number is its own in its shop",
		`SELECT order_number FROM orders GROUP BY tenant_id, order_number HAVING COUNT(*) > 1`},

	{"a line of an order is of an order of its shop", orphans("order_items", "orders", "order_id")},
	{"a payment is of an order of its shop", orphans("payments", "orders", "order_id")},
	{"a charge is of an order of its shop", orphans("order_charges", "orders", "order_id")},
	{"a refund is of a payment of its shop", orphans("refunds", "payments", "payment_id")},
	{"a refund is of an order of its shop", orphans("refunds", "orders", "order_id")},
	{"a step is of an order of its shop", orphans("order_events", "orders", "order_id")},
	{"a line of a cart is of a cart of its shop", orphans("cart_items", "carts", "cart_id")},
	{"a line of a cart is of a variant of its shop", orphans("cart_items", "variants", "variant_id")},
	{"a line of an order that is of a variant is of one of its shop",
		`SELECT CAST(i.id AS TEXT) FROM order_items i
		JOIN variants v ON v.id = i.store_item_variant_id AND v.tenant_id <> i.tenant_id`},
	{"an order is of an existing customer, or of none", `SELECT CAST(o.id AS TEXT) FROM orders o
		LEFT JOIN users u ON u.id = ` +
		`o.user_id WHERE o.user_id IS NOT NULL AND u.id IS NULL`},

	{"a customer has one cart at a shop", `SELECT CAST(user_id AS TEXT) FROM carts ` +
		`WHERE user_id IS NOT NULL GROUP BY user_id, tenant_id HAVING COUNT(*) > 1`},
	{"a cart has a variant in one line", `SELECT CAST(cart_id AS TEXT) FROM cart_items GROUP BY cart_id, ` +
		`variant_id HAVING COUNT(*) > 1`},
	{"a cart has at most 100 lines", `SELECT CAST(cart_id AS TEXT) FROM cart_items GROUP BY cart_id HAVING ` +
		`COUNT(*) > 100`},
	{"a line of a cart has 1 to 9,999 units", `SELECT CAST(id AS TEXT) FROM cart_items WHERE quantity NOT ` +
		`BETWEEN 1 AND 9999`},
	{"a cart's last order is one of its customer", `SELECT CAST(c.id AS TEXT) FROM carts c
		LEFT JOIN orders o ON o.id = c.last_order_id AND o.user_id = c.user_id AND o.tenant_id = c.tenant_id
		WHERE c.last_order_id IS NOT NULL AND o.id IS NULL OR (c.checkouts = 0) <> (c.last_order_id IS NULL)`},
	{"a customer with a cart is a member of its shop", `SELECT CAST(c.id AS TEXT) FROM carts c
		LEFT JOIN memberships m ON m.user_id = c.user_id AND m.business_id = c.tenant_id AND m.pending_until IS ` +
		`NULL WHERE m.id IS NULL AND c.user_id IS NOT NULL`},
}

// rank returns the SQL for the place of a payment among those of its order; the lowest counts.
func rank(payment string) string {
	return `CASE ` + payment + `.status WHEN 'paid' THEN 0 WHEN 'review' THEN 1 WHEN 'refunded' THEN 2 ELSE 3 END`
}

// orphans returns the query for records of a table whose column refers to no record of another table, or to
// one of another tenant.
func orphans(table, owners, column string) string {
	return `SELECT CAST(r.id AS TEXT) FROM ` + table + ` r
		LEFT JOIN ` + owners + ` o ON o.id = r.` + column + ` AND o.tenant_id = r.tenant_id
		WHERE o.id IS NULL AND r.` + column + ` IS NOT NULL`
}
