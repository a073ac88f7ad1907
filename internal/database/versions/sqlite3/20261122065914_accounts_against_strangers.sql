-- Create index "comment_tenant_id_status" to table: "comments"
CREATE INDEX `comment_tenant_id_status` ON `comments` (`tenant_id`, `status`);
-- Create index "expertreview_tenant_id_status" to table: "expert_reviews"
CREATE INDEX `expertreview_tenant_id_status` ON `expert_reviews` (`tenant_id`, `status`);
-- Add column "used_at" to table: "one_time_codes"
ALTER TABLE `one_time_codes` ADD COLUMN `used_at` datetime NULL;
-- Add column "proven_from" to table: "one_time_codes"
ALTER TABLE `one_time_codes` ADD COLUMN `proven_from` text NULL;
-- Add column "registered_from" to table: "users"
ALTER TABLE `users` ADD COLUMN `registered_from` text NULL;
-- Create "sign_in_addresses" table
CREATE TABLE `sign_in_addresses` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `address` text NOT NULL, `last_at` datetime NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sign_in_addresses_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "signinaddress_user_id_address" to table: "sign_in_addresses"
CREATE UNIQUE INDEX `signinaddress_user_id_address` ON `sign_in_addresses` (`user_id`, `address`);
-- Create index "signinaddress_last_at" to table: "sign_in_addresses"
CREATE INDEX `signinaddress_last_at` ON `sign_in_addresses` (`last_at`);
