-- Subscriptions no longer have endpoints without an address.
-- batches from 00000000-0000-0000-0000-000000000000
SELECT CAST(id AS text) FROM (SELECT id FROM webhook_endpoints WHERE id > CAST($1 AS uuid) ORDER BY id LIMIT 200) AS next
	ORDER BY id DESC LIMIT 1;
DELETE FROM webhook_endpoints WHERE id > CAST($1 AS uuid) AND id <= CAST($2 AS uuid) AND live_until IS NOT NULL;
