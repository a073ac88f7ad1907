-- Written by hand: move_stock (20261123082000_move_stock.sql and 20261123173600_bounded_stock.sql say how it works) gives the
-- variant's own threshold of a low stock as well. Versions of the program that do not know that go on calling it.
DROP FUNCTION move_stock(uuid, json, boolean);
CREATE FUNCTION move_stock(shop uuid, wanted json, whole boolean)
RETURNS TABLE (variant uuid, stock bigint, sku character varying, low_stock_at bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	ids uuid[] := ARRAY(SELECT w.variant FROM json_to_recordset(wanted) AS w(variant uuid));
BEGIN
	PERFORM FROM variants v WHERE v.tenant_id = shop AND v.id = ANY (ids) ORDER BY v.id FOR NO KEY UPDATE;
	RETURN QUERY
		WITH movable AS (
			SELECT v.id, w.quantity
			FROM variants v JOIN json_to_recordset(wanted) AS w(variant uuid, quantity bigint, price bigint) ON w.variant = v.id
			WHERE v.tenant_id = shop AND v.id = ANY (ids) AND v.stock + w.quantity >= 0
				AND (w.price IS NULL OR w.price = v.price)
		)
		UPDATE variants v
		SET stock = LEAST(v.stock + m.quantity, GREATEST(v.stock, 1000000000)) FROM movable m
		WHERE v.id = m.id AND v.id = ANY (ids) AND v.tenant_id = shop
			AND (NOT whole OR (SELECT count(*) FROM movable) = cardinality(ids))
		RETURNING v.id, v.stock, v.sku, v.low_stock_at;
END
$$;
