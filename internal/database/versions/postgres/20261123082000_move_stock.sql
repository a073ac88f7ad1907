-- Written by hand: moves units of variants of a shop (internal/order/stock.go). wanted is a JSON array of objects: variant,
-- quantity (what is added, less than none to take), price (the one that the variant must have; none: any). Where whole is
-- true, all of them are moved or none is. It gives the variants that it changed with their new stock.
--
-- The rows are locked by one statement, in the order of ids, and changed by the next, which sees them as they were locked.
-- A single statement that locks and changes rows would change them as it saw them at its beginning: while others hold such
-- an older version by a foreign key, as those who put the variant into a cart do, it waits in line for that version too,
-- behind others who wait for the rows that it holds already.
CREATE FUNCTION move_stock(shop uuid, wanted json, whole boolean)
RETURNS TABLE (variant uuid, stock bigint, sku character varying) LANGUAGE plpgsql AS $$
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
		UPDATE variants v SET stock = v.stock + m.quantity FROM movable m
		WHERE v.id = m.id AND v.id = ANY (ids) AND v.tenant_id = shop
			AND (NOT whole OR (SELECT count(*) FROM movable) = cardinality(ids))
		RETURNING v.id, v.stock, v.sku;
END
$$;
