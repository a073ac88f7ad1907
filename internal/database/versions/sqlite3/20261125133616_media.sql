-- Create "file_removals" table
CREATE TABLE `file_removals` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `prefix` text NOT NULL, `due_at` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "fileremoval_due_at" to table: "file_removals"
CREATE INDEX `fileremoval_due_at` ON `file_removals` (`due_at`);
-- Create "media_files" table
CREATE TABLE `media_files` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `address` text NOT NULL, `hash` blob NOT NULL, `kind` text NOT NULL, `size` integer NOT NULL, `width` integer NOT NULL, `height` integer NOT NULL, `placeholder_color` text NULL, `name` text NULL, `alt_fa` text NULL, `alt_en` text NULL, `used_at` datetime NOT NULL, `checked_at` datetime NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `media_files_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "mediafile_tenant_id_hash" to table: "media_files"
CREATE UNIQUE INDEX `mediafile_tenant_id_hash` ON `media_files` (`tenant_id`, `hash`);
-- Create index "mediafile_tenant_id_created_at_id" to table: "media_files"
CREATE INDEX `mediafile_tenant_id_created_at_id` ON `media_files` (`tenant_id`, `created_at`, `id`);
-- Create index "mediafile_checked_at" to table: "media_files"
CREATE INDEX `mediafile_checked_at` ON `media_files` (`checked_at`);
