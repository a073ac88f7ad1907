-- The currency of lines that were written before, so that a later change of it is reported.
-- batches from 00000000-0000-0000-0000-000000000000
SELECT id FROM (SELECT id FROM cart_items WHERE id > $1 ORDER BY id LIMIT 2000) AS next ORDER BY id DESC LIMIT 1;
UPDATE cart_items SET seen_currency = (SELECT price_currency FROM variants WHERE variants.id = cart_items.variant_id)
	WHERE id > $1 AND id <= $2 AND seen_currency IS NULL;
