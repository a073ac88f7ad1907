-- Written by makemigration from ent/schema.
-- Create "access_tokens" table
CREATE TABLE `access_tokens` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `hash` blob NOT NULL, `last_characters` text NOT NULL, `permissions` json NOT NULL, `last_used_at` datetime NULL, `expires_at` datetime NULL, `revoked_at` datetime NULL, `business_id` uuid NOT NULL, `created_by` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `access_tokens_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `access_tokens_users_creator` FOREIGN KEY (`created_by`) REFERENCES `users` (`id`) ON DELETE SET NULL);
-- Create index "access_tokens_hash_key" to table: "access_tokens"
CREATE UNIQUE INDEX `access_tokens_hash_key` ON `access_tokens` (`hash`);
-- Create index "accesstoken_business_id" to table: "access_tokens"
CREATE INDEX `accesstoken_business_id` ON `access_tokens` (`business_id`);
-- Create index "accesstoken_created_by" to table: "access_tokens"
CREATE INDEX `accesstoken_created_by` ON `access_tokens` (`created_by`);
-- Create index "accesstoken_expires_at" to table: "access_tokens"
CREATE INDEX `accesstoken_expires_at` ON `access_tokens` (`expires_at`);
-- Create index "accesstoken_revoked_at" to table: "access_tokens"
CREATE INDEX `accesstoken_revoked_at` ON `access_tokens` (`revoked_at`);
-- Create "addresses" table
CREATE TABLE `addresses` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `label` text NULL, `province` text NOT NULL, `city` text NOT NULL, `address` text NOT NULL, `postal_code` text NULL, `landline` text NULL, `location_id` uuid NULL, `from_before` bool NOT NULL DEFAULT (false), `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `addresses_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "address_user_id" to table: "addresses"
CREATE INDEX `address_user_id` ON `addresses` (`user_id`);
-- Create "audit_entries" table
CREATE TABLE `audit_entries` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `user_id` uuid NULL, `token_id` uuid NULL, `role` text NULL, `action` text NOT NULL, `kind` text NOT NULL, `record_id` uuid NULL, `record_name` text NULL, `search_text` text NOT NULL DEFAULT (''), `customer_id` uuid NULL, `before` json NULL, `after` json NULL, `business_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `audit_entries_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "auditentry_business_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_created_at_id` ON `audit_entries` (`business_id`, `created_at`, `id`);
-- Create index "auditentry_created_at" to table: "audit_entries"
CREATE INDEX `auditentry_created_at` ON `audit_entries` (`created_at`);
-- Create index "auditentry_business_id_record_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_record_id_created_at_id` ON `audit_entries` (`business_id`, `record_id`, `created_at`, `id`);
-- Create index "auditentry_business_id_user_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_user_id_created_at_id` ON `audit_entries` (`business_id`, `user_id`, `created_at`, `id`);
-- Create index "auditentry_business_id_token_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_token_id_created_at_id` ON `audit_entries` (`business_id`, `token_id`, `created_at`, `id`) WHERE token_id IS NOT NULL;
-- Create index "auditentry_customer_id" to table: "audit_entries"
CREATE INDEX `auditentry_customer_id` ON `audit_entries` (`customer_id`);
-- Create "authenticators" table
CREATE TABLE `authenticators` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `secret` blob NOT NULL, `confirmed_at` datetime NULL, `last_step` integer NOT NULL DEFAULT (0), `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `authenticators_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "authenticator_user_id" to table: "authenticators"
CREATE UNIQUE INDEX `authenticator_user_id` ON `authenticators` (`user_id`);
-- Create index "authenticator_unconfirmed" to table: "authenticators"
CREATE INDEX `authenticator_unconfirmed` ON `authenticators` (`created_at`) WHERE confirmed_at IS NULL;
-- Create "blogs" table
CREATE TABLE `blogs` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `summary` text NULL, `summary_fa` text NULL, `tags` json NOT NULL, `images` json NOT NULL, `seo` json NOT NULL, `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `type` text NOT NULL, `body` text NOT NULL, `body_fa` text NULL, `author_name` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `blogs_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `blogs_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL);
-- Create index "blog_tenant_id_slug" to table: "blogs"
CREATE UNIQUE INDEX `blog_tenant_id_slug` ON `blogs` (`tenant_id`, `slug`);
-- Create index "blog_tenant_id_status_published_at_id" to table: "blogs"
CREATE INDEX `blog_tenant_id_status_published_at_id` ON `blogs` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "brands" table
CREATE TABLE `brands` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `logo_url` text NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `brands_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "brand_tenant_id_slug" to table: "brands"
CREATE UNIQUE INDEX `brand_tenant_id_slug` ON `brands` (`tenant_id`, `slug`);
-- Create "brand_groups" table
CREATE TABLE `brand_groups` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NOT NULL, `title_fa` text NULL, `item_ids` json NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `brand_groups_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "brandgroup_tenant_id_key" to table: "brand_groups"
CREATE UNIQUE INDEX `brandgroup_tenant_id_key` ON `brand_groups` (`tenant_id`, `key`);
-- Create "business_profiles" table
CREATE TABLE `business_profiles` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `about` text NULL, `about_fa` text NULL, `phones` json NOT NULL, `emails` json NOT NULL, `addresses` json NOT NULL, `social_links` json NOT NULL, `working_hours` text NULL, `working_hours_fa` text NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `business_profiles_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "businessprofile_tenant_id" to table: "business_profiles"
CREATE UNIQUE INDEX `businessprofile_tenant_id` ON `business_profiles` (`tenant_id`);
-- Create "carts" table
CREATE TABLE `carts` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `token_hash` blob NULL, `ends_at` datetime NULL, `untouched_by` text NULL, `checkouts` integer NOT NULL DEFAULT (0), `last_order_id` uuid NULL, `checked_out_at` datetime NULL, `repriced_at` datetime NULL, `last_checkout` blob NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NULL, `used_on` integer NULL AS (updated_at / 86400000000) VIRTUAL, PRIMARY KEY (`id`), CONSTRAINT `carts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `carts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `cart_of_one` CHECK ((user_id IS NULL) <> (token_hash IS NULL) AND (token_hash IS NULL) = (ends_at IS NULL)));
-- Create index "carts_token_hash_key" to table: "carts"
CREATE UNIQUE INDEX `carts_token_hash_key` ON `carts` (`token_hash`);
-- Create index "cart_user_id_tenant_id" to table: "carts"
CREATE UNIQUE INDEX `cart_user_id_tenant_id` ON `carts` (`user_id`, `tenant_id`);
-- Create index "cart_ends_at" to table: "carts"
CREATE INDEX `cart_ends_at` ON `carts` (`ends_at`);
-- Create index "cart_untouched_by_created_at" to table: "carts"
CREATE INDEX `cart_untouched_by_created_at` ON `carts` (`untouched_by`, `created_at`) WHERE untouched_by IS NOT NULL;
-- Create index "cart_tenant_id_ends_at" to table: "carts"
CREATE INDEX `cart_tenant_id_ends_at` ON `carts` (`tenant_id`, `ends_at`);
-- Create index "cart_used_on" to table: "carts"
CREATE INDEX `cart_used_on` ON `carts` (`used_on`);
-- Create "cart_items" table
CREATE TABLE `cart_items` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `gone` json NULL, `quantity` integer NOT NULL, `seen_price` integer NOT NULL, `seen_currency` text NULL, `tenant_id` uuid NOT NULL, `cart_id` uuid NOT NULL, `variant_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `cart_items_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `cart_items_carts_cart` FOREIGN KEY (`cart_id`) REFERENCES `carts` (`id`) ON DELETE CASCADE, CONSTRAINT `cart_items_variants_variant` FOREIGN KEY (`variant_id`) REFERENCES `variants` (`id`) ON DELETE NO ACTION, CONSTRAINT `item_of_something` CHECK (variant_id IS NOT NULL OR gone IS NOT NULL), CONSTRAINT `quantity_positive` CHECK (quantity >= 1));
-- Create index "cartitem_cart_id_variant_id" to table: "cart_items"
CREATE UNIQUE INDEX `cartitem_cart_id_variant_id` ON `cart_items` (`cart_id`, `variant_id`);
-- Create index "cartitem_variant_id" to table: "cart_items"
CREATE INDEX `cartitem_variant_id` ON `cart_items` (`variant_id`);
-- Create "categories" table
CREATE TABLE `categories` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `entity_type` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `image_url` text NULL, `description` text NULL, `description_fa` text NULL, `position` integer NOT NULL DEFAULT (0), `form` json NULL, `moving` bool NOT NULL DEFAULT (false), `moves` integer NOT NULL DEFAULT (0), `tenant_id` uuid NOT NULL, `parent_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `categories_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `categories_categories_children` FOREIGN KEY (`parent_id`) REFERENCES `categories` (`id`) ON DELETE NO ACTION);
-- Create index "category_tenant_id_entity_type_slug" to table: "categories"
CREATE UNIQUE INDEX `category_tenant_id_entity_type_slug` ON `categories` (`tenant_id`, `entity_type`, `slug`);
-- Create index "category_moving" to table: "categories"
CREATE INDEX `category_moving` ON `categories` (`moving`) WHERE moving;
-- Create "category_groups" table
CREATE TABLE `category_groups` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NOT NULL, `title_fa` text NULL, `item_ids` json NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `category_groups_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "categorygroup_tenant_id_key" to table: "category_groups"
CREATE UNIQUE INDEX `categorygroup_tenant_id_key` ON `category_groups` (`tenant_id`, `key`);
-- Create "comments" table
CREATE TABLE `comments` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `rejection_reason` text NULL, `reply` text NULL, `replied_at` datetime NULL, `entity_type` text NOT NULL, `entity_id` uuid NOT NULL, `author_name` text NOT NULL, `author_email` text NULL, `text` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `tenant_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `comments_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `comments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL);
-- Create index "comment_user_id" to table: "comments"
CREATE INDEX `comment_user_id` ON `comments` (`user_id`) WHERE user_id IS NOT NULL;
-- Create index "comment_tenant_id_entity_type_entity_id_status_created_at_id" to table: "comments"
CREATE INDEX `comment_tenant_id_entity_type_entity_id_status_created_at_id` ON `comments` (`tenant_id`, `entity_type`, `entity_id`, `status`, `created_at`, `id`);
-- Create index "comment_tenant_id_status_created_at_id" to table: "comments"
CREATE INDEX `comment_tenant_id_status_created_at_id` ON `comments` (`tenant_id`, `status`, `created_at`, `id`);
-- Create "contact_submissions" table
CREATE TABLE `contact_submissions` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `title` text NOT NULL, `name` text NOT NULL, `email` text NULL, `cell_number` text NULL, `text` text NOT NULL, `handled_at` datetime NULL, `note` text NULL, `noted_at` datetime NULL, `reply` text NULL, `replied_at` datetime NULL, `reply_state` text NULL, `tenant_id` uuid NOT NULL, `replied_by` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `contact_submissions_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `contact_submissions_users_replier` FOREIGN KEY (`replied_by`) REFERENCES `users` (`id`) ON DELETE SET NULL);
-- Create index "contactsubmission_tenant_id_created_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_tenant_id_created_at` ON `contact_submissions` (`tenant_id`, `created_at`);
-- Create index "contactsubmission_tenant_id_handled_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_tenant_id_handled_at` ON `contact_submissions` (`tenant_id`, `handled_at`);
-- Create index "contactsubmission_replied_by" to table: "contact_submissions"
CREATE INDEX `contactsubmission_replied_by` ON `contact_submissions` (`replied_by`) WHERE replied_by IS NOT NULL;
-- Create index "contactsubmission_created_at" to table: "contact_submissions"
CREATE INDEX `contactsubmission_created_at` ON `contact_submissions` (`created_at`);
-- Create "delivery_methods" table
CREATE TABLE `delivery_methods` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `kind` text NOT NULL, `country_ids` json NOT NULL, `province_ids` json NOT NULL, `city_ids` json NOT NULL, `price_currency` text NOT NULL, `price` integer NULL, `steps` json NOT NULL, `free_from` integer NULL, `days_from` integer NULL, `days_to` integer NULL, `position` integer NOT NULL DEFAULT (0), `active` bool NOT NULL DEFAULT (true), `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `delivery_methods_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "deliverymethod_tenant_id_key" to table: "delivery_methods"
CREATE UNIQUE INDEX `deliverymethod_tenant_id_key` ON `delivery_methods` (`tenant_id`, `key`);
-- Create "domain_aliases" table
CREATE TABLE `domain_aliases` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `domain` text NOT NULL, `business_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `domain_aliases_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "domain_aliases_domain_key" to table: "domain_aliases"
CREATE UNIQUE INDEX `domain_aliases_domain_key` ON `domain_aliases` (`domain`);
-- Create index "domainalias_business_id" to table: "domain_aliases"
CREATE INDEX `domainalias_business_id` ON `domain_aliases` (`business_id`);
-- Create "expert_reviews" table
CREATE TABLE `expert_reviews` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `rejection_reason` text NULL, `reply` text NULL, `replied_at` datetime NULL, `author_name` text NOT NULL, `author_email` text NULL, `rate` integer NOT NULL, `positive_points` json NOT NULL, `negative_points` json NOT NULL, `text` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `tenant_id` uuid NOT NULL, `user_id` uuid NULL, `product_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `expert_reviews_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `expert_reviews_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL, CONSTRAINT `expert_reviews_products_product` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON DELETE CASCADE);
-- Create index "expertreview_user_id" to table: "expert_reviews"
CREATE INDEX `expertreview_user_id` ON `expert_reviews` (`user_id`) WHERE user_id IS NOT NULL;
-- Create index "expertreview_tenant_id_product_id_status_created_at_id" to table: "expert_reviews"
CREATE INDEX `expertreview_tenant_id_product_id_status_created_at_id` ON `expert_reviews` (`tenant_id`, `product_id`, `status`, `created_at`, `id`);
-- Create index "expertreview_tenant_id_status_created_at_id" to table: "expert_reviews"
CREATE INDEX `expertreview_tenant_id_status_created_at_id` ON `expert_reviews` (`tenant_id`, `status`, `created_at`, `id`);
-- Create "favorites" table
CREATE TABLE `favorites` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NOT NULL, `product_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `favorites_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `favorites_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `favorites_products_product` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON DELETE CASCADE);
-- Create index "favorite_tenant_id_user_id_product_id" to table: "favorites"
CREATE UNIQUE INDEX `favorite_tenant_id_user_id_product_id` ON `favorites` (`tenant_id`, `user_id`, `product_id`);
-- Create index "favorite_user_id_tenant_id_created_at_id" to table: "favorites"
CREATE INDEX `favorite_user_id_tenant_id_created_at_id` ON `favorites` (`user_id`, `tenant_id`, `created_at`, `id`);
-- Create index "favorite_product_id" to table: "favorites"
CREATE INDEX `favorite_product_id` ON `favorites` (`product_id`);
-- Create "file_removals" table
CREATE TABLE `file_removals` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `prefix` text NOT NULL, `due_at` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "fileremoval_due_at" to table: "file_removals"
CREATE INDEX `fileremoval_due_at` ON `file_removals` (`due_at`);
-- Create "gateway_accounts" table
CREATE TABLE `gateway_accounts` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `gateway` text NOT NULL, `is_test` bool NOT NULL, `secrets` blob NULL, `last4` text NOT NULL, `callback_base` text NULL, `active` bool NOT NULL DEFAULT (false), `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `gateway_accounts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "gateway_account_active" to table: "gateway_accounts"
CREATE UNIQUE INDEX `gateway_account_active` ON `gateway_accounts` (`tenant_id`, `gateway`) WHERE active;
-- Create "gateway_events" table
CREATE TABLE `gateway_events` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `gateway_account_id` uuid NOT NULL, `event` text NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `gateway_events_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "gatewayevent_gateway_account_id_event" to table: "gateway_events"
CREATE UNIQUE INDEX `gatewayevent_gateway_account_id_event` ON `gateway_events` (`gateway_account_id`, `event`);
-- Create index "gatewayevent_created_at" to table: "gateway_events"
CREATE INDEX `gatewayevent_created_at` ON `gateway_events` (`created_at`);
-- Create "idempotency_keys" table
CREATE TABLE `idempotency_keys` (`id` text NOT NULL, `token_id` uuid NULL, `fingerprint` blob NOT NULL, `answer` text NULL, `size` integer NOT NULL DEFAULT (0), `expires_at` datetime NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `idempotency_keys_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "idempotencykey_user_id_size" to table: "idempotency_keys"
CREATE INDEX `idempotencykey_user_id_size` ON `idempotency_keys` (`user_id`, `size`);
-- Create index "idempotencykey_expires_at" to table: "idempotency_keys"
CREATE INDEX `idempotencykey_expires_at` ON `idempotency_keys` (`expires_at`);
-- Create "installations" table
CREATE TABLE `installations` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `version` integer NOT NULL DEFAULT (0), `key_fingerprint` text NOT NULL DEFAULT (''), `media_id` text NOT NULL DEFAULT (''));
-- Create "listings" table
CREATE TABLE `listings` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `kind` text NOT NULL, `facet` text NOT NULL, `published_at` datetime NOT NULL, `entity_id` uuid NOT NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `listings_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "listing_tenant_id_kind_facet_published_at_entity_id" to table: "listings"
CREATE UNIQUE INDEX `listing_tenant_id_kind_facet_published_at_entity_id` ON `listings` (`tenant_id`, `kind`, `facet`, `published_at`, `entity_id`);
-- Create index "listing_tenant_id_entity_id" to table: "listings"
CREATE INDEX `listing_tenant_id_entity_id` ON `listings` (`tenant_id`, `entity_id`);
-- Create "locations" table
CREATE TABLE `locations` (`id` uuid NOT NULL, `level` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `code` text NULL, `parent_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `locations_locations_children` FOREIGN KEY (`parent_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL);
-- Create index "location_level_slug" to table: "locations"
CREATE UNIQUE INDEX `location_level_slug` ON `locations` (`level`, `slug`);
-- Create index "location_parent_id" to table: "locations"
CREATE INDEX `location_parent_id` ON `locations` (`parent_id`);
-- Create "media_files" table
CREATE TABLE `media_files` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `address` text NOT NULL, `hash` blob NOT NULL, `sent_hash` blob NULL, `kind` text NOT NULL, `size` integer NOT NULL, `total_size` integer NOT NULL, `width` integer NOT NULL, `height` integer NOT NULL, `placeholder_color` text NULL, `name` text NULL, `alt_fa` text NULL, `alt_en` text NULL, `used_at` datetime NOT NULL, `checked_at` datetime NOT NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `media_files_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `media_files_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "mediafile_tenant_id_hash" to table: "media_files"
CREATE UNIQUE INDEX `mediafile_tenant_id_hash` ON `media_files` (`tenant_id`, `hash`);
-- Create index "mediafile_tenant_id_sent_hash" to table: "media_files"
CREATE UNIQUE INDEX `mediafile_tenant_id_sent_hash` ON `media_files` (`tenant_id`, `sent_hash`);
-- Create index "mediafile_tenant_id_created_at_id" to table: "media_files"
CREATE INDEX `mediafile_tenant_id_created_at_id` ON `media_files` (`tenant_id`, `created_at`, `id`);
-- Create index "mediafile_user_id_tenant_id" to table: "media_files"
CREATE INDEX `mediafile_user_id_tenant_id` ON `media_files` (`user_id`, `tenant_id`);
-- Create index "mediafile_checked_at" to table: "media_files"
CREATE INDEX `mediafile_checked_at` ON `media_files` (`checked_at`);
-- Create "memberships" table
CREATE TABLE `memberships` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `pending_until` datetime NULL, `asked_from` text NULL, `user_id` uuid NOT NULL, `business_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `memberships_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `memberships_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "membership_user_id_business_id" to table: "memberships"
CREATE UNIQUE INDEX `membership_user_id_business_id` ON `memberships` (`user_id`, `business_id`);
-- Create index "membership_business_id_created_at" to table: "memberships"
CREATE INDEX `membership_business_id_created_at` ON `memberships` (`business_id`, `created_at`);
-- Create index "membership_pending_until" to table: "memberships"
CREATE INDEX `membership_pending_until` ON `memberships` (`pending_until`);
-- Create "moved_slugs" table
CREATE TABLE `moved_slugs` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `kind` text NOT NULL, `slug` text NOT NULL, `record_id` uuid NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `moved_slugs_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "movedslug_tenant_id_kind_slug" to table: "moved_slugs"
CREATE UNIQUE INDEX `movedslug_tenant_id_kind_slug` ON `moved_slugs` (`tenant_id`, `kind`, `slug`);
-- Create index "movedslug_tenant_id_record_id" to table: "moved_slugs"
CREATE INDEX `movedslug_tenant_id_record_id` ON `moved_slugs` (`tenant_id`, `record_id`);
-- Create "one_time_codes" table
CREATE TABLE `one_time_codes` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `party` text NOT NULL, `mac` blob NOT NULL, `business_id` uuid NULL, `asked_from` text NOT NULL DEFAULT (''), `expires_at` datetime NOT NULL, `used_at` datetime NULL, `verified_at` datetime NULL, `proven_until` datetime NULL, `proven_from` text NULL, `ticket_mac` blob NULL, `ticket_until` datetime NULL, PRIMARY KEY (`id`));
-- Create index "onetimecode_cell_number_party" to table: "one_time_codes"
CREATE UNIQUE INDEX `onetimecode_cell_number_party` ON `one_time_codes` (`cell_number`, `party`);
-- Create index "onetimecode_expires_at" to table: "one_time_codes"
CREATE INDEX `onetimecode_expires_at` ON `one_time_codes` (`expires_at`);
-- Create "orders" table
CREATE TABLE `orders` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `order_number` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `total_quantity` integer NOT NULL, `subtotal` integer NOT NULL, `charge_total` integer NOT NULL DEFAULT (0), `total` integer NOT NULL, `discount` integer NOT NULL DEFAULT (0), `refund_due` integer NOT NULL DEFAULT (0), `price_currency` text NOT NULL, `pay_code` text NULL, `return_url` text NULL, `delivery` json NULL, `shipping_address` json NOT NULL, `customer_notes` text NULL, `buyer_first_name` text NULL, `buyer_last_name` text NULL, `buyer_email` text NULL, `tenant_id` uuid NOT NULL, `user_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `orders_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `orders_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL, CONSTRAINT `total_adds_up` CHECK (total = subtotal + charge_total AND total >= 0 AND total <= 9007199254740991));
-- Create index "orders_pay_code_key" to table: "orders"
CREATE UNIQUE INDEX `orders_pay_code_key` ON `orders` (`pay_code`);
-- Create index "order_tenant_id_order_number" to table: "orders"
CREATE UNIQUE INDEX `order_tenant_id_order_number` ON `orders` (`tenant_id`, `order_number`);
-- Create index "order_user_id_tenant_id_created_at_id" to table: "orders"
CREATE INDEX `order_user_id_tenant_id_created_at_id` ON `orders` (`user_id`, `tenant_id`, `created_at`, `id`);
-- Create index "order_tenant_id_user_id_status_created_at_id" to table: "orders"
CREATE INDEX `order_tenant_id_user_id_status_created_at_id` ON `orders` (`tenant_id`, `user_id`, `status`, `created_at`, `id`);
-- Create index "order_tenant_id_created_at_id" to table: "orders"
CREATE INDEX `order_tenant_id_created_at_id` ON `orders` (`tenant_id`, `created_at`, `id`);
-- Create index "order_refund_due" to table: "orders"
CREATE INDEX `order_refund_due` ON `orders` (`tenant_id`, `created_at`) WHERE refund_due > 0;
-- Create "order_charges" table
CREATE TABLE `order_charges` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `kind` text NOT NULL, `source_id` uuid NULL, `name` text NOT NULL, `name_fa` text NULL, `amount` integer NOT NULL, `rate` integer NULL, `included` bool NOT NULL DEFAULT (false), `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, `item_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `order_charges_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `order_charges_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE, CONSTRAINT `order_charges_order_items_item` FOREIGN KEY (`item_id`) REFERENCES `order_items` (`id`) ON DELETE CASCADE);
-- Create index "ordercharge_order_id" to table: "order_charges"
CREATE INDEX `ordercharge_order_id` ON `order_charges` (`order_id`);
-- Create index "ordercharge_item_id" to table: "order_charges"
CREATE INDEX `ordercharge_item_id` ON `order_charges` (`item_id`);
-- Create "order_days" table
CREATE TABLE `order_days` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `day` integer NOT NULL, `figures` blob NOT NULL, `number` integer NOT NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `order_days_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "orderday_tenant_id_day" to table: "order_days"
CREATE UNIQUE INDEX `orderday_tenant_id_day` ON `order_days` (`tenant_id`, `day`);
-- Create "order_events" table
CREATE TABLE `order_events` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `status` text NOT NULL, `at` datetime NOT NULL, `note` text NULL, `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `order_events_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `order_events_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE);
-- Create index "orderevent_order_id" to table: "order_events"
CREATE INDEX `orderevent_order_id` ON `order_events` (`order_id`);
-- Create "order_items" table
CREATE TABLE `order_items` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `store_item_variant_id` uuid NOT NULL, `product_id` uuid NOT NULL, `product_slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `options` json NOT NULL, `sku` text NOT NULL, `image_url` text NULL, `quantity` integer NOT NULL, `unit_price` integer NOT NULL, `line_total` integer NOT NULL, `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `order_items_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `order_items_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE, CONSTRAINT `line_adds_up` CHECK (line_total = quantity * unit_price));
-- Create index "orderitem_order_id" to table: "order_items"
CREATE INDEX `orderitem_order_id` ON `order_items` (`order_id`);
-- Create "partners" table
CREATE TABLE `partners` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `domain` text NOT NULL, PRIMARY KEY (`id`));
-- Create index "partners_domain_key" to table: "partners"
CREATE UNIQUE INDEX `partners_domain_key` ON `partners` (`domain`);
-- Create "partner_keys" table
CREATE TABLE `partner_keys` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `hash` blob NOT NULL, `revoked_at` datetime NULL, `partner_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `partner_keys_partners_partner` FOREIGN KEY (`partner_id`) REFERENCES `partners` (`id`) ON DELETE CASCADE);
-- Create index "partner_keys_hash_key" to table: "partner_keys"
CREATE UNIQUE INDEX `partner_keys_hash_key` ON `partner_keys` (`hash`);
-- Create index "partnerkey_partner_id" to table: "partner_keys"
CREATE INDEX `partnerkey_partner_id` ON `partner_keys` (`partner_id`);
-- Create "partner_messages" table
CREATE TABLE `partner_messages` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `masked_to` text NOT NULL, `length` integer NOT NULL, `provider` text NOT NULL, `server_id` text NOT NULL, `outcome` text NOT NULL, `key_hash` blob NULL, `fingerprint` blob NULL, `partner_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `partner_messages_partners_partner` FOREIGN KEY (`partner_id`) REFERENCES `partners` (`id`) ON DELETE CASCADE);
-- Create index "partnermessage_partner_id_created_at" to table: "partner_messages"
CREATE INDEX `partnermessage_partner_id_created_at` ON `partner_messages` (`partner_id`, `created_at`);
-- Create index "partnermessage_created_at" to table: "partner_messages"
CREATE INDEX `partnermessage_created_at` ON `partner_messages` (`created_at`);
-- Create index "partnermessage_partner_id_key_hash" to table: "partner_messages"
CREATE UNIQUE INDEX `partnermessage_partner_id_key_hash` ON `partner_messages` (`partner_id`, `key_hash`);
-- Create "payments" table
CREATE TABLE `payments` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `type` text NOT NULL, `status` text NOT NULL DEFAULT ('pending'), `counts` bool NOT NULL DEFAULT (true), `amount` integer NOT NULL, `refunded` integer NOT NULL DEFAULT (0), `pos_type` text NULL, `transfer_account` text NULL, `transfer_ref_number` text NULL, `gateway_type` text NULL, `notes` text NULL, `reference` text NULL, `received_at` datetime NULL, `marked_at` datetime NULL, `due_at` datetime NULL, `ours` text NULL, `theirs` text NULL, `is_test` bool NOT NULL DEFAULT (false), `card` text NULL, `problem` text NULL, `payable_until` datetime NULL, `holds_until` datetime NULL, `look_at` datetime NULL, `claimed_until` datetime NULL, `verify_sent` bool NOT NULL DEFAULT (false), `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, `gateway_account_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `payments_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `payments_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE, CONSTRAINT `payments_gateway_accounts_gateway_account` FOREIGN KEY (`gateway_account_id`) REFERENCES `gateway_accounts` (`id`) ON DELETE NO ACTION, CONSTRAINT `refunded_in_part` CHECK (0 <= refunded AND refunded <= amount));
-- Create index "payment_order_id" to table: "payments"
CREATE INDEX `payment_order_id` ON `payments` (`order_id`);
-- Create index "payment_counts" to table: "payments"
CREATE UNIQUE INDEX `payment_counts` ON `payments` (`order_id`) WHERE counts;
-- Create index "payment_paid" to table: "payments"
CREATE UNIQUE INDEX `payment_paid` ON `payments` (`order_id`) WHERE status = 'paid';
-- Create index "payment_under_way" to table: "payments"
CREATE UNIQUE INDEX `payment_under_way` ON `payments` (`order_id`) WHERE (status = 'begun') OR (status = 'sent') OR (status = 'returned') OR (status = 'verifying');
-- Create index "payment_received" to table: "payments"
CREATE INDEX `payment_received` ON `payments` (`tenant_id`, `received_at`, `id`) WHERE received_at IS NOT NULL;
-- Create index "payment_ours" to table: "payments"
CREATE UNIQUE INDEX `payment_ours` ON `payments` (`ours`);
-- Create index "payment_gateway_account_id_theirs" to table: "payments"
CREATE UNIQUE INDEX `payment_gateway_account_id_theirs` ON `payments` (`gateway_account_id`, `theirs`);
-- Create index "payment_gateway_account_id_reference" to table: "payments"
CREATE INDEX `payment_gateway_account_id_reference` ON `payments` (`gateway_account_id`, `reference`);
-- Create index "payment_status_due_at" to table: "payments"
CREATE INDEX `payment_status_due_at` ON `payments` (`status`, `due_at`);
-- Create index "payment_look_at" to table: "payments"
CREATE INDEX `payment_look_at` ON `payments` (`look_at`) WHERE look_at IS NOT NULL;
-- Create "portfolios" table
CREATE TABLE `portfolios` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `summary` text NULL, `summary_fa` text NULL, `tags` json NOT NULL, `images` json NOT NULL, `seo` json NOT NULL, `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `body` text NOT NULL, `body_fa` text NULL, `client_name` text NULL, `completed_on` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `portfolios_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `portfolios_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL);
-- Create index "portfolio_tenant_id_slug" to table: "portfolios"
CREATE UNIQUE INDEX `portfolio_tenant_id_slug` ON `portfolios` (`tenant_id`, `slug`);
-- Create index "portfolio_tenant_id_status_published_at_id" to table: "portfolios"
CREATE INDEX `portfolio_tenant_id_status_published_at_id` ON `portfolios` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "products" table
CREATE TABLE `products` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `summary` text NULL, `summary_fa` text NULL, `tags` json NOT NULL, `images` json NOT NULL, `seo` json NOT NULL, `status` text NOT NULL DEFAULT ('published'), `published_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `description` text NULL, `description_fa` text NULL, `tag_keys` json NOT NULL, `variations` json NOT NULL, `values` json NOT NULL, `price_min` integer NULL, `price_max` integer NULL, `price_currency` text NULL, `in_store` bool NOT NULL DEFAULT (false), `rating_sum` integer NOT NULL DEFAULT (0), `rating_count` integer NOT NULL DEFAULT (0), `sort_cheap` integer NOT NULL DEFAULT (-9200000000000000000), `sort_dear` integer NOT NULL DEFAULT (-1), `sort_rating` integer NOT NULL DEFAULT (-1), `sort_title` blob NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, `brand_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `products_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `products_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL, CONSTRAINT `products_brands_brand` FOREIGN KEY (`brand_id`) REFERENCES `brands` (`id`) ON DELETE SET NULL);
-- Create index "product_tenant_id_slug" to table: "products"
CREATE UNIQUE INDEX `product_tenant_id_slug` ON `products` (`tenant_id`, `slug`);
-- Create index "product_tenant_id_status_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_status_published_at_id` ON `products` (`tenant_id`, `status`, `published_at`, `id`);
-- Create index "product_tenant_id_brand_id_status_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_brand_id_status_published_at_id` ON `products` (`tenant_id`, `brand_id`, `status`, `published_at`, `id`);
-- Create index "product_tenant_id_status_sort_cheap_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_status_sort_cheap_published_at_id` ON `products` (`tenant_id`, `status`, `sort_cheap`, `published_at`, `id`);
-- Create index "product_tenant_id_status_sort_dear_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_status_sort_dear_published_at_id` ON `products` (`tenant_id`, `status`, `sort_dear`, `published_at`, `id`);
-- Create index "product_tenant_id_status_sort_rating_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_status_sort_rating_published_at_id` ON `products` (`tenant_id`, `status`, `sort_rating`, `published_at`, `id`);
-- Create index "product_tenant_id_status_sort_title_published_at_id" to table: "products"
CREATE INDEX `product_tenant_id_status_sort_title_published_at_id` ON `products` (`tenant_id`, `status`, `sort_title`, `published_at` DESC, `id` DESC);
-- Create index "product_facets" to table: "products"
CREATE INDEX `product_facets` ON `products` (`tenant_id`, `status`, `published_at`, `category_id`, `brand_id`, `price_currency`, `sort_dear`, `in_store`);
-- Create "rate_events" table
CREATE TABLE `rate_events` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `key` text NOT NULL, `at` datetime NOT NULL, `expires_at` datetime NOT NULL);
-- Create index "rateevent_key_at" to table: "rate_events"
CREATE INDEX `rateevent_key_at` ON `rate_events` (`key`, `at`);
-- Create index "rateevent_expires_at" to table: "rate_events"
CREATE INDEX `rateevent_expires_at` ON `rate_events` (`expires_at`);
-- Create "rate_keys" table
CREATE TABLE `rate_keys` (`id` text NOT NULL, `failures` integer NOT NULL DEFAULT (0), `locked_until` datetime NULL, `touched_at` datetime NOT NULL, PRIMARY KEY (`id`));
-- Create index "ratekey_touched_at" to table: "rate_keys"
CREATE INDEX `ratekey_touched_at` ON `rate_keys` (`touched_at`);
-- Create "receipts" table
CREATE TABLE `receipts` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `hash` blob NOT NULL, `size` integer NOT NULL, `width` integer NOT NULL, `height` integer NOT NULL, `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `receipts_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `receipts_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE, CONSTRAINT `receipts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION);
-- Create index "receipt_order_id_hash" to table: "receipts"
CREATE UNIQUE INDEX `receipt_order_id_hash` ON `receipts` (`order_id`, `hash`);
-- Create index "receipt_user_id_tenant_id" to table: "receipts"
CREATE INDEX `receipt_user_id_tenant_id` ON `receipts` (`user_id`, `tenant_id`);
-- Create index "receipt_tenant_id" to table: "receipts"
CREATE INDEX `receipt_tenant_id` ON `receipts` (`tenant_id`);
-- Create index "receipt_created_at" to table: "receipts"
CREATE INDEX `receipt_created_at` ON `receipts` (`created_at`);
-- Create "recovery_codes" table
CREATE TABLE `recovery_codes` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `hash` blob NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `recovery_codes_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "recoverycode_user_id_hash" to table: "recovery_codes"
CREATE UNIQUE INDEX `recoverycode_user_id_hash` ON `recovery_codes` (`user_id`, `hash`);
-- Create "refunds" table
CREATE TABLE `refunds` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `amount` integer NOT NULL, `status` text NOT NULL, `reason` text NULL, `reference` text NULL, `problem` text NULL, `tenant_id` uuid NOT NULL, `order_id` uuid NOT NULL, `payment_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `refunds_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `refunds_orders_order` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`) ON DELETE CASCADE, CONSTRAINT `refunds_payments_payment` FOREIGN KEY (`payment_id`) REFERENCES `payments` (`id`) ON DELETE CASCADE, CONSTRAINT `refund_positive` CHECK (amount > 0));
-- Create index "refund_payment_id" to table: "refunds"
CREATE INDEX `refund_payment_id` ON `refunds` (`payment_id`);
-- Create index "refund_order_id" to table: "refunds"
CREATE INDEX `refund_order_id` ON `refunds` (`order_id`);
-- Create "sessions" table
CREATE TABLE `sessions` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `ended_at` datetime NULL, `number` integer NOT NULL DEFAULT (1), `seen` bool NOT NULL DEFAULT (true), `refreshed_at` datetime NOT NULL, `client` text NULL, `network` text NULL, `proven_at` datetime NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create index "session_ended_at" to table: "sessions"
CREATE INDEX `session_ended_at` ON `sessions` (`ended_at`);
-- Create "shop_events" table
CREATE TABLE `shop_events` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `event_id` uuid NOT NULL, `type` text NOT NULL, `subject_id` uuid NOT NULL, `day` integer NULL, `payload` text NOT NULL, `created_at` datetime NOT NULL, `number` integer NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `shop_events_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "shop_events_number_key" to table: "shop_events"
CREATE UNIQUE INDEX `shop_events_number_key` ON `shop_events` (`number`);
-- Create index "shopevent_tenant_id_number_day" to table: "shop_events"
CREATE INDEX `shopevent_tenant_id_number_day` ON `shop_events` (`tenant_id`, `number`, `day`);
-- Create "sign_in_addresses" table
CREATE TABLE `sign_in_addresses` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `address` text NOT NULL, `last_at` datetime NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sign_in_addresses_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "signinaddress_user_id_address" to table: "sign_in_addresses"
CREATE UNIQUE INDEX `signinaddress_user_id_address` ON `sign_in_addresses` (`user_id`, `address`);
-- Create index "signinaddress_last_at" to table: "sign_in_addresses"
CREATE INDEX `signinaddress_last_at` ON `sign_in_addresses` (`last_at`);
-- Create "sliders" table
CREATE TABLE `sliders` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NULL, `title_fa` text NULL, `position` integer NOT NULL DEFAULT (0), `slides` json NOT NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sliders_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "slider_tenant_id_key" to table: "sliders"
CREATE UNIQUE INDEX `slider_tenant_id_key` ON `sliders` (`tenant_id`, `key`);
-- Create "staff_invitations" table
CREATE TABLE `staff_invitations` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `role` text NOT NULL, `expires_at` datetime NOT NULL, `sms` text NULL, `sms_at` datetime NULL, `business_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `staff_invitations_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "staffinvitation_business_id_cell_number" to table: "staff_invitations"
CREATE UNIQUE INDEX `staffinvitation_business_id_cell_number` ON `staff_invitations` (`business_id`, `cell_number`);
-- Create index "staffinvitation_cell_number" to table: "staff_invitations"
CREATE INDEX `staffinvitation_cell_number` ON `staff_invitations` (`cell_number`);
-- Create index "staffinvitation_expires_at" to table: "staff_invitations"
CREATE INDEX `staffinvitation_expires_at` ON `staff_invitations` (`expires_at`);
-- Create "staff_members" table
CREATE TABLE `staff_members` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `role` text NOT NULL, `user_id` uuid NOT NULL, `business_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `staff_members_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `staff_members_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "staffmember_user_id_business_id" to table: "staff_members"
CREATE UNIQUE INDEX `staffmember_user_id_business_id` ON `staff_members` (`user_id`, `business_id`);
-- Create index "staffmember_operator" to table: "staff_members"
CREATE UNIQUE INDEX `staffmember_operator` ON `staff_members` (`user_id`) WHERE business_id IS NULL;
-- Create index "staffmember_business_id" to table: "staff_members"
CREATE INDEX `staffmember_business_id` ON `staff_members` (`business_id`);
-- Create "store_specials" table
CREATE TABLE `store_specials` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `title` text NOT NULL, `title_fa` text NULL, `item_ids` json NOT NULL, `starts_at` datetime NULL, `ends_at` datetime NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `store_specials_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "storespecial_tenant_id_key" to table: "store_specials"
CREATE UNIQUE INDEX `storespecial_tenant_id_key` ON `store_specials` (`tenant_id`, `key`);
-- Create "tax_rates" table
CREATE TABLE `tax_rates` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `key` text NOT NULL, `category` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `rate` integer NOT NULL, `from` text NULL, `until` text NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `tax_rates_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "taxrate_tenant_id_key" to table: "tax_rates"
CREATE UNIQUE INDEX `taxrate_tenant_id_key` ON `tax_rates` (`tenant_id`, `key`);
-- Create "tenants" table
CREATE TABLE `tenants` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `domain` text NOT NULL, `slug` text NOT NULL, `name` text NOT NULL, `name_fa` text NOT NULL, `primary_color` text NULL, `default_locale` text NOT NULL DEFAULT ('fa'), `time_zone` text NULL, `logo_url` text NULL, `favicon_url` text NULL, `pages` json NULL, `order_rules` json NULL, `content_version` integer NOT NULL DEFAULT (0), `sale_version` integer NOT NULL DEFAULT (0), `closed_at` datetime NULL, `paused_at` datetime NULL, `second_factor_since` datetime NULL, PRIMARY KEY (`id`));
-- Create index "tenants_domain_key" to table: "tenants"
CREATE UNIQUE INDEX `tenants_domain_key` ON `tenants` (`domain`);
-- Create index "tenants_slug_key" to table: "tenants"
CREATE UNIQUE INDEX `tenants_slug_key` ON `tenants` (`slug`);
-- Create index "tenant_closed_at" to table: "tenants"
CREATE INDEX `tenant_closed_at` ON `tenants` (`closed_at`) WHERE closed_at IS NOT NULL;
-- Create index "tenant_paused_at" to table: "tenants"
CREATE INDEX `tenant_paused_at` ON `tenants` (`paused_at`) WHERE paused_at IS NOT NULL;
-- Create "users" table
CREATE TABLE `users` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `cell_verified` bool NOT NULL DEFAULT (false), `password_hash` text NULL, `first_name` text NULL, `last_name` text NULL, `email` text NULL, `email_before` text NULL, `search_text` text NOT NULL DEFAULT (''), `vouched` bool NOT NULL DEFAULT (false), `registered_from` text NULL, `contested_by` text NULL, `handed_over_at` datetime NULL, `closed_at` datetime NULL, PRIMARY KEY (`id`));
-- Create index "users_cell_number_key" to table: "users"
CREATE UNIQUE INDEX `users_cell_number_key` ON `users` (`cell_number`);
-- Create index "user_closed_at" to table: "users"
CREATE INDEX `user_closed_at` ON `users` (`closed_at`);
-- Create index "user_unproven" to table: "users"
CREATE INDEX `user_unproven` ON `users` (`created_at`) WHERE NOT cell_verified;
-- Create "user_products" table
CREATE TABLE `user_products` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `slug` text NOT NULL, `title_fa` text NOT NULL, `title_en` text NULL, `description` text NULL, `description_fa` text NULL, `price` integer NULL, `price_currency` text NOT NULL, `condition` text NOT NULL, `images` json NOT NULL, `promoted` bool NOT NULL DEFAULT (false), `status` text NOT NULL DEFAULT ('published'), `rejection_reason` text NULL, `published_at` datetime NOT NULL, `values` json NOT NULL, `delivery_notes` text NULL, `technical_notes` text NULL, `tenant_id` uuid NOT NULL, `category_id` uuid NULL, `user_id` uuid NULL, `city_id` uuid NULL, `province_id` uuid NULL, `country_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `user_products_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `user_products_categories_category` FOREIGN KEY (`category_id`) REFERENCES `categories` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_city` FOREIGN KEY (`city_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_province` FOREIGN KEY (`province_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL, CONSTRAINT `user_products_locations_country` FOREIGN KEY (`country_id`) REFERENCES `locations` (`id`) ON DELETE SET NULL);
-- Create index "userproduct_tenant_id_slug" to table: "user_products"
CREATE UNIQUE INDEX `userproduct_tenant_id_slug` ON `user_products` (`tenant_id`, `slug`);
-- Create index "userproduct_user_id_tenant_id" to table: "user_products"
CREATE INDEX `userproduct_user_id_tenant_id` ON `user_products` (`user_id`, `tenant_id`);
-- Create index "userproduct_tenant_id_status_published_at_id" to table: "user_products"
CREATE INDEX `userproduct_tenant_id_status_published_at_id` ON `user_products` (`tenant_id`, `status`, `published_at`, `id`);
-- Create "variants" table
CREATE TABLE `variants` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `search_text` text NOT NULL DEFAULT (''), `sku` text NOT NULL, `sku_text` text NOT NULL DEFAULT (''), `options` json NOT NULL, `price` integer NULL, `price_milli` integer NULL, `compare_at_price` integer NULL, `price_currency` text NOT NULL, `stock` integer NOT NULL DEFAULT (0), `low_stock_at` integer NULL, `is_festival` bool NOT NULL DEFAULT (false), `max_order_quantity` integer NULL, `weight` integer NULL, `tax_category` text NULL, `image_url` text NULL, `on_sale` bool NOT NULL DEFAULT (true), `listed_at` datetime NULL, `product_category_id` uuid NULL, `product_brand_id` uuid NULL, `sort_cheap` integer NOT NULL DEFAULT (-9200000000000000000), `sort_dear` integer NOT NULL DEFAULT (-1), `sort_discount` integer NOT NULL DEFAULT (-1), `tenant_id` uuid NOT NULL, `product_id` uuid NOT NULL, `in_stock` bool NULL AS (stock > 0) VIRTUAL, PRIMARY KEY (`id`), CONSTRAINT `variants_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE, CONSTRAINT `variants_products_product` FOREIGN KEY (`product_id`) REFERENCES `products` (`id`) ON DELETE CASCADE, CONSTRAINT `stock_not_negative` CHECK (stock >= 0));
-- Create index "variant_tenant_id_sku" to table: "variants"
CREATE UNIQUE INDEX `variant_tenant_id_sku` ON `variants` (`tenant_id`, `sku`);
-- Create index "variant_tenant_id_sku_text" to table: "variants"
CREATE INDEX `variant_tenant_id_sku_text` ON `variants` (`tenant_id`, `sku_text`);
-- Create index "variant_tenant_id_listed_at_id" to table: "variants"
CREATE INDEX `variant_tenant_id_listed_at_id` ON `variants` (`tenant_id`, `listed_at`, `id`);
-- Create index "variant_tenant_id_sort_cheap_listed_at_id" to table: "variants"
CREATE INDEX `variant_tenant_id_sort_cheap_listed_at_id` ON `variants` (`tenant_id`, `sort_cheap`, `listed_at`, `id`);
-- Create index "variant_tenant_id_sort_dear_listed_at_id" to table: "variants"
CREATE INDEX `variant_tenant_id_sort_dear_listed_at_id` ON `variants` (`tenant_id`, `sort_dear`, `listed_at`, `id`);
-- Create index "variant_tenant_id_sort_discount_listed_at_id" to table: "variants"
CREATE INDEX `variant_tenant_id_sort_discount_listed_at_id` ON `variants` (`tenant_id`, `sort_discount`, `listed_at`, `id`);
-- Create index "variant_product_id_listed_at" to table: "variants"
CREATE INDEX `variant_product_id_listed_at` ON `variants` (`product_id`, `listed_at`);
-- Create index "variant_facets" to table: "variants"
CREATE INDEX `variant_facets` ON `variants` (`tenant_id`, `listed_at`, `product_category_id`, `product_brand_id`, `price_currency`, `sort_dear`, `is_festival`, `in_stock`);
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
CREATE TABLE `webhook_endpoints` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `url` text NOT NULL, `description` text NULL, `secret` blob NOT NULL, `previous_secret` blob NULL, `previous_until` datetime NULL, `events` integer NOT NULL, `active` bool NOT NULL DEFAULT (true), `disabled_reason` text NULL, `restarts` integer NOT NULL DEFAULT (0), `number` integer NOT NULL DEFAULT (0), `failures` integer NOT NULL DEFAULT (0), `failing_since` datetime NULL, `paused_until` datetime NULL, `leased_by` uuid NULL, `leased_until` datetime NULL, `tenant_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `webhook_endpoints_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "webhookendpoint_tenant_id_id" to table: "webhook_endpoints"
CREATE INDEX `webhookendpoint_tenant_id_id` ON `webhook_endpoints` (`tenant_id`, `id`);
-- Written by hand.
-- SQLite plans by what ANALYZE last saw, and without that by guesses, which for shops are bad ones: it takes any equality of
-- a tenant for a good reason to use an index, and without a row for listing_tenant_id_entity_id it reads all listings of a
-- shop to find a few by their ids. So the shape of a large shop is written down once (100,000 products, measured), and plans
-- are the same in every installation. PostgreSQL keeps statistics of its own.
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
	('blogs', 'blog_tenant_id_slug', '2000 2000 1'),
	('blogs', 'blog_tenant_id_status_published_at_id', '2000 2000 1000 1 1'),
	('blogs', 'sqlite_autoindex_blogs_1', '2000 1'),
	('brands', 'brand_tenant_id_slug', '200 200 1'),
	('brands', 'sqlite_autoindex_brands_1', '200 1'),
	('comments', 'comment_tenant_id_entity_type_entity_id_status_created_at_id', '100000 100000 50000 10 5 1 1'),
	('comments', 'sqlite_autoindex_comments_1', '100000 1'),
	('expert_reviews', 'expertreview_tenant_id_product_id_status_created_at_id', '50000 50000 10 5 1 1'),
	('expert_reviews', 'sqlite_autoindex_expert_reviews_1', '50000 1'),
	('listings', 'listing_tenant_id_entity_id', '489660 489660 4'),
	('listings', 'listing_tenant_id_kind_facet_published_at_entity_id', '489660 489660 489660 1701 1 1'),
	('locations', 'location_level_slug', '1634 545 1'),
	('locations', 'location_parent_id', '1634 50'),
	('locations', 'sqlite_autoindex_locations_1', '1634 1'),
	('portfolios', 'portfolio_tenant_id_slug', '2000 2000 1'),
	('portfolios', 'portfolio_tenant_id_status_published_at_id', '2000 2000 1000 1 1'),
	('portfolios', 'sqlite_autoindex_portfolios_1', '2000 1'),
	('products', 'product_facets', '100000 100000 50000 1 1 1 1 1 1'),
	('products', 'product_tenant_id_brand_id_status_published_at_id', '100000 100000 500 250 1 1'),
	('products', 'product_tenant_id_slug', '100000 100000 1'),
	('products', 'product_tenant_id_status_published_at_id', '100000 100000 50000 1 1'),
	('products', 'product_tenant_id_status_sort_cheap_published_at_id', '100000 100000 50000 2 1 1'),
	('products', 'product_tenant_id_status_sort_dear_published_at_id', '100000 100000 50000 2 1 1'),
	('products', 'product_tenant_id_status_sort_rating_published_at_id', '100000 100000 50000 500 1 1'),
	('products', 'product_tenant_id_status_sort_title_published_at_id', '100000 100000 50000 2 1 1'),
	('products', 'sqlite_autoindex_products_1', '100000 1'),
	('variants', 'sqlite_autoindex_variants_1', '150000 1'),
	('variants', 'variant_facets', '150000 150000 2 2 2 2 1 1 1'),
	('variants', 'variant_product_id_listed_at', '150000 2 2'),
	('variants', 'variant_tenant_id_listed_at_id', '150000 150000 2 1'),
	('variants', 'variant_tenant_id_sku', '150000 150000 1'),
	('variants', 'variant_tenant_id_sort_cheap_listed_at_id', '150000 150000 3 1 1'),
	('variants', 'variant_tenant_id_sort_dear_listed_at_id', '150000 150000 3 1 1'),
	('variants', 'variant_tenant_id_sort_discount_listed_at_id', '150000 150000 1000 2 1');
-- The index of the words that a search finds: the trigrams of products.search_text. PostgreSQL has trigram indexes of its own
-- (pg_trgm). Variants have none: the time of an import would grow by a sixth.
--
-- An FTS5 table numbers its documents. A document of a shop has a number of the shop's range, number << 32 and on, so that a
-- shop reads its own part of the index and no other; product_documents says whose document it is. (The rowid of products
-- itself would not do: VACUUM changes it.) FTS5 takes many documents at once in a tenth of the time of one after the other.
-- So what changes is noted, and indexed together when the content version of its shop rises, at the end of the same
-- transaction; a search looks through what is noted as well.
CREATE TABLE `search_shops` (`number` integer NOT NULL PRIMARY KEY, `tenant_id` uuid NOT NULL UNIQUE);
CREATE VIRTUAL TABLE `product_words` USING fts5(`search_text`, content='', contentless_delete=1, detail=none,
	tokenize='trigram case_sensitive 1');
CREATE TABLE `product_documents` (`number` integer NOT NULL PRIMARY KEY, `product_id` uuid NOT NULL UNIQUE);
CREATE TABLE `product_changes` (`tenant_id` uuid NOT NULL, `product_id` uuid NOT NULL, PRIMARY KEY (`tenant_id`, `product_id`))
	WITHOUT ROWID;
CREATE TRIGGER `product_is_new` AFTER INSERT ON `products` BEGIN
	INSERT INTO `product_changes` VALUES (NEW.`tenant_id`, NEW.`id`) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER `product_is_renamed` AFTER UPDATE OF `search_text` ON `products` WHEN OLD.`search_text` <> NEW.`search_text` BEGIN
	INSERT INTO `product_changes` VALUES (NEW.`tenant_id`, NEW.`id`) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER `product_is_gone` AFTER DELETE ON `products` BEGIN
	INSERT INTO `product_changes` VALUES (OLD.`tenant_id`, OLD.`id`) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER `product_words_follow` AFTER UPDATE OF `content_version` ON `tenants`
WHEN EXISTS (SELECT 1 FROM `product_changes` WHERE `tenant_id` = NEW.`id`) BEGIN
	INSERT INTO `search_shops` (`tenant_id`) VALUES (NEW.`id`) ON CONFLICT DO NOTHING;
	DELETE FROM `product_words` WHERE rowid IN (SELECT d.`number` FROM `product_changes` AS c
		JOIN `product_documents` AS d ON d.`product_id` = c.`product_id` WHERE c.`tenant_id` = NEW.`id`);
	DELETE FROM `product_documents` WHERE `product_id` IN (SELECT c.`product_id` FROM `product_changes` AS c
		WHERE c.`tenant_id` = NEW.`id` AND NOT EXISTS (SELECT 1 FROM `products` AS p WHERE p.`id` = c.`product_id`));
	INSERT INTO `product_documents` SELECT
		COALESCE((SELECT d.`number` FROM `product_documents` AS d WHERE d.`number` BETWEEN s.`number` << 32 AND (s.`number` << 32) + 0xffffffff
			ORDER BY d.`number` DESC LIMIT 1), s.`number` << 32) + row_number() OVER (ORDER BY c.`product_id`), c.`product_id`
		FROM `search_shops` AS s JOIN `product_changes` AS c ON c.`tenant_id` = s.`tenant_id`
		WHERE s.`tenant_id` = NEW.`id` AND EXISTS (SELECT 1 FROM `products` AS p WHERE p.`id` = c.`product_id`)
		AND NOT EXISTS (SELECT 1 FROM `product_documents` AS d WHERE d.`product_id` = c.`product_id`);
	INSERT INTO `product_words` (rowid, `search_text`) SELECT d.`number`, p.`search_text` FROM `product_changes` AS c
		JOIN `products` AS p ON p.`id` = c.`product_id` JOIN `product_documents` AS d ON d.`product_id` = c.`product_id`
		WHERE c.`tenant_id` = NEW.`id`;
	DELETE FROM `product_changes` WHERE `tenant_id` = NEW.`id`;
END;
CREATE TRIGGER `words_go` AFTER DELETE ON `tenants` BEGIN
	DELETE FROM `product_words` WHERE rowid IN (SELECT d.`number` FROM `search_shops` AS s JOIN `product_documents` AS d
		ON d.`number` BETWEEN s.`number` << 32 AND (s.`number` << 32) + 0xffffffff WHERE s.`tenant_id` = OLD.`id`);
	DELETE FROM `product_documents` WHERE `number` IN (SELECT d.`number` FROM `search_shops` AS s JOIN `product_documents` AS d
		ON d.`number` BETWEEN s.`number` << 32 AND (s.`number` << 32) + 0xffffffff WHERE s.`tenant_id` = OLD.`id`);
	DELETE FROM `product_changes` WHERE `tenant_id` = OLD.`id`;
	DELETE FROM `search_shops` WHERE `tenant_id` = OLD.`id`;
END;
