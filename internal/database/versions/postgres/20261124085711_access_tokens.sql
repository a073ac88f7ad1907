-- Create index "auditentry_business_id_token_id_created_at_id" to table: "audit_entries"
CREATE INDEX CONCURRENTLY "auditentry_business_id_token_id_created_at_id" ON "audit_entries" ("business_id", "token_id", "created_at", "id") WHERE (token_id IS NOT NULL);
