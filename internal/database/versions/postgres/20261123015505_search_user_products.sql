CREATE INDEX IF NOT EXISTS "userproduct_tenant_id_search_text" ON "user_products" USING gin ("tenant_id", "search_text" gin_trgm_ops);
