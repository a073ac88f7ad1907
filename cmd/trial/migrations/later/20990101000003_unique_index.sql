CREATE UNIQUE INDEX CONCURRENTLY "trial_slugs" ON "products" ("tenant_id", "slug", "id")
