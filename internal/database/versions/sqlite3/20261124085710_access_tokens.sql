-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_idempotency_keys" table
CREATE TABLE `new_idempotency_keys` (`id` text NOT NULL, `token_id` uuid NULL, `fingerprint` blob NOT NULL, `answer` text NULL, `size` integer NOT NULL DEFAULT (0), `expires_at` datetime NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `idempotency_keys_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "idempotency_keys" to new temporary table "new_idempotency_keys"
INSERT INTO `new_idempotency_keys` (`id`, `fingerprint`, `answer`, `size`, `expires_at`, `user_id`) SELECT `id`, `fingerprint`, `answer`, `size`, `expires_at`, `user_id` FROM `idempotency_keys`;
-- Drop "idempotency_keys" table after copying rows
DROP TABLE `idempotency_keys`;
-- Rename temporary table "new_idempotency_keys" to "idempotency_keys"
ALTER TABLE `new_idempotency_keys` RENAME TO `idempotency_keys`;
-- Create index "idempotencykey_user_id_size" to table: "idempotency_keys"
CREATE INDEX `idempotencykey_user_id_size` ON `idempotency_keys` (`user_id`, `size`);
-- Create index "idempotencykey_expires_at" to table: "idempotency_keys"
CREATE INDEX `idempotencykey_expires_at` ON `idempotency_keys` (`expires_at`);
-- Add column "token_id" to table: "audit_entries"
ALTER TABLE `audit_entries` ADD COLUMN `token_id` uuid NULL;
-- Create index "auditentry_business_id_token_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_token_id_created_at_id` ON `audit_entries` (`business_id`, `token_id`, `created_at`, `id`) WHERE token_id IS NOT NULL;
-- Create "access_tokens" table
CREATE TABLE `access_tokens` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `hash` blob NOT NULL, `last_characters` text NOT NULL, `permissions` json NOT NULL, `last_used_at` datetime NULL, `expires_at` datetime NULL, `revoked_at` datetime NULL, `business_id` uuid NOT NULL, `created_by` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `access_tokens_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `access_tokens_users_creator` FOREIGN KEY (`created_by`) REFERENCES `users` (`id`) ON DELETE SET NULL);
-- Create index "access_tokens_hash_key" to table: "access_tokens"
CREATE UNIQUE INDEX `access_tokens_hash_key` ON `access_tokens` (`hash`);
-- Create index "accesstoken_business_id" to table: "access_tokens"
CREATE INDEX `accesstoken_business_id` ON `access_tokens` (`business_id`);
-- Create index "accesstoken_created_by" to table: "access_tokens"
CREATE INDEX `accesstoken_created_by` ON `access_tokens` (`created_by`);
-- Create index "accesstoken_expires_at" to table: "access_tokens"
CREATE INDEX `accesstoken_expires_at` ON `access_tokens` (`expires_at`);
-- Create index "accesstoken_revoked_at" to table: "access_tokens"
CREATE INDEX `accesstoken_revoked_at` ON `access_tokens` (`revoked_at`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
