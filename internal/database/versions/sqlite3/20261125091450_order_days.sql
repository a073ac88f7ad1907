-- The days on which there are orders.
-- batches from 00000000-0000-0000-0000-000000000000
SELECT id FROM (SELECT id FROM orders WHERE id > $1 ORDER BY id LIMIT 5000) AS next ORDER BY id DESC LIMIT 1;
INSERT INTO order_days (tenant_id, day) SELECT DISTINCT tenant_id, created_at / 86400000000 FROM orders
	WHERE id > $1 AND id <= $2 ON CONFLICT DO NOTHING;
