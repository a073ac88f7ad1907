-- As 20261121202600: without a row for this index SQLite takes it for the best way to a few listings by their ids, and reads
-- all that a shop has.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
	('listings', 'listing_tenant_id_entity_id', '489660 489660 4');
