-- Add column "seen_currency" to table: "cart_items"
ALTER TABLE `cart_items` ADD COLUMN `seen_currency` text NULL;
