-- The currency of lines that were written before, so that a later change of it is reported.
-- batches from 00000000-0000-0000-0000-000000000000
SELECT CAST(id AS text) FROM (SELECT id FROM cart_items WHERE id > CAST($1 AS uuid) ORDER BY id LIMIT 2000) AS next
	ORDER BY id DESC LIMIT 1;
UPDATE cart_items SET seen_currency = (SELECT price_currency FROM variants WHERE variants.id = cart_items.variant_id)
	WHERE id > CAST($1 AS uuid) AND id <= CAST($2 AS uuid) AND seen_currency IS NULL;
