-- Add column "pages" to table: "tenants"
ALTER TABLE `tenants` ADD COLUMN `pages` json NULL;
