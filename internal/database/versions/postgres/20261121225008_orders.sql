-- Create "carts" table
CREATE TABLE "carts" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "checkouts" bigint NOT NULL DEFAULT 0, "last_order_id" uuid NULL, "last_checkout" bytea NULL, "tenant_id" uuid NOT NULL, "user_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "carts_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "carts_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "cart_tenant_id" to table: "carts"
CREATE INDEX "cart_tenant_id" ON "carts" ("tenant_id");
-- Create index "cart_user_id_tenant_id" to table: "carts"
CREATE UNIQUE INDEX "cart_user_id_tenant_id" ON "carts" ("user_id", "tenant_id");
-- Create "cart_items" table
CREATE TABLE "cart_items" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "quantity" bigint NOT NULL, "seen_price" bigint NOT NULL, "tenant_id" uuid NOT NULL, "cart_id" uuid NOT NULL, "variant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "cart_items_carts_cart" FOREIGN KEY ("cart_id") REFERENCES "carts" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "cart_items_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "cart_items_variants_variant" FOREIGN KEY ("variant_id") REFERENCES "variants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "quantity_positive" CHECK (quantity >= 1));
-- Create index "cartitem_cart_id_variant_id" to table: "cart_items"
CREATE UNIQUE INDEX "cartitem_cart_id_variant_id" ON "cart_items" ("cart_id", "variant_id");
-- Create index "cartitem_variant_id" to table: "cart_items"
CREATE INDEX "cartitem_variant_id" ON "cart_items" ("variant_id");
-- Create "favorites" table
CREATE TABLE "favorites" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "tenant_id" uuid NOT NULL, "user_id" uuid NOT NULL, "product_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "favorites_products_product" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "favorites_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "favorites_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "favorite_product_id" to table: "favorites"
CREATE INDEX "favorite_product_id" ON "favorites" ("product_id");
-- Create index "favorite_tenant_id_user_id_created_at_id" to table: "favorites"
CREATE INDEX "favorite_tenant_id_user_id_created_at_id" ON "favorites" ("tenant_id", "user_id", "created_at", "id");
-- Create index "favorite_tenant_id_user_id_product_id" to table: "favorites"
CREATE UNIQUE INDEX "favorite_tenant_id_user_id_product_id" ON "favorites" ("tenant_id", "user_id", "product_id");
-- Create "orders" table
CREATE TABLE "orders" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "order_number" character varying NOT NULL, "status" character varying NOT NULL DEFAULT 'pending', "total_quantity" bigint NOT NULL, "subtotal" bigint NOT NULL, "total" bigint NOT NULL, "price_currency" character varying NOT NULL, "shipping_address" jsonb NOT NULL, "customer_notes" text NULL, "tenant_id" uuid NOT NULL, "user_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "orders_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "orders_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
-- Create index "order_tenant_id_created_at_id" to table: "orders"
CREATE INDEX "order_tenant_id_created_at_id" ON "orders" ("tenant_id", "created_at", "id");
-- Create index "order_tenant_id_order_number" to table: "orders"
CREATE UNIQUE INDEX "order_tenant_id_order_number" ON "orders" ("tenant_id", "order_number");
-- Create index "order_tenant_id_user_id_created_at_id" to table: "orders"
CREATE INDEX "order_tenant_id_user_id_created_at_id" ON "orders" ("tenant_id", "user_id", "created_at", "id");
-- Create index "order_tenant_id_user_id_status_created_at_id" to table: "orders"
CREATE INDEX "order_tenant_id_user_id_status_created_at_id" ON "orders" ("tenant_id", "user_id", "status", "created_at", "id");
-- Create "order_events" table
CREATE TABLE "order_events" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "status" character varying NOT NULL, "at" timestamptz NOT NULL, "note" text NULL, "tenant_id" uuid NOT NULL, "order_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "order_events_orders_order" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "order_events_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "orderevent_order_id" to table: "order_events"
CREATE INDEX "orderevent_order_id" ON "order_events" ("order_id");
-- Create "order_items" table
CREATE TABLE "order_items" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "store_item_variant_id" uuid NOT NULL, "product_id" uuid NOT NULL, "product_slug" character varying NOT NULL, "title_fa" character varying NOT NULL, "title_en" character varying NULL, "options" jsonb NOT NULL, "sku" character varying NOT NULL, "image_url" character varying NULL, "quantity" bigint NOT NULL, "unit_price" bigint NOT NULL, "line_total" bigint NOT NULL, "tenant_id" uuid NOT NULL, "order_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "order_items_orders_order" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "order_items_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "line_adds_up" CHECK (line_total = (quantity * unit_price)));
-- Create index "orderitem_order_id" to table: "order_items"
CREATE INDEX "orderitem_order_id" ON "order_items" ("order_id");
-- Create "payments" table
CREATE TABLE "payments" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "type" character varying NOT NULL, "status" character varying NOT NULL DEFAULT 'pending', "amount" bigint NOT NULL, "pos_type" character varying NULL, "transfer_account" character varying NULL, "transfer_ref_number" character varying NULL, "gateway_type" character varying NULL, "notes" text NULL, "tenant_id" uuid NOT NULL, "order_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "payments_orders_order" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "payments_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "payment_order_id" to table: "payments"
CREATE UNIQUE INDEX "payment_order_id" ON "payments" ("order_id");
