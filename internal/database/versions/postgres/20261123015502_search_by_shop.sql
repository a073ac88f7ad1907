-- The indexes of search begin with the shop: those of words alone had what all shops have of a word.
CREATE EXTENSION IF NOT EXISTS btree_gin;
-- First all new ones, which readers do not wait for; the old ones go at the end, so that nothing is read without any. Writes
-- wait, unless the operator of a large database has made the new ones before, concurrently.
CREATE INDEX IF NOT EXISTS "blog_tenant_id_search_text" ON "blogs" USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "portfolio_tenant_id_search_text" ON "portfolios" USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "product_tenant_id_search_text" ON "products" USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "userproduct_tenant_id_search_text" ON "user_products" USING gin ("tenant_id", "search_text" gin_trgm_ops);
CREATE INDEX IF NOT EXISTS "variant_tenant_id_search_text" ON "variants" USING gin ("tenant_id", "search_text" gin_trgm_ops);
DROP INDEX "blog_search_text";
DROP INDEX "portfolio_search_text";
DROP INDEX "product_search_text";
DROP INDEX "userproduct_search_text";
DROP INDEX "variant_search_text";
