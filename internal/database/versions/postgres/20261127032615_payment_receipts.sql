-- Create "receipts" table
CREATE TABLE "receipts" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "hash" bytea NOT NULL, "size" bigint NOT NULL, "width" bigint NOT NULL, "height" bigint NOT NULL, "tenant_id" uuid NOT NULL, "order_id" uuid NOT NULL, "user_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "receipts_orders_order" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "receipts_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "receipts_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- Create index "receipt_created_at" to table: "receipts"
CREATE INDEX "receipt_created_at" ON "receipts" ("created_at");
-- Create index "receipt_order_id_hash" to table: "receipts"
CREATE UNIQUE INDEX "receipt_order_id_hash" ON "receipts" ("order_id", "hash");
-- Create index "receipt_tenant_id" to table: "receipts"
CREATE INDEX "receipt_tenant_id" ON "receipts" ("tenant_id");
-- Create index "receipt_user_id_tenant_id" to table: "receipts"
CREATE INDEX "receipt_user_id_tenant_id" ON "receipts" ("user_id", "tenant_id");
