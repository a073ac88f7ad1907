-- Create index "tenant_paused_at" to table: "tenants"
CREATE INDEX CONCURRENTLY "tenant_paused_at" ON "tenants" ("paused_at") WHERE (paused_at IS NOT NULL);
