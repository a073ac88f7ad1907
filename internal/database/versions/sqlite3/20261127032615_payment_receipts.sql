-- Create "receipts" table
CREATE TABLE `receipts` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `hash` blob NOT NULL, `size` integer NOT NULL, `width` integer NOT NULL, `height` integer NOT NULL, `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `receipts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `receipts_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE, CONSTRAINT `receipts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "receipt_order_id_hash" to table: "receipts"
CREATE UNIQUE INDEX `receipt_order_id_hash` ON `receipts` (`order_id`, `hash`);
-- Create index "receipt_user_id_tenant_id" to table: "receipts"
CREATE INDEX `receipt_user_id_tenant_id` ON `receipts` (`user_id`, `tenant_id`);
-- Create index "receipt_tenant_id" to table: "receipts"
CREATE INDEX `receipt_tenant_id` ON `receipts` (`tenant_id`);
-- Create index "receipt_created_at" to table: "receipts"
CREATE INDEX `receipt_created_at` ON `receipts` (`created_at`);
