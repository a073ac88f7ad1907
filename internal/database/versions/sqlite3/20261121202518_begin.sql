-- Create "blogs" table
CREATE TABLE `blogs` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `summary` text NULL, `tags` json NOT NULL, `images` json NOT NULL, `seo` json NOT NULL, `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `type` text NOT NULL, `body` text NOT NULL, `author_name` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `blogs_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `blogs_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL);
-- Create index "blog_tenant_id_slug" to table: "blogs"
CREATE UNIQUE INDEX `blog_tenant_id_slug` ON `blogs` (`tenant_id`, `slug`);
-- Create index "blog_tenant_id_status_published_at_id" to table: "blogs"
CREATE INDEX `blog_tenant_id_status_published_at_id` ON `blogs` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "brands" table
CREATE TABLE `brands` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `logo_url` text NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `brands_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "brand_tenant_id_slug" to table: "brands"
CREATE UNIQUE INDEX `brand_tenant_id_slug` ON `brands` (`tenant_id`, `slug`);
-- Create "brand_groups" table
CREATE TABLE `brand_groups` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NOT NULL, `item_ids` json NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `brand_groups_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "brandgroup_tenant_id_key" to table: "brand_groups"
CREATE UNIQUE INDEX `brandgroup_tenant_id_key` ON `brand_groups` (`tenant_id`, `key`);
-- Create "business_profiles" table
CREATE TABLE `business_profiles` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `about` text NULL, `about_fa` text NULL, `phones` json NOT NULL, `emails` json NOT NULL, `addresses` json NOT NULL, `social_links` json NOT NULL, `working_hours` text NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `business_profiles_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "businessprofile_tenant_id" to table: "business_profiles"
CREATE UNIQUE INDEX `businessprofile_tenant_id` ON `business_profiles` (`tenant_id`);
-- Create "categories" table
CREATE TABLE `categories` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `entity_type` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `image_url` text NULL, `description` text NULL, `position` integer NOT NULL DEFAULT (0), `form` json NULL, `tenant_id` uuid NOT NULL, `parent_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `categories_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `categories_categories_children` FOREIGN KEY (`parent_id`) REFERENCES `categories` (`id`) ON DELETE NO ACTION);
-- Create index "category_tenant_id_entity_type_slug" to table: "categories"
CREATE UNIQUE INDEX `category_tenant_id_entity_type_slug` ON `categories` (`tenant_id`, `entity_type`, `slug`);
-- Create "category_groups" table
CREATE TABLE `category_groups` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NOT NULL, `item_ids` json NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `category_groups_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "categorygroup_tenant_id_key" to table: "category_groups"
CREATE UNIQUE INDEX `categorygroup_tenant_id_key` ON `category_groups` (`tenant_id`, `key`);
-- Create "comments" table
CREATE TABLE `comments` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `entity_type` text NOT NULL, `entity_id` uuid NOT NULL, `author_name` text NOT NULL, `author_email` text NULL, `text` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `comments_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "comment_tenant_id_entity_type_entity_id_status_created_at_id" to table: "comments"
CREATE INDEX `comment_tenant_id_entity_type_entity_id_status_created_at_id` ON `comments` (`tenant_id`, `entity_type`, `entity_id`, `status`, `created_at`, `id`);
-- Create "contact_submissions" table
CREATE TABLE `contact_submissions` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `title` text NOT NULL, `name` text NOT NULL, `email` text NULL, `cell_number` text NULL, `text` text NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `contact_submissions_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "contactsubmission_tenant_id_created_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_tenant_id_created_at` ON `contact_submissions` (`tenant_id`, `created_at`);
-- Create "expert_reviews" table
CREATE TABLE `expert_reviews` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `author_name` text NOT NULL, `author_email` text NULL, `rate` integer NOT NULL, `positive_points` json NOT NULL, `negative_points` json NOT NULL, `text` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `tenant_id` uuid NOT NULL, `product_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `expert_reviews_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `expert_reviews_products_product` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON DELETE CASCADE);
-- Create index "expertreview_tenant_id_product_id_status_created_at_id" to table: "expert_reviews"
CREATE INDEX `expertreview_tenant_id_product_id_status_created_at_id` ON `expert_reviews` (`tenant_id`, `product_id`, `status`, `created_at`, `id`);
-- Create "listings" table
CREATE TABLE `listings` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `kind` text NOT NULL, `facet` text NOT NULL, `published_at` datetime NOT NULL, `entity_id` uuid NOT NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `listings_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "listing_tenant_id_kind_facet_published_at_entity_id" to table: "listings"
CREATE UNIQUE INDEX `listing_tenant_id_kind_facet_published_at_entity_id` ON `listings` (`tenant_id`, `kind`, `facet`, `published_at`, `entity_id`);
-- Create "locations" table
CREATE TABLE `locations` (`id` uuid NOT NULL, `level` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `code` text NULL, `parent_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `locations_locations_children` FOREIGN KEY (`parent_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL);
-- Create index "location_level_slug" to table: "locations"
CREATE UNIQUE INDEX `location_level_slug` ON `locations` (`level`, `slug`);
-- Create index "location_parent_id" to table: "locations"
CREATE INDEX `location_parent_id` ON `locations` (`parent_id`);
-- Create "portfolios" table
CREATE TABLE `portfolios` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `summary` text NULL, `tags` json NOT NULL, `images` json NOT NULL, `seo` json NOT NULL, `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `body` text NOT NULL, `client_name` text NULL, `completed_on` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `portfolios_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `portfolios_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL);
-- Create index "portfolio_tenant_id_slug" to table: "portfolios"
CREATE UNIQUE INDEX `portfolio_tenant_id_slug` ON `portfolios` (`tenant_id`, `slug`);
-- Create index "portfolio_tenant_id_status_published_at_id" to table: "portfolios"
CREATE INDEX `portfolio_tenant_id_status_published_at_id` ON `portfolios` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "products" table
CREATE TABLE `products` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `summary` text NULL, `tags` json NOT NULL, `images` json NOT NULL, `seo` json NOT NULL, `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `description` text NULL, `tag_keys` json NOT NULL, `variations` json NOT NULL, `values` json NOT NULL, `price_min` integer NULL, `price_max` integer NULL, `price_currency` text NULL, `in_store` bool NOT NULL DEFAULT (false), `rating_sum` integer NOT NULL DEFAULT (0), `rating_count` integer NOT NULL DEFAULT (0), `tenant_id` uuid NOT NULL, `category_id` uuid NULL, `brand_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `products_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `products_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL, CONSTRAINT `products_brands_brand` FOREIGN KEY (`brand_id`) REFERENCES `brands` (`id`) ON DELETE SET NULL);
-- Create index "product_tenant_id_slug" to table: "products"
CREATE UNIQUE INDEX `product_tenant_id_slug` ON `products` (`tenant_id`, `slug`);
-- Create index "product_tenant_id_status_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_status_published_at_id` ON `products` (`tenant_id`, `status`, `published_at`, `id`);
-- Create index "product_tenant_id_brand_id_status_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_brand_id_status_published_at_id` ON `products` (`tenant_id`, `brand_id`, `status`, `published_at`, `id`);
-- Create "sliders" table
CREATE TABLE `sliders` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NULL, `position` integer NOT NULL DEFAULT (0), `slides` json NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sliders_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "slider_tenant_id_key" to table: "sliders"
CREATE UNIQUE INDEX `slider_tenant_id_key` ON `sliders` (`tenant_id`, `key`);
-- Create "store_specials" table
CREATE TABLE `store_specials` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NOT NULL, `item_ids` json NOT NULL, `starts_at` datetime NULL, `ends_at` datetime NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `store_specials_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "storespecial_tenant_id_key" to table: "store_specials"
CREATE UNIQUE INDEX `storespecial_tenant_id_key` ON `store_specials` (`tenant_id`, `key`);
-- Create "tenants" table
CREATE TABLE `tenants` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `domain` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `primary_color` text NULL, `default_locale` text NOT NULL DEFAULT ('fa'), `logo_url` text NULL, `favicon_url` text NULL, `content_version` integer NOT NULL DEFAULT (0), PRIMARY KEY (`id`));
-- Create index "tenants_domain_key" to table: "tenants"
CREATE UNIQUE INDEX `tenants_domain_key` ON `tenants` (`domain`);
-- Create index "tenants_slug_key" to table: "tenants"
CREATE UNIQUE INDEX `tenants_slug_key` ON `tenants` (`slug`);
-- Create "user_products" table
CREATE TABLE `user_products` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `description` text NULL, `price` integer NULL, `price_currency` text NOT NULL, `condition` text NOT NULL, `images` json NOT NULL, `promoted` bool NOT NULL DEFAULT (false), `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `values` json NOT NULL, `delivery_notes` text NULL, `technical_notes` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, `city_id` uuid NULL, `province_id` uuid NULL, `country_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `user_products_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `user_products_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_city` FOREIGN KEY (`city_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_province` FOREIGN KEY (`province_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_country` FOREIGN KEY (`country_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL);
-- Create index "userproduct_tenant_id_slug" to table: "user_products"
CREATE UNIQUE INDEX `userproduct_tenant_id_slug` ON `user_products` (`tenant_id`, `slug`);
-- Create index "userproduct_tenant_id_status_published_at_id" to table: "user_products"
CREATE INDEX `userproduct_tenant_id_status_published_at_id` ON `user_products` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "variants" table
CREATE TABLE `variants` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `sku` text NOT NULL, `sku_text` text NOT NULL DEFAULT (''), `options` json NOT NULL, `price` integer NULL, `price_milli` integer NULL, `compare_at_price` integer NULL, `price_currency` text NOT NULL, `stock` integer NOT NULL DEFAULT (0), `is_festival` bool NOT NULL DEFAULT (false), `max_order_quantity` integer NULL, `image_url` text NULL, `on_sale` bool NOT NULL DEFAULT (true), `listed_at` datetime NULL, `tenant_id` uuid NOT NULL, `product_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `variants_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `variants_products_product` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON DELETE CASCADE, CONSTRAINT `stock_not_negative` CHECK (stock >= 0));
-- Create index "variant_tenant_id_sku" to table: "variants"
CREATE UNIQUE INDEX `variant_tenant_id_sku` ON `variants` (`tenant_id`, `sku`);
-- Create index "variant_tenant_id_listed_at_id" to table: "variants"
CREATE INDEX `variant_tenant_id_listed_at_id` ON `variants` (`tenant_id`, `listed_at`, `id`);
-- Create index "variant_product_id_listed_at" to table: "variants"
CREATE INDEX `variant_product_id_listed_at` ON `variants` (`product_id`, `listed_at`);
