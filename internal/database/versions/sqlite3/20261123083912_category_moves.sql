-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_categories" table
CREATE TABLE `new_categories` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `entity_type` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `image_url` text NULL, `description` text NULL, `position` integer NOT NULL DEFAULT (0), `form` json NULL, `moving` bool NOT NULL DEFAULT (false), `moves` integer NOT NULL DEFAULT (0), `tenant_id` uuid NOT NULL, `parent_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `categories_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `categories_categories_children` FOREIGN KEY (`parent_id`) REFERENCES `categories` (`id`) ON DELETE NO ACTION);
-- Copy rows from old table "categories" to new temporary table "new_categories"
INSERT INTO `new_categories` (`id`, `created_at`, `updated_at`, `entity_type`, `slug`, `name`, `name_fa`, `image_url`, `description`, `position`, `form`, `moving`, `tenant_id`, `parent_id`) SELECT `id`, `created_at`, `updated_at`, `entity_type`, `slug`, `name`, `name_fa`, `image_url`, `description`, `position`, `form`, `moving`, `tenant_id`, `parent_id` FROM `categories`;
-- Drop "categories" table after copying rows
DROP TABLE `categories`;
-- Rename temporary table "new_categories" to "categories"
ALTER TABLE `new_categories` RENAME TO `categories`;
-- Create index "category_tenant_id_entity_type_slug" to table: "categories"
CREATE UNIQUE INDEX `category_tenant_id_entity_type_slug` ON `categories` (`tenant_id`, `entity_type`, `slug`);
-- Create index "category_moving" to table: "categories"
CREATE INDEX `category_moving` ON `categories` (`moving`) WHERE moving;
-- Earlier versions could leave a move half-way: the records of all categories below others are listed once more
UPDATE `categories` SET `moving` = true, `moves` = 1 WHERE `parent_id` IS NOT NULL;
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
