-- The columns are added in place: a table that is made anew loses what 20261121202600_statistics.sql says of it.
ALTER TABLE `products` ADD COLUMN `sort_cheap` integer NOT NULL DEFAULT (-9200000000000000000);
ALTER TABLE `products` ADD COLUMN `sort_dear` integer NOT NULL DEFAULT (-1);
ALTER TABLE `products` ADD COLUMN `sort_rating` integer NOT NULL DEFAULT (-1);
ALTER TABLE `products` ADD COLUMN `sort_title` blob NULL;
ALTER TABLE `variants` ADD COLUMN `product_category_id` uuid NULL;
ALTER TABLE `variants` ADD COLUMN `product_brand_id` uuid NULL;
ALTER TABLE `variants` ADD COLUMN `sort_cheap` integer NOT NULL DEFAULT (-9200000000000000000);
ALTER TABLE `variants` ADD COLUMN `sort_dear` integer NOT NULL DEFAULT (-1);
ALTER TABLE `variants` ADD COLUMN `sort_discount` integer NOT NULL DEFAULT (-1);
-- What existing rows are sorted and divided by, as internal/derive makes it.
UPDATE products SET
	sort_cheap = COALESCE(-(SELECT MIN(v.price_milli) FROM variants v WHERE v.product_id = products.id AND v.on_sale), -9200000000000000000),
	sort_dear = COALESCE((SELECT MIN(v.price_milli) FROM variants v WHERE v.product_id = products.id AND v.on_sale), -1),
	sort_rating = CASE WHEN rating_count > 0 THEN rating_sum * 1000000 / rating_count ELSE -1 END,
	sort_title = CAST(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(SUBSTR(search_text, 1, 120), 'پ', 'بۿ'), 'چ', 'جۿ'), 'ژ', 'زۿ'), 'ک', 'ك'), 'گ', 'كۿ'), 'ه', 'وۿ'), 'ی', 'ي') AS blob);
UPDATE variants SET
	product_category_id = (SELECT p.category_id FROM products p WHERE p.id = variants.product_id),
	product_brand_id = (SELECT p.brand_id FROM products p WHERE p.id = variants.product_id),
	sort_cheap = COALESCE(-price_milli, -9200000000000000000), sort_dear = COALESCE(price_milli, -1),
	sort_discount = CASE WHEN compare_at_price > price THEN (compare_at_price - price) * 1000 / compare_at_price ELSE -1 END;
-- The orders of sorted lists, and what facets are counted by.
CREATE INDEX `product_tenant_id_status_sort_cheap_published_at_id` ON `products` (`tenant_id`, `status`, `sort_cheap`, `published_at`, `id`);
CREATE INDEX `product_tenant_id_status_sort_dear_published_at_id` ON `products` (`tenant_id`, `status`, `sort_dear`, `published_at`, `id`);
CREATE INDEX `product_tenant_id_status_sort_rating_published_at_id` ON `products` (`tenant_id`, `status`, `sort_rating`, `published_at`, `id`);
CREATE INDEX `product_tenant_id_status_sort_title_published_at_id` ON `products` (`tenant_id`, `status`, `sort_title`, `published_at` DESC, `id` DESC);
CREATE INDEX `variant_tenant_id_sort_cheap_listed_at_id` ON `variants` (`tenant_id`, `sort_cheap`, `listed_at`, `id`);
CREATE INDEX `variant_tenant_id_sort_dear_listed_at_id` ON `variants` (`tenant_id`, `sort_dear`, `listed_at`, `id`);
CREATE INDEX `variant_tenant_id_sort_discount_listed_at_id` ON `variants` (`tenant_id`, `sort_discount`, `listed_at`, `id`);
CREATE INDEX `product_facets` ON `products` (`tenant_id`, `status`, `published_at`, `category_id`, `brand_id`, `price_currency`, `sort_dear`, `in_store`);
CREATE INDEX `variant_facets` ON `variants` (`tenant_id`, `listed_at`, `product_category_id`, `product_brand_id`, `price_currency`, `sort_dear`, `stock`, `is_festival`);
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
	('products', 'product_tenant_id_status_sort_cheap_published_at_id', '100000 100000 50000 2 1 1'),
	('products', 'product_tenant_id_status_sort_dear_published_at_id', '100000 100000 50000 2 1 1'),
	('products', 'product_tenant_id_status_sort_rating_published_at_id', '100000 100000 50000 500 1 1'),
	('products', 'product_tenant_id_status_sort_title_published_at_id', '100000 100000 50000 2 1 1'),
	('products', 'product_facets', '100000 100000 50000 1 1 1 1 1 1'),
	('variants', 'variant_facets', '150000 150000 2 2 2 2 1 1 1'),
	('variants', 'variant_tenant_id_sort_cheap_listed_at_id', '150000 150000 3 1 1'),
	('variants', 'variant_tenant_id_sort_dear_listed_at_id', '150000 150000 3 1 1'),
	('variants', 'variant_tenant_id_sort_discount_listed_at_id', '150000 150000 1000 2 1');
