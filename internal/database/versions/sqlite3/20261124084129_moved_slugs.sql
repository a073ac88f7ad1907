-- Create "moved_slugs" table
CREATE TABLE `moved_slugs` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `kind` text NOT NULL, `slug` text NOT NULL, `record_id` uuid NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `moved_slugs_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "movedslug_tenant_id_kind_slug" to table: "moved_slugs"
CREATE UNIQUE INDEX `movedslug_tenant_id_kind_slug` ON `moved_slugs` (`tenant_id`, `kind`, `slug`);
-- Create index "movedslug_tenant_id_record_id" to table: "moved_slugs"
CREATE INDEX `movedslug_tenant_id_record_id` ON `moved_slugs` (`tenant_id`, `record_id`);
