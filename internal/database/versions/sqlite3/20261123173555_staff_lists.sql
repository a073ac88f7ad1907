-- Drop index "comment_tenant_id_status" from table: "comments"
DROP INDEX `comment_tenant_id_status`;
-- Create index "comment_tenant_id_status_created_at_id" to table: "comments"
CREATE INDEX `comment_tenant_id_status_created_at_id` ON `comments` (`tenant_id`, `status`, `created_at`, `id`);
-- Drop index "expertreview_tenant_id_status" from table: "expert_reviews"
DROP INDEX `expertreview_tenant_id_status`;
-- Create index "expertreview_tenant_id_status_created_at_id" to table: "expert_reviews"
CREATE INDEX `expertreview_tenant_id_status_created_at_id` ON `expert_reviews` (`tenant_id`, `status`, `created_at`, `id`);
-- Add column "restarts" to table: "webhook_endpoints"
ALTER TABLE `webhook_endpoints` ADD COLUMN `restarts` integer NOT NULL DEFAULT (0);
