-- Add column "second_factor_since" to table: "tenants"
ALTER TABLE `tenants` ADD COLUMN `second_factor_since` datetime NULL;
-- Add column "client" to table: "sessions"
ALTER TABLE `sessions` ADD COLUMN `client` text NULL;
-- Add column "network" to table: "sessions"
ALTER TABLE `sessions` ADD COLUMN `network` text NULL;
-- Add column "proven_at" to table: "sessions"
ALTER TABLE `sessions` ADD COLUMN `proven_at` datetime NULL;
-- Create "authenticators" table
CREATE TABLE `authenticators` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `secret` blob NOT NULL, `confirmed_at` datetime NULL, `last_step` integer NOT NULL DEFAULT (0), `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `authenticators_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "authenticator_user_id" to table: "authenticators"
CREATE UNIQUE INDEX `authenticator_user_id` ON `authenticators` (`user_id`);
-- Create index "authenticator_unconfirmed" to table: "authenticators"
CREATE INDEX `authenticator_unconfirmed` ON `authenticators` (`created_at`) WHERE confirmed_at IS NULL;
-- Create "recovery_codes" table
CREATE TABLE `recovery_codes` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `hash` blob NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `recovery_codes_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "recoverycode_user_id_hash" to table: "recovery_codes"
CREATE UNIQUE INDEX `recoverycode_user_id_hash` ON `recovery_codes` (`user_id`, `hash`);
