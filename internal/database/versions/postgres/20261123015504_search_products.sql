CREATE INDEX IF NOT EXISTS "product_tenant_id_search_text" ON "products" USING gin ("tenant_id", "search_text" gin_trgm_ops);
