-- The indexes of search begin with the shop: those of words alone had what all shops have of a word. Each is made, and each old
-- one dropped, by a file of its own: a transaction that waits for a second table beside orders ends in a deadlock. An operator
-- of a large database may make them before, concurrently, so that no write waits.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX IF NOT EXISTS "blog_tenant_id_search_text" ON "blogs" USING gin ("tenant_id", "search_text" gin_trgm_ops);
