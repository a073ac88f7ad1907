-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_webhook_deliveries" table
CREATE TABLE `new_webhook_deliveries` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `event_id` uuid NOT NULL, `type` text NOT NULL, `subject_id` uuid NOT NULL, `payload` text NOT NULL, `created_at` datetime NOT NULL, `attempts` integer NOT NULL DEFAULT (0), `next_at` datetime NULL, `give_up_at` datetime NOT NULL, `attempted_at` datetime NULL, `delivered_at` datetime NULL, `status` integer NULL, `failure` text NULL, `sequence` integer NULL, `tenant_id` uuid NOT NULL, `endpoint_id` uuid NOT NULL, CONSTRAINT `webhook_deliveries_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `webhook_deliveries_webhook_endpoints_endpoint` FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "webhook_deliveries" to new temporary table "new_webhook_deliveries"
INSERT INTO `new_webhook_deliveries` (`id`, `event_id`, `type`, `subject_id`, `payload`, `created_at`, `attempts`, `next_at`, `give_up_at`, `attempted_at`, `delivered_at`, `status`, `failure`, `tenant_id`, `endpoint_id`) SELECT `id`, `event_id`, `type`, `subject_id`, `payload`, `created_at`, `attempts`, `next_at`, `give_up_at`, `attempted_at`, `delivered_at`, `status`, `failure`, `tenant_id`, `endpoint_id` FROM `webhook_deliveries`;
-- Drop "webhook_deliveries" table after copying rows
DROP TABLE `webhook_deliveries`;
-- Rename temporary table "new_webhook_deliveries" to "webhook_deliveries"
ALTER TABLE `new_webhook_deliveries` RENAME TO `webhook_deliveries`;
-- Create index "webhookdelivery_endpoint_id_event_id" to table: "webhook_deliveries"
CREATE UNIQUE INDEX `webhookdelivery_endpoint_id_event_id` ON `webhook_deliveries` (`endpoint_id`, `event_id`);
-- Create index "webhookdelivery_endpoint_id_created_at_id" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_endpoint_id_created_at_id` ON `webhook_deliveries` (`endpoint_id`, `created_at`, `id`);
-- Create index "webhookdelivery_created_at" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_created_at` ON `webhook_deliveries` (`created_at`);
-- Create index "webhookdelivery_endpoint_id_next_at" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_endpoint_id_next_at` ON `webhook_deliveries` (`endpoint_id`, `next_at`) WHERE next_at IS NOT NULL;
-- Create index "webhookdelivery_endpoint_id_subject_id_id" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_endpoint_id_subject_id_id` ON `webhook_deliveries` (`endpoint_id`, `subject_id`, `id`) WHERE next_at IS NOT NULL;
-- Create index "webhookdelivery_sequence" to table: "webhook_deliveries"
CREATE INDEX `webhookdelivery_sequence` ON `webhook_deliveries` (`sequence`) WHERE sequence IS NOT NULL;
-- Add column "live_from" to table: "webhook_endpoints"
ALTER TABLE `webhook_endpoints` ADD COLUMN `live_from` integer NULL;
-- Add column "live_until" to table: "webhook_endpoints"
ALTER TABLE `webhook_endpoints` ADD COLUMN `live_until` datetime NULL;
-- Create index "webhookendpoint_live" to table: "webhook_endpoints"
CREATE UNIQUE INDEX `webhookendpoint_live` ON `webhook_endpoints` (`tenant_id`) WHERE live_until IS NOT NULL;
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
