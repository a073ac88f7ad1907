-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_user_products" table
CREATE TABLE `new_user_products` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `description` text NULL, `price` integer NULL, `price_currency` text NOT NULL, `condition` text NOT NULL, `images` json NOT NULL, `promoted` bool NOT NULL DEFAULT (false), `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `values` json NOT NULL, `delivery_notes` text NULL, `technical_notes` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, `user_id` uuid NULL, `city_id` uuid NULL, `province_id` uuid NULL, `country_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `user_products_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `user_products_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_city` FOREIGN KEY (`city_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_province` FOREIGN KEY (`province_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_country` FOREIGN KEY (`country_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL);
-- Copy rows from old table "user_products" to new temporary table "new_user_products"
INSERT INTO `new_user_products` (`id`, `created_at`, `updated_at`, `search_text`, `slug`, `title_fa`, `title_en`, `description`, `price`, `price_currency`, `condition`, `images`, `promoted`, `status`, `published_at`, `values`, `delivery_notes`, `technical_notes`, `tenant_id`, `category_id`, `city_id`, `province_id`, `country_id`) SELECT `id`, `created_at`, `updated_at`, `search_text`, `slug`, `title_fa`, `title_en`, `description`, `price`, `price_currency`, `condition`, `images`, `promoted`, `status`, `published_at`, `values`, `delivery_notes`, `technical_notes`, `tenant_id`, `category_id`, `city_id`, `province_id`, `country_id` FROM `user_products`;
-- Drop "user_products" table after copying rows
DROP TABLE `user_products`;
-- Rename temporary table "new_user_products" to "user_products"
ALTER TABLE `new_user_products` RENAME TO `user_products`;
-- Create index "userproduct_tenant_id_slug" to table: "user_products"
CREATE UNIQUE INDEX `userproduct_tenant_id_slug` ON `user_products` (`tenant_id`, `slug`);
-- Create index "userproduct_user_id_tenant_id" to table: "user_products"
CREATE INDEX `userproduct_user_id_tenant_id` ON `user_products` (`user_id`, `tenant_id`);
-- Create index "userproduct_tenant_id_status_published_at_id" to table: "user_products"
CREATE INDEX `userproduct_tenant_id_status_published_at_id` ON `user_products` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "new_users" table
CREATE TABLE `new_users` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `cell_verified` bool NOT NULL DEFAULT (false), `password_hash` text NULL, `first_name` text NULL, `last_name` text NULL, `email` text NULL, `registered_from` text NULL, `closed_at` datetime NULL, PRIMARY KEY (`id`));
-- Copy rows from old table "users" to new temporary table "new_users"
INSERT INTO `new_users` (`id`, `created_at`, `updated_at`, `cell_number`, `cell_verified`, `password_hash`, `first_name`, `last_name`, `email`, `registered_from`) SELECT `id`, `created_at`, `updated_at`, `cell_number`, `cell_verified`, `password_hash`, `first_name`, `last_name`, `email`, `registered_from` FROM `users`;
-- Drop "users" table after copying rows
DROP TABLE `users`;
-- Rename temporary table "new_users" to "users"
ALTER TABLE `new_users` RENAME TO `users`;
-- Create index "users_cell_number_key" to table: "users"
CREATE UNIQUE INDEX `users_cell_number_key` ON `users` (`cell_number`);
-- Create index "user_closed_at" to table: "users"
CREATE INDEX `user_closed_at` ON `users` (`closed_at`);
-- Drop index "favorite_tenant_id_user_id_created_at_id" from table: "favorites"
DROP INDEX `favorite_tenant_id_user_id_created_at_id`;
-- Create index "favorite_user_id_tenant_id_created_at_id" to table: "favorites"
CREATE INDEX `favorite_user_id_tenant_id_created_at_id` ON `favorites` (`user_id`, `tenant_id`, `created_at`, `id`);
-- Create "new_orders" table
CREATE TABLE `new_orders` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `order_number` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `total_quantity` integer NOT NULL, `subtotal` integer NOT NULL, `total` integer NOT NULL, `price_currency` text NOT NULL, `shipping_address` json NOT NULL, `customer_notes` text NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `orders_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `orders_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL);
-- Copy rows from old table "orders" to new temporary table "new_orders"
INSERT INTO `new_orders` (`id`, `created_at`, `updated_at`, `order_number`, `status`, `total_quantity`, `subtotal`, `total`, `price_currency`, `shipping_address`, `customer_notes`, `tenant_id`, `user_id`) SELECT `id`, `created_at`, `updated_at`, `order_number`, `status`, `total_quantity`, `subtotal`, `total`, `price_currency`, `shipping_address`, `customer_notes`, `tenant_id`, `user_id` FROM `orders`;
-- Drop "orders" table after copying rows
DROP TABLE `orders`;
-- Rename temporary table "new_orders" to "orders"
ALTER TABLE `new_orders` RENAME TO `orders`;
-- Create index "order_tenant_id_order_number" to table: "orders"
CREATE UNIQUE INDEX `order_tenant_id_order_number` ON `orders` (`tenant_id`, `order_number`);
-- Create index "order_user_id_tenant_id_created_at_id" to table: "orders"
CREATE INDEX `order_user_id_tenant_id_created_at_id` ON `orders` (`user_id`, `tenant_id`, `created_at`, `id`);
-- Create index "order_tenant_id_user_id_status_created_at_id" to table: "orders"
CREATE INDEX `order_tenant_id_user_id_status_created_at_id` ON `orders` (`tenant_id`, `user_id`, `status`, `created_at`, `id`);
-- Create index "order_tenant_id_created_at_id" to table: "orders"
CREATE INDEX `order_tenant_id_created_at_id` ON `orders` (`tenant_id`, `created_at`, `id`);
-- Create index "auditentry_created_at" to table: "audit_entries"
CREATE INDEX `auditentry_created_at` ON `audit_entries` (`created_at`);
-- Create index "cart_updated_at" to table: "carts"
CREATE INDEX `cart_updated_at` ON `carts` (`updated_at`);
-- Create index "contactsubmission_created_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_created_at` ON `contact_submissions` (`created_at`);
-- Create "installations" table
CREATE TABLE `installations` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `version` integer NOT NULL DEFAULT (0));
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
