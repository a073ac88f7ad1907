-- POST /businesses/{businessId}/cart/items. One of the three variants of a customer, at random.
\set customer random(0, :customers - 1)
\set k random(0, 2)
\set variant :k * :spread + (:customer * 7919 + :k * 131) % :spread
\set row random(1, 1000000000000)
BEGIN READ WRITE;
INSERT INTO carts (created_at, updated_at, checkouts, tenant_id, user_id, id) VALUES (now(), now(), 0, (SELECT id FROM bench_business), ('00000000-0000-7000-8000-' || lpad(to_hex(:customer::bigint), 12, '0'))::uuid, ('00000000-0000-7001-8000-' || lpad(to_hex(:row::bigint), 12, '0'))::uuid) ON CONFLICT (user_id, tenant_id) DO UPDATE SET updated_at = now() RETURNING id AS cart, tenant_id AS tenant \gset
SELECT id, price FROM variants WHERE (id = ('00000000-0000-7000-8000-' || lpad(to_hex(:variant::bigint), 12, '0'))::uuid AND listed_at <= now()) AND tenant_id = :tenant LIMIT 2 \gset
INSERT INTO cart_items (created_at, updated_at, quantity, seen_price, tenant_id, cart_id, variant_id, id) VALUES (now(), now(), 1, :price, :tenant, :cart, :id, ('00000000-0000-7001-8000-' || lpad(to_hex(:row::bigint), 12, '0'))::uuid) ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = COALESCE(cart_items.quantity, 0) + 1, seen_price = excluded.seen_price, updated_at = excluded.updated_at RETURNING id AS line \gset
SELECT i.id, i.variant_id, i.quantity, i.seen_price, v.sku, v.options, v.price, v.price_currency, v.stock, v.max_order_quantity, v.image_url, v.listed_at, v.product_id, p.slug, p.title_fa, p.title_en, p.variations, p.images FROM cart_items i JOIN variants v ON i.variant_id = v.id AND i.tenant_id = v.tenant_id JOIN products p ON v.product_id = p.id WHERE i.cart_id = :cart AND i.tenant_id = :tenant ORDER BY i.id;
COMMIT;
