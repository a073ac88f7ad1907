-- Add column "closed_at" to table: "tenants"
ALTER TABLE `tenants` ADD COLUMN `closed_at` datetime NULL;
-- Create index "tenant_closed_at" to table: "tenants"
CREATE INDEX `tenant_closed_at` ON `tenants` (`closed_at`) WHERE closed_at IS NOT NULL;
