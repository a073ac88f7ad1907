-- Create "webhook_deliveries" table
CREATE TABLE `webhook_deliveries` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `event_id` uuid NOT NULL, `type` text NOT NULL, `subject_id` uuid NOT NULL, `payload` text NOT NULL, `created_at` datetime NOT NULL, `attempts` integer NOT NULL DEFAULT (0), `next_at` datetime NULL, `give_up_at` datetime NOT NULL, `attempted_at` datetime NULL, `delivered_at` datetime NULL, `status` integer NULL, `failure` text NULL, `tenant_id` uuid NOT NULL, `endpoint_id` uuid NOT NULL, CONSTRAINT `webhook_deliveries_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `webhook_deliveries_webhook_endpoints_endpoint` FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints` (`id`) ON DELETE CASCADE);
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
-- Create "webhook_endpoints" table
CREATE TABLE `webhook_endpoints` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `url` text NOT NULL, `description` text NULL, `secret` blob NOT NULL, `previous_secret` blob NULL, `previous_until` datetime NULL, `events` integer NOT NULL, `active` bool NOT NULL DEFAULT (true), `disabled_reason` text NULL, `failures` integer NOT NULL DEFAULT (0), `failing_since` datetime NULL, `paused_until` datetime NULL, `leased_by` uuid NULL, `leased_until` datetime NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `webhook_endpoints_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "webhookendpoint_tenant_id_id" to table: "webhook_endpoints"
CREATE INDEX `webhookendpoint_tenant_id_id` ON `webhook_endpoints` (`tenant_id`, `id`);
