-- Add column "paused_at" to table: "tenants"
ALTER TABLE `tenants` ADD COLUMN `paused_at` datetime NULL;
-- Create index "tenant_paused_at" to table: "tenants"
CREATE INDEX `tenant_paused_at` ON `tenants` (`paused_at`) WHERE paused_at IS NOT NULL;
-- Create "domain_aliases" table
CREATE TABLE `domain_aliases` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `domain` text NOT NULL, `business_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `domain_aliases_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "domain_aliases_domain_key" to table: "domain_aliases"
CREATE UNIQUE INDEX `domain_aliases_domain_key` ON `domain_aliases` (`domain`);
-- Create index "domainalias_business_id" to table: "domain_aliases"
CREATE INDEX `domainalias_business_id` ON `domain_aliases` (`business_id`);
