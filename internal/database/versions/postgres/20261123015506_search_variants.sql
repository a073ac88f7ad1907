CREATE INDEX IF NOT EXISTS "variant_tenant_id_search_text" ON "variants" USING gin ("tenant_id", "search_text" gin_trgm_ops);
