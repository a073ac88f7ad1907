CREATE INDEX IF NOT EXISTS "portfolio_tenant_id_search_text" ON "portfolios" USING gin ("tenant_id", "search_text" gin_trgm_ops);
