-- Modify "audit_entries" table
ALTER TABLE "audit_entries" ADD COLUMN "record_name" character varying NULL, ADD COLUMN "customer_id" uuid NULL;
-- Create index "auditentry_business_id_user_id_created_at_id" to table: "audit_entries"
CREATE INDEX "auditentry_business_id_user_id_created_at_id" ON "audit_entries" ("business_id", "user_id", "created_at", "id");
-- Create index "auditentry_customer_id" to table: "audit_entries"
CREATE INDEX "auditentry_customer_id" ON "audit_entries" ("customer_id");
