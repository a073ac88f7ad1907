-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_media_files" table
CREATE TABLE `new_media_files` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `address` text NOT NULL, `hash` blob NOT NULL, `kind` text NOT NULL, `size` integer NOT NULL, `width` integer NOT NULL, `height` integer NOT NULL, `placeholder_color` text NULL, `name` text NULL, `alt_fa` text NULL, `alt_en` text NULL, `used_at` datetime NOT NULL, `checked_at` datetime NOT NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `media_files_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `media_files_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Copy rows from old table "media_files" to new temporary table "new_media_files"
INSERT INTO `new_media_files` (`id`, `created_at`, `updated_at`, `address`, `hash`, `kind`, `size`, `width`, `height`, `placeholder_color`, `name`, `alt_fa`, `alt_en`, `used_at`, `checked_at`, `tenant_id`) SELECT `id`, `created_at`, `updated_at`, `address`, `hash`, `kind`, `size`, `width`, `height`, `placeholder_color`, `name`, `alt_fa`, `alt_en`, `used_at`, `checked_at`, `tenant_id` FROM `media_files`;
-- Drop "media_files" table after copying rows
DROP TABLE `media_files`;
-- Rename temporary table "new_media_files" to "media_files"
ALTER TABLE `new_media_files` RENAME TO `media_files`;
-- Create index "mediafile_tenant_id_hash" to table: "media_files"
CREATE UNIQUE INDEX `mediafile_tenant_id_hash` ON `media_files` (`tenant_id`, `hash`);
-- Create index "mediafile_tenant_id_created_at_id" to table: "media_files"
CREATE INDEX `mediafile_tenant_id_created_at_id` ON `media_files` (`tenant_id`, `created_at`, `id`);
-- Create index "mediafile_user_id_tenant_id" to table: "media_files"
CREATE INDEX `mediafile_user_id_tenant_id` ON `media_files` (`user_id`, `tenant_id`);
-- Create index "mediafile_checked_at" to table: "media_files"
CREATE INDEX `mediafile_checked_at` ON `media_files` (`checked_at`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
