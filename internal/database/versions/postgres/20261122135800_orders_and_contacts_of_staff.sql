-- Modify "contact_submissions" table
ALTER TABLE "contact_submissions" ADD COLUMN "handled_at" timestamptz NULL;
-- Create index "contactsubmission_tenant_id_handled_at" to table: "contact_submissions"
CREATE INDEX "contactsubmission_tenant_id_handled_at" ON "contact_submissions" ("tenant_id", "handled_at");
-- Modify "payments" table
ALTER TABLE "payments" ADD COLUMN "reference" character varying NULL, ADD COLUMN "marked_at" timestamptz NULL;
-- Create index "payment_status_type_created_at" to table: "payments"
CREATE INDEX "payment_status_type_created_at" ON "payments" ("status", "type", "created_at");
