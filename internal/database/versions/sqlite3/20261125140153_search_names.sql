-- Add column "search_text" to table: "audit_entries"
ALTER TABLE `audit_entries` ADD COLUMN `search_text` text NOT NULL DEFAULT '';
-- Add column "search_text" to table: "users"
ALTER TABLE `users` ADD COLUMN `search_text` text NOT NULL DEFAULT '';
