-- Add column "verified_at" to table: "one_time_codes"
ALTER TABLE `one_time_codes` ADD COLUMN `verified_at` datetime NULL;
