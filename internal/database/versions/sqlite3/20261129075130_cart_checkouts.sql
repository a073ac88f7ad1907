-- Add column "checked_out_at" to table: "carts"
ALTER TABLE `carts` ADD COLUMN `checked_out_at` datetime NULL;
-- Add column "repriced_at" to table: "carts"
ALTER TABLE `carts` ADD COLUMN `repriced_at` datetime NULL;
