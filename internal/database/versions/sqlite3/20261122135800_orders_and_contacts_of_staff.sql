-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_contact_submissions" table
CREATE TABLE `new_contact_submissions` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `title` text NOT NULL, `name` text NOT NULL, `email` text NULL, `cell_number` text NULL, `text` text NOT NULL, `handled_at` datetime NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `contact_submissions_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "contact_submissions" to new temporary table "new_contact_submissions"
INSERT INTO `new_contact_submissions` (`id`, `created_at`, `updated_at`, `title`, `name`, `email`, `cell_number`, `text`, `tenant_id`) SELECT `id`, `created_at`, `updated_at`, `title`, `name`, `email`, `cell_number`, `text`, `tenant_id` FROM `contact_submissions`;
-- Drop "contact_submissions" table after copying rows
DROP TABLE `contact_submissions`;
-- Rename temporary table "new_contact_submissions" to "contact_submissions"
ALTER TABLE `new_contact_submissions` RENAME TO `contact_submissions`;
-- Create index "contactsubmission_tenant_id_created_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_tenant_id_created_at` ON `contact_submissions` (`tenant_id`, `created_at`);
-- Create index "contactsubmission_tenant_id_handled_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_tenant_id_handled_at` ON `contact_submissions` (`tenant_id`, `handled_at`);
-- Add column "reference" to table: "payments"
ALTER TABLE `payments` ADD COLUMN `reference` text NULL;
-- Add column "marked_at" to table: "payments"
ALTER TABLE `payments` ADD COLUMN `marked_at` datetime NULL;
-- Create index "payment_status_type_created_at" to table: "payments"
CREATE INDEX `payment_status_type_created_at` ON `payments` (`status`, `type`, `created_at`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
