-- Create index "webhookendpoint_live" to table: "webhook_endpoints"
CREATE UNIQUE INDEX CONCURRENTLY "webhookendpoint_live" ON "webhook_endpoints" ("tenant_id") WHERE (live_until IS NOT NULL);
