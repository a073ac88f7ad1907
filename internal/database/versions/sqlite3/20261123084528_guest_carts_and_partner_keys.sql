-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_partner_messages" table
CREATE TABLE `new_partner_messages` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `masked_to` text NOT NULL, `length` integer NOT NULL, `provider` text NOT NULL, `server_id` text NOT NULL, `outcome` text NOT NULL, `key_hash` blob NULL, `fingerprint` blob NULL, `partner_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `partner_messages_partners_partner` FOREIGN KEY (`partner_id`) REFERENCES `partners` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "partner_messages" to new temporary table "new_partner_messages"
INSERT INTO `new_partner_messages` (`id`, `created_at`, `updated_at`, `masked_to`, `length`, `provider`, `server_id`, `outcome`, `partner_id`) SELECT `id`, `created_at`, `updated_at`, `masked_to`, `length`, `provider`, `server_id`, `outcome`, `partner_id` FROM `partner_messages`;
-- Drop "partner_messages" table after copying rows
DROP TABLE `partner_messages`;
-- Rename temporary table "new_partner_messages" to "partner_messages"
ALTER TABLE `new_partner_messages` RENAME TO `partner_messages`;
-- Create index "partnermessage_partner_id_created_at" to table: "partner_messages"
CREATE INDEX `partnermessage_partner_id_created_at` ON `partner_messages` (`partner_id`, `created_at`);
-- Create index "partnermessage_created_at" to table: "partner_messages"
CREATE INDEX `partnermessage_created_at` ON `partner_messages` (`created_at`);
-- Create index "partnermessage_partner_id_key_hash" to table: "partner_messages"
CREATE UNIQUE INDEX `partnermessage_partner_id_key_hash` ON `partner_messages` (`partner_id`, `key_hash`);
-- Create index "cart_tenant_id_ends_at" to table: "carts"
CREATE INDEX `cart_tenant_id_ends_at` ON `carts` (`tenant_id`, `ends_at`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;
