-- Indexes have whether there is any of a variant, not how many, which changes with every sale.
DROP INDEX `variant_facets`;
ALTER TABLE `variants` ADD COLUMN `in_stock` bool NULL GENERATED ALWAYS AS (stock > 0) VIRTUAL;
CREATE INDEX `variant_facets` ON `variants` (`tenant_id`, `listed_at`, `product_category_id`, `product_brand_id`, `price_currency`, `sort_dear`, `is_festival`, `in_stock`);
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
	('variants', 'variant_facets', '150000 150000 2 2 2 2 1 1 1');
