-- Makes :products products and variants like the first one of the shop. Indexes are made behind the rows, in a third of
-- the time.
SET synchronous_commit = off;
CREATE TABLE trial_indexes AS SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('products', 'variants')
	AND indexname NOT IN (SELECT conname FROM pg_constraint);
DO $$ DECLARE name text; BEGIN
	FOR name IN SELECT indexname FROM trial_indexes LOOP EXECUTE 'DROP INDEX ' || quote_ident(name); END LOOP;
END $$;

-- copy_row makes rows like the first one of a table, which differ in some columns; n is the number of a row.
CREATE FUNCTION pg_temp.copy_row(of regclass, own text[], their text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	others text;
BEGIN
	SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO others FROM pg_attribute
		WHERE attrelid = of AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> ALL (own);
	EXECUTE format('INSERT INTO %s (%s, %s) SELECT %s, %3$s FROM (SELECT * FROM %1$s ORDER BY id LIMIT 1) AS one,
		generate_series(1, :products) AS n,
		LATERAL (SELECT (''00000000-0000-7000-8000-'' || lpad(to_hex(n), 12, ''0''))::uuid AS made,
			now() - n * interval ''1 second'' AS moment) AS numbered',
		of, array_to_string(own, ', '), others, their);
END $$;

SELECT pg_temp.copy_row('products', '{id,slug,published_at}', $$made, 'made-' || n, numbered.moment$$);
SELECT pg_temp.copy_row('variants', '{id,product_id,sku,listed_at}', $$made, made, 'M-' || n, numbered.moment$$);

DO $$ DECLARE made text; BEGIN
	FOR made IN SELECT indexdef FROM trial_indexes LOOP EXECUTE made; END LOOP;
END $$;
UPDATE tenants SET content_version = content_version + 1;
