-- Create index "cart_tenant_id_ends_at" to table: "carts"
CREATE INDEX "cart_tenant_id_ends_at" ON "carts" ("tenant_id", "ends_at");
-- Modify "partner_messages" table
ALTER TABLE "partner_messages" ADD COLUMN "key_hash" bytea NULL, ADD COLUMN "fingerprint" bytea NULL;
-- Create index "partnermessage_partner_id_key_hash" to table: "partner_messages"
CREATE UNIQUE INDEX "partnermessage_partner_id_key_hash" ON "partner_messages" ("partner_id", "key_hash");
