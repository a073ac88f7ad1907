package isolation

import (
	"slices"
	"strings"
	"testing"

	"storefront/ent"
)

var someTables = map[string]string{
	"orders": "tenant_id", "products": "tenant_id", "carts": "tenant_id", "cart_items": "tenant_id",
	"categories": "tenant_id", "memberships": "business_id",
}

// said are statements that name the shop for each table.
var said = []string{
	`SELECT id FROM orders WHERE tenant_id = $1`,
	"SELECT `orders`.`id` FROM `orders` WHERE `orders`.`status` = ? AND `orders`.`tenant_id` = ? LIMIT 2",
	`SELECT id FROM orders WHERE $1 = tenant_id`,
	`LOCK TABLE orders IN SHARE MODE`,
	`SELECT id FROM orders WHERE (tenant_id = $1 AND status = 'paid') AND id = $2`,
	`SELECT id FROM orders WHERE (orders.tenant_id = '8c8f') IS TRUE`,
	`SELECT id FROM orders WHERE +tenant_id = CAST($1 AS uuid)`,
	`SELECT id FROM orders WHERE tenant_id = $1::uuid`,
	`SELECT id FROM orders WHERE tenant_id IN ($1)`,
	`SELECT id FROM orders WHERE at BETWEEN $1 AND $2 AND tenant_id = $3`,
	`SELECT id FROM orders WHERE tenant_id = $1 AND a = 1 OR tenant_id = $1 AND b = 2`,
	`SELECT id FROM memberships WHERE user_id = $1 AND (business_id = $2 OR business_id IS NULL)`,
	`SELECT o.id FROM orders o JOIN cart_items AS i ON i.order_id = o.id AND i.tenant_id = o.tenant_id
		WHERE o.tenant_id = $1`,
	`SELECT p.id FROM products p LEFT JOIN categories c
		ON c.id = p.category_id AND p.tenant_id = c.tenant_id WHERE p.tenant_id = $1`,
	`SELECT 1 FROM carts, cart_items i WHERE carts.tenant_id = $1 AND i.tenant_id = carts.tenant_id`,
	`SELECT id FROM carts c WHERE c.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM cart_items i
		WHERE i.tenant_id = c.tenant_id)`,
	`WITH one AS (SELECT id, tenant_id FROM carts WHERE tenant_id = $1) SELECT i.id FROM cart_items i
		JOIN one ON one.tenant_id = i.tenant_id`,
	`WITH one AS (SELECT id, tenant_id AS shop FROM carts
		WHERE tenant_id = $1) DELETE FROM cart_items USING one WHERE tenant_id = one.shop`,
	`WITH one AS (UPDATE carts SET a = 1 WHERE id = $1 AND tenant_id = $2 RETURNING id, tenant_id)
		INSERT INTO cart_items (id, tenant_id) SELECT $3, tenant_id FROM one`,
	`WITH RECURSIVE tree(id, above) AS (SELECT id, id FROM categories
		WHERE tenant_id = $1 UNION SELECT tree.id, c.parent_id FROM tree
		JOIN categories c ON c.id = tree.above AND c.tenant_id = $1) SELECT id FROM tree`,
	`WITH RECURSIVE up AS (SELECT id, parent_id, tenant_id FROM categories WHERE tenant_id = $1 UNION ALL
		SELECT c.id, c.parent_id, c.tenant_id FROM categories c
		JOIN up ON c.id = up.parent_id AND c.tenant_id = up.tenant_id) SELECT id FROM up`,
	`SELECT a FROM products WHERE products.id IN (SELECT id FROM (SELECT products.id AS id FROM products
		WHERE tenant_id = $1 LIMIT 9) AS some)`,
	`UPDATE products SET a = d.a FROM (SELECT p.id, p.a FROM products p WHERE p.tenant_id = $1) AS d
		WHERE products.id = d.id`,
	`SELECT x.a FROM carts c CROSS JOIN LATERAL (SELECT i.a FROM cart_items i
		WHERE i.tenant_id = c.tenant_id) AS x WHERE c.tenant_id = $1`,
	`SELECT id FROM orders o JOIN tenants t ON t.id = o.tenant_id WHERE t.id = $1`,
	`SELECT id FROM orders WHERE tenant_id = (SELECT t.id FROM tenants t WHERE t.id = $1)`,
	`SELECT one.id FROM (SELECT 1) AS one LEFT JOIN (cart_items i
		JOIN carts c ON c.id = i.cart_id AND c.tenant_id = $1 AND i.tenant_id = $1) ON true`,
	`INSERT INTO orders (id, tenant_id) VALUES ($1, $2), ($3, $4)`,
	`INSERT INTO orders (id, tenant_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])`,
	`INSERT INTO memberships (id, user_id) VALUES ($1, $2)`,
	`INSERT INTO carts (id, tenant_id) SELECT $1, t.id FROM tenants t
		WHERE t.id = $2 ON CONFLICT (user_id, tenant_id) DO UPDATE SET a = 1`,
	`INSERT INTO carts (id, tenant_id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET a = excluded.a
		WHERE carts.tenant_id = excluded.tenant_id`,
	`INSERT INTO carts (id, tenant_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
	`SELECT CASE WHEN a AND b THEN 1 ELSE 2 END, a IS DISTINCT FROM b FROM orders
		WHERE tenant_id = $1 -- AND more`,
	`PRAGMA foreign_keys`,
}

// unsaid are statements that do not name the shop for some tables.
var unsaid = []struct{ text, tables string }{
	{`SELECT id FROM orders`, "orders"},
	{`SELECT id FROM orders WHERE id = $1`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id = $1 OR id = $2`, "orders"},
	{`SELECT id FROM orders WHERE NOT (tenant_id = $1)`, "orders"},
	{`SELECT id FROM orders WHERE NOT tenant_id = $1`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id <> $1`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id >= $1`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id = tenant_id`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id IN ($1, $2)`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id IN (SELECT id FROM tenants)`, "orders"},
	{`SELECT id FROM orders WHERE tenant_id = $1 + 1`, "orders"},
	{`SELECT id FROM orders WHERE a BETWEEN 1 AND tenant_id = $1`, "orders"},
	{`SELECT id FROM orders WHERE CASE WHEN a THEN tenant_id = $1 END`, "orders"},
	{`SELECT id FROM orders WHERE coalesce(tenant_id = $1, true)`, "orders"},
	{`SELECT id FROM orders WHERE user_id = $1 -- AND tenant_id = $1`, "orders"},
	{`SELECT id FROM orders WHERE note = ' AND tenant_id = $1'`, "orders"},
	{`SELECT tenant_id = $1 FROM orders`, "orders"},
	{`SELECT id FROM orders ORDER BY tenant_id = $1`, "orders"},
	{`SELECT count(*) FROM orders GROUP BY a HAVING tenant_id = $1`, "orders"},
	{`SELECT o.id FROM orders o LEFT JOIN cart_items i ON o.tenant_id = $1 AND i.tenant_id = $1`, "orders"},
	{`SELECT o.id FROM orders o LEFT JOIN cart_items i ON i.order_id = o.id
		WHERE o.tenant_id = $1`, "cart_items"},
	{`SELECT o.id FROM orders o JOIN cart_items i ON i.tenant_id = o.tenant_id`, "cart_items orders"},
	{`SELECT o.id FROM orders o, products p WHERE tenant_id = $1`, "orders products"},
	{`SELECT a.id FROM orders a, orders b WHERE a.tenant_id = $1`, "orders"},
	{`SELECT id FROM carts c WHERE c.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM cart_items i
		WHERE i.cart_id = c.id)`, "cart_items"},
	{`SELECT (SELECT count(*) FROM orders) FROM carts WHERE tenant_id = $1`, "orders"},
	{`SELECT id FROM carts WHERE EXISTS (SELECT 1 FROM orders
		WHERE orders.tenant_id = carts.tenant_id)`, "carts orders"},
	{`SELECT id FROM carts WHERE tenant_id = $1 UNION SELECT id FROM orders`, "orders"},
	{`WITH one AS (SELECT id, tenant_id FROM carts) SELECT i.id FROM cart_items i
		JOIN one ON one.tenant_id = i.tenant_id`, "cart_items carts"},
	{`WITH one AS (SELECT id FROM carts WHERE tenant_id = $1) SELECT i.id FROM cart_items i
		JOIN one ON one.id = i.cart_id`, "cart_items"},
	{`WITH one AS (SELECT id, other AS tenant_id FROM carts WHERE tenant_id = $1)
		SELECT i.id FROM cart_items i JOIN one ON one.tenant_id = i.tenant_id`, "cart_items"},
	{`WITH RECURSIVE tree(id, above) AS (SELECT id, id FROM categories
		WHERE tenant_id = $1 UNION SELECT tree.id, c.parent_id FROM tree
		JOIN categories c ON c.id = tree.above) SELECT id FROM tree`, "categories"},
	{`SELECT id FROM orders o JOIN tenants t ON t.id = o.tenant_id WHERE t.domain = $1`, "orders"},
	{`SELECT a FROM products WHERE id IN (SELECT product_id FROM cart_items WHERE tenant_id = $1)`, "products"},
	{`SELECT a FROM products WHERE id IN (SELECT id FROM cart_items WHERE tenant_id = $1)`, "products"},
	{`SELECT a FROM products WHERE category_id IN (SELECT id FROM products WHERE tenant_id = $1)`, "products"},
	{`SELECT a FROM products WHERE id IN (SELECT id FROM products
		WHERE tenant_id = $1 UNION SELECT id FROM things)`, "products"},
	{`UPDATE orders SET tenant_id = $1 WHERE id = $2`, "orders"},
	{`UPDATE orders SET a = (SELECT count(*) FROM products) WHERE tenant_id = $1`, "products"},
	{`UPDATE orders SET a = p.a FROM products p WHERE p.id = orders.product_id
		AND orders.tenant_id = $1`, "products"},
	{`DELETE FROM orders WHERE id = $1`, "orders"},
	{`DELETE FROM orders`, "orders"},
	{`DELETE FROM orders WHERE id IN (SELECT id FROM orders)`, "orders"},
	{`INSERT INTO orders (id, tenant_id) SELECT id, tenant_id FROM carts`, "carts orders"},
	{`INSERT INTO orders (id, tenant_id) SELECT $1, other FROM carts WHERE tenant_id = $2`, "orders"},
	{`INSERT INTO orders (id, tenant_id) VALUES ($1, $2), ($3, 1 + 1)`, "orders"},
	{`INSERT INTO carts (id, tenant_id) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET a = excluded.a`, "carts"},
	{`INSERT INTO carts (id, tenant_id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET a = 1
		WHERE excluded.tenant_id = $1`, "carts"},
	{`INSERT INTO things (id) SELECT id FROM orders`, "orders"},
	{`SELECT 1; DELETE FROM orders`, "orders"},
	{`SELECT x.a FROM carts c CROSS JOIN LATERAL (SELECT i.a FROM cart_items i WHERE i.cart_id = c.id) AS x
		WHERE c.tenant_id = $1`, "cart_items"},
	{`SELECT one.id FROM (SELECT id FROM orders) AS one WHERE one.tenant_id = $1`, "orders"},
}

// strange are statements that the reader does not understand.
var strange = []string{
	`SELECT id FROM orders RIGHT JOIN carts ON orders.tenant_id = $1`,
	`SELECT id FROM orders NATURAL JOIN carts`,
	`SELECT id FROM orders JOIN carts USING (tenant_id)`,
	`SELECT id FROM public.orders WHERE tenant_id = $1`,
	`INSERT INTO orders VALUES ($1, $2)`,
	`INSERT OR REPLACE INTO orders (id, tenant_id) VALUES ($1, $2)`,
	`REPLACE INTO orders (id, tenant_id) VALUES ($1, $2)`,
	`MERGE INTO orders USING carts ON true WHEN MATCHED THEN DELETE`,
	`TRUNCATE orders`,
	`TABLE orders`,
	`COPY orders TO STDOUT`,
	`EXPLAIN SELECT id FROM orders WHERE tenant_id = $1`,
	`DO $$ BEGIN DELETE FROM orders; END $$`,
	`SELECT id FROM orders WHERE (tenant_id = $1`,
	`SELECT 'it is not closed FROM orders`,
	`SELECT orders FROM totals`, // a column with the name of a table
}

func TestRead(t *testing.T) {
	for _, text := range said {
		if got := verdict(text, someTables); got != "" {
			t.Errorf("%s: got %q, want nothing wrong", text, got)
		}
	}
	for _, one := range unsaid {
		if got := verdict(one.text, someTables); got != one.tables {
			t.Errorf("%s: got %q, want %q", one.text, got, one.tables)
		}
	}
	for _, text := range strange {
		if unbound, err := read(text, someTables); err == nil {
			t.Errorf("%s: got %q, want that it is not understood", text, unbound)
		}
	}
}

// TestShopTables checks that the tables come from ent's schema.
func TestShopTables(t *testing.T) {
	shops := shopTables()
	for table, want := range map[string]string{
		"orders": "tenant_id", "memberships": "business_id", "users": "", "one_time_codes": "",
	} {
		if got := shops[table]; got != want {
			t.Errorf("%s: got the column %q, want %q", table, got, want)
		}
	}
	for table := range shared {
		known := slices.ContainsFunc(ent.Tables, func(of ent.Table) bool { return of.Name == table })
		if !known {
			t.Errorf("there is no table %s, which shops would share", table)
		}
	}
	for _, e := range exceptions {
		if e.reason == "" || !slices.IsSorted(strings.Fields(e.tables)) {
			t.Errorf("%s: got %q for %q, want a reason, and tables in order", e.from, e.reason, e.tables)
		}
		for _, table := range strings.Fields(e.tables) {
			if table != "any" && shops[table] == "" {
				t.Errorf("%s: got an exception for %s, want one for a table of shops", e.from, table)
			}
		}
	}
}

// TestPlain checks the names of functions.
func TestPlain(t *testing.T) {
	for function, want := range map[string]string{
		"internal/shop/staff.Find":                            "internal/shop/staff.Find",
		"internal/shop/staff.Invite.func1":                    "internal/shop/staff.Invite",
		"internal/shop/staff.Invite.change.func2":             "internal/shop/staff.Invite.change",
		"internal/shop/audit.Record-range1":                   "internal/shop/audit.Record",
		"internal/customer/account.(*Service).SendCode.func1": "internal/customer/account.(*Service).SendCode",
		"graph.list[...].show.func1":                          "graph.list",
		"graph.(*Resolver).shopOrders.func3":                  "graph.(*Resolver).shopOrders",
	} {
		if got := plain(function); got != want {
			t.Errorf("%s: got %s, want %s", function, got, want)
		}
	}
}
