-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Written by hand.
DROP TRIGGER `order_day_begins`;
DROP TRIGGER `order_day_changes`;
DROP TRIGGER `order_day_loses`;
DROP TRIGGER `order_day_is_paid`;
-- Create "new_webhook_endpoints" table
CREATE TABLE `new_webhook_endpoints` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `url` text NOT NULL, `description` text NULL, `secret` blob NOT NULL, `previous_secret` blob NULL, `previous_until` datetime NULL, `events` integer NOT NULL, `active` bool NOT NULL DEFAULT (true), `disabled_reason` text NULL, `restarts` integer NOT NULL DEFAULT (0), `number` integer NOT NULL DEFAULT (0), `failures` integer NOT NULL DEFAULT (0), `failing_since` datetime NULL, `paused_until` datetime NULL, `leased_by` uuid NULL, `leased_until` datetime NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `webhook_endpoints_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "webhook_endpoints" to new temporary table "new_webhook_endpoints"
INSERT INTO `new_webhook_endpoints` (`id`, `created_at`, `updated_at`, `url`, `description`, `secret`, `previous_secret`, `previous_until`, `events`, `active`, `disabled_reason`, `restarts`, `failures`, `failing_since`, `paused_until`, `leased_by`, `leased_until`, `tenant_id`) SELECT `id`, `created_at`, `updated_at`, `url`, `description`, `secret`, `previous_secret`, `previous_until`, `events`, `active`, `disabled_reason`, `restarts`, `failures`, `failing_since`, `paused_until`, `leased_by`, `leased_until`, `tenant_id` FROM `webhook_endpoints` WHERE `live_until` IS NULL;
-- Drop "webhook_endpoints" table after copying rows
DROP TABLE `webhook_endpoints`;
-- Rename temporary table "new_webhook_endpoints" to "webhook_endpoints"
ALTER TABLE `new_webhook_endpoints` RENAME TO `webhook_endpoints`;
-- Create index "webhookendpoint_tenant_id_id" to table: "webhook_endpoints"
CREATE INDEX `webhookendpoint_tenant_id_id` ON `webhook_endpoints` (`tenant_id`, `id`);
-- Create "new_order_days" table
CREATE TABLE `new_order_days` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `day` integer NOT NULL, `figures` blob NOT NULL, `number` integer NOT NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `order_days_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Drop "order_days" table after copying rows
DROP TABLE `order_days`;
-- Rename temporary table "new_order_days" to "order_days"
ALTER TABLE `new_order_days` RENAME TO `order_days`;
-- Create index "orderday_tenant_id_day" to table: "order_days"
CREATE UNIQUE INDEX `orderday_tenant_id_day` ON `order_days` (`tenant_id`, `day`);
-- Create "new_webhook_deliveries" table
CREATE TABLE `new_webhook_deliveries` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `event_id` uuid NOT NULL, `type` text NOT NULL, `subject_id` uuid NOT NULL, `payload` text NOT NULL, `created_at` datetime NOT NULL, `attempts` integer NOT NULL DEFAULT (0), `next_at` datetime NULL, `give_up_at` datetime NOT NULL, `attempted_at` datetime NULL, `delivered_at` datetime NULL, `status` integer NULL, `failure` text NULL, `tenant_id` uuid NOT NULL, `endpoint_id` uuid NOT NULL, CONSTRAINT `webhook_deliveries_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `webhook_deliveries_webhook_endpoints_endpoint` FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "webhook_deliveries" to new temporary table "new_webhook_deliveries"
INSERT INTO `new_webhook_deliveries` (`id`, `event_id`, `type`, `subject_id`, `payload`, `created_at`, `attempts`, `next_at`, `give_up_at`, `attempted_at`, `delivered_at`, `status`, `failure`, `tenant_id`, `endpoint_id`) SELECT `id`, `event_id`, `type`, `subject_id`, `payload`, `created_at`, `attempts`, `next_at`, `give_up_at`, `attempted_at`, `delivered_at`, `status`, `failure`, `tenant_id`, `endpoint_id` FROM `webhook_deliveries` WHERE `endpoint_id` IN (SELECT `id` FROM `webhook_endpoints`);
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
-- Create "shop_events" table
CREATE TABLE `shop_events` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `event_id` uuid NOT NULL, `type` text NOT NULL, `subject_id` uuid NOT NULL, `day` integer NULL, `payload` text NOT NULL, `created_at` datetime NOT NULL, `number` integer NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `shop_events_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "shop_events_number_key" to table: "shop_events"
CREATE UNIQUE INDEX `shop_events_number_key` ON `shop_events` (`number`);
-- Create index "shopevent_tenant_id_number_day" to table: "shop_events"
CREATE INDEX `shopevent_tenant_id_number_day` ON `shop_events` (`tenant_id`, `number`, `day`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
