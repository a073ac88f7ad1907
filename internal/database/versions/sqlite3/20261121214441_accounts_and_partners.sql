-- Create index "listing_tenant_id_entity_id" to table: "listings"
CREATE INDEX `listing_tenant_id_entity_id` ON `listings` (`tenant_id`, `entity_id`);
-- Create "addresses" table
CREATE TABLE `addresses` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `label` text NULL, `province` text NOT NULL, `city` text NOT NULL, `address` text NOT NULL, `postal_code` text NULL, `landline` text NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `addresses_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "address_user_id" to table: "addresses"
CREATE INDEX `address_user_id` ON `addresses` (`user_id`);
-- Create "memberships" table
CREATE TABLE `memberships` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `pending_until` datetime NULL, `user_id` uuid NOT NULL, `business_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `memberships_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `memberships_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "membership_user_id_business_id" to table: "memberships"
CREATE UNIQUE INDEX `membership_user_id_business_id` ON `memberships` (`user_id`, `business_id`);
-- Create index "membership_business_id" to table: "memberships"
CREATE INDEX `membership_business_id` ON `memberships` (`business_id`);
-- Create "one_time_codes" table
CREATE TABLE `one_time_codes` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `mac` blob NOT NULL, `business_id` uuid NULL, `expires_at` datetime NOT NULL, `guesses` integer NOT NULL DEFAULT (0), `proven_until` datetime NULL, PRIMARY KEY (`id`));
-- Create index "one_time_codes_cell_number_key" to table: "one_time_codes"
CREATE UNIQUE INDEX `one_time_codes_cell_number_key` ON `one_time_codes` (`cell_number`);
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
CREATE TABLE `partner_messages` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `masked_to` text NOT NULL, `length` integer NOT NULL, `provider` text NOT NULL, `server_id` text NOT NULL, `outcome` text NOT NULL, `partner_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `partner_messages_partners_partner` FOREIGN KEY (`partner_id`) REFERENCES `partners` (`id`) ON DELETE CASCADE);
-- Create index "partnermessage_partner_id_created_at" to table: "partner_messages"
CREATE INDEX `partnermessage_partner_id_created_at` ON `partner_messages` (`partner_id`, `created_at`);
-- Create index "partnermessage_created_at" to table: "partner_messages"
CREATE INDEX `partnermessage_created_at` ON `partner_messages` (`created_at`);
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
-- Create "refresh_tokens" table
CREATE TABLE `refresh_tokens` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `hash` blob NOT NULL, `expires_at` datetime NOT NULL, `used_until` datetime NULL, `session_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `refresh_tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE CASCADE);
-- Create index "refresh_tokens_hash_key" to table: "refresh_tokens"
CREATE UNIQUE INDEX `refresh_tokens_hash_key` ON `refresh_tokens` (`hash`);
-- Create index "refreshtoken_session_id" to table: "refresh_tokens"
CREATE INDEX `refreshtoken_session_id` ON `refresh_tokens` (`session_id`);
-- Create "sessions" table
CREATE TABLE `sessions` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `ended_at` datetime NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create "users" table
CREATE TABLE `users` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `cell_verified` bool NOT NULL DEFAULT (false), `password_hash` text NULL, `first_name` text NULL, `last_name` text NULL, `email` text NULL, PRIMARY KEY (`id`));
-- Create index "users_cell_number_key" to table: "users"
CREATE UNIQUE INDEX `users_cell_number_key` ON `users` (`cell_number`);
