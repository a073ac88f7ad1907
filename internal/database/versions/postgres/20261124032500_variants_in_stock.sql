-- Indexes have whether there is any of a variant, not how many, which changes with every sale: so that a sale changes no index.
-- Room is left in each page, so that the new row stands beside the old one.
DROP INDEX "variant_facets";
ALTER TABLE "variants" SET (fillfactor = 85);
ALTER TABLE "variants" ADD COLUMN "in_stock" boolean NULL GENERATED ALWAYS AS (stock > 0) STORED;
CREATE INDEX "variant_facets" ON "variants" ("tenant_id", "listed_at", "product_category_id", "product_brand_id", "price_currency", "sort_dear", "is_festival", "in_stock");
