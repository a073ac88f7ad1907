-- Add column "summary_fa" to table: "blogs"
ALTER TABLE `blogs` ADD COLUMN `summary_fa` text NULL;
-- Add column "body_fa" to table: "blogs"
ALTER TABLE `blogs` ADD COLUMN `body_fa` text NULL;
-- Add column "title_fa" to table: "brand_groups"
ALTER TABLE `brand_groups` ADD COLUMN `title_fa` text NULL;
-- Add column "working_hours_fa" to table: "business_profiles"
ALTER TABLE `business_profiles` ADD COLUMN `working_hours_fa` text NULL;
-- Add column "title_fa" to table: "category_groups"
ALTER TABLE `category_groups` ADD COLUMN `title_fa` text NULL;
-- Add column "summary_fa" to table: "portfolios"
ALTER TABLE `portfolios` ADD COLUMN `summary_fa` text NULL;
-- Add column "body_fa" to table: "portfolios"
ALTER TABLE `portfolios` ADD COLUMN `body_fa` text NULL;
-- Add column "summary_fa" to table: "products"
ALTER TABLE `products` ADD COLUMN `summary_fa` text NULL;
-- Add column "description_fa" to table: "products"
ALTER TABLE `products` ADD COLUMN `description_fa` text NULL;
-- Add column "title_fa" to table: "sliders"
ALTER TABLE `sliders` ADD COLUMN `title_fa` text NULL;
-- Add column "title_fa" to table: "store_specials"
ALTER TABLE `store_specials` ADD COLUMN `title_fa` text NULL;
-- Add column "description_fa" to table: "user_products"
ALTER TABLE `user_products` ADD COLUMN `description_fa` text NULL;
-- Add column "description_fa" to table: "categories"
ALTER TABLE `categories` ADD COLUMN `description_fa` text NULL;
