-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_audit_entries" table
CREATE TABLE `new_audit_entries` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `user_id` uuid NULL, `role` text NULL, `action` text NOT NULL, `kind` text NOT NULL, `record_id` uuid NULL, `record_name` text NULL, `customer_id` uuid NULL, `before` json NULL, `after` json NULL, `business_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `audit_entries_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "audit_entries" to new temporary table "new_audit_entries"
INSERT INTO `new_audit_entries` (`id`, `created_at`, `updated_at`, `user_id`, `role`, `action`, `kind`, `record_id`, `before`, `after`, `business_id`) SELECT `id`, `created_at`, `updated_at`, `user_id`, `role`, `action`, `kind`, `record_id`, `before`, `after`, `business_id` FROM `audit_entries`;
-- Drop "audit_entries" table after copying rows
DROP TABLE `audit_entries`;
-- Rename temporary table "new_audit_entries" to "audit_entries"
ALTER TABLE `new_audit_entries` RENAME TO `audit_entries`;
-- Create index "auditentry_business_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_created_at_id` ON `audit_entries` (`business_id`, `created_at`, `id`);
-- Create index "auditentry_created_at" to table: "audit_entries"
CREATE INDEX `auditentry_created_at` ON `audit_entries` (`created_at`);
-- Create index "auditentry_business_id_record_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_record_id_created_at_id` ON `audit_entries` (`business_id`, `record_id`, `created_at`, `id`);
-- Create index "auditentry_business_id_user_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_user_id_created_at_id` ON `audit_entries` (`business_id`, `user_id`, `created_at`, `id`);
-- Create index "auditentry_customer_id" to table: "audit_entries"
CREATE INDEX `auditentry_customer_id` ON `audit_entries` (`customer_id`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
