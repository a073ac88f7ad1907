-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_carts" table
CREATE TABLE `new_carts` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `token_hash` blob NULL, `ends_at` datetime NULL, `checkouts` integer NOT NULL DEFAULT (0), `last_order_id` uuid NULL, `last_checkout` blob NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `carts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `carts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `cart_of_one` CHECK ((user_id IS NULL) <> (token_hash IS NULL) AND (token_hash IS NULL) = (ends_at IS NULL)));
-- Copy rows from old table "carts" to new temporary table "new_carts"
INSERT INTO `new_carts` (`id`, `created_at`, `updated_at`, `checkouts`, `last_order_id`, `last_checkout`, `tenant_id`, `user_id`) SELECT `id`, `created_at`, `updated_at`, `checkouts`, `last_order_id`, `last_checkout`, `tenant_id`, `user_id` FROM `carts`;
-- Drop "carts" table after copying rows
DROP TABLE `carts`;
-- Rename temporary table "new_carts" to "carts"
ALTER TABLE `new_carts` RENAME TO `carts`;
-- Create index "carts_token_hash_key" to table: "carts"
CREATE UNIQUE INDEX `carts_token_hash_key` ON `carts` (`token_hash`);
-- Create index "cart_user_id_tenant_id" to table: "carts"
CREATE UNIQUE INDEX `cart_user_id_tenant_id` ON `carts` (`user_id`, `tenant_id`);
-- Create index "cart_tenant_id" to table: "carts"
CREATE INDEX `cart_tenant_id` ON `carts` (`tenant_id`);
-- Create index "cart_ends_at" to table: "carts"
CREATE INDEX `cart_ends_at` ON `carts` (`ends_at`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
