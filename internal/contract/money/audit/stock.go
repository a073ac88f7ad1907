package audit

// rule is a statement about every record of a kind. Its query finds those that break it.
type rule struct {
	number       int
	says, breaks string
}

var rules = []rule{
	{1, "an order's number is its own in its shop",
		`SELECT order_number FROM orders GROUP BY tenant_id, order_number HAVING COUNT(*) > 1`},
	{1, "a line of an order that is of a variant is of one of its shop", `SELECT CAST(i.id AS TEXT) FROM order_items i
		JOIN variants v ON v.id = i.store_item_variant_id AND v.tenant_id <> i.tenant_id`},
	{1, "an order is of an existing customer, or of none", `SELECT CAST(o.id AS TEXT) FROM orders o
		LEFT JOIN users u ON u.id = o.user_id WHERE o.user_id IS NOT NULL AND u.id IS NULL`},

	{7, "an order is cancelled as unpaid when its tries cannot be paid any more", `SELECT CAST(e.order_id AS TEXT)
		FROM order_events e JOIN payments p ON p.order_id = e.order_id AND p.tenant_id = e.tenant_id
		WHERE e.status = 'cancelled' AND e.note IN ('پرداخت در زمان مقرر انجام نشد.',
			'The payment was not completed in time.') AND p.theirs IS NOT NULL AND p.payable_until > e.at
			AND p.status <> 'failed'`},

	{6, "no stock is below zero", `SELECT CAST(id AS TEXT) FROM variants WHERE stock < 0`},
	{6, "a line of a cart is of a cart of its shop", orphans("cart_items", "carts", "cart_id")},
	{6, "a line of a cart is of a variant of its shop", orphans("cart_items", "variants", "variant_id")},
	{6, "a customer has one cart at a shop", `SELECT CAST(user_id AS TEXT) FROM carts
		WHERE user_id IS NOT NULL GROUP BY user_id, tenant_id HAVING COUNT(*) > 1`},
	{6, "a cart has a variant in one line", `SELECT CAST(cart_id AS TEXT) FROM cart_items
		GROUP BY cart_id, variant_id HAVING COUNT(*) > 1`},
	{6, "a cart has at most 100 lines", `SELECT CAST(cart_id AS TEXT) FROM cart_items
		GROUP BY cart_id HAVING COUNT(*) > 100`},
	{6, "a line of a cart has 1 to 9,999 units", `SELECT CAST(id AS TEXT) FROM cart_items
		WHERE quantity NOT BETWEEN 1 AND 9999`},
	{6, "a cart's last order is one of its customer", `SELECT CAST(c.id AS TEXT) FROM carts c
		LEFT JOIN orders o ON o.id = c.last_order_id AND o.user_id = c.user_id AND o.tenant_id = c.tenant_id
		WHERE c.last_order_id IS NOT NULL AND o.id IS NULL OR (c.checkouts = 0) <> (c.last_order_id IS NULL)`},
	{6, "a customer with a cart is a member of its shop", `SELECT CAST(c.id AS TEXT) FROM carts c
		LEFT JOIN memberships m ON m.user_id = c.user_id AND m.business_id = c.tenant_id AND m.pending_until IS NULL
		WHERE m.id IS NULL AND c.user_id IS NOT NULL`},
}

// orphans returns the query for records of a table whose column refers to no record of another table, or to
// one of another tenant.
func orphans(table, owners, column string) string {
	return `SELECT CAST(r.id AS TEXT) FROM ` + table + ` r
		LEFT JOIN ` + owners + ` o ON o.id = r.` + column + ` AND o.tenant_id = r.tenant_id
		WHERE o.id IS NULL AND r.` + column + ` IS NOT NULL`
}
