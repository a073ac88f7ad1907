-- copy_shops copies the first shop with all of its rows, for the numbers from the first to the last. A number is the
-- beginning of each id of its shop.
CREATE FUNCTION pg_temp.copy_shops(first int, last int, original text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	of record;
BEGIN
	FOR of IN
		SELECT c.table_name AS name, string_agg(quote_ident(c.column_name), ', ' ORDER BY c.ordinal_position) AS columns,
			string_agg(CASE
				WHEN c.table_name = 'tenants' AND c.column_name IN ('domain', 'slug')
				THEN format($v$'shop' || n || '.' || t.%I$v$, c.column_name)
				WHEN c.data_type = 'uuid' AND NOT EXISTS (
					SELECT FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
					WHERE f.contype = 'f' AND f.conrelid = c.table_name::regclass AND a.attname = c.column_name
					AND f.confrelid = 'locations'::regclass)
				THEN format('(hex || substr(t.%I::text, 9))::uuid', c.column_name)
				WHEN c.column_name = 'item_ids'
				THEN $v$regexp_replace(t.item_ids::text, '"[0-9a-f]{8}(-[0-9a-f-]{27})"', '"' || hex || '\1"', 'g')::jsonb$v$
				ELSE format('t.%I', c.column_name) END, ', ' ORDER BY c.ordinal_position) AS copied
		FROM information_schema.columns c
		WHERE c.table_schema = 'public' AND c.is_generated = 'NEVER' AND c.is_identity = 'NO' AND (c.table_name = 'tenants'
			OR c.table_name IN (SELECT table_name FROM information_schema.columns
				WHERE table_schema = 'public' AND column_name = 'tenant_id'))
		GROUP BY c.table_name
	LOOP
		EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM %1$I AS t, generate_series($1, $2) AS n,
			lpad(to_hex(n), 8, ''0'') AS hex WHERE t.%4$s = (SELECT id FROM tenants WHERE domain = $3)',
			of.name, of.columns, of.copied, CASE of.name WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END)
			USING first, last, original;
	END LOOP;
END $$;
