-- The days on which there are orders.
-- batches from 00000000-0000-0000-0000-000000000000
SELECT CAST(id AS text) FROM (SELECT id FROM orders WHERE id > CAST($1 AS uuid) ORDER BY id LIMIT 5000) AS next
	ORDER BY id DESC LIMIT 1;
INSERT INTO order_days (tenant_id, day)
	SELECT DISTINCT tenant_id, CAST(floor(extract(epoch FROM created_at) / 86400) AS bigint) FROM orders
	WHERE id > CAST($1 AS uuid) AND id <= CAST($2 AS uuid) ON CONFLICT DO NOTHING;
